// The natural loops of a method. Knows no values.

import { type MethodBody, waysOn } from '../method-body.ts';
import { reversed } from './dominators.ts';

export interface Loops {
  /** By position those of the instructions that it follows; exceptions are no way on. */
  readonly predecessors: readonly (readonly number[])[];
  /** The positions of each loop. */
  readonly loops: readonly ReadonlySet<number>[];
}

/** @param limit heads of loops past which no more are looked at */
export function naturalLoops({ instructions }: MethodBody, limit: number): Loops {
  const successors = instructions.map(waysOn);
  const predecessors = reversed(successors);
  /** By head the jumps back to it. */
  const jumps = new Map<number, number[]>();
  for (const [position, list] of successors.entries()) {
    for (const head of list) {
      if (head > position) continue;
      const from = jumps.get(head);
      if (from === undefined) jumps.set(head, [position]);
      else from.push(position);
    }
  }
  const loops: Set<number>[] = [];
  for (const [head, from] of [...jumps].slice(0, limit)) {
    const positions = new Set([head]);
    const waiting = [...from];
    while (waiting.length > 0) {
      const position = waiting.pop()!;
      if (positions.has(position)) continue;
      positions.add(position);
      waiting.push(...predecessors[position]!);
    }
    // Where the method's beginning is found, a way leads into the middle: the head does not dominate the jump.
    if (head === 0 || !positions.has(0)) loops.push(positions);
  }
  return { predecessors, loops };
}
