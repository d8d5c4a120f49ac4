// Takes an exception from frame to frame until a handler fits. Knows no instructions but where they stand.
import { regionOfThrow } from './control-taint.ts';
import { type HeapObject, JavaThrow } from './heap.ts';
import type { Frame, JavaThread } from './java-thread.ts';
import { releaseFrameLock } from './monitors.ts';
import type { PreparedMethod } from './prepared-method.ts';
import type { Runtime } from './runtime.ts';
import { throwableState } from './throwable-state.ts';

/** What an exception costs in instructions, so that a program that only throws reaches its limit too. */
export const exceptionCost = 40;

/**
 * Looks for a handler from the innermost frame out, down to the entry at `floor`.
 * @returns null where one was found and the thread goes on, else what leaves the entry
 */
export function unwind(vm: Runtime, thread: JavaThread, thrown: HeapObject, floor: number): HeapObject | null {
  vm.budget -= exceptionCost;
  let throwable = thrown;
  const thrownControl = vm.taints.union(
    thread.frames[thread.depth]?.control ?? 0,
    vm.faultTaint === 0 ? 0 : vm.taints.implied(vm.faultTaint),
  );
  vm.faultTaint = 0;
  while (thread.depth >= floor) {
    const frame = thread.frames[thread.depth]!;
    if (frame.prepared !== null) {
      noteThrown(frame.prepared, frame.at - 1, throwable);
      if (vm.passOver(thread, frame)) return null;
      const handler = handlerFor(vm, frame, frame.prepared, throwable);
      if (handler >= 0) {
        regionOfThrow(vm, frame, handler, thrownControl);
        frame.at = handler;
        thread.caught = throwable;
        return null;
      }
      if (frame.lock !== null) releaseFrameLock(thread, frame);
      thread.depth--;
    } else if (frame.isEntry) {
      thread.depth--;
      return throwable;
    } else {
      thread.depth--;
      const onThrow = frame.continuation?.onThrow;
      if (onThrow === undefined) continue;
      try {
        const taint = thread.resultTaint;
        thread.resultTaint = 0;
        const value = vm.resume(frame.native, () => onThrow(throwable));
        if (!vm.takeSignal()) vm.deliver(thread, value ?? null, taint);
        return null;
      } catch (error) {
        if (!(error instanceof JavaThrow)) throw error;
        vm.budget -= exceptionCost;
        throwable = error.throwable;
      }
    }
  }
  return throwable;
}

function noteThrown(prepared: PreparedMethod, at: number, throwable: HeapObject): void {
  prepared.noteThrown(at, { exception: throwable.cls.name, model: throwableState(throwable).model });
}

/** Place of the first handler that fits, in the order of the file; -1 where none does. */
function handlerFor(vm: Runtime, frame: Frame, prepared: PreparedMethod, throwable: HeapObject): number {
  const at = frame.at - 1;
  for (const block of prepared.tries) {
    if (at < block.start || at >= block.end) continue;
    for (const { type, at: target } of block.handlers) {
      if (type === null || catches(vm, type, throwable)) return target;
    }
  }
  return -1;
}

/** A handler for a class that cannot be linked catches nothing. */
function catches(vm: Runtime, descriptor: string, throwable: HeapObject): boolean {
  try {
    const cls = vm.linker.find(descriptor);
    return cls !== null && vm.isInstanceOf(throwable, cls);
  } catch (error) {
    if (error instanceof JavaThrow) return false;
    throw error;
  }
}
