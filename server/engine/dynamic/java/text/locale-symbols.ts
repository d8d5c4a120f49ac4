// Names of months and days, and marks in numbers, by locale, from the platform's own tables. Knows no Java objects but Locale's tag.
import type { Machine } from '../../machine/model.ts';
import { javaHooks } from '../hooks.ts';
import type { Reference } from '../values.ts';

export interface LocaleSymbols {
  readonly tag: string;
  readonly decimal: string;
  readonly grouping: string;
  readonly months: readonly string[];
  readonly shortMonths: readonly string[];
  /** Sunday first. */
  readonly weekdays: readonly string[];
  readonly shortWeekdays: readonly string[];
  readonly amPm: readonly [string, string];
}

const ENGLISH: LocaleSymbols = {
  tag: 'en-US',
  decimal: '.',
  grouping: ',',
  // biome-ignore format: a list
  months: [
    'January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December',
  ],
  shortMonths: ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'],
  weekdays: ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'],
  shortWeekdays: ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'],
  amPm: ['AM', 'PM'],
};

/** What Java calls the months in its constants, and the days of the week, Sunday first. */
export const monthConstants: readonly string[] = ENGLISH.months.map((name) => name.toUpperCase());
export const weekdayConstants: readonly string[] = ENGLISH.weekdays.map((name) => name.toUpperCase());

/** The BCP 47 tag of a Locale object, the run's own for null. */
function localeTag(machine: Machine, locale: Reference): string {
  const own = locale?.native as { language: string; country: string } | undefined;
  if (own === undefined) return javaHooks(machine).locale;
  return own.country === '' ? own.language : `${own.language}-${own.country}`;
}

export function localeSymbols(machine: Machine, locale: Reference): LocaleSymbols {
  const tag = localeTag(machine, locale);
  if (tag === '' || /^en(-(US|GB))?$/.test(tag)) return ENGLISH;
  const known = machine.state('java.locale-symbols', () => new Map<string, LocaleSymbols>());
  let symbols = known.get(tag);
  if (symbols === undefined) {
    symbols = read(tag);
    known.set(tag, symbols);
  }
  return symbols;
}

function read(tag: string): LocaleSymbols {
  let supported: string;
  try {
    supported = Intl.DateTimeFormat.supportedLocalesOf([tag])[0] ?? 'en-US';
  } catch (error) {
    if (error instanceof RangeError) return ENGLISH;
    throw error;
  }
  const name = (options: Intl.DateTimeFormatOptions, time: number): string =>
    new Intl.DateTimeFormat(supported, { ...options, timeZone: 'UTC' }).format(time);
  const month = (style: 'long' | 'short', index: number): string => name({ month: style }, Date.UTC(2023, index, 15));
  // 1 January 2023 was a Sunday.
  const day = (style: 'long' | 'short', index: number): string =>
    name({ weekday: style }, Date.UTC(2023, 0, 1 + index));
  const parts = new Intl.NumberFormat(supported).formatToParts(1_234_567.8);
  const months = Array.from({ length: 12 }, (_, index) => index);
  const days = months.slice(0, 7);
  return {
    tag,
    decimal: parts.find((part) => part.type === 'decimal')?.value ?? '.',
    grouping: parts.find((part) => part.type === 'group')?.value ?? ',',
    months: months.map((index) => month('long', index)),
    shortMonths: months.map((index) => month('short', index)),
    weekdays: days.map((index) => day('long', index)),
    shortWeekdays: days.map((index) => day('short', index)),
    amPm: ['AM', 'PM'],
  };
}
