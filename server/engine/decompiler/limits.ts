// What bounds the work for one method and one class: hostile code is cut and marked, never left to run.

export const limits = {
  /** Code units of a method: Java's own limit is 65,535 bytes, which no method that came from Java exceeds. */
  methodUnits: 65_536,
  /** Edges from blocks to handlers. */
  handlerEdges: 200_000,
  /** Statements inside of each other: what javac's and our own recursion take. */
  depth: 120,
  /** Nodes that are doubled to make a method's loops have one entry each. */
  copiedNodes: 60,
  /** Characters of a class's source. */
  sourceCharacters: 1 << 25,
} as const;

/** Code that Java cannot say, or not within the limits. */
export class Unsayable extends Error {}
