// Numbers, dates and switches in searches. Knows no field.
import { SearchError, type SearchValue } from './syntax.ts';

/** A closed range of integers; null: open at that end. */
export interface Bounds {
  from: number | null;
  to: number | null;
}

/** The integers that a value names; none where `last` is before `first`, which then stand on either side of it. */
interface Span {
  first: number;
  last: number;
}
export type ReadSpan = (text: string, position: number) => Span;

/** Powers of ten: sizes of files are written with these by clients of the original. */
const units: Record<string, number> = { '': 0, b: 0, kb: 3, mb: 6, gb: 9 };

/** `7`, `-3`, `1.5` or `2.01MB`. */
export const readNumber: ReadSpan = (text, position) => {
  const [, digits, unit = ''] = /^(-?\d{1,30}(?:\.\d{1,30})?)([kmg]?b)?$/i.exec(text) ?? [];
  if (digits === undefined) throw new SearchError(`"${text}" is not a number.`, position);
  // A product would be a little beside the whole number that is meant.
  const value = Number(`${digits}e${units[unit.toLowerCase()]}`);
  // Between two integers lies none: the empty span of 1.5 is from 2 to 1.
  return { first: Math.ceil(value), last: Math.floor(value) };
};

const datePattern =
  /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?(Z|[+ -]\d\d:?\d\d)?)?)?)?$/i;

/** All microseconds since 1970 UTC that the text can mean: a whole day where it names no time. */
export const readDate: ReadSpan = (text, position) => {
  const wrong = () => new SearchError(`"${text}" is not a date such as 2022-01-14 or 2022-01-14T08:41:00.`, position);
  const found = datePattern.exec(text);
  if (found === null) throw wrong();
  const [, year, month, day, hour, minute, second, fraction, zone] = found;
  const parts = [year, month ?? 1, day ?? 1, hour ?? 0, minute ?? 0, second ?? 0].map(Number);
  const [y, m, d, h, min, s] = parts as [number, number, number, number, number, number];
  const start = Date.UTC(y, m - 1, d, h, min, s);
  const made = new Date(start);
  const isReal = made.getUTCMonth() === m - 1 && made.getUTCDate() === d && h < 24 && min < 60 && s < 60;
  if (!isReal) throw wrong();
  const [sign, zoneHours, zoneMinutes] = /^([+ -])(\d\d):?(\d\d)$/.exec(zone ?? '')?.slice(1) ?? ['+', '0', '0'];
  const offset = (sign === '-' ? -1 : 1) * (Number(zoneHours) * 60 + Number(zoneMinutes)) * 60_000;
  const first = (start - offset) * 1000 + Number((fraction ?? '').padEnd(6, '0'));
  if (fraction !== undefined) return { first, last: first + 10 ** (6 - fraction.length) - 1 };
  const end = (milliseconds: number) => ({ first, last: first + milliseconds * 1000 - 1 });
  if (second !== undefined) return end(1000);
  if (minute !== undefined) return end(60_000);
  if (day !== undefined) return end(86_400_000);
  return end((month === undefined ? Date.UTC(y + 1, 0, 1) : Date.UTC(y, m, 1)) - start);
};

/** The range of integers that a value names. @throws SearchError */
export function boundsOf(value: SearchValue, read: ReadSpan): Bounds {
  const bound = (text: string) => (text === '*' ? null : read(text, value.position));
  switch (value.kind) {
    case 'range':
      return { from: bound(value.from)?.first ?? null, to: bound(value.to)?.last ?? null };
    case 'comparison': {
      const span = read(value.text, value.position);
      if (value.comparison === '>') return { from: span.last + 1, to: null };
      if (value.comparison === '>=') return { from: span.first, to: null };
      if (value.comparison === '<') return { from: null, to: span.first - 1 };
      return { from: null, to: span.last };
    }
    case 'bytes':
      throw new SearchError('Bytes are neither number nor date.', value.position);
    case 'text': {
      if (value.isPrefix || value.distance > 0)
        throw new SearchError('A number or date is compared as a whole.', value.position);
      // `2MB+` and `2MB-`: at least, at most, as older clients write it.
      const open = /[+-]$/.exec(value.text)?.[0];
      const span = read(open === undefined ? value.text : value.text.slice(0, -1), value.position);
      return { from: open === '-' ? null : span.first, to: open === '+' ? null : span.last };
    }
  }
}

/** Whether a flag has to be set. @throws SearchError where the value is neither of the two */
export function readSwitch(value: SearchValue): boolean {
  const text = value.kind === 'text' && !value.isPrefix && value.distance === 0 ? value.text.toLowerCase() : '';
  if (['true', 'yes', '1'].includes(text)) return true;
  if (['false', 'no', '0'].includes(text)) return false;
  throw new SearchError('This field is true or false.', value.position);
}
