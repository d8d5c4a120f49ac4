// What stands in a throwable's `native`. Knows no classes.
import type { HeapObject, JavaString } from './heap.ts';
import type { Method } from './linked-class.ts';

/** A place in the code; its line is looked up when needed. */
export interface TraceEntry {
  readonly method: Method;
  /** Address in code units, -1 in a modelled method. */
  readonly address: number;
}

export interface ThrowableState {
  message: JavaString | null;
  cause: HeapObject | null;
  trace: readonly TraceEntry[];
  /** Set by `setStackTrace`: an array of StackTraceElement. */
  givenTrace: HeapObject | null;
  readonly suppressed: HeapObject[];
  /** The modelled method that threw it; null where the app or an instruction of it did. */
  model: Method | null;
}

export function throwableState(object: HeapObject): ThrowableState {
  if (object.native === undefined || object.native === null) {
    const state: ThrowableState = {
      message: null,
      cause: null,
      trace: [],
      givenTrace: null,
      suppressed: [],
      model: null,
    };
    object.native = state;
  }
  return object.native as ThrowableState;
}
