// What can be said of a rule's condition before any engine looks: whether it may hold, given which strings may be in the
// bytes. Errs only towards "may". Knows no engine.

/** A condition that is `false` is certainly not met (false, or undefined); `null` says that nobody knows. */
export type Outlook = boolean | null;

/** A number that is known, one that nobody knows, or one that YARA calls undefined. */
export type NumberOutlook = number | 'unknown' | 'undefined';

/** What is known of the bytes at hand. */
export interface Evidence {
  /** null where strings alone are to decide. */
  readonly bytes: Uint8Array | null;
  /** null where they are not known yet. */
  readonly globals: Readonly<Record<string, number>> | null;
  /** Whether a string may be there. */
  mayContain(string: number): boolean;
  rule(name: string): Outlook;
}

export type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>=';
export type IntegerReading = { size: 1 | 2 | 4; isSigned: boolean; isBigEndian: boolean };

export type Condition =
  | { kind: 'unknown' }
  | { kind: 'boolean'; value: boolean }
  /** Of a rule's strings, by its number among all; wherever it may have to stand. */
  | { kind: 'string'; string: number }
  | { kind: 'rule'; name: string }
  | { kind: 'and' | 'or'; parts: readonly Condition[] }
  | { kind: 'not'; part: Condition }
  /** So many of the parts hold, `all` of them or `any`; of a share of them nothing is known but that one has to. */
  | { kind: 'of'; least: 'any' | 'all' | number; parts: readonly Condition[] }
  | { kind: 'compare'; comparison: Comparison; left: Condition; right: Condition }
  | { kind: 'number'; value: number }
  | { kind: 'global'; name: string }
  | { kind: 'filesize' }
  | { kind: 'integer'; at: Condition; reading: IntegerReading }
  /** How often a string is there. */
  | { kind: 'count'; string: number }
  /** Where a string is, or how long. */
  | { kind: 'place'; string: number }
  | { kind: 'sum' | 'difference' | 'product'; left: Condition; right: Condition };

/** Whether a condition may hold. */
export function outlookOf(condition: Condition, evidence: Evidence): Outlook {
  switch (condition.kind) {
    case 'boolean':
      return condition.value;
    case 'string':
      return evidence.mayContain(condition.string) ? null : false;
    case 'rule':
      return evidence.rule(condition.name);
    case 'and':
      return ofOutlook(condition.parts, condition.parts.length, evidence);
    case 'or':
      return ofOutlook(condition.parts, 1, evidence);
    case 'not':
      // What is not met may be undefined, and then its negation is too.
      return outlookOf(condition.part, evidence) === true ? false : null;
    case 'of':
      return ofOutlook(condition.parts, leastOf(condition.least, condition.parts.length), evidence);
    case 'compare':
      return comparisonOutlook(condition, evidence);
    case 'unknown':
      return null;
    default: {
      const value = numberOutlook(condition, evidence);
      return value === 'unknown' ? null : value !== 'undefined' && value !== 0;
    }
  }
}

const leastOf = (least: 'any' | 'all' | number, count: number): number =>
  least === 'any' ? 1 : least === 'all' ? count : least;

function ofOutlook(parts: readonly Condition[], least: number, evidence: Evidence): Outlook {
  let certain = 0;
  let possible = parts.length;
  for (const part of parts) {
    const outlook = outlookOf(part, evidence);
    if (outlook === true) certain += 1;
    else if (outlook === false) possible -= 1;
    if (possible < least) return false;
  }
  return certain >= least ? true : null;
}

function comparisonOutlook(
  { comparison, left, right }: Extract<Condition, { kind: 'compare' }>,
  evidence: Evidence,
): Outlook {
  const first = numberOutlook(left, evidence);
  const second = numberOutlook(right, evidence);
  if (first === 'undefined' || second === 'undefined') return false;
  if (first === 'unknown' || second === 'unknown') return null;
  switch (comparison) {
    case '==':
      return first === second;
    case '!=':
      return first !== second;
    case '<':
      return first < second;
    case '<=':
      return first <= second;
    case '>':
      return first > second;
    case '>=':
      return first >= second;
  }
}

function numberOutlook(condition: Condition, evidence: Evidence): NumberOutlook {
  switch (condition.kind) {
    case 'number':
      return condition.value;
    case 'global':
      return evidence.globals === null ? 'unknown' : (evidence.globals[condition.name] ?? 0);
    case 'filesize':
      return evidence.bytes?.length ?? 'unknown';
    case 'count':
      return evidence.mayContain(condition.string) ? 'unknown' : 0;
    case 'place':
      return evidence.mayContain(condition.string) ? 'unknown' : 'undefined';
    case 'integer':
      return integerAt(numberOutlook(condition.at, evidence), condition.reading, evidence.bytes);
    case 'sum':
    case 'difference':
    case 'product':
      return arithmetic(
        condition.kind,
        numberOutlook(condition.left, evidence),
        numberOutlook(condition.right, evidence),
      );
    default:
      return 'unknown';
  }
}

function arithmetic(kind: 'sum' | 'difference' | 'product', left: NumberOutlook, right: NumberOutlook): NumberOutlook {
  if (left === 'undefined' || right === 'undefined') return 'undefined';
  if (left === 'unknown' || right === 'unknown') return 'unknown';
  const value = kind === 'sum' ? left + right : kind === 'difference' ? left - right : left * right;
  // YARA counts with 64 bits.
  return Number.isSafeInteger(value) ? value : 'unknown';
}

function integerAt(
  at: NumberOutlook,
  { size, isSigned, isBigEndian }: IntegerReading,
  bytes: Uint8Array | null,
): NumberOutlook {
  // Past the end, engines differ in what they make of it.
  if (bytes === null || typeof at !== 'number' || at < 0 || at + size > bytes.length) return 'unknown';
  let value = 0;
  for (let index = 0; index < size; index++) {
    value = value * 256 + bytes[isBigEndian ? at + index : at + size - 1 - index]!;
  }
  return isSigned && value >= 2 ** (8 * size - 1) ? value - 2 ** (8 * size) : value;
}

/** Whether a condition is the same for all bytes; the rules that it names are for `isConstantRule` to say. */
export function isConstant(condition: Condition, isConstantRule: (name: string) => boolean): boolean {
  switch (condition.kind) {
    case 'boolean':
    case 'number':
    case 'global':
      return true;
    case 'rule':
      return isConstantRule(condition.name);
    case 'unknown':
    case 'string':
    case 'filesize':
    case 'integer':
    case 'count':
    case 'place':
      return false;
    default:
      return partsOf(condition).every((part) => isConstant(part, isConstantRule));
  }
}

function partsOf(condition: Condition): readonly Condition[] {
  switch (condition.kind) {
    case 'and':
    case 'or':
    case 'of':
      return condition.parts;
    case 'not':
      return [condition.part];
    case 'compare':
    case 'sum':
    case 'difference':
    case 'product':
      return [condition.left, condition.right];
    case 'integer':
      return [condition.at];
    default:
      return [];
  }
}
