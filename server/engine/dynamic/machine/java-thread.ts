// A thread of the interpreted program: its frames, registers, what it waits for. Knows no instructions and no scheduling.
import type { HeapObject, Taint, Value } from './heap.ts';
import type { Method } from './linked-class.ts';
import type { PreparedMethod } from './prepared-method.ts';

/** What a branch on a tainted value decides in a frame: everything up to `end` in the stream (-1: to the return). */
export interface Region {
  readonly end: number;
  readonly taint: Taint;
  /** Control taint outside of it. */
  readonly outer: Taint;
  /** What either way may write. */
  readonly written: Written;
  readonly next: Region | null;
}

export interface Written {
  readonly registers: readonly number[];
  readonly fields: readonly FieldPut[];
}

export interface FieldPut {
  /** Index in the dex file. */
  readonly field: number;
  /** Register of the object, null for a static field. */
  readonly object: number | null;
}

/** What a model does once the method that it ended in has returned or thrown. */
export interface Continuation {
  readonly onReturn: ((value: Value) => Value | undefined) | undefined;
  readonly onThrow: ((throwable: HeapObject) => Value | undefined) | undefined;
}

export class Frame {
  /** Null for frames that are none of a method: entries from TypeScript, continuations. */
  prepared: PreparedMethod | null = null;
  /** Where it goes on; in callers past the invocation. */
  at = 0;
  base = 0;
  /** Taint of the branches that led here: what happens in the frame carries it. */
  control: Taint = 0;
  /** Control taint that the caller had, which a return falls back to. */
  regions: Region | null = null;
  /** Held while the frame lives: of a synchronized method. */
  lock: HeapObject | null = null;
  /** Returning from it, or throwing through it, goes back to TypeScript. */
  isEntry = false;
  continuation: Continuation | null = null;
  /** The modelled method on whose behalf a continuation waits, for stack traces. */
  native: Method | null = null;
}

export interface Blocked {
  readonly ready: () => boolean;
  /** Virtual milliseconds, Infinity for ever. */
  readonly deadline: number;
  /** Makes the result; null repeats the instruction. */
  readonly finish: ((isReady: boolean) => Value | undefined) | null;
  /** The model that waits; null where it is none. */
  readonly model: Method | null;
}

const firstRegisters = 512;

export class JavaThread {
  readonly id: number;
  /** `java.lang.Thread` object. */
  object: HeapObject | null;
  registers: Value[] = emptyRegisters(firstRegisters);
  taints = new Int32Array(firstRegisters);
  readonly frames: Frame[] = [];
  /** Index of the running frame, -1 for none. */
  depth = -1;
  result: Value = null;
  resultTaint: Taint = 0;
  /** Taint of the result that a continuation is given. */
  returnedTaint: Taint = 0;
  /** For move-exception. */
  caught: HeapObject | null = null;
  blocked: Blocked | null = null;
  /** JavaScript loops that run this thread's frames; it can step aside without holding the stack only while it has one. */
  loops = 0;
  /** The one loop was started by the scheduler, which takes the thread up again later. */
  isSteppable = false;
  isFinished = false;
  /** Runs when the thread is first taken up. */
  body: (() => void) | null = null;
  /** The model that started it with `body`. */
  starter: Method | null = null;
  /** A modelled method to start with, which may end in a call or in waiting. */
  first: Method | null = null;
  isInterrupted = false;
  /** Instructions in a row without rest and without code that had not run before. */
  spun = 0;
  /** It spins, and is taken up no more. */
  isParked = false;
  /** Calls from TypeScript into the program that stand on each other in this thread. */
  nesting = 0;

  constructor(id: number, object: HeapObject | null) {
    this.id = id;
    this.object = object;
  }

  /** First register past the running frame's. */
  get top(): number {
    for (let depth = this.depth; depth >= 0; depth--) {
      const { prepared, base } = this.frames[depth]!;
      if (prepared !== null) return base + prepared.registers;
    }
    return 0;
  }

  /** A frame above the running one, emptied. */
  push(): Frame {
    const depth = this.depth + 1;
    let frame = this.frames[depth];
    if (frame === undefined) {
      frame = new Frame();
      this.frames.push(frame);
    } else {
      frame.prepared = null;
      frame.at = 0;
      frame.regions = null;
      frame.lock = null;
      frame.isEntry = false;
      frame.continuation = null;
      frame.native = null;
    }
    this.depth = depth;
    return frame;
  }

  /** Makes room for registers up to `end`. */
  reserve(end: number): void {
    if (end <= this.registers.length) return;
    const length = Math.max(end, this.registers.length * 2);
    while (this.registers.length < length) this.registers.push(0);
    const taints = new Int32Array(length);
    taints.set(this.taints);
    this.taints = taints;
  }
}

function emptyRegisters(length: number): Value[] {
  const registers: Value[] = [];
  for (let index = 0; index < length; index++) registers.push(0);
  return registers;
}

/** State of an object's lock. */
export interface Monitor {
  owner: JavaThread | null;
  count: number;
  /** Threads in `Object.wait`, in the order of their coming; woken ones are taken out. */
  readonly waiting: { readonly thread: JavaThread; isNotified: boolean }[];
}
