// Calendar fields of a moment in a time zone and back. Knows no Calendar objects.
import type { HeapObject } from '../../machine/heap.ts';
import type { Machine } from '../../machine/model.ts';
import { javaHooks } from '../hooks.ts';
import type { Reference } from '../values.ts';

export interface DateFields {
  readonly year: number;
  /** From 0. */
  readonly month: number;
  readonly day: number;
  /** From 0, Sunday. */
  readonly weekday: number;
  /** From 1. */
  readonly dayOfYear: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly millisecond: number;
  /** Milliseconds that the zone is ahead of UTC. */
  readonly offset: number;
  /** Short name, as in `EST`. */
  readonly zone: string;
}

const DAY = 86_400_000;

/** The run's default zone; `TimeZone.setDefault` changes it. */
export function defaultZone(machine: Machine): { id: string } {
  return machine.state('java.default-zone', () => ({ id: javaHooks(machine).timeZone }));
}

const formats = new Map<string, Intl.DateTimeFormat | null>();

/** `GMT+02:00` and its like as milliseconds, null for other names. */
export function fixedOffset(id: string): number | null {
  if (id === 'UTC' || id === 'GMT' || id === 'Z' || id === 'Etc/UTC') return 0;
  const match = /^(?:GMT|UTC)?([+-])(\d{1,2})(?::?(\d{2}))?$/.exec(id);
  if (match === null) return null;
  const minutes = Number(match[2]) * 60 + Number(match[3] ?? 0);
  return (match[1] === '-' ? -1 : 1) * minutes * 60_000;
}

function formatFor(id: string): Intl.DateTimeFormat | null {
  let format = formats.get(id);
  if (format === undefined) {
    try {
      format = new Intl.DateTimeFormat('en-US', {
        timeZone: id,
        hourCycle: 'h23',
        year: 'numeric',
        month: 'numeric',
        day: 'numeric',
        hour: 'numeric',
        minute: 'numeric',
        second: 'numeric',
        era: 'short',
      });
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      format = null;
    }
    if (formats.size < 1000) formats.set(id, format);
  }
  return format;
}

export function isKnownZone(id: string): boolean {
  return fixedOffset(id) !== null || (/^[A-Z][A-Za-z_+\-/0-9]*$/.test(id) && formatFor(id) !== null);
}

/** Largest distance from 1970 that JavaScript's dates reach, in milliseconds. */
const MAXIMUM_TIME = 8.64e15;

/** 1 January 1900. */
const FIRST_TIME = -2_208_988_800_000;

/** How far a zone is ahead of UTC at a moment, in milliseconds. */
export function zoneOffset(id: string, time: number): number {
  const fixed = fixedOffset(id);
  if (fixed !== null) return fixed;
  const format = formatFor(id);
  if (format === null || Math.abs(time) > MAXIMUM_TIME - DAY) return 0;
  // Java's zones have their standard time before 1900, where the tables have local mean times.
  if (time < FIRST_TIME) return zoneOffset(id, 0);
  const parts: Record<string, string> = {};
  for (const part of format.formatToParts(Math.floor(time / 1000) * 1000)) parts[part.type] = part.value;
  const year = Number(parts.year) * (parts.era === 'BC' ? -1 : 1) + (parts.era === 'BC' ? 1 : 0);
  const local = utc(year, Number(parts.month) - 1, Number(parts.day));
  const clock = Number(parts.hour) * 3_600_000 + Number(parts.minute) * 60_000 + Number(parts.second) * 1000;
  return local + clock - Math.floor(time / 1000) * 1000;
}

/** Midnight UTC; years below 100 are themselves. */
function utc(year: number, month: number, day: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month, day);
  return date.getTime();
}

export function dateFields(machine: Machine, time: number, zone = defaultZone(machine).id): DateFields {
  const offset = zoneOffset(zone, time);
  const date = new Date(Math.max(-MAXIMUM_TIME, Math.min(MAXIMUM_TIME, time + offset)));
  const year = date.getUTCFullYear();
  return {
    year,
    month: date.getUTCMonth(),
    day: date.getUTCDate(),
    weekday: date.getUTCDay(),
    dayOfYear: Math.floor((date.getTime() - utc(year, 0, 1)) / DAY) + 1,
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
    millisecond: date.getUTCMilliseconds(),
    offset,
    zone: zoneName(zone, time, offset),
  };
}

/** The moment of local fields, which may lie outside their usual ranges. */
export function timeOfFields(
  zone: string,
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
  millisecond: number,
): number {
  const local = utc(year, month, day) + hour * 3_600_000 + minute * 60_000 + second * 1000 + millisecond;
  const guess = local - zoneOffset(zone, local);
  return local - zoneOffset(zone, guess);
}

function zoneName(id: string, time: number, offset: number): string {
  if (fixedOffset(id) !== null) return id === 'Etc/UTC' || id === 'Z' ? 'UTC' : id;
  return shortZoneName(id, time) ?? customId(offset);
}

/** `EST`, `PDT`; names that English has none for are written as an offset. */
export function shortZoneName(id: string, time: number): string | null {
  if (Math.abs(time) > MAXIMUM_TIME - DAY) return null;
  const known: Readonly<Record<string, readonly [string, string]>> = {
    'Europe/London': ['GMT', 'BST'],
    'Europe/Berlin': ['CET', 'CEST'],
    'Europe/Paris': ['CET', 'CEST'],
    'Europe/Madrid': ['CET', 'CEST'],
    'Europe/Rome': ['CET', 'CEST'],
    'Europe/Amsterdam': ['CET', 'CEST'],
    'Europe/Vienna': ['CET', 'CEST'],
    'Europe/Moscow': ['MSK', 'MSK'],
    'Asia/Shanghai': ['CST', 'CST'],
    'Asia/Tokyo': ['JST', 'JST'],
    'Asia/Kolkata': ['IST', 'IST'],
  };
  const names = known[id];
  if (names !== undefined) return zoneOffset(id, time) > standardOffset(id, time) ? names[1] : names[0];
  // The platform names zones from 1970 on alone.
  const isSummer = time < 0 && zoneOffset(id, time) > standardOffset(id, time);
  const named = time >= 0 ? time : utc(1971, isSummer ? 6 : 0, 1);
  const format = new Intl.DateTimeFormat('en-US', { timeZone: id, timeZoneName: 'short' });
  const name = format.formatToParts(named).find((part) => part.type === 'timeZoneName')?.value ?? null;
  return name === null || name.startsWith('GMT') ? null : name;
}

/** The smaller of the offsets in January and July of the moment's year. */
export function standardOffset(id: string, time: number): number {
  const year = new Date(time).getUTCFullYear();
  return Math.min(zoneOffset(id, utc(year, 0, 1)), zoneOffset(id, utc(year, 6, 1)));
}

/** `GMT+02:00`. */
export function customId(offset: number): string {
  const minutes = Math.abs(offset) / 60_000;
  const text = `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
  return `GMT${offset < 0 ? '-' : '+'}${text}`;
}

/** The moment that a Date, Calendar or Long stands for, in milliseconds. @throws JavaThrow IllegalArgumentException */
export function timeOf(machine: Machine, value: Reference): number {
  const object = value as HeapObject;
  if (machine.isInstance(object, 'Ljava/util/Date;')) return Number(machine.call(object, 'getTime()J'));
  if (machine.isInstance(object, 'Ljava/util/Calendar;')) return Number(machine.call(object, 'getTimeInMillis()J'));
  const number = machine.unbox(object);
  if (number === null) {
    throw machine.exception('Ljava/lang/IllegalArgumentException;', 'Cannot format given Object as a Date');
  }
  return Number(number);
}
