// java.io's readers. Knows streams by their methods.
import type { HeapObject, JavaArray, JavaString, Taint } from '../../machine/heap.ts';
import type { Machine, ModelClass, NativeMethods } from '../../machine/model.ts';
import { charsetOf } from '../nio/charset-codec.ts';
import {
  arrayTaint,
  charsToText,
  checkRange,
  ioException,
  objectTaint,
  type Reference,
  required,
  setElementTaint,
  textOf,
} from '../values.ts';
import { readFrom } from './byte-input.ts';

/** The `native` of a modelled reader: text read from the source and not consumed yet. */
interface TextState {
  buffer: string;
  at: number;
  /** Taint of the buffer. */
  taint: Taint;
  markAt: number;
  lineNumber: number;
  /** Reads more text from the source; null at the end. */
  more: ((machine: Machine) => { text: string; taint: Taint } | null) | null;
  close: ((machine: Machine) => void) | null;
}

function begin(
  self: HeapObject,
  buffer: string,
  taint: Taint,
  more: TextState['more'],
  close: TextState['close'],
): undefined {
  self.native = { buffer, at: 0, taint, markAt: -1, lineNumber: 0, more, close } satisfies TextState;
}

function stateOf(machine: Machine, self: HeapObject): TextState {
  const state = self.native as TextState | null | undefined;
  if (state === null || state === undefined) throw ioException(machine, 'Stream closed');
  return state;
}

/** Reads more text from the source into the buffer; false at the end. */
function fill(machine: Machine, state: TextState): boolean {
  const piece = state.more?.(machine) ?? null;
  if (piece === null) {
    state.more = null;
    return false;
  }
  const start = state.markAt >= 0 ? state.markAt : state.at;
  const kept = state.buffer.slice(start);
  state.at -= start;
  if (state.markAt >= 0) state.markAt = 0;
  machine.charge(piece.text.length * 2);
  state.taint = kept === '' ? piece.taint : machine.union(state.taint, piece.taint);
  state.buffer = kept + piece.text;
  return true;
}

function ensure(machine: Machine, state: TextState): boolean {
  while (state.at >= state.buffer.length) if (!fill(machine, state)) return false;
  return true;
}

function readLine(machine: Machine, self: HeapObject): JavaString | null {
  const state = stateOf(machine, self);
  if (!ensure(machine, state)) return null;
  let from = state.at;
  for (;;) {
    const rest = state.buffer.slice(from).search(/[\r\n]/);
    if (rest >= 0) {
      const end = from + rest;
      const line = state.buffer.slice(state.at, end);
      const isReturn = state.buffer[end] === '\r';
      state.at = end + 1;
      if (isReturn && ensure(machine, state) && state.buffer[state.at] === '\n') state.at++;
      state.lineNumber++;
      return machine.string(line, state.taint);
    }
    from = state.buffer.length - state.at;
    if (!fill(machine, state)) {
      const line = state.buffer.slice(state.at);
      state.at = state.buffer.length;
      state.lineNumber++;
      return machine.string(line, state.taint);
    }
    from += state.at;
  }
}

const textMethods: NativeMethods = {
  'read()I': (machine, self) => {
    const state = stateOf(machine, self);
    if (!ensure(machine, state)) return -1;
    machine.setResultTaint(state.taint);
    return state.buffer.charCodeAt(state.at++);
  },
  'read(![CII)I': (machine, self, array: JavaArray, offset: number, length: number) => {
    checkRange(machine, offset, length, required(machine, array).elements.length);
    const state = stateOf(machine, self);
    if (length === 0) return 0;
    if (!ensure(machine, state)) return -1;
    const count = Math.min(length, state.buffer.length - state.at);
    const elements = array.elements as Uint16Array;
    for (let index = 0; index < count; index++) elements[offset + index] = state.buffer.charCodeAt(state.at + index);
    setElementTaint(array, offset, offset + count, state.taint);
    state.at += count;
    return count;
  },
  'readLine()Ljava/lang/String;': readLine,
  'ready()Z': (machine, self) => ensure(machine, stateOf(machine, self)),
  'skip(J)J': (machine, self, count: bigint) => {
    const state = stateOf(machine, self);
    let skipped = 0;
    while (skipped < Number(count) && ensure(machine, state)) {
      const step = Math.min(Number(count) - skipped, state.buffer.length - state.at);
      state.at += step;
      skipped += step;
    }
    return BigInt(skipped);
  },
  'markSupported()Z': () => 1,
  'mark(I)V': (machine, self) => {
    const state = stateOf(machine, self);
    state.markAt = state.at;
  },
  'reset()V': (machine, self) => {
    const state = stateOf(machine, self);
    if (state.markAt < 0 && state.more !== null) throw ioException(machine, 'Stream not marked');
    state.at = Math.max(0, state.markAt);
  },
  'close()V': (machine, self) => {
    const state = self.native as TextState | null;
    self.native = null;
    state?.close?.(machine);
  },
  'getEncoding()Ljava/lang/String;': (machine) => machine.string('UTF8'),
  'getLineNumber()I': (machine, self) => stateOf(machine, self).lineNumber,
  'setLineNumber(I)V': (machine, self, lineNumber: number) => {
    stateOf(machine, self).lineNumber = lineNumber;
  },
  'unread(I)V': (machine, self, character: number) => {
    const state = stateOf(machine, self);
    state.buffer = String.fromCharCode(character) + state.buffer.slice(state.at);
    state.at = 0;
    state.taint = machine.union(state.taint, machine.argumentTaint(1));
  },
  'lines()Ljava/util/stream/Stream;': (machine, self) => {
    const lines: JavaString[] = [];
    for (let line = readLine(machine, self); line !== null; line = readLine(machine, self)) lines.push(line);
    const array = machine.objectArray('Ljava/lang/Object;', lines);
    return machine.callStatic('Ljava/util/Arrays;', 'stream([Ljava/lang/Object;)Ljava/util/stream/Stream;', array);
  },
};

function fromStream(machine: Machine, self: HeapObject, stream: HeapObject, charset: string): undefined {
  required(machine, stream);
  const decoder = new TextDecoder(charset === 'US-ASCII' ? 'latin1' : charset.toLowerCase(), {
    ignoreBOM: charset === 'UTF-8',
  });
  begin(
    self,
    '',
    0,
    (m) => {
      const piece = readFrom(m, stream, 8192);
      if (piece !== null) return { text: decoder.decode(piece.data, { stream: true }), taint: piece.taint };
      const rest = decoder.decode();
      return rest === '' ? null : { text: rest, taint: 0 };
    },
    (m) => {
      m.call(stream, 'close()V');
    },
  );
}

function fromReader(machine: Machine, self: HeapObject, reader: HeapObject): undefined {
  required(machine, reader);
  begin(
    self,
    '',
    0,
    (m) => {
      const array = m.array('C', 8192);
      const count = m.call(reader, 'read([CII)I', array, 0, 8192) as number;
      if (count < 0) return null;
      return { text: charsToText(array.elements as Uint16Array, 0, count), taint: arrayTaint(m, array, 0, count) };
    },
    (m) => {
      m.call(reader, 'close()V');
    },
  );
}

function fromFile(machine: Machine, self: HeapObject, signature: string, file: Reference): undefined {
  fromStream(machine, self, machine.construct('Ljava/io/FileInputStream;', signature, file), 'UTF-8');
}

const READER = 'Ljava/io/Reader;';
const wrapping: NativeMethods = {
  '<init>(!Ljava/io/Reader;)V': fromReader,
  '<init>(!Ljava/io/Reader;I)V': fromReader,
};

export const readerModels: Record<string, ModelClass> = {
  [READER]: {
    isAbstract: true,
    implements: ['Ljava/io/Closeable;', 'Ljava/lang/Readable;'],
    methods: {
      '<init>()V': () => undefined,
      '<init>(Ljava/lang/Object;)V': () => undefined,
      'read()I': (machine, self) => {
        const array = machine.array('C', 1);
        const count = machine.call(self, 'read([CII)I', array, 0, 1) as number;
        machine.setResultTaint(arrayTaint(machine, array, 0, 1));
        return count < 1 ? -1 : (array.elements as Uint16Array)[0]!;
      },
      'read(![C)I': (machine, self, array: JavaArray) =>
        machine.call(self, 'read([CII)I', array, 0, required(machine, array).elements.length),
      'ready()Z': () => 0,
      'markSupported()Z': () => 0,
      'mark(I)V': (machine) => {
        throw ioException(machine, 'mark() not supported');
      },
      'reset()V': (machine) => {
        throw ioException(machine, 'reset() not supported');
      },
      'skip(J)J': (machine, self, count: bigint) => {
        const array = machine.array('C', Math.min(Number(count), 8192));
        return BigInt(machine.call(self, 'read([CII)I', array, 0, array.elements.length) as number);
      },
    },
    abstractMethods: ['read([CII)I', 'close()V'],
  },
  'Ljava/io/InputStreamReader;': {
    extends: READER,
    methods: {
      ...textMethods,
      '<init>(!Ljava/io/InputStream;)V': (machine, self, stream: HeapObject) =>
        fromStream(machine, self, stream, 'UTF-8'),
      '<init>(!Ljava/io/InputStream;Ljava/lang/String;)V': (machine, self, stream: HeapObject, charset) =>
        fromStream(machine, self, stream, charsetOf(machine, charset)),
      '<init>(!Ljava/io/InputStream;Ljava/nio/charset/Charset;)V': (machine, self, stream: HeapObject, charset) =>
        fromStream(machine, self, stream, charsetOf(machine, charset)),
    },
  },
  'Ljava/io/FileReader;': {
    extends: 'Ljava/io/InputStreamReader;',
    methods: {
      '<init>(Ljava/io/File;)V': (machine, self, file: Reference) =>
        fromFile(machine, self, '<init>(Ljava/io/File;)V', file),
      '<init>(Ljava/lang/String;)V': (machine, self, path: Reference) =>
        fromFile(machine, self, '<init>(Ljava/lang/String;)V', path),
    },
  },
  'Ljava/io/BufferedReader;': { extends: READER, methods: { ...textMethods, ...wrapping } },
  'Ljava/io/LineNumberReader;': { extends: 'Ljava/io/BufferedReader;', methods: wrapping },
  'Ljava/io/FilterReader;': { extends: READER, methods: { ...textMethods, ...wrapping } },
  'Ljava/io/PushbackReader;': { extends: 'Ljava/io/FilterReader;', methods: wrapping },
  'Ljava/io/StringReader;': {
    extends: READER,
    methods: {
      ...textMethods,
      '<init>(Ljava/lang/String;)V': (machine, self, text: Reference) =>
        begin(self, textOf(machine, text), objectTaint(machine, text), null, null),
    },
  },
  'Ljava/io/CharArrayReader;': {
    extends: READER,
    methods: {
      ...textMethods,
      '<init>(![C)V': (machine, self, array: JavaArray) =>
        begin(self, charsToText(array.elements as Uint16Array), objectTaint(machine, array), null, null),
    },
  },
};

/** Everything that is left in any Reader. */
export function readAllText(machine: Machine, reader: Reference): { text: string; taint: Taint } {
  let text = '';
  let taint: Taint = 0;
  const source = required(machine, reader);
  for (;;) {
    const array = machine.array('C', 8192);
    const count = machine.call(source, 'read([CII)I', array, 0, 8192) as number;
    if (count <= 0) return { text, taint };
    machine.charge(count * 2);
    text += charsToText(array.elements as Uint16Array, 0, count);
    taint = machine.union(taint, arrayTaint(machine, array, 0, count));
  }
}
