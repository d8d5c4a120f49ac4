// What bounds the work for one method and one class: hostile code is cut and marked, never left to run.

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
  /** Steps of work for a method beside those that its code takes. */
  methodSteps: 6,
} as const;

/** Code that Java cannot express, or not within the limits. */
export class Unsayable extends Error {}

/** What is cut because the work for a file has come to its end: asked for as a whole, it may well have its source. */
export class TooLate extends Unsayable {}

/**
 * Steps of work for one file: one for each code unit of its methods, each edge to a handler and each statement that is written, some
 * for each method, and for handlers as often as they may stand within each other. One takes some eight microseconds once the
 * code is warm: what somebody opens is there within half a second, the whole of it before a worker's time ends.
 */
const stepsOf = { first: 42_000, whole: 600_000 } as const;

/** How much of a file is made: what somebody opens and may ask for more of, or all that is ever made. */
export type Extent = keyof typeof stepsOf;

/** The work for one file, counted rather than timed: what is cut is the same in each run, however busy the machine is. */
export class WorkLimit {
  #left: number;
  /** Thrown for each method that is cut, made once: there are as many as methods. */
  readonly #end: Unsayable;

  constructor(extent: Extent = 'whole') {
    this.#left = stepsOf[extent];
    const reason = `the file takes more than ${this.#left} steps of work`;
    this.#end = extent === 'first' ? new TooLate(reason) : new Unsayable(reason);
  }

  /** @throws TooLate; where it is the whole, Unsayable. What takes less may still be said after it. */
  spend(steps: number): void {
    if (steps > this.#left) throw this.#end;
    this.#left -= steps;
  }
}
