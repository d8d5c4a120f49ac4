// Points and spans of java.time as numbers, and what all of its classes do with them. Knows no class in particular.
import type { HeapObject, JavaThrow } from '../../machine/heap.ts';
import type { Machine, NativeMethod, NativeMethods } from '../../machine/model.ts';
import { flag, instance, type Reference, required } from '../values.ts';

export const JT = 'Ljava/time/';
export const S = 'Ljava/lang/String;';
export const C = 'Ljava/lang/CharSequence;';

/** The `native` of what java.time has; nanoseconds are fractions, as exact as a number of milliseconds is. */
export interface Point {
  /**
   * Milliseconds: since 1970 in UTC of an Instant, since 1970 by the local clock of dates, since midnight of a LocalTime,
   * its length of a Duration.
   */
  readonly time: number;
  /** Id of the zone; of a ZonedDateTime alone. */
  readonly zone?: string;
}

export const pointOf = (machine: Machine, object: Reference): Point => required(machine, object).native as Point;

/** Milliseconds from 1970 that a calendar reaches. */
const maxLocal = 8.64e15;
const noCalendar: readonly string[] = [`${JT}Instant;`, `${JT}Duration;`];

/** @throws JavaThrow DateTimeException where no calendar reaches a local time */
export function newPoint(machine: Machine, type: string, time: number, zone?: string): HeapObject {
  if (!noCalendar.includes(type) && !(Math.abs(time) <= maxLocal)) throw dateTimeException(machine);
  return instance(machine, type, zone === undefined ? { time } : { time, zone });
}

export const dateTimeException = (machine: Machine): JavaThrow =>
  machine.exception(`${JT}DateTimeException;`, 'Invalid value for a field');

const maxLong = 2n ** 63n - 1n;

/** A whole number as a long; what is too great is the greatest. */
export function longOf(value: number): bigint {
  const whole = BigInt(Math.trunc(value));
  if (whole > maxLong) return maxLong;
  return whole < -maxLong ? -maxLong - 1n : whole;
}

/** Milliseconds, or months where a unit has no length of its own. */
export const units = {
  Nanos: 1e-6,
  Millis: 1,
  Seconds: 1_000,
  Minutes: 60_000,
  Hours: 3_600_000,
  Days: 86_400_000,
  Weeks: 7 * 86_400_000,
} as const;
export const monthUnits = { Months: 1, Years: 12 } as const;

const shortMonths = [4, 6, 9, 11];

/** Moves a local time on by months; a day that the month has not becomes its last. */
export function plusMonths(time: number, count: number): number {
  const date = new Date(time);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + count);
  date.setUTCDate(Math.min(day, daysInMonth(date.getUTCFullYear(), date.getUTCMonth() + 1)));
  return date.getTime();
}

/** @param month from 1 */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return shortMonths.includes(month) ? 30 : 31;
}

/** `plusDays(long)` and its like, and `minusDays`, of a type. */
export function steps(type: string, names: readonly (keyof typeof units | keyof typeof monthUnits)[]): NativeMethods {
  const day = units.Days;
  const methods: Record<string, NativeMethod> = {};
  for (const name of names) {
    for (const [word, sign] of [
      ['plus', 1],
      ['minus', -1],
    ] as const) {
      methods[`${word}${name}(J)${type}`] = (machine, me, count: bigint) => {
        const { time, zone } = pointOf(machine, me);
        const by = sign * Number(count);
        const moved =
          name in monthUnits ? plusMonths(time, by * monthUnits[name as 'Months']) : time + by * units[name as 'Days'];
        // Clocks go round.
        const isClock = type === `${JT}LocalTime;`;
        return newPoint(machine, type, isClock ? ((moved % day) + day) % day : moved, zone);
      };
    }
  }
  return methods;
}

/** Comparison, equality and hash. @param other type that comparing methods take, as in `chrono/ChronoLocalDate;` */
export function comparison(
  other: string,
  names: readonly string[] = ['isAfter', 'isBefore', 'isEqual'],
): NativeMethods {
  const difference = (machine: Machine, me: Reference, to: Reference): number =>
    Math.sign(pointOf(machine, me).time - pointOf(machine, to).time);
  const wanted: Readonly<Record<string, number>> = { isAfter: 1, isBefore: -1, isEqual: 0 };
  return {
    ...Object.fromEntries(
      names.map((name): [string, NativeMethod] => [
        `${name}(${other})Z`,
        (machine, me, to: Reference) => difference(machine, me, to) === wanted[name],
      ]),
    ),
    [`compareTo(${other})I`]: difference,
    'compareTo(Ljava/lang/Object;)I': difference,
    'equals(Ljava/lang/Object;)Z': (machine, me, to: Reference) => {
      const [mine, theirs] = [pointOf(machine, me), to === null ? null : (to.native as Point | undefined)];
      return flag(to?.cls === me.cls && theirs?.time === mine.time && theirs.zone === mine.zone);
    },
    'hashCode()I': (machine, me) => {
      const { time } = pointOf(machine, me);
      return (time | 0) ^ Math.trunc(time / 2 ** 32);
    },
  };
}
