// What can be said of a rule's condition before any engine looks: whether it may hold, given which strings may be in the
// bytes. Errs only towards "may". Knows no engine.
import { type GlobalValues, textGlobalPrefix } from '../engines/engine.ts';

/** A condition that is `false` is certainly not met (false, or undefined); `null`: not known. */
export type Outlook = boolean | null;

/** A known number, an unknown one, or what YARA calls undefined. */
export type NumberOutlook = number | 'unknown' | 'undefined';

/** What is known of the bytes at hand. */
export interface Evidence {
  /** null where strings alone are to decide. */
  readonly bytes: Uint8Array | null;
  /** null: not known yet; missing ones have their initial values. */
  readonly globals: GlobalValues | null;
  /** Globals that change with every file. */
  readonly ofFile: GlobalValues;
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
  /** So many of the parts hold, `all` of them or `any`; of a share of them only that one has to is known. */
  | { kind: 'of'; least: 'any' | 'all' | number; parts: readonly Condition[] }
  | { kind: 'compare'; comparison: Comparison; left: Condition; right: Condition }
  | { kind: 'number'; value: number }
  | { kind: 'global'; name: string }
  /** Of an engine's module, `pe.machine` or `pe.imports("a")`. */
  | { kind: 'member'; module: string; isDefinedElsewhere: boolean }
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
      // What does not hold may be undefined, and then its negation does not hold either.
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
      return globalOutlook(condition.name, evidence);
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

function globalOutlook(name: string, { globals, ofFile }: Evidence): NumberOutlook {
  // Comparisons of texts are not modelled here.
  if (globals === null || name.startsWith(textGlobalPrefix)) return 'unknown';
  const value = ofFile[name] ?? globals[name] ?? 0;
  return typeof value === 'number' ? value : 'unknown';
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
  // Engines differ in what they read past the end.
  if (bytes === null || typeof at !== 'number' || at < 0 || at + size > bytes.length) return 'unknown';
  let value = 0;
  for (let index = 0; index < size; index++) {
    value = value * 256 + bytes[isBigEndian ? at + index : at + size - 1 - index]!;
  }
  return isSigned && value >= 2 ** (8 * size - 1) ? value - 2 ** (8 * size) : value;
}

/** Kinds of conditions that depend on bytes. */
const variable: ReadonlySet<string> = new Set(['unknown', 'string', 'filesize', 'integer', 'count', 'place', 'member']);

/**
 * What a condition depends on.
 * @returns the names of rules and globals in it, and whether those alone decide
 */
export function basisOf(condition: Condition): { isConstant: boolean; rules: string[]; globals: string[] } {
  const basis = { isConstant: !variable.has(condition.kind), rules: [] as string[], globals: [] as string[] };
  if (condition.kind === 'rule') basis.rules.push(condition.name);
  if (condition.kind === 'global') basis.globals.push(condition.name);
  for (const part of partsOf(condition)) {
    const { isConstant, rules, globals } = basisOf(part);
    basis.isConstant &&= isConstant;
    basis.rules.push(...rules);
    basis.globals.push(...globals);
  }
  return basis;
}

/** What a condition is made of. */
export function partsOf(condition: Condition): readonly Condition[] {
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
