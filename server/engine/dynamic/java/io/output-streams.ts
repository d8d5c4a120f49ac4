// java.io's output streams and PrintStream. Knows files by their handles and other streams by their methods.
import type { HeapObject, JavaArray, JavaString, Taint } from '../../machine/heap.ts';
import type { Machine, ModelClass, NativeMethods } from '../../machine/model.ts';
import { type FileMode, virtualFiles } from '../../machine/virtual-files.ts';
import { javaHooks } from '../hooks.ts';
import { doubleText, floatText } from '../lang/number-text.ts';
import { channelOn } from '../nio/channels.ts';
import { charsetOf, decodeBytes, encodeText } from '../nio/charset-codec.ts';
import { formatText } from '../text/formatter.ts';
import {
  arrayTaint,
  bytesOf,
  charsToText,
  checkRange,
  ioException,
  made,
  objectTaint,
  type Reference,
  referencesOf,
  required,
  setElementTaint,
  textOf,
} from '../values.ts';
import { type ByteOutput, fileOutput, writeTo } from './byte-output.ts';
import { pathOf } from './input-streams.ts';

const WRITE = 'write([BII)V';

function one(machine: Machine, byte: number): JavaArray {
  const array = machine.array('B', 1);
  (array.elements as Int8Array)[0] = byte;
  setElementTaint(array, 0, 1, machine.union(machine.argumentTaint(1), machine.controlTaint));
  return array;
}

const base: NativeMethods = {
  '<init>()V': () => undefined,
  'write(![B)V': (machine, self, array: JavaArray) =>
    machine.call(self, WRITE, array, 0, required(machine, array).elements.length),
  [WRITE]: (machine, self, array: JavaArray, offset: number, length: number) => {
    checkRange(machine, offset, length, required(machine, array).elements.length);
    const bytes = array.elements as Int8Array;
    for (let index = offset; index < offset + length; index++) {
      const taint = machine.union(array.taint, array.elementTaints?.[index] ?? 0);
      machine.callWith([taint], self, 'write(I)V', bytes[index]!);
    }
  },
  'flush()V': () => undefined,
  'close()V': () => undefined,
};

function output(self: HeapObject): ByteOutput {
  return self.native as ByteOutput;
}

const native: NativeMethods = {
  'write(I)V': (machine, self, byte: number) =>
    output(self).write(Uint8Array.of(byte), machine.union(machine.argumentTaint(1), machine.controlTaint), machine),
  [WRITE]: (machine, self, array: JavaArray, offset: number, length: number) => {
    checkRange(machine, offset, length, required(machine, array).elements.length);
    const taint = machine.union(arrayTaint(machine, array, offset, offset + length), machine.controlTaint);
    output(self).write(bytesOf(array).slice(offset, offset + length), taint, machine);
  },
  'flush()V': (machine, self) => output(self).flush?.(machine),
  'close()V': (machine, self) => output(self).close?.(machine),
};

function openFile(machine: Machine, self: HeapObject, path: string, mode: FileMode): undefined {
  const handle = virtualFiles(machine).open(machine, path, mode);
  if (typeof handle === 'string') throw machine.exception('Ljava/io/FileNotFoundException;', handle);
  self.native = fileOutput(handle);
}

/** ByteArrayOutputStream: bytes with a taint each. */
interface Collected {
  bytes: Uint8Array;
  count: number;
  taints: Taint[] | null;
  taint: Taint;
}

function collected(self: HeapObject): Collected {
  self.native ??= { bytes: new Uint8Array(32), count: 0, taints: null, taint: 0 } satisfies Collected;
  return self.native as Collected;
}

function collect(
  machine: Machine,
  self: HeapObject,
  data: Uint8Array,
  taints: readonly Taint[] | null,
  taint: Taint,
): void {
  const state = collected(self);
  const end = state.count + data.length;
  machine.charge(data.length);
  if (end > state.bytes.length) {
    const grown = new Uint8Array(Math.max(end, state.bytes.length * 2));
    grown.set(state.bytes.subarray(0, state.count));
    state.bytes = grown;
  }
  state.bytes.set(data, state.count);
  if (taint !== 0 || taints !== null || state.taints !== null) {
    state.taints ??= new Array<Taint>(state.count).fill(0);
    for (let index = 0; index < data.length; index++) {
      state.taints[state.count + index] = machine.union(taints?.[index] ?? 0, taint);
    }
    state.taint = machine.union(state.taint, taint);
    for (const here of new Set(taints ?? [])) state.taint = machine.union(state.taint, here);
  }
  state.count = end;
}

const collecting: NativeMethods = {
  '<init>()V': (_machine, self) => {
    collected(self);
  },
  '<init>(I)V': (_machine, self) => {
    collected(self);
  },
  'write(I)V': (machine, self, byte: number) =>
    collect(machine, self, Uint8Array.of(byte), null, machine.union(machine.argumentTaint(1), machine.controlTaint)),
  [WRITE]: (machine, self, array: JavaArray, offset: number, length: number) => {
    checkRange(machine, offset, length, required(machine, array).elements.length);
    const taints = array.elementTaints?.slice(offset, offset + length) ?? null;
    const taint = machine.union(array.taint, machine.controlTaint);
    collect(machine, self, bytesOf(array).subarray(offset, offset + length), taints, taint);
  },
  'writeBytes(![B)V': (machine, self, array: JavaArray) =>
    collect(machine, self, bytesOf(required(machine, array)), array.elementTaints, array.taint),
  'writeTo(Ljava/io/OutputStream;)V': (machine, self, target: Reference) => {
    const array = bytesArray(machine, self);
    machine.call(required(machine, target), WRITE, array, 0, array.elements.length);
  },
  'toByteArray()[B': bytesArray,
  'size()I': (_machine, self) => collected(self).count,
  'reset()V': (_machine, self) => {
    const state = collected(self);
    state.count = 0;
    state.taints = null;
    state.taint = 0;
  },
  'toString()Ljava/lang/String;': (machine, self) => text(machine, self, 'UTF-8'),
  'toString(Ljava/lang/String;)Ljava/lang/String;': (machine, self, charset: Reference) =>
    text(machine, self, charsetOf(machine, charset)),
  'toString(Ljava/nio/charset/Charset;)Ljava/lang/String;': (machine, self, charset: Reference) =>
    text(machine, self, charsetOf(machine, charset)),
};

function bytesArray(machine: Machine, self: HeapObject): JavaArray {
  const state = collected(self);
  const array = machine.byteArray(state.bytes.subarray(0, state.count));
  if (state.taints !== null) array.elementTaints = state.taints.slice(0, state.count);
  return array;
}

function text(machine: Machine, self: HeapObject, charset: string): JavaString {
  const state = collected(self);
  return machine.string(decodeBytes(state.bytes.subarray(0, state.count), charset), state.taint);
}

function wrapped(machine: Machine, self: HeapObject): HeapObject {
  const out = machine.getField(self, 'out') as Reference;
  if (out === null) throw ioException(machine, 'Stream closed');
  return out;
}

const wrapping: NativeMethods = {
  '<init>(Ljava/io/OutputStream;)V': (machine, self, out: Reference) => machine.setField(self, 'out', out),
  '<init>(Ljava/io/OutputStream;I)V': (machine, self, out: Reference) => machine.setField(self, 'out', out),
};

const passing: NativeMethods = {
  ...wrapping,
  'write(I)V': (machine, self, byte: number) => {
    const out = wrapped(machine, self);
    // An app's own stream may override the method for single bytes alone.
    machine.call(out, WRITE, one(machine, byte), 0, 1);
  },
  [WRITE]: (machine, self, array: JavaArray, offset: number, length: number) => {
    machine.call(wrapped(machine, self), WRITE, array, offset, length);
  },
  'flush()V': (machine, self) => machine.call(wrapped(machine, self), 'flush()V'),
  'close()V': (machine, self) => {
    const out = machine.getField(self, 'out') as Reference;
    if (out === null) return;
    machine.call(self, 'flush()V');
    machine.call(out, 'close()V');
  },
};

/** Java's modified UTF-8, without the length. */
function encodeModifiedUtf8(source: string): Uint8Array {
  const bytes: number[] = [];
  for (let index = 0; index < source.length; index++) {
    const c = source.charCodeAt(index);
    if (c >= 1 && c < 0x80) bytes.push(c);
    else if (c < 0x800) bytes.push(0xc0 | (c >> 6), 0x80 | (c & 0x3f));
    else bytes.push(0xe0 | (c >> 12), 0x80 | ((c >> 6) & 0x3f), 0x80 | (c & 0x3f));
  }
  return Uint8Array.from(bytes);
}

function number(width: number, encode: (view: DataView, value: never) => void) {
  return (machine: Machine, self: HeapObject, value: number | bigint): undefined => {
    const data = new Uint8Array(width);
    encode(new DataView(data.buffer), value as never);
    writeTo(machine, self, data, machine.argumentTaint(1));
  };
}

export const dataOutputMethods: NativeMethods = {
  'writeBoolean(Z)V': number(1, (view, value: number) => view.setUint8(0, value)),
  'writeByte(I)V': number(1, (view, value: number) => view.setInt8(0, value)),
  'writeShort(I)V': number(2, (view, value: number) => view.setInt16(0, value)),
  'writeChar(I)V': number(2, (view, value: number) => view.setUint16(0, value)),
  'writeInt(I)V': number(4, (view, value: number) => view.setInt32(0, value)),
  'writeLong(J)V': number(8, (view, value: bigint) => view.setBigInt64(0, value)),
  'writeFloat(F)V': number(4, (view, value: number) => view.setFloat32(0, value)),
  'writeDouble(D)V': number(8, (view, value: number) => view.setFloat64(0, value)),
  'writeUTF(!Ljava/lang/String;)V': (machine, self, value: JavaString) => {
    const bytes = encodeModifiedUtf8(textOf(machine, value));
    if (bytes.length > 65_535) throw machine.exception('Ljava/io/UTFDataFormatException;', 'encoded string too long');
    writeTo(machine, self, Buffer.concat([Uint8Array.of(bytes.length >> 8, bytes.length & 0xff), bytes]), value.taint);
  },
  'writeBytes(!Ljava/lang/String;)V': (machine, self, value: JavaString) =>
    writeTo(machine, self, Buffer.from(textOf(machine, value), 'latin1'), value.taint),
  'writeChars(!Ljava/lang/String;)V': (machine, self, value: JavaString) =>
    writeTo(machine, self, encodeText(textOf(machine, value), 'UTF-16BE'), value.taint),
};

/** `native` of System.out and System.err: lines go to the world's log. */
interface Logging {
  log: string;
  line: string;
  taint: Taint;
}

/** Prints text on a PrintStream: to its stream, or to the log where it is the console. */
function print(machine: Machine, self: HeapObject, printed: string, taint: Taint): undefined {
  const all = machine.union(taint, machine.controlTaint);
  const logging = self.native as Logging | undefined;
  if (logging?.log === undefined) {
    writeTo(machine, machine.getField(self, 'out') as Reference, encodeText(printed, 'UTF-8'), all);
    return;
  }
  logging.taint = machine.union(logging.taint, all);
  const lines = (logging.line + printed).split('\n');
  logging.line = lines.pop()!;
  if (lines.length === 0) return;
  const printedTaint = logging.taint;
  logging.taint = logging.line === '' ? 0 : all;
  for (const line of lines) javaHooks(machine).log(machine, 'I', logging.log, line, printedTaint);
}

/** `print` and `println` of every type. */
export function printMethods(
  write: (machine: Machine, self: HeapObject, text: string, taint: Taint) => undefined,
): NativeMethods {
  const methods: Record<string, NativeMethods[string]> = {};
  const texts: Record<string, (machine: Machine, value: never) => [string, Taint]> = {
    Z: (machine, value: number) => [value !== 0 ? 'true' : 'false', machine.argumentTaint(1)],
    C: (machine, value: number) => [String.fromCharCode(value), machine.argumentTaint(1)],
    I: (machine, value: number) => [String(value), machine.argumentTaint(1)],
    J: (machine, value: bigint) => [String(value), machine.argumentTaint(1)],
    F: (machine, value: number) => [floatText(value), machine.argumentTaint(1)],
    D: (machine, value: number) => [doubleText(value), machine.argumentTaint(1)],
    '![C': (machine, value: JavaArray) => [charsToText(value.elements as Uint16Array), objectTaint(machine, value)],
    'Ljava/lang/String;': (machine, value: Reference) => [machine.toText(value).text, value?.taint ?? 0],
    'Ljava/lang/Object;': (machine, value: Reference) => {
      const own = machine.toText(value);
      return [own.text, machine.union(own.taint, value?.taint ?? 0)];
    },
  };
  for (const [type, describe] of Object.entries(texts)) {
    methods[`print(${type})V`] = (machine, self, value) => write(machine, self, ...describe(machine, value as never));
    methods[`println(${type})V`] = (machine, self, value) => {
      const [line, taint] = describe(machine, value as never);
      return write(machine, self, `${line}\n`, taint);
    };
  }
  methods['println()V'] = (machine, self) => write(machine, self, '\n', 0);
  return methods;
}

/** `printf`, `format` and `append`, which return the stream. */
export function formatMethods(
  own: string,
  write: (machine: Machine, self: HeapObject, text: string, taint: Taint) => undefined,
): NativeMethods {
  const methods: Record<string, NativeMethods[string]> = {};
  const format = (
    machine: Machine,
    self: HeapObject,
    locale: Reference,
    pattern: Reference,
    values: JavaArray | null,
  ) => {
    const list = values === null ? [] : referencesOf(values);
    const { text: formatted, taint } = formatText(machine, locale, textOf(machine, pattern), list);
    write(machine, self, formatted, machine.union(taint, objectTaint(machine, pattern)));
    return self;
  };
  for (const name of ['printf', 'format']) {
    methods[`${name}(Ljava/lang/String;[Ljava/lang/Object;)${own}`] = (machine, self, pattern, values) =>
      format(machine, self, null, pattern, values);
    methods[`${name}(Ljava/util/Locale;Ljava/lang/String;[Ljava/lang/Object;)${own}`] = format;
  }
  methods[`append(Ljava/lang/CharSequence;)${own}`] = (machine, self, value: Reference) => {
    const own = machine.toText(value);
    write(machine, self, own.text, own.taint);
    return self;
  };
  methods[`append(C)${own}`] = (machine, self, value: number) => {
    write(machine, self, String.fromCharCode(value), machine.argumentTaint(1));
    return self;
  };
  return methods;
}

const isLogging = (self: HeapObject): boolean => (self.native as Logging | undefined)?.log !== undefined;

export const outputStreamModels: Record<string, ModelClass> = {
  'Ljava/io/OutputStream;': {
    isAbstract: true,
    implements: ['Ljava/io/Closeable;', 'Ljava/io/Flushable;'],
    methods: base,
    abstractMethods: ['write(I)V'],
  },
  'Ljava/io/NativeOutputStream;': { extends: 'Ljava/io/OutputStream;', methods: native },
  'Ljava/io/FileOutputStream;': {
    extends: 'Ljava/io/OutputStream;',
    methods: {
      ...native,
      '<init>(Ljava/io/File;)V': (machine, self, file: Reference) =>
        openFile(machine, self, pathOf(machine, file), 'w'),
      '<init>(Ljava/io/File;Z)V': (machine, self, file: Reference, isAppend: number) =>
        openFile(machine, self, pathOf(machine, file), isAppend !== 0 ? 'a' : 'w'),
      '<init>(Ljava/lang/String;)V': (machine, self, path: Reference) =>
        openFile(machine, self, textOf(machine, path), 'w'),
      '<init>(Ljava/lang/String;Z)V': (machine, self, path: Reference, isAppend: number) =>
        openFile(machine, self, textOf(machine, path), isAppend !== 0 ? 'a' : 'w'),
      '<init>(!Ljava/io/FileDescriptor;)V': made(
        (_machine, descriptor: HeapObject) => descriptor.native ?? ({ write: () => undefined } satisfies ByteOutput),
      ),
      'getFD()Ljava/io/FileDescriptor;': (machine, self) => {
        const descriptor = machine.allocate('Ljava/io/FileDescriptor;');
        descriptor.native = self.native;
        return descriptor;
      },
      'getChannel()Ljava/nio/channels/FileChannel;': (machine, self) => channelOn(machine, output(self).file),
    },
  },
  'Ljava/io/ByteArrayOutputStream;': { extends: 'Ljava/io/OutputStream;', methods: collecting },
  'Ljava/io/FilterOutputStream;': {
    extends: 'Ljava/io/OutputStream;',
    methods: passing,
    fields: ['out:Ljava/io/OutputStream;'],
  },
  'Ljava/io/BufferedOutputStream;': { extends: 'Ljava/io/FilterOutputStream;', methods: wrapping },
  'Ljava/io/DataOutput;': { isInterface: true, abstractMethods: Object.keys(dataOutputMethods) },
  'Ljava/io/DataOutputStream;': {
    extends: 'Ljava/io/FilterOutputStream;',
    implements: ['Ljava/io/DataOutput;'],
    methods: { ...wrapping, ...dataOutputMethods },
  },
  'Ljava/io/PrintStream;': {
    extends: 'Ljava/io/FilterOutputStream;',
    implements: ['Ljava/lang/Appendable;'],
    methods: {
      ...wrapping,
      '<init>(Ljava/io/OutputStream;Z)V': wrapping['<init>(Ljava/io/OutputStream;)V']!,
      '<init>(Ljava/io/OutputStream;ZLjava/lang/String;)V': wrapping['<init>(Ljava/io/OutputStream;)V']!,
      '<init>(Ljava/io/File;)V': (machine, self, file: Reference) => {
        const out = machine.construct('Ljava/io/FileOutputStream;', '<init>(Ljava/io/File;)V', file);
        machine.setField(self, 'out', out);
      },
      '<init>(Ljava/lang/String;)V': (machine, self, path: Reference) => {
        const out = machine.construct('Ljava/io/FileOutputStream;', '<init>(Ljava/lang/String;)V', path);
        machine.setField(self, 'out', out);
      },
      [WRITE]: (machine, self, array: JavaArray, offset: number, length: number) => {
        if (!isLogging(self)) return passing[WRITE]!(machine, self, array, offset, length);
        const printed = decodeBytes(bytesOf(array).subarray(offset, offset + length), 'UTF-8');
        return print(machine, self, printed, arrayTaint(machine, array, offset, offset + length));
      },
      'write(I)V': (machine, self, byte: number) =>
        isLogging(self)
          ? print(machine, self, String.fromCharCode(byte & 0xff), machine.argumentTaint(1))
          : passing['write(I)V']!(machine, self, byte),
      'flush()V': (machine, self) => (isLogging(self) ? undefined : passing['flush()V']!(machine, self)),
      'close()V': (machine, self) => (isLogging(self) ? undefined : passing['close()V']!(machine, self)),
      'checkError()Z': () => 0,
      ...printMethods(print),
      ...formatMethods('Ljava/io/PrintStream;', print),
    },
  },
};
