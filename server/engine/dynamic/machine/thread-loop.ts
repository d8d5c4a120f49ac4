// Runs a thread's frames: instructions, what models left to be done, exceptions on their way. Knows no instruction.

import { type HeapObject, JavaThrow } from './heap.ts';
import { run } from './interpreter.ts';
import type { JavaThread } from './java-thread.ts';
import type { Runtime } from './runtime.ts';
import { unwind } from './unwinding.ts';

/** What a thread's loop ended with: its entry returned, or it stepped aside for other threads and is taken up again. */
export type LoopEnd = 'returned' | 'aside';

/**
 * Runs the thread's frames until the entry on top of which it started has returned. The result is in `thread.result`.
 * @throws JavaThrow that no handler above the entry took; whatever ends the run
 */
export function execute(vm: Runtime, thread: JavaThread): LoopEnd {
  thread.loops++;
  const floor = entryBelow(thread);
  let thrown: HeapObject | null = null;
  let isDone = false;
  try {
    for (;;) {
      if (thrown !== null) {
        const throwable: HeapObject = thrown;
        thrown = null;
        const left = unwind(vm, thread, throwable, floor);
        if (left !== null) {
          isDone = true;
          throw new JavaThrow(left);
        }
      }
      try {
        const end = vm.settle(thread, floor);
        if (end !== null) {
          isDone = true;
          return end;
        }
        thrown = run(vm, thread);
      } catch (error) {
        thrown = vm.throwableOf(error);
      }
    }
  } finally {
    thread.loops--;
    if (!isDone) vm.abandon(thread, floor);
  }
}

function entryBelow(thread: JavaThread): number {
  let depth = thread.depth;
  while (depth > 0 && !thread.frames[depth]!.isEntry) depth--;
  return depth;
}
