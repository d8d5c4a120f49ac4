// java.nio.channels: channels of files, and of streams that something else has opened. Knows files by their handles.
import type { HeapObject, JavaArray } from '../../machine/heap.ts';
import type { Machine, ModelClass, NativeMethod, NativeMethods } from '../../machine/model.ts';
import type { FileHandle } from '../../machine/virtual-files.ts';
import { readFrom } from '../io/byte-input.ts';
import { writeTo } from '../io/byte-output.ts';
import { enumModel } from '../lang/enum.ts';
import { elementsOf } from '../util/iteration.ts';
import { illegalArgument, instance, ioException, type Reference, required } from '../values.ts';
import { bufferOf, bufferOn, fillBuffer, skipBuffer } from './buffers.ts';
import { openAs, openWith, optionNames } from './open-options.ts';

const C = 'Ljava/nio/channels/';
const BYTES = 'Ljava/nio/ByteBuffer;';
const FILE = `${C}FileChannel;`;
const SEEKABLE = `${C}SeekableByteChannel;`;
const PATH = 'Ljava/nio/file/Path;';
const READABLE = `${C}ReadableByteChannel;`;
const WRITABLE = `${C}WritableByteChannel;`;
const LOCK = `${C}FileLock;`;
const MODE = `${C}FileChannel$MapMode;`;
const fileImplementation = `${C}FileChannelImpl;`;
const streamImplementation = `${C}StreamChannel;`;

const read = `read(${BYTES})I`;
const write = `write(${BYTES})I`;

/** Bytes that go from channel to channel at a time. */
const pieceLength = 1 << 16;

/** The channel of an open file; the two share position and end. */
export const channelOn = (machine: Machine, handle: FileHandle | undefined): HeapObject =>
  instance(machine, fileImplementation, handle);

/** Opens a file for a channel. @throws JavaThrow as `openAs` */
export const channelTo: NativeMethod = (machine, path: Reference, options: JavaArray | null) =>
  channelOn(machine, openWith(machine, path, options, 'read'));

/** The same with the options in a set. */
export const channelOf: NativeMethod = (machine, path: Reference, options: Reference) =>
  channelOn(machine, openAs(machine, path, optionNames(elementsOf(machine, options)), 'read'));

/** @throws JavaThrow ClosedChannelException, also where the channel is not of a file */
function fileOf(machine: Machine, self: HeapObject): FileHandle {
  const handle = self.native as FileHandle | undefined;
  if (handle === undefined || handle.isClosed) throw machine.exception(`${C}ClosedChannelException;`);
  return handle;
}

function readInto(machine: Machine, handle: FileHandle, buffer: Reference): number {
  const room = bufferOf(machine, buffer).data.length;
  const piece = handle.read(machine, room);
  fillBuffer(machine, buffer, piece);
  return piece.data.length === 0 && room > 0 ? -1 : piece.data.length;
}

function writeFrom(machine: Machine, handle: FileHandle, buffer: Reference): number {
  const { data, taint } = bufferOf(machine, buffer);
  if (!handle.write(machine, data.slice(), taint)) throw ioException(machine, 'No space left on device');
  skipBuffer(machine, buffer, data.length);
  return data.length;
}

/** @throws JavaThrow IllegalArgumentException */
function notNegative(machine: Machine, value: bigint): number {
  if (value < 0n) throw illegalArgument(machine, `Negative position: ${value}`);
  return Number(value);
}

/** Does something at another position of the file than the channel's. @throws JavaThrow IllegalArgumentException */
function at<T>(machine: Machine, handle: FileHandle, position: bigint, act: () => T): T {
  const before = handle.position;
  handle.position = notNegative(machine, position);
  try {
    return act();
  } finally {
    handle.position = before;
  }
}

const bufferAround = (machine: Machine, piece: { data: Uint8Array; taint: number }): HeapObject =>
  bufferOn(machine, machine.byteArray(piece.data.slice(), piece.taint));

const moveTo: NativeMethod = (machine, self, position: bigint) => {
  fileOf(machine, self).position = notNegative(machine, position);
  return self;
};

const truncate: NativeMethod = (machine, self, size: bigint) => {
  const { node } = fileOf(machine, self);
  const length = notNegative(machine, size);
  if (length < node.size) node.truncate(length);
  return self;
};

const fileMethods: NativeMethods = {
  [read]: (machine, self, buffer: Reference) => readInto(machine, fileOf(machine, self), buffer),
  [`read(${BYTES}J)I`]: (machine, self, buffer: Reference, position: bigint) => {
    const handle = fileOf(machine, self);
    return at(machine, handle, position, () => readInto(machine, handle, buffer));
  },
  [write]: (machine, self, buffer: Reference) => writeFrom(machine, fileOf(machine, self), buffer),
  [`write(${BYTES}J)I`]: (machine, self, buffer: Reference, position: bigint) => {
    const handle = fileOf(machine, self);
    return at(machine, handle, position, () => writeFrom(machine, handle, buffer));
  },
  [`transferTo(JJ${WRITABLE})J`]: (machine, self, position: bigint, count: bigint, target: Reference) => {
    const handle = fileOf(machine, self);
    const piece = at(machine, handle, position, () => handle.read(machine, notNegative(machine, count)));
    if (piece.data.length > 0) machine.call(required(machine, target), write, bufferAround(machine, piece));
    return BigInt(piece.data.length);
  },
  [`transferFrom(${READABLE}JJ)J`]: (machine, self, source: Reference, position: bigint, count: bigint) => {
    const handle = fileOf(machine, self);
    return at(machine, handle, position, () => {
      const wanted = Number(count);
      let done = 0;
      while (done < wanted) {
        const buffer = bufferOn(machine, machine.array('B', Math.min(wanted - done, pieceLength)));
        const length = machine.call(required(machine, source), read, buffer) as number;
        if (length <= 0) break;
        machine.call(buffer, 'flip()Ljava/nio/Buffer;');
        done += writeFrom(machine, handle, buffer);
      }
      return BigInt(done);
    });
  },
  [`map(${MODE}JJ)Ljava/nio/MappedByteBuffer;`]: (machine, self, _mode: Reference, position: bigint, size: bigint) => {
    const handle = fileOf(machine, self);
    const mapped = bufferAround(
      machine,
      at(machine, handle, position, () => handle.read(machine, notNegative(machine, size))),
    );
    return instance(machine, 'Ljava/nio/MappedByteBuffer;', mapped.native);
  },
  'size()J': (machine, self) => BigInt(fileOf(machine, self).node.size),
  'position()J': (machine, self) => BigInt(fileOf(machine, self).position),
  [`position(J)${FILE}`]: moveTo,
  [`position(J)${SEEKABLE}`]: moveTo,
  [`truncate(J)${FILE}`]: truncate,
  [`truncate(J)${SEEKABLE}`]: truncate,
  'force(Z)V': () => undefined,
  [`lock()${LOCK}`]: (machine) => machine.allocate(LOCK),
  [`tryLock()${LOCK}`]: (machine) => machine.allocate(LOCK),
  'isOpen()Z': (_machine, self) => (self.native as FileHandle | undefined)?.isClosed === false,
  'close()V': (_machine, self) => {
    const handle = self.native as FileHandle | undefined;
    if (handle !== undefined) handle.isClosed = true;
  },
};

/** Of a channel on a stream `native` is the stream. */
const streamMethods: NativeMethods = {
  [read]: (machine, self, buffer: Reference) => {
    const piece = readFrom(machine, self.native as HeapObject, bufferOf(machine, buffer).data.length);
    if (piece === null) return -1;
    fillBuffer(machine, buffer, piece);
    return piece.data.length;
  },
  [write]: (machine, self, buffer: Reference) => {
    const { data, taint } = bufferOf(machine, buffer);
    writeTo(machine, self.native as HeapObject, data, taint);
    skipBuffer(machine, buffer, data.length);
    return data.length;
  },
  'isOpen()Z': () => 1,
  'close()V': (machine, self) => machine.call(self.native as HeapObject, 'close()V'),
};

const onStream = (machine: Machine, stream: Reference): HeapObject =>
  instance(machine, streamImplementation, required(machine, stream));

export const channelModels: Record<string, ModelClass> = {
  [`${C}Channel;`]: {
    isInterface: true,
    implements: ['Ljava/io/Closeable;'],
    abstractMethods: ['isOpen()Z', 'close()V'],
  },
  [READABLE]: { isInterface: true, implements: [`${C}Channel;`], abstractMethods: [read] },
  [WRITABLE]: { isInterface: true, implements: [`${C}Channel;`], abstractMethods: [write] },
  [`${C}ByteChannel;`]: { isInterface: true, implements: [READABLE, WRITABLE] },
  [SEEKABLE]: { isInterface: true, implements: [`${C}ByteChannel;`] },
  [FILE]: {
    isAbstract: true,
    implements: [SEEKABLE],
    methods: fileMethods,
    staticMethods: {
      [`open(${PATH}[Ljava/nio/file/OpenOption;)${FILE}`]: channelTo,
      [`open(${PATH}Ljava/util/Set;[Ljava/nio/file/attribute/FileAttribute;)${FILE}`]: channelOf,
    },
  },
  [fileImplementation]: { extends: FILE },
  [MODE]: enumModel(MODE, ['READ_ONLY', 'READ_WRITE', 'PRIVATE']),
  [LOCK]: { methods: { 'release()V': () => undefined, 'close()V': () => undefined, 'isValid()Z': () => 1 } },
  [streamImplementation]: { implements: [`${C}ByteChannel;`], methods: streamMethods },
  [`${C}Channels;`]: {
    staticMethods: {
      [`newChannel(Ljava/io/InputStream;)${READABLE}`]: onStream,
      [`newChannel(Ljava/io/OutputStream;)${WRITABLE}`]: onStream,
    },
  },
};
