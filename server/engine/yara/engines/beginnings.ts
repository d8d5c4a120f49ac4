// What a file has to begin with for a condition to be met: that of a program for Windows, of an ELF file, or whatever bytes it
// names. Knows no file. Errs only towards "anything".
import type { Condition } from '../language/condition-outlook.ts';
import { zeroGlobal } from '../rewriting/rewriting.ts';

/** One of them stands at the beginning, a character a byte; null: anything may. */
export type Beginnings = readonly string[] | null;

/** Of the files that engines' modules read: of others all fields are undefined, and all functions that say yes or no say no. */
const ofModules: Readonly<Record<string, Beginnings>> = { pe: ['MZ'], elf: ['\x7fELF'] };

/** @param ofRule those of a rule that the condition names */
export function beginningsOf(condition: Condition, ofRule: (name: string) => Beginnings): Beginnings {
  const ofAll = (parts: readonly Condition[]) => parts.map((part) => beginningsOf(part, ofRule));
  switch (condition.kind) {
    case 'and':
      return anyOf(ofAll(condition.parts));
    case 'or':
      return together(ofAll(condition.parts));
    case 'of':
      return condition.least === 'all' ? anyOf(ofAll(condition.parts)) : together(ofAll(condition.parts));
    case 'rule':
      return ofRule(condition.name);
    case 'member':
      return ofModules[condition.module] ?? null;
    case 'compare':
      return ofComparison(condition);
    default:
      return null;
  }
}

/** All hold: the first that says something. */
const anyOf = (parts: readonly Beginnings[]): Beginnings => parts.find((part) => part !== null) ?? null;

/** At least one holds. */
const together = (parts: readonly Beginnings[]): Beginnings =>
  parts.some((part) => part === null) ? null : [...new Set(parts.flatMap((part) => part!))];

function ofComparison({ comparison, left, right }: Extract<Condition, { kind: 'compare' }>): Beginnings {
  if (comparison === '==') {
    const named = namedBytes(left, right) ?? namedBytes(right, left);
    if (named !== null) return [named];
  }
  // What is compared with something undefined does not hold.
  return moduleOf(left) ?? moduleOf(right);
}

/** The bytes of `uint16(0) == 0x5a4d`. */
function namedBytes(integer: Condition, number: Condition): string | null {
  if (integer.kind !== 'integer' || number.kind !== 'number' || !isStart(integer.at)) return null;
  const { size, isBigEndian } = integer.reading;
  if (number.value < 0 || number.value >= 2 ** (8 * size)) return null;
  const bytes = Array.from({ length: size }, (_, index) => Math.floor(number.value / 256 ** index) % 256);
  return String.fromCharCode(...(isBigEndian ? bytes.reverse() : bytes));
}

function isStart(at: Condition): boolean {
  if (at.kind === 'sum') return isStart(at.left) && isStart(at.right);
  return at.kind === 'number' ? at.value === 0 : at.kind === 'global' && at.name === zeroGlobal;
}

/** Where a number is undefined for files that a module does not read: what those begin with that it reads. */
function moduleOf(number: Condition): Beginnings {
  switch (number.kind) {
    case 'member':
      return number.isDefinedElsewhere ? null : (ofModules[number.module] ?? null);
    case 'sum':
    case 'difference':
    case 'product':
      return moduleOf(number.left) ?? moduleOf(number.right);
    case 'integer':
      return moduleOf(number.at);
    default:
      return null;
  }
}
