// Runs loops over what a dex file defines, as YARA does. Knows no rules' syntax.

import {
  comparisonsOf,
  type DexBound,
  type DexComparison,
  type DexLoop,
  type DexTest,
  operandsOf,
} from '../rewriting/dex-loops.ts';
import { textTest } from '../rewriting/text-comparisons.ts';
import { boundedSearch } from './bounded-search.ts';
import type { DexList, DexMembers } from './dex-members.ts';
import { regexpOf } from './report-search.ts';

/** Undefined for an index outside the list. */
type Test = (index: number) => boolean | undefined;

/**
 * Whether as many items fit as the loop wants; a loop over nothing never holds.
 * @param dex null where there is no dex file
 * @throws ScanTimeout
 */
export function loopHolds(loop: DexLoop, dex: DexMembers | null): boolean {
  const regexps = operandsOf(loop.body).flatMap((operand) => (operand.kind === 'regexp' ? [regexpOf(operand)] : []));
  return boundedSearch(regexps, () => holds(loop, dex));
}

function holds({ quantifier, list, range, body }: DexLoop, dex: DexMembers | null): boolean {
  const size = dex?.sizeOf(list) ?? 0;
  const [from, to] = range === null ? [0, size - 1] : range.map((bound) => numberOf(bound, dex));
  if (from === undefined || to === undefined || from > to) return false;
  const all = to - from + 1;
  // With an offset, an index outside the list may refer to an item inside.
  const reach = comparisonsOf(body).reduce((most, { ahead }) => Math.max(most, Math.abs(ahead)), 0);
  const first = Math.max(from, -reach);
  const last = Math.min(to, size - 1 + reach);
  const test = testOf(body, list, dex);
  let count = 0;
  for (let index = first; index <= last; index++) if (test(index) === true) count += 1;
  // Nothing is defined at any index: one stands for all.
  const outside = all - Math.max(0, last - first + 1);
  if (outside > 0 && test(-1 - reach) === true) count += outside;
  if (quantifier === 'any') return count > 0;
  if (quantifier === 'all') return count === all;
  // In YARA 4.2 `for none` holds as soon as there is an item.
  return quantifier === 'none' || count >= quantifier;
}

function numberOf({ count, plus }: DexBound, dex: DexMembers | null): number | undefined {
  if (count === null) return plus;
  if (dex === null) return undefined;
  return plus + (typeof count === 'string' ? dex.sizeOf(count) : dex.headerNumber(count.headerOffset));
}

function testOf(test: DexTest, list: DexList, dex: DexMembers | null): Test {
  if ('parts' in test) {
    const parts = test.parts.map((part) => testOf(part, list, dex));
    return test.kind === 'and'
      ? (index) => parts.every((part) => part(index) === true)
      : (index) => parts.some((part) => part(index) === true);
  }
  if (test.kind === 'not') {
    const part = testOf(test.part, list, dex);
    return (index) => {
      const outcome = part(index);
      return outcome === undefined ? undefined : !outcome;
    };
  }
  if (test.kind === 'constant') return () => test.value;
  if (test.kind === 'string') throw new TypeError('what strings are found is asked outside of the loop');
  const fits = comparisonOf(test);
  const column = dex?.column(list, test.member);
  return (index) => {
    const value = column?.[index + test.ahead];
    return value === undefined ? undefined : fits(value);
  };
}

function comparisonOf({ mask, operator, operand }: DexComparison): (value: string | number) => boolean {
  if (operand === null) return (value) => (Number(value) & (mask ?? -1)) !== 0;
  if (operand.kind !== 'number') {
    const test = textTest({ operator, operand });
    return (value) => test(String(value));
  }
  return (value) => numberComparisons[operator]!(mask === null ? Number(value) : Number(value) & mask, operand.value);
}

const numberComparisons: Readonly<Record<string, (value: number, wanted: number) => boolean>> = {
  '==': (value, wanted) => value === wanted,
  '!=': (value, wanted) => value !== wanted,
  '<': (value, wanted) => value < wanted,
  '<=': (value, wanted) => value <= wanted,
  '>': (value, wanted) => value > wanted,
  '>=': (value, wanted) => value >= wanted,
};
