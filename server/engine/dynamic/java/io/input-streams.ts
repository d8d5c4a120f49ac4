// java.io's input streams. Knows files by their handles and other streams by their methods.
import type { HeapObject, JavaArray, Taint, Value } from '../../machine/heap.ts';
import type { Machine, ModelClass, NativeMethods } from '../../machine/model.ts';
import { virtualFiles } from '../../machine/virtual-files.ts';
import { channelOn } from '../nio/channels.ts';
import {
  arrayTaint,
  bytesOf,
  checkRange,
  flag,
  ioException,
  made,
  type Reference,
  required,
  setElementTaint,
  textOf,
} from '../values.ts';
import {
  type BufferInput,
  type ByteInput,
  bufferInput,
  fileInput,
  type Piece,
  readAll,
  readFrom,
  store,
} from './byte-input.ts';
import { writeTo } from './byte-output.ts';

const READ = 'read([BII)I';

function input(self: HeapObject): ByteInput {
  return self.native as ByteInput;
}

/** Reads one byte through the method that fills arrays, which keeps its taint. */
function readOne(machine: Machine, stream: HeapObject): number {
  const array = machine.array('B', 1);
  const count = machine.call(stream, READ, array, 0, 1) as number;
  if (count < 1) return -1;
  machine.setResultTaint(arrayTaint(machine, array, 0, 1));
  return (array.elements as Int8Array)[0]! & 0xff;
}

function wrapped(machine: Machine, self: HeapObject): HeapObject {
  const inner = machine.getField(self, 'in') as Reference;
  if (inner === null) throw ioException(machine, 'Stream closed');
  return inner;
}

function skip(machine: Machine, self: HeapObject, count: bigint): bigint {
  let left = Number(count);
  while (left > 0) {
    const piece = readFrom(machine, self, Math.min(left, 8192));
    if (piece === null || piece.data.length === 0) break;
    left -= piece.data.length;
  }
  return BigInt(Math.max(0, Number(count) - Math.max(0, left)));
}

const base: NativeMethods = {
  '<init>()V': () => undefined,
  'read(![B)I': (machine, self, array: JavaArray) =>
    machine.call(self, READ, array, 0, required(machine, array).elements.length),
  [READ]: (machine, self, array: JavaArray, offset: number, length: number) => {
    checkRange(machine, offset, length, required(machine, array).elements.length);
    for (let index = 0; index < length; index++) {
      const byte = machine.call(self, 'read()I') as number;
      if (byte < 0) return index === 0 ? -1 : index;
      (array.elements as Int8Array)[offset + index] = byte;
      const taint = machine.union(machine.resultTaint, self.taint);
      if (taint !== 0 || array.elementTaints !== null)
        setElementTaint(array, offset + index, offset + index + 1, taint);
    }
    return length;
  },
  'skip(J)J': skip,
  'available()I': () => 0,
  'close()V': () => undefined,
  'mark(I)V': () => undefined,
  'markSupported()Z': () => 0,
  'reset()V': (machine) => {
    throw ioException(machine, 'mark/reset not supported');
  },
  'readAllBytes()[B': (machine, self) => {
    const { data, taint } = readAll(machine, self);
    return machine.byteArray(data, taint);
  },
  'readNBytes(I)[B': (machine, self, count: number) => {
    const pieces: Piece[] = [];
    for (let left = count; left > 0; ) {
      const piece = readFrom(machine, self, Math.min(left, 65_536));
      if (piece === null || piece.data.length === 0) break;
      pieces.push(piece);
      left -= piece.data.length;
    }
    const taint = pieces.reduce((all, piece) => machine.union(all, piece.taint), 0);
    return machine.byteArray(Buffer.concat(pieces.map((piece) => piece.data)), taint);
  },
  'transferTo(Ljava/io/OutputStream;)J': (machine, self, target: Reference) => {
    const { data, taint } = readAll(machine, self);
    writeTo(machine, target, data, taint);
    return BigInt(data.length);
  },
};

/** Milliseconds after which a silent peer counts as gone. */
const longestSilence = 60_000;

/** Returns what a source has from a model method, waiting until something has arrived. */
function whenAvailable(machine: Machine, source: ByteInput, read: () => number): Value | undefined {
  return source.isWaiting?.() === true ? machine.blockThen(() => !source.isWaiting!(), longestSilence, read) : read();
}

const native: NativeMethods = {
  'read()I': (machine, self) =>
    whenAvailable(machine, input(self), () => {
      const piece = input(self).read(machine, 1);
      if (piece === null || piece.data.length === 0) return -1;
      machine.setResultTaint(machine.union(piece.taint, piece.taints?.[0] ?? 0));
      return piece.data[0]!;
    }),
  [READ]: (machine, self, array: JavaArray, offset: number, length: number) => {
    checkRange(machine, offset, length, required(machine, array).elements.length);
    if (length === 0) return 0;
    return whenAvailable(machine, input(self), () => {
      const piece = input(self).read(machine, length);
      return piece === null ? -1 : store(array, offset, piece);
    });
  },
  'available()I': (_machine, self) => input(self).available(),
  'close()V': (machine, self) => input(self)?.close?.(machine),
};

const marks = new WeakMap<ByteInput, number>();

const buffered: NativeMethods = {
  'mark(I)V': (_machine, self) => {
    marks.set(input(self), input(self).position ?? 0);
  },
  'markSupported()Z': () => 1,
  'reset()V': (_machine, self) => {
    (input(self) as BufferInput).position = marks.get(input(self)) ?? 0;
  },
};

/** The state of buffered streams: bytes read from `in` and not consumed yet. */
interface Ahead {
  pieces: Piece[];
  /** Pieces read since `mark()`; null: no mark is set. */
  marked: Piece[] | null;
}

function ahead(self: HeapObject): Ahead {
  self.native ??= { pieces: [], marked: null } satisfies Ahead;
  return self.native as Ahead;
}

function takeAhead(machine: Machine, self: HeapObject, length: number): Piece | null {
  const state = ahead(self);
  let piece = state.pieces.shift() ?? readFrom(machine, wrapped(machine, self), Math.max(length, 8192));
  if (piece === null) return null;
  if (piece.data.length > length) {
    const { data, taint, taints } = piece;
    state.pieces.unshift({ data: data.subarray(length), taint, taints: taints?.slice(length) });
    piece = { data: data.subarray(0, length), taint, taints: taints?.slice(0, length) };
  }
  state.marked?.push(piece);
  return piece;
}

const lookingAhead: NativeMethods = {
  'read()I': readOne,
  [READ]: (machine, self, array: JavaArray, offset: number, length: number) => {
    checkRange(machine, offset, length, required(machine, array).elements.length);
    if (length === 0) return 0;
    const piece = takeAhead(machine, self, length);
    return piece === null ? -1 : store(array, offset, piece);
  },
  'available()I': (machine, self) =>
    ahead(self).pieces.reduce((sum, piece) => sum + piece.data.length, 0) +
    (machine.call(wrapped(machine, self), 'available()I') as number),
  'mark(I)V': (_machine, self) => {
    ahead(self).marked = [];
  },
  'markSupported()Z': () => 1,
  'reset()V': (machine, self) => {
    const state = ahead(self);
    if (state.marked === null) throw ioException(machine, 'Resetting to invalid mark');
    state.pieces.unshift(...state.marked);
    state.marked = [];
  },
};

function wrap(machine: Machine, self: HeapObject, inner: Reference): undefined {
  machine.setField(self, 'in', inner);
}

const wrapping: NativeMethods = {
  '<init>(Ljava/io/InputStream;)V': wrap,
  '<init>(Ljava/io/InputStream;I)V': wrap,
};

/** Exactly so many bytes. @throws JavaThrow EOFException */
export function readExactly(machine: Machine, self: HeapObject, length: number): { data: Uint8Array; taint: Taint } {
  const data = new Uint8Array(length);
  let taint: Taint = 0;
  for (let at = 0; at < length; ) {
    const piece = readFrom(machine, self, length - at);
    if (piece === null || piece.data.length === 0) throw machine.exception('Ljava/io/EOFException;');
    data.set(piece.data, at);
    taint = machine.union(taint, piece.taint);
    at += piece.data.length;
  }
  return { data, taint };
}

function number<T>(width: number, decode: (view: DataView) => T) {
  return (machine: Machine, self: HeapObject): T => {
    const { data, taint } = readExactly(machine, self, width);
    machine.setResultTaint(taint);
    return decode(new DataView(data.buffer));
  };
}

/** Java's modified UTF-8. https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/io/DataInput.html */
function decodeModifiedUtf8(data: Uint8Array): string {
  let text = '';
  for (let at = 0; at < data.length; ) {
    const a = data[at++]!;
    if (a < 0x80) text += String.fromCharCode(a);
    else if (a < 0xe0) text += String.fromCharCode(((a & 0x1f) << 6) | ((data[at++] ?? 0) & 0x3f));
    else {
      const b = (data[at++] ?? 0) & 0x3f;
      text += String.fromCharCode(((a & 0x0f) << 12) | (b << 6) | ((data[at++] ?? 0) & 0x3f));
    }
  }
  return text;
}

function readUtf(machine: Machine, self: HeapObject) {
  const { data } = readExactly(machine, self, 2);
  const { data: bytes, taint } = readExactly(machine, self, (data[0]! << 8) | data[1]!);
  return machine.string(decodeModifiedUtf8(bytes), taint);
}

export const dataInputMethods: NativeMethods = {
  'readBoolean()Z': number(1, (view) => flag(view.getUint8(0) !== 0)),
  'readByte()B': number(1, (view) => view.getInt8(0)),
  'readUnsignedByte()I': number(1, (view) => view.getUint8(0)),
  'readShort()S': number(2, (view) => view.getInt16(0)),
  'readUnsignedShort()I': number(2, (view) => view.getUint16(0)),
  'readChar()C': number(2, (view) => view.getUint16(0)),
  'readInt()I': number(4, (view) => view.getInt32(0)),
  'readLong()J': number(8, (view) => view.getBigInt64(0)),
  'readFloat()F': number(4, (view) => view.getFloat32(0)),
  'readDouble()D': number(8, (view) => view.getFloat64(0)),
  'readFully([B)V': (machine, self, array: JavaArray) =>
    readFully(machine, self, array, 0, required(machine, array).elements.length),
  'readFully([BII)V': readFully,
  'skipBytes(I)I': (machine, self, count: number) => Number(skip(machine, self, BigInt(count))),
  'readUTF()Ljava/lang/String;': readUtf,
  'readLine()Ljava/lang/String;': (machine, self) => {
    let line = '';
    let taint: Taint = 0;
    for (;;) {
      const piece = readFrom(machine, self, 1);
      if (piece === null || piece.data.length === 0) {
        if (line === '') return null;
        break;
      }
      taint = machine.union(taint, piece.taint);
      if (piece.data[0] === 10) break;
      if (piece.data[0] !== 13) line += String.fromCharCode(piece.data[0]!);
    }
    return machine.string(line, taint);
  },
};

function readFully(machine: Machine, self: HeapObject, array: JavaArray, offset: number, length: number): undefined {
  checkRange(machine, offset, length, required(machine, array).elements.length);
  store(array, offset, readExactly(machine, self, length));
}

function openFile(machine: Machine, self: HeapObject, path: string): undefined {
  const handle = virtualFiles(machine).open(machine, path, 'r');
  if (typeof handle === 'string') throw machine.exception('Ljava/io/FileNotFoundException;', handle);
  self.native = fileInput(handle);
}

/** The path of a File argument. */
export function pathOf(machine: Machine, file: Reference): string {
  return textOf(machine, machine.call(required(machine, file), 'getPath()Ljava/lang/String;') as Reference);
}

export const inputStreamModels: Record<string, ModelClass> = {
  'Ljava/io/InputStream;': {
    isAbstract: true,
    implements: ['Ljava/io/Closeable;'],
    methods: base,
    abstractMethods: ['read()I'],
  },
  'Ljava/io/NativeInputStream;': { extends: 'Ljava/io/InputStream;', methods: native },
  'Ljava/io/FileInputStream;': {
    extends: 'Ljava/io/InputStream;',
    methods: {
      ...native,
      '<init>(Ljava/io/File;)V': (machine, self, file: Reference) => openFile(machine, self, pathOf(machine, file)),
      '<init>(Ljava/lang/String;)V': (machine, self, path: Reference) => openFile(machine, self, textOf(machine, path)),
      '<init>(!Ljava/io/FileDescriptor;)V': made(
        (_machine, descriptor: HeapObject) => descriptor.native ?? bufferInput(new Uint8Array(0), 0),
      ),
      'getFD()Ljava/io/FileDescriptor;': (machine, self) => {
        const descriptor = machine.allocate('Ljava/io/FileDescriptor;');
        descriptor.native = self.native;
        return descriptor;
      },
      'getChannel()Ljava/nio/channels/FileChannel;': (machine, self) => channelOn(machine, input(self).file),
    },
  },
  'Ljava/io/FileDescriptor;': {
    methods: { '<init>()V': () => undefined, 'valid()Z': () => 1, 'sync()V': () => undefined },
  },
  'Ljava/io/ByteArrayInputStream;': {
    extends: 'Ljava/io/InputStream;',
    methods: {
      ...native,
      ...buffered,
      '<init>(![B)V': made((machine, array: JavaArray) =>
        bufferInput(bytesOf(required(machine, array)), array.taint, array.elementTaints),
      ),
      '<init>(![BII)V': (machine, self, array: JavaArray, offset: number, length: number) => {
        const bytes = bytesOf(required(machine, array)).subarray(offset, offset + length);
        self.native = bufferInput(bytes, array.taint, array.elementTaints?.slice(offset, offset + length));
      },
    },
  },
  'Ljava/io/FilterInputStream;': {
    extends: 'Ljava/io/InputStream;',
    methods: {
      ...wrapping,
      'read()I': (machine, self) => readOne(machine, wrapped(machine, self)),
      [READ]: (machine, self, array: JavaArray, offset: number, length: number) =>
        machine.call(wrapped(machine, self), READ, array, offset, length),
      'skip(J)J': (machine, self, count: bigint) => machine.call(wrapped(machine, self), 'skip(J)J', count),
      'available()I': (machine, self) => machine.call(wrapped(machine, self), 'available()I'),
      'close()V': (machine, self) => {
        const inner = machine.getField(self, 'in') as Reference;
        if (inner !== null) machine.call(inner, 'close()V');
      },
      'mark(I)V': (machine, self, limit: number) => machine.call(wrapped(machine, self), 'mark(I)V', limit),
      'reset()V': (machine, self) => machine.call(wrapped(machine, self), 'reset()V'),
      'markSupported()Z': (machine, self) => machine.call(wrapped(machine, self), 'markSupported()Z'),
    },
    fields: ['in:Ljava/io/InputStream;'],
  },
  'Ljava/io/BufferedInputStream;': {
    extends: 'Ljava/io/FilterInputStream;',
    methods: { ...wrapping, ...lookingAhead },
  },
  'Ljava/io/PushbackInputStream;': {
    extends: 'Ljava/io/FilterInputStream;',
    methods: {
      ...wrapping,
      ...lookingAhead,
      'unread(I)V': (machine, self, byte: number) =>
        ahead(self).pieces.unshift({ data: Uint8Array.of(byte), taint: machine.argumentTaint(1) }),
      'unread(![B)V': (machine, self, array: JavaArray) => {
        const taint = arrayTaint(machine, array, 0, array.elements.length);
        ahead(self).pieces.unshift({ data: bytesOf(array).slice(), taint });
      },
      'unread(![BII)V': (machine, self, array: JavaArray, offset: number, length: number) => {
        const data = bytesOf(array).slice(offset, offset + length);
        ahead(self).pieces.unshift({ data, taint: arrayTaint(machine, array, offset, offset + length) });
      },
    },
  },
  'Ljava/io/DataInput;': { isInterface: true, abstractMethods: Object.keys(dataInputMethods) },
  'Ljava/io/DataInputStream;': {
    extends: 'Ljava/io/FilterInputStream;',
    implements: ['Ljava/io/DataInput;'],
    methods: { ...wrapping, ...dataInputMethods },
    staticMethods: { 'readUTF(Ljava/io/DataInput;)Ljava/lang/String;': readUtf },
  },
  'Ljava/io/SequenceInputStream;': {
    extends: 'Ljava/io/InputStream;',
    methods: {
      'read()I': readOne,
      [READ]: (machine, self, array: JavaArray, offset: number, length: number) => {
        const streams = self.native as Reference[];
        while (streams.length > 0) {
          const count = machine.call(required(machine, streams[0]), READ, array, offset, length) as number;
          if (count >= 0) return count;
          streams.shift();
        }
        return -1;
      },
      '<init>(Ljava/io/InputStream;Ljava/io/InputStream;)V': made((_machine, a: Reference, b: Reference) => [a, b]),
      '<init>(!Ljava/util/Enumeration;)V': (machine, self, streams: HeapObject) => {
        const all: Reference[] = [];
        while (machine.call(streams, 'hasMoreElements()Z') !== 0) {
          all.push(machine.call(streams, 'nextElement()Ljava/lang/Object;') as Reference);
        }
        self.native = all;
      },
    },
  },
};
