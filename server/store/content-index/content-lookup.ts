// Finds the files that meet conditions on fingerprints. Errs only towards files that do not. Knows no rule.
import type { ContentStep } from '../../contract/engine/content-index.ts';
import type { Segment } from './segment.ts';

/** Groups of files in rising order; null: any may. */
export type Groups = readonly number[] | null;

export class ContentLookup {
  readonly #segment: Segment;
  readonly #known = new Map<number, readonly number[]>();

  constructor(segment: Segment) {
    this.#segment = segment;
  }

  /** The groups in which a file may meet a condition. @throws DamagedSegment */
  find(steps: readonly ContentStep[]): Groups {
    const stack: Groups[] = [];
    for (const step of steps) {
      if (step.kind === 'any') stack.push(null);
      else if (step.kind === 'prints') stack.push(this.#withAll(step.prints));
      else stack.push(leastOf(step.least, stack.splice(Math.max(0, stack.length - step.parts))));
    }
    return stack.length === 1 ? stack[0]! : null;
  }

  #withAll(prints: readonly number[]): readonly number[] {
    let found: readonly number[] | null = null;
    for (const print of prints) {
      const groups = this.#with(print);
      found = found === null ? groups : intersection(found, groups);
      if (found.length === 0) break;
    }
    return found ?? [];
  }

  #with(print: number): readonly number[] {
    let groups = this.#known.get(print);
    if (groups === undefined) {
      groups = this.#segment.groupsWith(print);
      this.#known.set(print, groups);
    }
    return groups;
  }
}

function intersection(one: readonly number[], other: readonly number[]): number[] {
  const common: number[] = [];
  for (let at = 0, there = 0; at < one.length && there < other.length; ) {
    const difference = one[at]! - other[there]!;
    if (difference === 0) common.push(one[at]!);
    if (difference <= 0) at += 1;
    if (difference >= 0) there += 1;
  }
  return common;
}

function leastOf(least: number, parts: readonly Groups[]): Groups {
  const known = parts.filter((part) => part !== null);
  const wanted = least - (parts.length - known.length);
  if (wanted <= 0) return null;
  if (wanted > known.length) return [];
  if (wanted === known.length) return known.reduce(intersection);
  const counts = new Map<number, number>();
  for (const part of known) for (const group of part) counts.set(group, (counts.get(group) ?? 0) + 1);
  const found = [...counts].filter(([, count]) => count >= wanted).map(([group]) => group);
  return found.sort((a, b) => a - b);
}
