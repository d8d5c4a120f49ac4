// java.text.SimpleDateFormat: patterns written and read. Knows calendars by their moments. https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/text/SimpleDateFormat.html
import type { HeapObject } from '../../machine/heap.ts';
import type { Machine, ModelClass, NativeMethods } from '../../machine/model.ts';
import { dateObject } from '../util/calendar.ts';
import { zoneId, zoneObject } from '../util/locale.ts';
import { illegalArgument, instance, made, objectTaint, type Reference, required, textOf } from '../values.ts';
import { dateFields, defaultZone, fixedOffset, isKnownZone, timeOf, timeOfFields } from './date-fields.ts';
import { type LocaleSymbols, localeSymbols } from './locale-symbols.ts';

interface FormatState {
  pattern: string;
  zone: string;
  locale: Reference;
  isLenient: boolean;
}

const stateOf = (self: HeapObject): FormatState => self.native as FormatState;

type Token = { readonly letter: string; readonly width: number } | { readonly literal: string };

function tokensOf(machine: Machine, pattern: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < pattern.length; ) {
    const character = pattern[at]!;
    if (character === "'") {
      if (pattern[at + 1] === "'") {
        tokens.push({ literal: "'" });
        at += 2;
        continue;
      }
      let literal = '';
      for (at++; at < pattern.length; at++) {
        if (pattern[at] !== "'") literal += pattern[at];
        else if (pattern[at + 1] === "'") {
          literal += "'";
          at++;
        } else break;
      }
      if (at >= pattern.length) throw illegalArgument(machine, 'Unterminated quote');
      at++;
      tokens.push({ literal });
    } else if (/[A-Za-z]/.test(character)) {
      let end = at;
      while (pattern[end] === character) end++;
      if (!/[GyYMLwWDdFEuaHkKhmsSzZXc]/.test(character)) {
        throw illegalArgument(machine, `Illegal pattern character '${character}'`);
      }
      tokens.push({ letter: character, width: end - at });
      at = end;
    } else {
      tokens.push({ literal: character });
      at++;
    }
  }
  return tokens;
}

const padded = (value: number, width: number): string =>
  value < 0 ? `-${String(-value).padStart(width, '0')}` : String(value).padStart(width, '0');

function offsetText(offset: number, separator: string): string {
  const minutes = Math.abs(offset) / 60_000;
  return `${offset < 0 ? '-' : '+'}${padded(Math.floor(minutes / 60), 2)}${separator}${padded(minutes % 60, 2)}`;
}

/** Weeks begin on Sunday, and the first holds 1 January: a year's last days may lie in the next year's first. */
function weekOfYear(year: number, dayOfYear: number, weekday: number): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  if (dayOfYear + 6 - weekday > (isLeap ? 366 : 365)) return 1;
  return Math.floor((dayOfYear - 1 + ((weekday - dayOfYear + 1 + 371) % 7)) / 7) + 1;
}

/** A moment by a pattern. */
export function formatDate(
  machine: Machine,
  pattern: string,
  zone: string,
  symbols: LocaleSymbols,
  time: number,
): string {
  const f = dateFields(machine, time, zone);
  const write = (letter: string, width: number): string => {
    switch (letter) {
      case 'G':
        return f.year > 0 ? 'AD' : 'BC';
      case 'y':
      case 'Y':
        return width === 2 ? padded(f.year % 100, 2) : padded(f.year, width);
      case 'M':
      case 'L':
        if (width >= 4) return symbols.months[f.month]!;
        return width === 3 ? symbols.shortMonths[f.month]! : padded(f.month + 1, width);
      case 'w':
        return padded(weekOfYear(f.year, f.dayOfYear, f.weekday), width);
      case 'W':
        return padded(Math.floor((f.day - 1 + ((f.weekday - f.day + 1 + 35) % 7)) / 7) + 1, width);
      case 'D':
        return padded(f.dayOfYear, width);
      case 'd':
        return padded(f.day, width);
      case 'F':
        return padded(Math.floor((f.day - 1) / 7) + 1, width);
      case 'E':
      case 'c':
        return width >= 4 ? symbols.weekdays[f.weekday]! : symbols.shortWeekdays[f.weekday]!;
      case 'u':
        return padded(f.weekday === 0 ? 7 : f.weekday, width);
      case 'a':
        return symbols.amPm[f.hour < 12 ? 0 : 1];
      case 'H':
        return padded(f.hour, width);
      case 'k':
        return padded(f.hour === 0 ? 24 : f.hour, width);
      case 'K':
        return padded(f.hour % 12, width);
      case 'h':
        return padded(f.hour % 12 === 0 ? 12 : f.hour % 12, width);
      case 'm':
        return padded(f.minute, width);
      case 's':
        return padded(f.second, width);
      case 'S':
        return padded(f.millisecond, width);
      case 'z':
        return f.zone;
      case 'Z':
        return offsetText(f.offset, '');
      default:
        if (f.offset === 0) return 'Z';
        return width === 1 ? offsetText(f.offset, '').slice(0, 3) : offsetText(f.offset, width === 2 ? '' : ':');
    }
  };
  return tokensOf(machine, pattern)
    .map((token) => ('literal' in token ? token.literal : write(token.letter, token.width)))
    .join('');
}

/** What a pattern reads from a text: the moment and where it ended, or where it failed. */
export function parseDate(
  machine: Machine,
  { pattern, zone, isLenient }: FormatState,
  symbols: LocaleSymbols,
  text: string,
  start: number,
): { time: number; end: number } | { failedAt: number } {
  const tokens = tokensOf(machine, pattern);
  const value: Record<string, number> = { y: 1970, M: 0, d: 1, H: 0, m: 0, s: 0, S: 0 };
  let isAfternoon = false;
  let offset: number | null = null;
  let named = zone;
  let at = start;
  const longest = (names: readonly string[]): number => {
    let best = -1;
    for (const [index, name] of names.entries()) {
      const isThere = text.slice(at, at + name.length).toLowerCase() === name.toLowerCase();
      if (isThere && (best < 0 || name.length > names[best]!.length)) best = index;
    }
    if (best >= 0) at += names[best]!.length;
    return best;
  };
  for (const [index, token] of tokens.entries()) {
    if ('literal' in token) {
      if (!text.startsWith(token.literal, at)) return { failedAt: at };
      at += token.literal.length;
      continue;
    }
    const { letter, width } = token;
    while (text[at] === ' ' || text[at] === '\t') at++;
    if ((letter === 'M' || letter === 'L') && width >= 3) {
      let month = longest(symbols.months);
      if (month < 0) month = longest(symbols.shortMonths);
      if (month < 0) return { failedAt: at };
      value.M = month;
    } else if (letter === 'E' || letter === 'c') {
      if (longest(symbols.weekdays) < 0 && longest(symbols.shortWeekdays) < 0) return { failedAt: at };
    } else if (letter === 'a') {
      const found = longest(symbols.amPm);
      if (found < 0) return { failedAt: at };
      isAfternoon = found === 1;
    } else if (letter === 'G') {
      if (longest(['AD', 'BC']) < 0) return { failedAt: at };
    } else if (/[zZX]/.test(letter)) {
      const match = /^(?:Z|UTC|(?:GMT)?[+-]\d{1,2}:?(?:\d{2})?|GMT|[A-Z][A-Za-z]*(?:\/[A-Za-z_]+)*)/.exec(
        text.slice(at),
      );
      if (match === null) return { failedAt: at };
      offset = fixedOffset(match[0]) ?? NAMED_OFFSETS[match[0]] ?? null;
      if (offset === null && isKnownZone(match[0])) named = match[0];
      at += match[0].length;
    } else {
      const next = tokens[index + 1];
      const isTight = next !== undefined && 'letter' in next;
      const match = new RegExp(`^[+-]?\\d{1,${isTight ? width : 18}}`).exec(text.slice(at));
      if (match === null) return { failedAt: at };
      at += match[0].length;
      const hasCentury = letter !== 'y' || width > 2 || match[0].length !== 2;
      const number = hasCentury ? Number(match[0]) : yearOf(machine, Number(match[0]));
      Object.assign(value, fieldsOf[letter]?.(number) ?? { [letter]: number });
    }
  }
  const hour = value.K === undefined ? value.H! : value.K + (isAfternoon ? 12 : 0);
  const isOutside =
    value.M! > 11 || value.M! < 0 || value.d! > 31 || value.d! < 1 || hour > 23 || value.m! > 59 || value.s! > 59;
  if (!isLenient && isOutside) return { failedAt: start };
  const fixed = offset === null ? named : 'UTC';
  const time = timeOfFields(fixed, value.y!, value.M!, value.d!, hour, value.m!, value.s!, value.S!) - (offset ?? 0);
  return { time, end: at };
}

/** The year of two digits: in the century from 80 years ago to 20 years ahead. */
function yearOf(machine: Machine, digits: number): number {
  const first = dateFields(machine, machine.clock.wall).year - 80;
  const year = digits + Math.floor(first / 100) * 100;
  return year < first ? year + 100 : year;
}

/** What a number says under its letter, where that is not just itself. */
const fieldsOf: Readonly<Record<string, (number: number) => Record<string, number>>> = {
  Y: (number) => ({ y: number }),
  M: (number) => ({ M: number - 1 }),
  L: (number) => ({ M: number - 1 }),
  h: (number) => ({ K: number % 12 }),
  k: (number) => ({ H: number % 24 }),
  D: (number) => ({ M: 0, d: number }),
};

// biome-ignore format: a table
const NAMED_OFFSETS: Readonly<Record<string, number>> = {
  EST: -18_000_000, EDT: -14_400_000, CST: -21_600_000, CDT: -18_000_000, MST: -25_200_000, MDT: -21_600_000,
  PST: -28_800_000, PDT: -25_200_000, CET: 3_600_000, CEST: 7_200_000, BST: 3_600_000, MSK: 10_800_000, JST: 32_400_000, IST: 19_800_000,
};

function begin(machine: Machine, self: HeapObject, pattern: string, locale: Reference): undefined {
  tokensOf(machine, pattern);
  self.native = { pattern, zone: defaultZone(machine).id, locale, isLenient: true } satisfies FormatState;
}

function format(machine: Machine, self: HeapObject, value: Reference) {
  const { pattern, zone, locale } = stateOf(self);
  const text = formatDate(
    machine,
    pattern,
    zone,
    localeSymbols(machine, locale),
    timeOf(machine, required(machine, value)),
  );
  return machine.string(text, machine.union(machine.deepTaint(value), self.taint));
}

function parse(machine: Machine, self: HeapObject, source: Reference): HeapObject {
  const text = textOf(machine, source);
  const result = parseDate(machine, stateOf(self), localeSymbols(machine, stateOf(self).locale), text, 0);
  if ('failedAt' in result) {
    const thrown = machine.exception('Ljava/text/ParseException;', `Unparseable date: "${text}"`);
    machine.setField(thrown.throwable, 'errorOffset', result.failedAt);
    throw thrown;
  }
  return dateObject(machine, result.time, objectTaint(machine, source));
}

const S = 'Ljava/lang/String;';
const DATE = 'Ljava/util/Date;';
const FORMAT = 'Ljava/text/DateFormat;';

const methods: NativeMethods = {
  '<init>()V': (machine, self) => begin(machine, self, 'M/d/yy, h:mm a', null),
  [`<init>(${S})V`]: (machine, self, pattern: Reference) => begin(machine, self, textOf(machine, pattern), null),
  [`<init>(${S}Ljava/util/Locale;)V`]: (machine, self, pattern: Reference, locale: Reference) =>
    begin(machine, self, textOf(machine, pattern), locale),
  [`format(${DATE})${S}`]: format,
  [`format(Ljava/lang/Object;)${S}`]: format,
  [`format(${DATE}Ljava/lang/StringBuffer;Ljava/text/FieldPosition;)Ljava/lang/StringBuffer;`]: (
    machine,
    self,
    value,
    buffer,
  ) => {
    machine.call(buffer, 'append(Ljava/lang/String;)Ljava/lang/StringBuffer;', format(machine, self, value));
    return buffer;
  },
  [`parse(${S})${DATE}`]: parse,
  [`parse(${S}!Ljava/text/ParsePosition;)${DATE}`]: (machine, self, source: Reference, position: HeapObject) => {
    const at = position.native as { index: number; errorIndex: number };
    const symbols = localeSymbols(machine, stateOf(self).locale);
    const result = parseDate(machine, stateOf(self), symbols, textOf(machine, source), at.index);
    if ('failedAt' in result) {
      at.errorIndex = result.failedAt;
      return null;
    }
    at.index = result.end;
    return dateObject(machine, result.time, objectTaint(machine, source));
  },
  'setTimeZone(Ljava/util/TimeZone;)V': (machine, self, zone: Reference) => {
    stateOf(self).zone = zoneId(machine, zone);
  },
  'getTimeZone()Ljava/util/TimeZone;': (machine, self) => zoneObject(machine, stateOf(self).zone),
  'setLenient(Z)V': (_machine, self, isLenient: number) => {
    stateOf(self).isLenient = isLenient !== 0;
  },
  [`applyPattern(${S})V`]: (machine, self, pattern: Reference) => {
    stateOf(self).pattern = textOf(machine, pattern);
  },
  [`toPattern()${S}`]: (machine, self) => machine.string(stateOf(self).pattern),
  'clone()Ljava/lang/Object;': (machine, self) => instance(machine, self.cls.descriptor, { ...stateOf(self) }),
  'setCalendar(Ljava/util/Calendar;)V': () => undefined,
};

const DATES = ['EEEE, MMMM d, y', 'MMMM d, y', 'MMM d, y', 'M/d/yy'];
const TIMES = ['h:mm:ss a z', 'h:mm:ss a z', 'h:mm:ss a', 'h:mm a'];

function styled(machine: Machine, date: number | null, time: number | null, locale: Reference = null): HeapObject {
  const made = machine.allocate('Ljava/text/SimpleDateFormat;');
  const parts = [date === null ? null : (DATES[date] ?? DATES[2]), time === null ? null : (TIMES[time] ?? TIMES[2])];
  begin(machine, made, parts.filter((part) => part !== null).join(', '), locale);
  return made;
}

export const dateFormatModels: Record<string, ModelClass> = {
  'Ljava/text/Format;': { isAbstract: true, methods: { '<init>()V': () => undefined } },
  [FORMAT]: {
    isAbstract: true,
    extends: 'Ljava/text/Format;',
    methods,
    staticMethods: {
      [`getDateInstance()${FORMAT}`]: (machine) => styled(machine, 2, null),
      [`getDateInstance(I)${FORMAT}`]: (machine, style: number) => styled(machine, style, null),
      [`getDateInstance(ILjava/util/Locale;)${FORMAT}`]: (machine, style: number, locale: Reference) =>
        styled(machine, style, null, locale),
      [`getTimeInstance()${FORMAT}`]: (machine) => styled(machine, null, 2),
      [`getTimeInstance(I)${FORMAT}`]: (machine, style: number) => styled(machine, null, style),
      [`getDateTimeInstance()${FORMAT}`]: (machine) => styled(machine, 2, 2),
      [`getDateTimeInstance(II)${FORMAT}`]: (machine, date: number, time: number) => styled(machine, date, time),
      [`getDateTimeInstance(IILjava/util/Locale;)${FORMAT}`]: (
        machine,
        date: number,
        time: number,
        locale: Reference,
      ) => styled(machine, date, time, locale),
      [`getInstance()${FORMAT}`]: (machine) => styled(machine, 3, 3),
    },
    constants: { 'FULL:I': 0, 'LONG:I': 1, 'MEDIUM:I': 2, 'SHORT:I': 3, 'DEFAULT:I': 2 },
  },
  'Ljava/text/SimpleDateFormat;': { extends: FORMAT, methods },
  'Ljava/text/ParsePosition;': {
    methods: {
      '<init>(I)V': made((_machine, index: number) => ({ index, errorIndex: -1 })),
      'getIndex()I': (_machine, self) => (self.native as { index: number }).index,
      'setIndex(I)V': (_machine, self, index: number) => {
        (self.native as { index: number }).index = index;
      },
      'getErrorIndex()I': (_machine, self) => (self.native as { errorIndex: number }).errorIndex,
    },
  },
};
