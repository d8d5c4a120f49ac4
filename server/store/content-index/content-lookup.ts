// Finds the files that meet conditions on fingerprints. Errs only towards files that do not. Knows no rule.
import type { ContentStep } from '../../contract/engine/content-index.ts';
import { unknownReports } from '../../vault/packed-prints.ts';
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
      switch (step.kind) {
        case 'any':
          stack.push(null);
          break;
        case 'prints':
          stack.push(this.#withAll(step.prints).filter((group) => !this.#isOfReports(group)));
          break;
        case 'reports':
          stack.push(this.#ofReports(step.prints));
          break;
        case 'least':
          stack.push(leastOf(step.least, stack.splice(Math.max(0, stack.length - step.parts))));
          break;
      }
    }
    return stack.length === 1 ? stack[0]! : null;
  }

  /** All files of the APKs whose reports have the fingerprints, or are not known. */
  #ofReports(prints: readonly number[]): readonly number[] {
    const { apks } = this.#segment;
    const found = [...this.#withAll(prints), ...this.#with(unknownReports)].filter((group) => this.#isOfReports(group));
    return [...new Set(found)]
      .sort((a, b) => a - b)
      .flatMap((group) => {
        const first = apks.firstGroups[apks.apkOf(group)]!;
        return Array.from({ length: group - first }, (_, index) => first + index);
      });
  }

  /** The last group of an APK is what its reports say. */
  #isOfReports(group: number): boolean {
    const { apks } = this.#segment;
    return apks.firstGroups[apks.apkOf(group) + 1] === group + 1;
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
