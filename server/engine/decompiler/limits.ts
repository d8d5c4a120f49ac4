// What bounds the work for one method and one class: hostile code is cut and marked, never left to run.
import { cpuMilliseconds } from '../cpu-time.ts';

export const limits = {
  /** Code units of a method. Java's own limit is 65,535 bytes, of which compilers to dex make a unit and a half each at most. */
  methodUnits: 131_072,
  /** Edges from blocks to handlers. */
  handlerEdges: 200_000,
  /** Statements inside of each other: what javac's and our own recursion take. */
  depth: 120,
  /** Nodes that are doubled to make a method's loops have one entry each. */
  copiedNodes: 60,
  /** Characters of a class's source. */
  sourceCharacters: 1 << 25,
  /** Milliseconds of the processor for one file where nobody waits for it, and for each of its methods besides. */
  fileMilliseconds: 2_000,
  methodMilliseconds: 1,
} as const;

/** Code that Java cannot express, or not within the limits. */
export class Unsayable extends Error {}

/** What is cut because time ran out: asked for alone or with more time, it may well have its source. */
export class TooLate extends Unsayable {}

/** The processor time for one file. */
export class TimeLimit {
  readonly #milliseconds: number;
  readonly #isLast: boolean;
  readonly #cpuAtStart = cpuMilliseconds();
  readonly #start = performance.now();

  /** @param isLast whether the file is not asked for again with more time */
  constructor(milliseconds: number, isLast = false) {
    this.#milliseconds = milliseconds;
    this.#isLast = isLast;
  }

  /** @throws TooLate; where it is the last time, Unsayable */
  check(): void {
    // CPU time cannot exceed elapsed time, which takes a hundredth of the time to read.
    if (performance.now() - this.#start < this.#milliseconds) return;
    if (cpuMilliseconds() - this.#cpuAtStart < this.#milliseconds) return;
    const reason = `the file takes more than ${this.#milliseconds} ms`;
    throw this.#isLast ? new Unsayable(reason) : new TooLate(reason);
  }
}
