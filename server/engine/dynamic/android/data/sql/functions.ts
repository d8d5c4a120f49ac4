// The functions of SQLite that apps use. Knows no tables. https://www.sqlite.org/lang_corefunc.html
import { SqlFault } from './tokens.ts';
import type { SqlValue } from './values.ts';
import { arithmetic, compareValues, keyOf, maxLength, numberOf, textOf } from './values.ts';

const cut = (text: string, from: number, length: number): string => {
  const start = from > 0 ? from - 1 : from < 0 ? text.length + from : 0;
  const end = from === 0 ? start + length - 1 : start + length;
  return text.slice(Math.max(0, start), Math.max(0, end));
};

/** @throws SqlFault where it would be too long */
function joined(parts: readonly string[], between: string): string {
  const length = parts.reduce((sum, part) => sum + part.length, between.length * (parts.length - 1));
  if (length > maxLength) throw new SqlFault('string or blob too big');
  return parts.join(between);
}

const trimmed = (value: SqlValue, characters: SqlValue | undefined, atStart: boolean, atEnd: boolean): string => {
  const text = textOf(value);
  const cutSet = new Set(characters === undefined ? ' ' : textOf(characters).split(''));
  let [from, to] = [0, text.length];
  while (atStart && from < to && cutSet.has(text[from]!)) from++;
  while (atEnd && to > from && cutSet.has(text[to - 1]!)) to--;
  return text.slice(from, to);
};

const typeNames: Readonly<Record<string, string>> = { number: 'integer', bigint: 'integer', string: 'text' };
const typeOf = (value: SqlValue): string => {
  if (value === null) return 'null';
  if (typeof value === 'number' && !Number.isInteger(value)) return 'real';
  return typeNames[typeof value] ?? 'blob';
};

/** A function of single values; any null makes it null, unless it is one of `nullSafe`. */
type Scalar = (args: readonly SqlValue[]) => SqlValue;

const extreme =
  (sign: number): Scalar =>
  (args) =>
    args.reduce((best, value) => (compareValues(value, best) * sign > 0 ? value : best));

export const nullSafe: ReadonlySet<string> = new Set(['ifnull', 'coalesce', 'nullif', 'typeof', 'iif', 'quote']);

export const scalars: Readonly<Record<string, Scalar>> = {
  length: ([value]) => (value instanceof Uint8Array ? value.length : [...textOf(value!)].length),
  lower: ([value]) => textOf(value!).toLowerCase(),
  upper: ([value]) => textOf(value!).toUpperCase(),
  substr: ([value, from, length]) =>
    cut(textOf(value!), Number(numberOf(from ?? 1)), length === undefined ? Infinity : Number(numberOf(length))),
  substring: ([value, from, length]) =>
    cut(textOf(value!), Number(numberOf(from ?? 1)), length === undefined ? Infinity : Number(numberOf(length))),
  trim: ([value, set]) => trimmed(value!, set, true, true),
  ltrim: ([value, set]) => trimmed(value!, set, true, false),
  rtrim: ([value, set]) => trimmed(value!, set, false, true),
  replace: ([value, from, to]) =>
    from === '' ? textOf(value!) : joined(textOf(value!).split(textOf(from ?? null)), textOf(to ?? null)),
  instr: ([value, part]) => textOf(value!).indexOf(textOf(part ?? null)) + 1,
  hex: ([value]) =>
    Buffer.from(value instanceof Uint8Array ? value : textOf(value!))
      .toString('hex')
      .toUpperCase(),
  quote: ([value]) => (typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : textOf(value ?? 'NULL')),
  char: (args) => args.map((value) => String.fromCharCode(Number(numberOf(value)))).join(''),
  unicode: ([value]) => textOf(value!).codePointAt(0) ?? null,
  abs: ([value]) => {
    const number = numberOf(value!);
    return number < 0 ? -number : number;
  },
  round: ([value, digits]) => Number(Number(numberOf(value!)).toFixed(Math.min(15, Math.max(0, Number(digits ?? 0))))),
  ifnull: ([value, other]) => value ?? other ?? null,
  coalesce: (args) => args.find((value) => value !== null) ?? null,
  nullif: ([value, other]) => (compareValues(value!, other ?? null) === 0 ? null : value!),
  iif: ([condition, yes, no]) => (condition !== null && Number(numberOf(condition!)) !== 0 ? yes! : (no ?? null)),
  typeof: ([value]) => typeOf(value ?? null),
  likely: ([value]) => value!,
  unlikely: ([value]) => value!,
  max: extreme(1),
  min: extreme(-1),
};

/** A function of all rows of a group. @param values of its first argument, none of them null. */
type Aggregate = (values: readonly SqlValue[], separator: SqlValue | undefined) => SqlValue;

const sum = (values: readonly SqlValue[]): SqlValue =>
  values.reduce((total, value) => arithmetic('+', total, value), 0);

export const aggregates: Readonly<Record<string, Aggregate>> = {
  count: (values) => values.length,
  sum: (values) => (values.length === 0 ? null : sum(values)),
  total: (values) => Number(sum(values)),
  avg: (values) => (values.length === 0 ? null : Number(sum(values)) / values.length),
  max: (values) => (values.length === 0 ? null : extreme(1)(values)),
  min: (values) => (values.length === 0 ? null : extreme(-1)(values)),
  group_concat: (values, separator) =>
    values.length === 0 ? null : joined(values.map(textOf), separator === undefined ? ',' : textOf(separator)),
};

/** Only the first of those that are equal. */
export function distinct(values: readonly SqlValue[]): SqlValue[] {
  const seen = new Set<string>();
  return values.filter((value) => {
    const key = keyOf(value);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/**
 * `date`, `time`, `datetime`, `julianday` and `strftime`: the moment `now`, seconds with `unixepoch`, or a date, with
 * offsets of days and shorter. Null where it is no date. https://www.sqlite.org/lang_datefunc.html
 */
export function dateText(name: string, args: readonly SqlValue[], now: number): SqlValue {
  const [format, moment = 'now', ...modifiers] = name === 'strftime' ? args : [formats[name] ?? '%s', ...args];
  const given = textOf(moment);
  let time =
    given === 'now' ? now : Date.parse(/^\d{4}-\d\d-\d\d$/.test(given) ? given : `${given.replace(' ', 'T')}Z`);
  if (modifiers.some((modifier) => textOf(modifier) === 'unixepoch')) time = Number(numberOf(moment)) * 1000;
  for (const modifier of modifiers) {
    const [, by, unit] = /^([+-]?[\d.]+)\s+(second|minute|hour|day)s?$/.exec(textOf(modifier)) ?? [];
    if (by !== undefined) time += Number(by) * lengths[unit!]!;
  }
  if (Number.isNaN(time) || Math.abs(time) > 8.64e15) return null;
  if (name === 'julianday') return time / 86_400_000 + 2_440_587.5;
  const iso = new Date(time).toISOString();
  const parts: Readonly<Record<string, string>> = {
    Y: iso.slice(0, 4),
    m: iso.slice(5, 7),
    d: iso.slice(8, 10),
    H: iso.slice(11, 13),
    M: iso.slice(14, 16),
    S: iso.slice(17, 19),
    s: String(Math.floor(time / 1000)),
    f: iso.slice(17, 23),
  };
  return textOf(format ?? null).replace(/%([YmdHMSsf%])/g, (_all, part: string) => parts[part] ?? '%');
}

const formats: Readonly<Record<string, string>> = {
  date: '%Y-%m-%d',
  time: '%H:%M:%S',
  datetime: '%Y-%m-%d %H:%M:%S',
};
const lengths: Readonly<Record<string, number>> = { second: 1000, minute: 60_000, hour: 3_600_000, day: 86_400_000 };
