// How java.time writes and reads its values: ISO 8601, and the patterns of DateTimeFormatter. Knows no arithmetic.
import type { HeapObject } from '../../machine/heap.ts';
import type { Machine, ModelClass } from '../../machine/model.ts';
import { fixedOffset, zoneOffset } from '../text/date-fields.ts';
import { formatDate, parseDate } from '../text/date-format.ts';
import { localeSymbols } from '../text/locale-symbols.ts';
import { instance, type Reference, required, textOf } from '../values.ts';
import { C, JT, pointOf, S } from './temporal.ts';

export const formatterType = `${JT}format/DateTimeFormatter;`;
const accessorType = `${JT}temporal/TemporalAccessor;`;

/** The two halves of `2024-02-29T08:05:00.123` of a local time; a fraction that is nothing is not written. */
function isoText(time: number): { date: string; clock: string } {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return { date: '', clock: '' };
  const [day = '', rest = ''] = date.toISOString().split('T');
  const clock = rest.replace('Z', '').replace(/\.000$/, '');
  return { date: day, clock };
}

const shortClock = (clock: string): string => clock.replace(/^(\d\d:\d\d):00$/, '$1');

/** `+02:00`, `Z` where there is none. */
function offsetText(offset: number): string {
  if (offset === 0) return 'Z';
  const minutes = Math.abs(offset) / 60_000;
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`;
}

/** What `toString()` says of a value of a type. */
export function textOfPoint(type: string, time: number, zone = 'UTC'): string {
  const { date, clock } = isoText(time);
  if (type === `${JT}LocalDate;`) return date;
  if (type === `${JT}LocalTime;`) return shortClock(clock);
  if (type === `${JT}Instant;`) return `${date}T${clock}Z`;
  const local = `${date}T${shortClock(clock)}`;
  if (type === `${JT}LocalDateTime;`) return local;
  const offset = offsetText(offsetOf(time, zone));
  return `${local}${offset}${fixedOffset(zone) === null ? `[${zone}]` : ''}`;
}

/** How far a zone is ahead when its clocks show a local time. */
export function offsetOf(local: number, zone: string): number {
  return zoneOffset(zone, local - zoneOffset(zone, local));
}

/** Whether date and clock are written; one with neither writes what a value's `toString()` says. */
interface IsoParts {
  readonly hasDate: boolean;
  readonly hasClock: boolean;
}

interface FormatterState {
  /** A pattern, or the parts that ISO 8601 writes. */
  readonly pattern: string | IsoParts;
  readonly locale: Reference;
}

/** java.time has the year as `u`, which SimpleDateFormat has as `y`. */
const datePattern = (pattern: string): string =>
  pattern
    .split("'")
    .map((part, index) => (index % 2 === 0 ? part.replaceAll('u', 'y') : part))
    .join("'");

export function formatPoint(machine: Machine, value: HeapObject, formatter: Reference): HeapObject {
  const { time, zone } = pointOf(machine, value);
  const { pattern, locale } = required(machine, formatter).native as FormatterState;
  const type = value.cls.descriptor;
  if (typeof pattern !== 'string') {
    const { date, clock } = isoText(time);
    const wanted = [...(pattern.hasDate ? [date] : []), ...(pattern.hasClock ? [clock] : [])];
    return machine.string(wanted.length === 0 ? textOfPoint(type, time, zone) : wanted.join('T'));
  }
  const moment = zone === undefined ? time : time - offsetOf(time, zone);
  return machine.string(
    formatDate(machine, datePattern(pattern), zone ?? 'UTC', localeSymbols(machine, locale), moment),
  );
}

/** The local time that a text says. @throws JavaThrow DateTimeParseException */
function parsePoint(machine: Machine, value: Reference, formatter: Reference = null): number {
  const text = textOf(machine, machine.toText(required(machine, value)));
  const state = formatter === null ? null : (formatter.native as FormatterState);
  if (state !== null && typeof state.pattern === 'string') {
    const pattern = datePattern(state.pattern);
    const settings = { pattern, zone: 'UTC', locale: state.locale, isLenient: false };
    const read = parseDate(machine, settings, localeSymbols(machine, state.locale), text, 0);
    if ('time' in read && read.end === text.length) return read.time;
  } else {
    const parts = /^(\d{4}-\d\d-\d\d)?T?(\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)?(?:Z|[+-]\d\d:\d\d)?(?:\[.*\])?$/.exec(
      text,
    );
    const [, date = '1970-01-01', clock = '00:00'] = parts ?? [];
    const time = Date.parse(`${date}T${clock.replace(/(\.\d{3})\d+$/, '$1')}Z`);
    if (parts !== null && text !== '' && !Number.isNaN(time)) return time;
  }
  throw machine.exception(`${JT}format/DateTimeParseException;`, `Text '${text}' could not be parsed at index 0`);
}

const newFormatter = (machine: Machine, pattern: string | IsoParts, locale: Reference = null): HeapObject =>
  instance(machine, formatterType, { pattern, locale } satisfies FormatterState);

const isoFormatters: Readonly<Record<string, IsoParts>> = {
  ISO_LOCAL_DATE: { hasDate: true, hasClock: false },
  ISO_DATE: { hasDate: true, hasClock: false },
  ISO_LOCAL_TIME: { hasDate: false, hasClock: true },
  ISO_LOCAL_DATE_TIME: { hasDate: true, hasClock: true },
  ISO_DATE_TIME: { hasDate: false, hasClock: false },
  ISO_INSTANT: { hasDate: false, hasClock: false },
};

export const timeTextModels: Record<string, ModelClass> = {
  [formatterType]: {
    constants: Object.fromEntries(
      Object.entries(isoFormatters).map(([name, parts]) => [
        `${name}:${formatterType}`,
        (machine: Machine) => newFormatter(machine, parts),
      ]),
    ),
    staticMethods: {
      [`ofPattern(${S})${formatterType}`]: (machine, pattern: Reference) =>
        newFormatter(machine, textOf(machine, pattern)),
      [`ofPattern(${S}Ljava/util/Locale;)${formatterType}`]: (machine, pattern: Reference, locale: Reference) =>
        newFormatter(machine, textOf(machine, pattern), locale),
    },
    methods: {
      [`format(${accessorType})${S}`]: (machine, me, value: Reference) =>
        formatPoint(machine, required(machine, value), me),
      [`withLocale(Ljava/util/Locale;)${formatterType}`]: (machine, me, locale: Reference) =>
        newFormatter(machine, (me.native as FormatterState).pattern, locale),
    },
  },
  [`${JT}format/DateTimeParseException;`]: { extends: `${JT}DateTimeException;` },
  [`${JT}DateTimeException;`]: { extends: 'Ljava/lang/RuntimeException;' },
  [accessorType]: { isInterface: true },
  [`${JT}temporal/Temporal;`]: { isInterface: true, implements: [accessorType] },
};

/** `parse(CharSequence)` and `parse(CharSequence, DateTimeFormatter)` of a type. */
export const parsers = (type: string, make: (machine: Machine, time: number) => HeapObject) => ({
  [`parse(${C})${type}`]: (machine: Machine, text: Reference) => make(machine, parsePoint(machine, text)),
  [`parse(${C}${formatterType})${type}`]: (machine: Machine, text: Reference, formatter: Reference) =>
    make(machine, parsePoint(machine, text, formatter)),
});
