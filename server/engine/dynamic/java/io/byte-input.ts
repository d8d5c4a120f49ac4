// Where bytes come from: buffers, files, connections, and the program's own streams. Knows no method tables.
import type { JavaArray, Taint } from '../../machine/heap.ts';
import type { Machine } from '../../machine/model.ts';
import type { FileHandle } from '../../machine/virtual-files.ts';
import {
  arrayTaint,
  bytesOf,
  ioException,
  MAXIMUM_BUFFER_BYTES,
  type Reference,
  required,
  setElementTaint,
} from '../values.ts';

/** The bytes of one read; an empty result means the end. */
export interface Piece {
  readonly data: Uint8Array;
  readonly taint: Taint;
  /** Taint of each byte, where it differs between them. */
  readonly taints?: readonly Taint[] | undefined;
}

/** The `native` of a modelled input stream. */
export interface ByteInput {
  /** At most so many bytes; null at the end. */
  read(machine: Machine, length: number): Piece | null;
  available(): number;
  /** Whether it is empty for now and more may arrive; absent for a source that is complete. */
  isWaiting?(): boolean;
  close?(machine: Machine): void;
  /** The open file behind the stream, for channels; absent where it is no file. */
  readonly file?: FileHandle;
  /** Position to return to, for streams that can. */
  position?: number;
}

/** Bytes in memory; more can be added behind. */
export interface BufferInput extends ByteInput {
  add(data: Uint8Array, taint: Taint): void;
  position: number;
}

export function bufferInput(data: Uint8Array, taint: Taint, taints?: readonly Taint[] | null): BufferInput {
  let bytes = data;
  let whole = taint;
  const input: BufferInput = {
    position: 0,
    read: (_machine, length) => {
      const start = input.position;
      if (start >= bytes.length) return null;
      input.position = Math.min(bytes.length, start + length);
      const piece = bytes.subarray(start, input.position);
      return { data: piece, taint: whole, taints: taints?.slice(start, input.position) };
    },
    available: () => bytes.length - input.position,
    add: (more, other) => {
      bytes = Buffer.concat([bytes, more]);
      whole ||= other;
    },
  };
  return input;
}

export function fileInput(handle: FileHandle): ByteInput {
  return {
    file: handle,
    read: (machine, length) => {
      if (handle.isClosed) throw ioException(machine, 'Stream Closed');
      const piece = handle.read(machine, length);
      return piece.data.length === 0 ? null : piece;
    },
    available: () => Math.max(0, handle.node.size - handle.position),
    close: () => {
      handle.isClosed = true;
    },
  };
}

/** Puts a piece into a Java array with its taint. */
export function store(array: JavaArray, offset: number, piece: Piece): number {
  bytesOf(array).set(piece.data, offset);
  setElementTaint(array, offset, offset + piece.data.length, piece.taint);
  const taints = piece.taints;
  if (taints?.some((taint) => taint !== 0)) {
    array.elementTaints ??= new Array<Taint>(array.elements.length).fill(0);
    for (const [index, taint] of taints.entries()) array.elementTaints[offset + index] = taint || piece.taint;
  } else if (taints !== undefined) setElementTaint(array, offset, offset + taints.length, 0);
  return piece.data.length;
}

/** Reads from any InputStream of the program, modelled or its own; null at the end. */
export function readFrom(machine: Machine, stream: Reference, length: number): Piece | null {
  const source = required(machine, stream);
  const array = machine.array('B', length);
  const count = machine.call(source, 'read([BII)I', array, 0, length) as number;
  if (count < 0) return null;
  return {
    data: bytesOf(array).subarray(0, count),
    // The union of the taints: readers and decoders apply it to the whole piece.
    taint: arrayTaint(machine, array, 0, count),
    taints: array.elementTaints?.slice(0, count),
  };
}

/** Everything that is left in a stream. @throws JavaThrow IOException where it is more than a phone could hold */
export function readAll(machine: Machine, stream: Reference): { data: Uint8Array; taint: Taint } {
  const pieces: Uint8Array[] = [];
  let taint: Taint = 0;
  let total = 0;
  for (let empty = 0; empty < 100; ) {
    const piece = readFrom(machine, stream, 65_536);
    if (piece === null) break;
    if (piece.data.length === 0) empty++;
    total += piece.data.length;
    if (total > MAXIMUM_BUFFER_BYTES) throw ioException(machine, 'stream too long');
    machine.charge(piece.data.length);
    pieces.push(piece.data.slice());
    taint = machine.union(taint, piece.taint);
  }
  return { data: pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces), taint };
}

/** Bytes that the first read computes from the whole wrapped stream: decompression, decryption. */
export function lazyInput(make: (machine: Machine) => { data: Uint8Array; taint: Taint }): ByteInput {
  let buffer: BufferInput | null = null;
  return {
    read: (machine, length) => {
      if (buffer === null) {
        const { data, taint } = make(machine);
        machine.charge(data.length);
        buffer = bufferInput(data, taint);
      }
      return buffer.read(machine, length);
    },
    available: () => (buffer === null ? 1 : buffer.available()),
  };
}
