// Where bytes go: files, connections, processes, and the program's own streams. Knows no method tables.
import type { HeapObject, Taint } from '../../machine/heap.ts';
import type { Machine } from '../../machine/model.ts';
import type { FileHandle } from '../../machine/virtual-files.ts';
import { instance, ioException, type Reference, required, setElementTaint } from '../values.ts';

/** The `native` of a modelled output stream. */
export interface ByteOutput {
  write(data: Uint8Array, taint: Taint, machine: Machine): void;
  flush?(machine: Machine): void;
  close?(machine: Machine): void;
  /** The open file behind the stream, for channels; absent where it is no file. */
  readonly file?: FileHandle;
}

/** @throws JavaThrow IOException from its methods, where it is closed or the disk is full */
export const fileOutput = (handle: FileHandle): ByteOutput => ({
  file: handle,
  write: (data, taint, machine) => {
    if (handle.isClosed) throw ioException(machine, 'Stream Closed');
    if (!handle.write(machine, data, taint))
      throw ioException(machine, 'write failed: ENOSPC (No space left on device)');
  },
  close: () => {
    handle.isClosed = true;
  },
});

export function nativeOutput(machine: Machine, output: ByteOutput): HeapObject {
  return instance(machine, 'Ljava/io/NativeOutputStream;', output);
}

/** Writes to any OutputStream of the program, modelled or its own. */
export function writeTo(machine: Machine, stream: Reference, data: Uint8Array, taint: Taint): void {
  if (data.length === 0) return;
  const array = machine.byteArray(data);
  setElementTaint(array, 0, data.length, taint);
  machine.call(required(machine, stream), 'write([BII)V', array, 0, data.length);
}
