// Models of LocalDate, LocalTime, LocalDateTime and ZonedDateTime: dates and times of day, with or without a zone.
// Knows no text.
// https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/time/package-summary.html
import type { HeapObject } from '../../machine/heap.ts';
import type { Machine, ModelClass, NativeMethod, NativeMethods, StaticMethod } from '../../machine/model.ts';
import { defaultZone, zoneOffset } from '../text/date-fields.ts';
import type { Reference } from '../values.ts';
import {
  comparison,
  dateTimeException,
  daysInMonth,
  JT,
  newPoint,
  plusMonths,
  pointOf,
  S,
  steps,
  units,
} from './temporal.ts';
import { formatPoint, formatterType, offsetOf, parsers, textOfPoint } from './texts.ts';
import { newZone, zoneOf } from './zones.ts';

const dateType = `${JT}LocalDate;`;
const clockType = `${JT}LocalTime;`;
const dateTimeType = `${JT}LocalDateTime;`;
const zonedType = `${JT}ZonedDateTime;`;
const instantType = `${JT}Instant;`;
const zoneType = `${JT}ZoneId;`;
const monthType = `${JT}Month;`;
const weekdayType = `${JT}DayOfWeek;`;
const day = units.Days;

const midnight = (time: number): number => Math.floor(time / day) * day;
const clockOf = (time: number): number => time - midnight(time);

/** @throws JavaThrow DateTimeException where there is no such day or time */
function localTime(
  machine: Machine,
  year: number,
  month: number,
  dayOfMonth: number,
  hour = 0,
  minute = 0,
  second = 0,
  nano = 0,
): number {
  const isDay = month >= 1 && month <= 12 && dayOfMonth >= 1 && dayOfMonth <= daysInMonth(year, month);
  const isTime = hour >= 0 && hour < 24 && minute >= 0 && minute < 60 && second >= 0 && second < 60;
  if (!isDay || !isTime) throw dateTimeException(machine);
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, dayOfMonth);
  date.setUTCHours(hour, minute, second, Math.trunc(nano / 1e6));
  return date.getTime();
}

type Field = (date: Date) => number;
const dateFields: Readonly<Record<string, Field>> = {
  getYear: (date) => date.getUTCFullYear(),
  getMonthValue: (date) => date.getUTCMonth() + 1,
  getDayOfMonth: (date) => date.getUTCDate(),
  getDayOfYear: (date) => Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / day) + 1,
  lengthOfMonth: (date) => daysInMonth(date.getUTCFullYear(), date.getUTCMonth() + 1),
};
const clockFields: Readonly<Record<string, Field>> = {
  getHour: (date) => date.getUTCHours(),
  getMinute: (date) => date.getUTCMinutes(),
  getSecond: (date) => date.getUTCSeconds(),
  getNano: (date) => date.getUTCMilliseconds() * 1e6,
};

const readers = (fields: Readonly<Record<string, Field>>): NativeMethods =>
  Object.fromEntries(
    Object.entries(fields).map(([name, read]): [string, NativeMethod] => [
      `${name}()I`,
      (machine, me) => read(new Date(pointOf(machine, me).time)),
    ]),
  );

const enums: NativeMethods = {
  [`getMonth()${monthType}`]: (machine, me) =>
    machine.callStatic(monthType, `of(I)${monthType}`, new Date(pointOf(machine, me).time).getUTCMonth() + 1),
  [`getDayOfWeek()${weekdayType}`]: (machine, me) =>
    machine.callStatic(weekdayType, `of(I)${weekdayType}`, new Date(pointOf(machine, me).time).getUTCDay() || 7),
};

/** `withHour(int)` and its like: the field's difference is added; a value that it never has is refused. */
function setters(type: string, names: readonly string[]): NativeMethods {
  const lengths: Readonly<Record<string, number>> = {
    Hour: units.Hours,
    Minute: units.Minutes,
    Second: units.Seconds,
    Nano: units.Nanos,
    DayOfMonth: day,
    DayOfYear: day,
  };
  return Object.fromEntries(
    names.map((name): [string, NativeMethod] => [
      `with${name}(I)${type}`,
      (machine, me, value: number) => {
        const { time, zone } = pointOf(machine, me);
        const field = { ...dateFields, ...clockFields }[`get${name}`] ?? dateFields.getMonthValue!;
        const by = value - field(new Date(time));
        const months = name === 'Year' ? by * 12 : by;
        const moved = lengths[name] === undefined ? plusMonths(time, months) : time + by * lengths[name];
        // Nanoseconds are read to the millisecond.
        const read = name === 'Nano' ? value - (value % 1e6) : value;
        if (field(new Date(moved)) !== read) throw dateTimeException(machine);
        return newPoint(machine, type, moved, zone);
      },
    ]),
  );
}

const shared = (type: string): NativeMethods => ({
  [`format(${formatterType})${S}`]: (machine, me, formatter: Reference) => formatPoint(machine, me, formatter),
  [`toString()${S}`]: (machine, me) => {
    const { time, zone } = pointOf(machine, me);
    return machine.string(textOfPoint(type, time, zone));
  },
});

/** The local time now, in the phone's zone or one that is given. */
const now =
  (make: (machine: Machine, local: number, zone: string) => HeapObject): NativeMethod =>
  (machine, given: Reference = null) => {
    const zone = given === null ? defaultZone(machine).id : zoneOf(machine, given);
    const time = Math.trunc(machine.clock.wall);
    return make(machine, time + zoneOffset(zone, time), zone);
  };

const nows = (type: string, make: (machine: Machine, local: number, zone: string) => HeapObject): NativeMethods => ({
  [`now()${type}`]: now(make),
  [`now(${zoneType})${type}`]: now(make),
});

const newDate = (machine: Machine, time: number): HeapObject => newPoint(machine, dateType, midnight(time));
const newClock = (machine: Machine, time: number): HeapObject => newPoint(machine, clockType, clockOf(time));
const newDateTime = (machine: Machine, time: number): HeapObject => newPoint(machine, dateTimeType, time);
const newZoned = (machine: Machine, time: number, zone: string): HeapObject => newPoint(machine, zonedType, time, zone);

const dateUnits = ['Days', 'Weeks', 'Months', 'Years'] as const;
const clockUnits = ['Nanos', 'Seconds', 'Minutes', 'Hours'] as const;
const dateSetters = ['DayOfMonth', 'DayOfYear', 'Month', 'Year'];
const clockSetters = ['Hour', 'Minute', 'Second', 'Nano'];
const parts: NativeMethods = {
  [`toLocalDate()${dateType}`]: (machine, me) => newDate(machine, pointOf(machine, me).time),
  [`toLocalTime()${clockType}`]: (machine, me) => newClock(machine, pointOf(machine, me).time),
};

/** What a ZonedDateTime's clock shows, as the moment that it is. */
const momentOf = (machine: Machine, zoned: HeapObject): number => {
  const { time, zone = 'UTC' } = pointOf(machine, zoned);
  return time - offsetOf(time, zone);
};

export const dateModels: Record<string, ModelClass> = {
  [dateType]: {
    implements: [`${JT}temporal/Temporal;`, `${JT}chrono/ChronoLocalDate;`],
    staticMethods: {
      ...nows(dateType, newDate),
      ...parsers(dateType, newDate),
      [`of(III)${dateType}`]: (machine, year: number, month: number, dayOfMonth: number) =>
        newDate(machine, localTime(machine, year, month, dayOfMonth)),
      [`ofEpochDay(J)${dateType}`]: (machine, days: bigint) => newDate(machine, Number(days) * day),
    },
    methods: {
      ...readers(dateFields),
      ...enums,
      ...steps(dateType, dateUnits),
      ...setters(dateType, dateSetters),
      ...comparison(`${JT}chrono/ChronoLocalDate;`),
      ...shared(dateType),
      'isLeapYear()Z': (machine, me) => daysInMonth(dateFields.getYear!(new Date(pointOf(machine, me).time)), 2) === 29,
      [`atStartOfDay()${dateTimeType}`]: (machine, me) => newDateTime(machine, pointOf(machine, me).time),
      [`atTime(II)${dateTimeType}`]: (machine, me, hour: number, minute: number) =>
        newDateTime(machine, pointOf(machine, me).time + hour * units.Hours + minute * units.Minutes),
      'toEpochDay()J': (machine, me) => BigInt(Math.floor(pointOf(machine, me).time / day)),
    },
  },
  [clockType]: {
    implements: [`${JT}temporal/Temporal;`],
    staticMethods: {
      ...nows(clockType, newClock),
      ...parsers(clockType, newClock),
      [`of(II)${clockType}`]: (machine, hour: number, minute: number) =>
        newClock(machine, localTime(machine, 1970, 1, 1, hour, minute)),
      [`of(III)${clockType}`]: (machine, hour: number, minute: number, second: number) =>
        newClock(machine, localTime(machine, 1970, 1, 1, hour, minute, second)),
    },
    methods: {
      ...readers(clockFields),
      ...steps(clockType, clockUnits),
      ...setters(clockType, clockSetters),
      ...comparison(clockType, ['isAfter', 'isBefore']),
      ...shared(clockType),
      'toSecondOfDay()I': (machine, me) => Math.floor(pointOf(machine, me).time / 1000),
    },
  },
  [dateTimeType]: {
    implements: [`${JT}temporal/Temporal;`, `${JT}chrono/ChronoLocalDateTime;`],
    staticMethods: {
      ...nows(dateTimeType, newDateTime),
      ...parsers(dateTimeType, newDateTime),
      ...Object.fromEntries(
        [5, 6, 7].map((count): [string, StaticMethod] => [
          `of(${'I'.repeat(count)})${dateTimeType}`,
          (machine, ...fields: number[]) =>
            newDateTime(machine, localTime(machine, ...(fields as [number, number, number]))),
        ]),
      ),
      [`of(${dateType}!${clockType})${dateTimeType}`]: (machine, date: HeapObject, clock: HeapObject) =>
        newDateTime(machine, pointOf(machine, date).time + pointOf(machine, clock).time),
      [`ofInstant(${instantType}!${zoneType})${dateTimeType}`]: (machine, instant: HeapObject, zone: HeapObject) => {
        const { time } = pointOf(machine, instant);
        return newDateTime(machine, time + zoneOffset(zoneOf(machine, zone), time));
      },
    },
    methods: {
      ...readers({ ...dateFields, ...clockFields }),
      ...enums,
      ...parts,
      ...steps(dateTimeType, [...dateUnits, ...clockUnits]),
      ...setters(dateTimeType, [...dateSetters, ...clockSetters]),
      ...comparison(`${JT}chrono/ChronoLocalDateTime;`),
      ...shared(dateTimeType),
      [`atZone(!${zoneType})${zonedType}`]: (machine, me, zone: HeapObject) =>
        newZoned(machine, pointOf(machine, me).time, zoneOf(machine, zone)),
    },
  },
  [zonedType]: {
    implements: [`${JT}temporal/Temporal;`, `${JT}chrono/ChronoZonedDateTime;`],
    staticMethods: nows(zonedType, newZoned),
    methods: {
      ...readers({ ...dateFields, ...clockFields }),
      ...enums,
      ...parts,
      ...steps(zonedType, [...dateUnits, ...clockUnits]),
      ...setters(zonedType, [...dateSetters, ...clockSetters]),
      ...comparison(`${JT}chrono/ChronoZonedDateTime;`),
      ...shared(zonedType),
      [`toLocalDateTime()${dateTimeType}`]: (machine, me) => newDateTime(machine, pointOf(machine, me).time),
      [`toInstant()${instantType}`]: (machine, me) => newPoint(machine, instantType, momentOf(machine, me)),
      'toEpochSecond()J': (machine, me) => BigInt(Math.floor(momentOf(machine, me) / 1000)),
      [`getZone()${zoneType}`]: (machine, me) => newZone(machine, pointOf(machine, me).zone ?? 'UTC'),
    },
  },
  [`${JT}chrono/ChronoLocalDate;`]: { isInterface: true },
  [`${JT}chrono/ChronoLocalDateTime;`]: { isInterface: true },
  [`${JT}chrono/ChronoZonedDateTime;`]: { isInterface: true },
};
