// How far a run may go, and what is thrown on purpose when it ends. Knows nothing of what runs.

export interface Limits {
  /** Dalvik instructions of the whole run. */
  readonly instructions: number;
  /** Instructions after which a loop that only counts is cut short; none is where this is Infinity. */
  readonly loopInstructions: number;
  /** Milliseconds of the processor. */
  readonly cpuMilliseconds: number;
  /** Milliseconds of virtual time: a day shows what timers and alarms do. */
  readonly virtualMilliseconds: number;
  /** Bytes the process may take with the program's heap; looked at every `heapCheckBytes` of allocation. */
  readonly heapBytes: number;
  /** Bytes of one array; a device refuses more with an OutOfMemoryError. */
  readonly arrayBytes: number;
  /** Frames of one thread; a device's stack of 8 MB holds about as many. */
  readonly frames: number;
  /**
   * Nested calls from models back into the program, of all threads: each takes some of the worker's own stack, which has
   * room for half as many again.
   */
  readonly nestedCalls: number;
  /** Threads alive at once. */
  readonly threads: number;
  /** Threads started in all. */
  readonly threadStarts: number;
  /** Classes that are linked, loaded and made up. */
  readonly classes: number;
}

export const defaultLimits: Limits = {
  instructions: 2_000_000_000,
  loopInstructions: Number.POSITIVE_INFINITY,
  cpuMilliseconds: 60_000,
  virtualMilliseconds: 7 * 24 * 3_600_000,
  heapBytes: 900 * 1024 * 1024,
  arrayBytes: 192 * 1024 * 1024,
  frames: 6_000,
  nestedCalls: 250,
  threads: 500,
  threadStarts: 10_000,
  classes: 200_000,
};

export type LimitName =
  | 'instructions'
  | 'cpu-time'
  | 'virtual-time'
  | 'heap'
  | 'threads'
  | 'classes'
  | 'deadlock'
  | 'exit';

/** Base of everything that the machine and the models throw on purpose. Any other error is a fault of this program's. */
export abstract class Departure extends Error {}

/** Ends the whole run; nothing but the driver catches it. */
export class RunEnd extends Departure {
  readonly limit: LimitName;

  constructor(limit: LimitName, message: string) {
    super(message);
    this.limit = limit;
  }
}

/** The program ended its own process; no handler of the program runs, nothing but the driver catches it. */
export class ProcessExit extends Departure {
  readonly status: number;

  constructor(status: number) {
    super(`the app ended its process with status ${status}`);
    this.status = status;
  }
}
