// java.io's writers. Knows streams by their methods.
import type { HeapObject, JavaArray, Taint } from '../../machine/heap.ts';
import type { Machine, ModelClass, NativeMethods } from '../../machine/model.ts';
import { charsetOf, encodeText } from '../nio/charset-codec.ts';
import {
  arrayTaint,
  charArray,
  charsToText,
  checkRange,
  type Reference,
  required,
  setElementTaint,
} from '../values.ts';
import { writeTo } from './byte-output.ts';
import { formatMethods, printMethods } from './output-streams.ts';

/** The `native` of a modelled writer. */
interface TextOutput {
  /** What StringWriter and CharArrayWriter hold. */
  text: string;
  taint: Taint;
  put: ((machine: Machine, text: string, taint: Taint) => void) | null;
  below: HeapObject | null;
}

function begin(self: HeapObject, put: TextOutput['put'], below: HeapObject | null): undefined {
  self.native = { text: '', taint: 0, put, below } satisfies TextOutput;
}

function write(machine: Machine, self: HeapObject, text: string, taint: Taint): undefined {
  const output = required(machine, self.native as TextOutput | undefined);
  const all = machine.union(taint, machine.controlTaint);
  if (output.put !== null) {
    if (text !== '') output.put(machine, text, all);
    return;
  }
  machine.charge(text.length * 2);
  output.text += text;
  output.taint = machine.union(output.taint, all);
}

/** Whether the app's subclass overrides the method that writes text, which then has to be called. */
const viaArray = (machine: Machine, self: HeapObject, text: string, taint: Taint): undefined => {
  machine.call(self, 'write([CII)V', charArray(machine, text, taint), 0, text.length);
};

function textMethods(put: typeof write): NativeMethods {
  return {
    'write(I)V': (machine, self, character: number) =>
      put(machine, self, String.fromCharCode(character & 0xffff), machine.argumentTaint(1)),
    'write(![C)V': (machine, self, array: JavaArray) =>
      put(
        machine,
        self,
        charsToText(required(machine, array).elements as Uint16Array),
        arrayTaint(machine, array, 0, array.elements.length),
      ),
    'write(Ljava/lang/String;)V': (machine, self, text: Reference) =>
      put(machine, self, machine.toText(required(machine, text)).text, text!.taint),
    'write(Ljava/lang/String;II)V': (machine, self, text: Reference, offset: number, length: number) => {
      const whole = machine.toText(required(machine, text)).text;
      checkRange(machine, offset, length, whole.length);
      return put(machine, self, whole.slice(offset, offset + length), text!.taint);
    },
    'append(Ljava/lang/CharSequence;)Ljava/io/Writer;': (machine, self, value: Reference) => {
      const text = machine.toText(value);
      put(machine, self, text.text, text.taint);
      return self;
    },
    'append(C)Ljava/io/Writer;': (machine, self, character: number) => {
      put(machine, self, String.fromCharCode(character), machine.argumentTaint(1));
      return self;
    },
  };
}

const native: NativeMethods = {
  ...textMethods(write),
  'write(![CII)V': (machine, self, array: JavaArray, offset: number, length: number) => {
    checkRange(machine, offset, length, required(machine, array).elements.length);
    const text = charsToText(array.elements as Uint16Array, offset, offset + length);
    return write(machine, self, text, arrayTaint(machine, array, offset, offset + length));
  },
  'flush()V': (machine, self) => {
    const below = (self.native as TextOutput).below;
    if (below !== null) machine.call(below, 'flush()V');
  },
  'close()V': (machine, self) => {
    const below = (self.native as TextOutput).below;
    if (below === null) return;
    machine.call(below, 'flush()V');
    machine.call(below, 'close()V');
  },
  'newLine()V': (machine, self) => write(machine, self, '\n', 0),
  'getEncoding()Ljava/lang/String;': (machine) => machine.string('UTF8'),
};

function toStream(machine: Machine, self: HeapObject, stream: HeapObject, charset: string): undefined {
  required(machine, stream);
  begin(self, (m, text, taint) => writeTo(m, stream, encodeText(text, charset), taint), stream);
}

function toWriter(machine: Machine, self: HeapObject, writer: HeapObject): undefined {
  required(machine, writer);
  begin(
    self,
    (m, text, taint) => {
      m.call(writer, 'write([CII)V', charArray(m, text, taint), 0, text.length);
    },
    writer,
  );
}

function toFile(machine: Machine, self: HeapObject, signature: string, ...args: (Reference | number)[]): undefined {
  toStream(machine, self, machine.construct('Ljava/io/FileOutputStream;', signature, ...args), 'UTF-8');
}

const fileConstructors: NativeMethods = {
  '<init>(Ljava/io/File;)V': (machine, self, file) => toFile(machine, self, '<init>(Ljava/io/File;)V', file),
  '<init>(Ljava/lang/String;)V': (machine, self, path) => toFile(machine, self, '<init>(Ljava/lang/String;)V', path),
};

const wrapping: NativeMethods = {
  '<init>(!Ljava/io/Writer;)V': toWriter,
  '<init>(!Ljava/io/Writer;I)V': toWriter,
  '<init>(!Ljava/io/Writer;Z)V': toWriter,
};

const collecting: NativeMethods = {
  '<init>()V': (_machine, self) => begin(self, null, null),
  '<init>(I)V': (_machine, self) => begin(self, null, null),
  'toString()Ljava/lang/String;': (machine, self) => {
    const { text, taint } = self.native as TextOutput;
    return machine.string(text, taint);
  },
};

const WRITER = 'Ljava/io/Writer;';

export const writerModels: Record<string, ModelClass> = {
  [WRITER]: {
    isAbstract: true,
    implements: ['Ljava/lang/Appendable;', 'Ljava/io/Closeable;', 'Ljava/io/Flushable;'],
    methods: {
      ...textMethods(viaArray),
      '<init>()V': () => undefined,
      '<init>(Ljava/lang/Object;)V': () => undefined,
      'append(Ljava/lang/CharSequence;)Ljava/lang/Appendable;': (machine, self, value: Reference) => {
        const text = machine.toText(value);
        viaArray(machine, self, text.text, text.taint);
        return self;
      },
    },
    abstractMethods: ['write([CII)V', 'flush()V', 'close()V'],
  },
  'Ljava/io/OutputStreamWriter;': {
    extends: WRITER,
    methods: {
      ...native,
      '<init>(!Ljava/io/OutputStream;)V': (machine, self, stream: HeapObject) =>
        toStream(machine, self, stream, 'UTF-8'),
      '<init>(!Ljava/io/OutputStream;Ljava/lang/String;)V': (machine, self, stream: HeapObject, charset: Reference) =>
        toStream(machine, self, stream, charsetOf(machine, charset)),
      '<init>(!Ljava/io/OutputStream;Ljava/nio/charset/Charset;)V': (machine, self, stream: HeapObject, charset) =>
        toStream(machine, self, stream, charsetOf(machine, charset)),
    },
  },
  'Ljava/io/FileWriter;': {
    extends: 'Ljava/io/OutputStreamWriter;',
    methods: {
      ...fileConstructors,
      '<init>(Ljava/io/File;Z)V': (machine, self, file, isAppend: number) =>
        toFile(machine, self, '<init>(Ljava/io/File;Z)V', file, isAppend),
      '<init>(Ljava/lang/String;Z)V': (machine, self, path, isAppend: number) =>
        toFile(machine, self, '<init>(Ljava/lang/String;Z)V', path, isAppend),
    },
  },
  'Ljava/io/BufferedWriter;': { extends: WRITER, methods: { ...native, ...wrapping } },
  'Ljava/io/FilterWriter;': { extends: WRITER, methods: { ...native, ...wrapping } },
  'Ljava/io/PrintWriter;': {
    extends: WRITER,
    methods: {
      ...native,
      ...wrapping,
      ...fileConstructors,
      '<init>(!Ljava/io/OutputStream;)V': (machine, self, stream: HeapObject) =>
        toStream(machine, self, stream, 'UTF-8'),
      '<init>(!Ljava/io/OutputStream;Z)V': (machine, self, stream: HeapObject) =>
        toStream(machine, self, stream, 'UTF-8'),
      'checkError()Z': () => 0,
      ...printMethods(write),
      ...formatMethods('Ljava/io/PrintWriter;', write),
    },
  },
  'Ljava/io/StringWriter;': {
    extends: WRITER,
    methods: {
      ...native,
      ...collecting,
      'append(Ljava/lang/CharSequence;)Ljava/io/StringWriter;':
        native['append(Ljava/lang/CharSequence;)Ljava/io/Writer;']!,
      'append(C)Ljava/io/StringWriter;': native['append(C)Ljava/io/Writer;']!,
      'getBuffer()Ljava/lang/StringBuffer;': (machine, self) => {
        const { text, taint } = self.native as TextOutput;
        return machine.construct(
          'Ljava/lang/StringBuffer;',
          '<init>(Ljava/lang/String;)V',
          machine.string(text, taint),
        );
      },
    },
  },
  'Ljava/io/CharArrayWriter;': {
    extends: WRITER,
    methods: {
      ...native,
      ...collecting,
      'toCharArray()[C': (machine, self) => {
        const { text, taint } = self.native as TextOutput;
        return charArray(machine, text, taint);
      },
      'size()I': (_machine, self) => (self.native as TextOutput).text.length,
      'reset()V': (_machine, self) => begin(self, null, null),
      'writeTo(!Ljava/io/Writer;)V': (machine, self, target: HeapObject) => {
        const { text, taint } = self.native as TextOutput;
        const array = charArray(machine, text);
        setElementTaint(array, 0, text.length, taint);
        machine.call(target, 'write([CII)V', array, 0, text.length);
      },
    },
  },
};
