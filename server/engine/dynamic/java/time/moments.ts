// Models of Instant, Duration and the units between: moments and lengths that no calendar changes, and the names of months
// and days. Knows no local time.

import type { HeapObject } from '../../machine/heap.ts';
import type { Machine, ModelClass, NativeMethod, NativeMethods, StaticMethod } from '../../machine/model.ts';
import { enumModel, enumName, enumOrdinal } from '../lang/enum.ts';
import { zoneOffset } from '../text/date-fields.ts';
import { monthConstants, weekdayConstants } from '../text/locale-symbols.ts';
import { comparison, dateTimeException, JT, longOf, newPoint, pointOf, S, steps, units } from './temporal.ts';
import { parsers, textOfPoint } from './texts.ts';
import { zoneOf } from './zones.ts';

const instantType = `${JT}Instant;`;
const durationType = `${JT}Duration;`;
const zonedType = `${JT}ZonedDateTime;`;
const unitType = `${JT}temporal/ChronoUnit;`;
const temporalType = `${JT}temporal/Temporal;`;
const monthType = `${JT}Month;`;
const weekdayType = `${JT}DayOfWeek;`;

const newInstant = (machine: Machine, time: number): HeapObject => newPoint(machine, instantType, time);
const newDuration = (machine: Machine, time: number): HeapObject => newPoint(machine, durationType, time);

/** The length of a duration in a unit, whole ones of it. */
const lengthIn =
  (unit: number): NativeMethod =>
  (machine, me) =>
    longOf(pointOf(machine, me).time / unit);

const durationUnits = ['Nanos', 'Millis', 'Seconds', 'Minutes', 'Hours', 'Days'] as const;

/** `PT8H6M12.345S` */
function durationText(time: number): string {
  const hours = Math.trunc(time / units.Hours);
  const minutes = Math.trunc((time % units.Hours) / units.Minutes);
  const seconds = ((time % units.Minutes) / 1000).toFixed(9).replace(/\.?0+$/, '');
  const text = [
    hours === 0 ? '' : `${hours}H`,
    minutes === 0 ? '' : `${minutes}M`,
    seconds === '0' ? '' : `${seconds}S`,
  ];
  return `PT${text.join('') || '0S'}`;
}

/** By the names of ChronoUnit: milliseconds, or months. */
const unitLengths: Readonly<Record<string, { readonly time?: number; readonly months?: number }>> = {
  NANOS: { time: units.Nanos },
  MICROS: { time: 1e-3 },
  MILLIS: { time: units.Millis },
  SECONDS: { time: units.Seconds },
  MINUTES: { time: units.Minutes },
  HOURS: { time: units.Hours },
  HALF_DAYS: { time: units.Hours * 12 },
  DAYS: { time: units.Days },
  WEEKS: { time: units.Weeks },
  MONTHS: { months: 1 },
  YEARS: { months: 12 },
};

/** Whole months from one local time to another. */
function monthsBetween(from: number, to: number): number {
  const [start, end] = from <= to ? [new Date(from), new Date(to)] : [new Date(to), new Date(from)];
  const months = (end.getUTCFullYear() - start.getUTCFullYear()) * 12 + end.getUTCMonth() - start.getUTCMonth();
  const withinMonth = (date: Date): number => date.getTime() - Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
  const whole = months - (withinMonth(end) < withinMonth(start) ? 1 : 0);
  return from <= to ? whole : -whole;
}

const between: NativeMethod = (machine, unit: HeapObject, from: HeapObject, to: HeapObject) => {
  const [start, end] = [pointOf(machine, from).time, pointOf(machine, to).time];
  const { time, months = 1 } = unitLengths[enumName(unit)] ?? {};
  return longOf(time === undefined ? monthsBetween(start, end) / months : (end - start) / time);
};

const numbered = (type: string, names: readonly string[]): ModelClass =>
  enumModel(type, names, {
    methods: { 'getValue()I': (_machine, me) => enumOrdinal(me) + 1 },
    staticMethods: {
      [`of(I)${type}`]: (machine, value: number) => {
        const name = names[value - 1];
        if (name === undefined) throw dateTimeException(machine);
        return machine.getStatic(type, name);
      },
    },
  });

const instantMethods: NativeMethods = {
  ...steps(instantType, ['Nanos', 'Millis', 'Seconds']),
  ...comparison(instantType, ['isAfter', 'isBefore']),
  'toEpochMilli()J': lengthIn(units.Millis),
  'getEpochSecond()J': (machine, me) => longOf(Math.floor(pointOf(machine, me).time / 1000)),
  'getNano()I': (machine, me) => Math.round((((pointOf(machine, me).time % 1000) + 1000) % 1000) * 1e6),
  [`plus(!${JT}temporal/TemporalAmount;)${instantType}`]: (machine, me, amount: HeapObject) =>
    newInstant(machine, pointOf(machine, me).time + pointOf(machine, amount).time),
  [`minus(!${JT}temporal/TemporalAmount;)${instantType}`]: (machine, me, amount: HeapObject) =>
    newInstant(machine, pointOf(machine, me).time - pointOf(machine, amount).time),
  [`atZone(${JT}ZoneId;)${zonedType}`]: (machine, me, zone: HeapObject) => {
    const { time } = pointOf(machine, me);
    const id = zoneOf(machine, zone);
    return newPoint(machine, zonedType, time + zoneOffset(id, time), id);
  },
  [`toString()${S}`]: (machine, me) => machine.string(textOfPoint(instantType, pointOf(machine, me).time)),
};

export const momentModels: Record<string, ModelClass> = {
  [instantType]: {
    implements: [temporalType],
    staticMethods: {
      [`now()${instantType}`]: (machine) => newInstant(machine, Math.trunc(machine.clock.wall)),
      [`ofEpochMilli(J)${instantType}`]: (machine, time: bigint) => newInstant(machine, Number(time)),
      [`ofEpochSecond(J)${instantType}`]: (machine, seconds: bigint) => newInstant(machine, Number(seconds) * 1000),
      [`parse(Ljava/lang/CharSequence;)${instantType}`]: parsers(instantType, newInstant)[
        `parse(Ljava/lang/CharSequence;)${instantType}`
      ]!,
    },
    constants: { [`EPOCH:${instantType}`]: (machine) => newInstant(machine, 0) },
    methods: instantMethods,
  },
  [durationType]: {
    implements: [`${JT}temporal/TemporalAmount;`],
    constants: { [`ZERO:${durationType}`]: (machine) => newDuration(machine, 0) },
    staticMethods: {
      ...Object.fromEntries(
        durationUnits.map((name): [string, StaticMethod] => [
          `of${name}(J)${durationType}`,
          (machine, count: bigint) => newDuration(machine, Number(count) * units[name]),
        ]),
      ),
      [`between(!${temporalType}!${temporalType})${durationType}`]: (machine, from: HeapObject, to: HeapObject) =>
        newDuration(machine, pointOf(machine, to).time - pointOf(machine, from).time),
    },
    methods: {
      ...steps(durationType, durationUnits),
      ...comparison(durationType, []),
      ...Object.fromEntries(durationUnits.map((name) => [`to${name}()J`, lengthIn(units[name])])),
      'getSeconds()J': lengthIn(units.Seconds),
      'isNegative()Z': (machine, me) => pointOf(machine, me).time < 0,
      'isZero()Z': (machine, me) => pointOf(machine, me).time === 0,
      [`toString()${S}`]: (machine, me) => machine.string(durationText(pointOf(machine, me).time)),
    },
  },
  [`${JT}temporal/TemporalAmount;`]: { isInterface: true },
  [`${JT}temporal/TemporalUnit;`]: { isInterface: true },
  [unitType]: enumModel(unitType, Object.keys(unitLengths), {
    implements: [`${JT}temporal/TemporalUnit;`],
    methods: { [`between(!${temporalType}!${temporalType})J`]: between },
  }),
  [monthType]: numbered(monthType, monthConstants),
  [weekdayType]: numbered(weekdayType, [...weekdayConstants.slice(1), weekdayConstants[0]!]),
};
