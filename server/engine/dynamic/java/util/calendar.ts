// java.util.Date, Calendar, GregorianCalendar and java.sql's dates. Knows zones by text/date-fields.ts.
import type { HeapObject, Taint } from '../../machine/heap.ts';
import type { Machine, ModelClass, NativeMethods } from '../../machine/model.ts';
import { longHash } from '../lang/number-text.ts';
import { type DateFields, dateFields, defaultZone, standardOffset, timeOfFields } from '../text/date-fields.ts';
import { type LocaleSymbols, localeSymbols, monthConstants, weekdayConstants } from '../text/locale-symbols.ts';
import { illegalArgument, instance, type Reference, required } from '../values.ts';
import { zoneId, zoneObject } from './locale.ts';

const DATE = 'Ljava/util/Date;';
const CALENDAR = 'Ljava/util/Calendar;';
const S = 'Ljava/lang/String;';

/** Milliseconds since 1970; `native` of a Date. */
interface Moment {
  time: number;
  taint: Taint;
}

const moment = (self: HeapObject): Moment => self.native as Moment;
const two = (value: number): string => String(value).padStart(2, '0');

export function dateObject(machine: Machine, time: number, taint: Taint = 0): HeapObject {
  return instance(machine, DATE, { time, taint } satisfies Moment, taint);
}

function begin(machine: Machine, self: HeapObject, time: number): undefined {
  const taint = machine.argumentTaint(1);
  self.native = { time, taint } satisfies Moment;
  self.taint = taint;
}

function dateText(machine: Machine, time: number): string {
  const f = dateFields(machine, time);
  const { shortWeekdays, shortMonths } = localeSymbols(machine, null).tag.startsWith('en')
    ? localeSymbols(machine, null)
    : ENGLISH;
  return `${shortWeekdays[f.weekday]} ${shortMonths[f.month]} ${two(f.day)} ${two(f.hour)}:${two(f.minute)}:${two(f.second)} ${f.zone} ${f.year}`;
}

const ENGLISH = {
  shortWeekdays: ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'],
  shortMonths: ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'],
};

const local = (machine: Machine, self: HeapObject): DateFields => dateFields(machine, moment(self).time);

const dateMethods: NativeMethods = {
  '<init>()V': (machine, self) => begin(machine, self, Math.floor(machine.clock.wall)),
  '<init>(J)V': (machine, self, time: bigint) => begin(machine, self, Number(time)),
  '<init>(III)V': (machine, self, year: number, month: number, day: number) =>
    begin(machine, self, timeOfFields(defaultZone(machine).id, year + 1900, month, day, 0, 0, 0, 0)),
  '<init>(IIIII)V': (machine, self, year: number, month: number, day: number, hour: number, minute: number) =>
    begin(machine, self, timeOfFields(defaultZone(machine).id, year + 1900, month, day, hour, minute, 0, 0)),
  '<init>(Ljava/lang/String;)V': (machine, self, text: Reference) => {
    const time = Date.parse(machine.toText(required(machine, text)).text);
    if (Number.isNaN(time)) throw illegalArgument(machine);
    begin(machine, self, time);
  },
  'setTime(J)V': (machine, self, time: bigint) => begin(machine, self, Number(time)),
  'clone()Ljava/lang/Object;': (machine, self) =>
    instance(machine, self.cls.descriptor, { ...moment(self) }, self.taint),
};

const datePure: NativeMethods = {
  'getTime()J': (_machine, self) => BigInt(moment(self).time),
  [`before(!${DATE})Z`]: (_machine, self, other: HeapObject) => moment(self).time < moment(other).time,
  [`after(!${DATE})Z`]: (_machine, self, other: HeapObject) => moment(self).time > moment(other).time,
  [`compareTo(!${DATE})I`]: (_machine, self, other: HeapObject) => Math.sign(moment(self).time - moment(other).time),
  'compareTo(!Ljava/lang/Object;)I': (_machine, self, other: HeapObject) =>
    Math.sign(moment(self).time - moment(other).time),
  'equals(Ljava/lang/Object;)Z': (machine, self, other: Reference) =>
    machine.isInstance(other, DATE) && moment(other!).time === moment(self).time,
  'hashCode()I': (_machine, self) => longHash(BigInt(moment(self).time)),
  [`toString()${S}`]: (machine, self) => machine.string(dateText(machine, moment(self).time)),
  [`toGMTString()${S}`]: (machine, self) => machine.string(new Date(moment(self).time).toUTCString().slice(5)),
  [`toLocaleString()${S}`]: (machine, self) => machine.string(dateText(machine, moment(self).time)),
  'getYear()I': (machine, self) => local(machine, self).year - 1900,
  'getMonth()I': (machine, self) => local(machine, self).month,
  'getDate()I': (machine, self) => local(machine, self).day,
  'getDay()I': (machine, self) => local(machine, self).weekday,
  'getHours()I': (machine, self) => local(machine, self).hour,
  'getMinutes()I': (machine, self) => local(machine, self).minute,
  'getSeconds()I': (machine, self) => local(machine, self).second,
  'getTimezoneOffset()I': (machine, self) => -local(machine, self).offset / 60_000,
};

/** The `native` of a Calendar: a moment, or fields that were set and not put together yet. */
interface CalendarState {
  time: number;
  zone: string;
  firstDay: number;
  minimalDays: number;
  isLenient: boolean;
  taint: Taint;
  /** Fields set since, by number. */
  pending: Map<number, number>;
}

const NAMES = [
  'ERA',
  'YEAR',
  'MONTH',
  'WEEK_OF_YEAR',
  'WEEK_OF_MONTH',
  'DAY_OF_MONTH',
  'DAY_OF_YEAR',
  'DAY_OF_WEEK',
  'DAY_OF_WEEK_IN_MONTH',
  'AM_PM',
  'HOUR',
  'HOUR_OF_DAY',
  'MINUTE',
  'SECOND',
  'MILLISECOND',
  'ZONE_OFFSET',
  'DST_OFFSET',
] as const;
const F = Object.fromEntries(NAMES.map((name, index) => [name, index])) as Record<(typeof NAMES)[number], number>;
const DAY = 86_400_000;

const calendar = (self: HeapObject): CalendarState => self.native as CalendarState;

/** Week numbers as GregorianCalendar counts them. */
function weekNumber(dayOfPeriod: number, weekday: number, { firstDay, minimalDays }: CalendarState): number {
  const relative = (weekday + 7 - (firstDay - 1)) % 7;
  const start = (relative - dayOfPeriod + 1 + 7 * 60) % 7;
  const week = Math.floor((dayOfPeriod - 1 + start) / 7);
  return 7 - start >= minimalDays ? week + 1 : week;
}

function fieldsOf(machine: Machine, state: CalendarState): number[] {
  settle(machine, state);
  const f = dateFields(machine, state.time, state.zone);
  const standard = standardOffset(state.zone, state.time);
  const daysInYear = isLeap(f.year) ? 366 : 365;
  let week = weekNumber(f.dayOfYear, f.weekday, state);
  if (week === 0) {
    const before = f.dayOfYear + (isLeap(f.year - 1) ? 366 : 365);
    week = weekNumber(before, f.weekday, state);
  } else if (f.dayOfYear >= daysInYear - 5) {
    const next = weekNumber(f.dayOfYear - daysInYear, f.weekday, state);
    if (next > 0) week = next;
  }
  return [
    f.year > 0 ? 1 : 0,
    f.year > 0 ? f.year : 1 - f.year,
    f.month,
    week,
    weekNumber(f.day, f.weekday, state),
    f.day,
    f.dayOfYear,
    f.weekday + 1,
    Math.floor((f.day - 1) / 7) + 1,
    f.hour < 12 ? 0 : 1,
    f.hour % 12,
    f.hour,
    f.minute,
    f.second,
    f.millisecond,
    standard,
    f.offset - standard,
  ];
}

const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;

function daysInMonth(year: number, month: number): number {
  return new Date(Date.UTC(2000 + (((year % 400) + 400) % 400), month + 1, 0)).getUTCDate();
}

/** Puts set fields together to a moment; later ones win where they disagree. */
function settle(machine: Machine, state: CalendarState): void {
  if (state.pending.size === 0) return;
  const set = state.pending;
  state.pending = new Map();
  const f = dateFields(machine, state.time, state.zone);
  const order = [...set.keys()];
  const last = (...names: number[]): number => Math.max(...names.map((name) => order.lastIndexOf(name)));
  const year = set.get(F.YEAR) ?? f.year;
  let month = set.get(F.MONTH) ?? f.month;
  let day = set.get(F.DAY_OF_MONTH) ?? f.day;
  const byDate = last(F.DAY_OF_MONTH, F.MONTH);
  if (set.has(F.DAY_OF_YEAR) && last(F.DAY_OF_YEAR) > byDate) {
    month = 0;
    day = set.get(F.DAY_OF_YEAR)!;
  } else if (set.has(F.DAY_OF_WEEK) && last(F.DAY_OF_WEEK) > last(F.DAY_OF_MONTH)) {
    const base = new Date(Date.UTC(year, month, set.get(F.DAY_OF_MONTH) ?? f.day));
    const shift = (value: number): number => (value + 7 - state.firstDay) % 7;
    day = base.getUTCDate() + shift(set.get(F.DAY_OF_WEEK)!) - shift(base.getUTCDay() + 1);
  }
  let hour = f.hour;
  if (set.has(F.HOUR_OF_DAY) && last(F.HOUR_OF_DAY) > last(F.HOUR, F.AM_PM)) hour = set.get(F.HOUR_OF_DAY)!;
  else if (set.has(F.HOUR) || set.has(F.AM_PM)) {
    hour = (set.get(F.HOUR) ?? f.hour % 12) + 12 * (set.get(F.AM_PM) ?? (f.hour < 12 ? 0 : 1));
  }
  const minute = set.get(F.MINUTE) ?? f.minute;
  const second = set.get(F.SECOND) ?? f.second;
  state.time = timeOfFields(
    state.zone,
    year,
    month,
    day,
    hour,
    minute,
    second,
    set.get(F.MILLISECOND) ?? f.millisecond,
  );
}

function newCalendar(
  machine: Machine,
  self: HeapObject,
  zone: string,
  time = Math.floor(machine.clock.wall),
): HeapObject {
  self.native = {
    time,
    zone,
    firstDay: 1,
    minimalDays: 1,
    isLenient: true,
    taint: 0,
    pending: new Map(),
  } satisfies CalendarState;
  return self;
}

function setField(machine: Machine, self: HeapObject, field: number, value: number, argument: number): undefined {
  const state = calendar(self);
  state.pending.delete(field);
  state.pending.set(field, value);
  state.taint = machine.union(state.taint, machine.argumentTaint(argument));
  self.taint = state.taint;
}

function addTo(machine: Machine, self: HeapObject, field: number, amount: number): undefined {
  const state = calendar(self);
  settle(machine, state);
  const f = dateFields(machine, state.time, state.zone);
  const rebuild = (year: number, month: number, day: number): void => {
    state.time = timeOfFields(state.zone, year, month, day, f.hour, f.minute, f.second, f.millisecond);
  };
  if (field === F.YEAR || field === F.MONTH) {
    const months = f.year * 12 + f.month + (field === F.YEAR ? amount * 12 : amount);
    const year = Math.floor(months / 12);
    const month = months - year * 12;
    rebuild(year, month, Math.min(f.day, daysInMonth(year, month)));
  } else if (field === F.WEEK_OF_YEAR || field === F.WEEK_OF_MONTH || field === F.DAY_OF_WEEK_IN_MONTH)
    rebuild(f.year, f.month, f.day + amount * 7);
  else if (field === F.DAY_OF_MONTH || field === F.DAY_OF_YEAR || field === F.DAY_OF_WEEK)
    rebuild(f.year, f.month, f.day + amount);
  else {
    const unit = {
      [F.AM_PM]: DAY / 2,
      [F.HOUR]: 3_600_000,
      [F.HOUR_OF_DAY]: 3_600_000,
      [F.MINUTE]: 60_000,
      [F.SECOND]: 1000,
      [F.MILLISECOND]: 1,
    }[field];
    if (unit === undefined) throw illegalArgument(machine);
    state.time += amount * unit;
  }
}

function actualMaximum(machine: Machine, self: HeapObject, field: number): number {
  const values = fieldsOf(machine, calendar(self));
  if (field === F.DAY_OF_MONTH) return daysInMonth(values[F.YEAR]!, values[F.MONTH]!);
  if (field === F.DAY_OF_YEAR) return isLeap(values[F.YEAR]!) ? 366 : 365;
  return MAXIMA[field] ?? 0;
}

const MAXIMA = [1, 292278994, 11, 53, 6, 31, 366, 7, 6, 1, 11, 23, 59, 59, 999, 50_400_000, 7_200_000];
const MINIMA = [0, 1, 0, 1, 0, 1, 1, 1, -1, 0, 0, 0, 0, 0, 0, -46_800_000, 0];

const timeOfCalendar = (machine: Machine, self: HeapObject): number => {
  settle(machine, calendar(self));
  return calendar(self).time;
};

const calendarMethods: NativeMethods = {
  '<init>()V': (machine, self) => newCalendar(machine, self, defaultZone(machine).id),
  'get(I)I': (machine, self, field: number) => {
    const value = fieldsOf(machine, calendar(self))[field];
    if (value === undefined) throw machine.exception('Ljava/lang/ArrayIndexOutOfBoundsException;', String(field));
    machine.setResultTaint(self.taint);
    return value;
  },
  'set(II)V': (machine, self, field: number, value: number) => setField(machine, self, field, value, 2),
  'set(III)V': (machine, self, year: number, month: number, day: number) => {
    setField(machine, self, F.YEAR, year, 1);
    setField(machine, self, F.MONTH, month, 2);
    setField(machine, self, F.DAY_OF_MONTH, day, 3);
  },
  'set(IIIII)V': (machine, self, ...values: number[]) => setAll(machine, self, values),
  'set(IIIIII)V': (machine, self, ...values: number[]) => setAll(machine, self, values),
  'add(II)V': addTo,
  'roll(II)V': (machine, self, field: number, amount: number) => {
    const value = fieldsOf(machine, calendar(self))[field]!;
    const maximum = actualMaximum(machine, self, field);
    const minimum = Math.max(0, MINIMA[field] ?? 0);
    const span = maximum - minimum + 1;
    setField(machine, self, field, ((((value - minimum + amount) % span) + span) % span) + minimum, 2);
  },
  'clear()V': (_machine, self) => {
    const state = calendar(self);
    state.pending.clear();
    state.time = timeOfFields(state.zone, 1970, 0, 1, 0, 0, 0, 0);
  },
  'clear(I)V': (machine, self, field: number) =>
    setField(machine, self, field, field === F.YEAR ? 1970 : Math.max(0, MINIMA[field] ?? 0), 1),
  'isSet(I)Z': () => 1,
  'getTimeInMillis()J': (machine, self) => {
    machine.setResultTaint(self.taint);
    return BigInt(timeOfCalendar(machine, self));
  },
  'setTimeInMillis(J)V': (machine, self, time: bigint) => {
    Object.assign(calendar(self), { time: Number(time), pending: new Map(), taint: machine.argumentTaint(1) });
    self.taint = machine.argumentTaint(1);
  },
  [`getTime()${DATE}`]: (machine, self) => dateObject(machine, timeOfCalendar(machine, self), self.taint),
  [`setTime(!${DATE})V`]: (machine, self, date: HeapObject) => {
    Object.assign(calendar(self), {
      time: moment(required(machine, date)).time,
      pending: new Map(),
      taint: date.taint,
    });
    self.taint = date.taint;
  },
  'getTimeZone()Ljava/util/TimeZone;': (machine, self) => zoneObject(machine, calendar(self).zone),
  'setTimeZone(Ljava/util/TimeZone;)V': (machine, self, zone: Reference) => {
    calendar(self).zone = zoneId(machine, zone);
  },
  'getFirstDayOfWeek()I': (_machine, self) => calendar(self).firstDay,
  'setFirstDayOfWeek(I)V': (_machine, self, day: number) => {
    calendar(self).firstDay = day;
  },
  'setMinimalDaysInFirstWeek(I)V': (_machine, self, days: number) => {
    calendar(self).minimalDays = days;
  },
  'getMinimalDaysInFirstWeek()I': (_machine, self) => calendar(self).minimalDays,
  'setLenient(Z)V': (_machine, self, isLenient: number) => {
    calendar(self).isLenient = isLenient !== 0;
  },
  'isLenient()Z': (_machine, self) => calendar(self).isLenient,
  'getActualMaximum(I)I': actualMaximum,
  'getActualMinimum(I)I': (_machine, _self, field: number) => MINIMA[field] ?? 0,
  'getMaximum(I)I': (_machine, _self, field: number) => MAXIMA[field] ?? 0,
  'getMinimum(I)I': (_machine, _self, field: number) => MINIMA[field] ?? 0,
  'before(Ljava/lang/Object;)Z': (machine, self, other: Reference) =>
    machine.isInstance(other, CALENDAR) && timeOfCalendar(machine, self) < timeOfCalendar(machine, other!),
  'after(Ljava/lang/Object;)Z': (machine, self, other: Reference) =>
    machine.isInstance(other, CALENDAR) && timeOfCalendar(machine, self) > timeOfCalendar(machine, other!),
  [`compareTo(!${CALENDAR})I`]: compareCalendars,
  'compareTo(!Ljava/lang/Object;)I': compareCalendars,
  'equals(Ljava/lang/Object;)Z': (machine, self, other: Reference) =>
    machine.isInstance(other, CALENDAR) && timeOfCalendar(machine, self) === timeOfCalendar(machine, other!),
  'hashCode()I': (machine, self) => longHash(BigInt(timeOfCalendar(machine, self))),
  'clone()Ljava/lang/Object;': (machine, self) =>
    instance(machine, self.cls.descriptor, { ...calendar(self), pending: new Map(calendar(self).pending) }, self.taint),
  [`getDisplayName(IILjava/util/Locale;)${S}`]: (machine, self, field: number, style: number, locale: Reference) => {
    const value = fieldsOf(machine, calendar(self))[field]!;
    const names = localeSymbols(machine, locale);
    const name = namesOf(names, field, style === 1)?.[value];
    return name === undefined ? null : machine.string(name);
  },
  'getDisplayNames(IILjava/util/Locale;)Ljava/util/Map;': (
    machine,
    _self,
    field: number,
    style: number,
    locale: Reference,
  ) => {
    const symbols = localeSymbols(machine, locale);
    // 0: of both styles.
    const lists = style === 0 ? [false, true] : [style === 1];
    const found = lists.map((isShort) => namesOf(symbols, field, isShort)).filter((names) => names !== null);
    if (found.length === 0) return null;
    const map = machine.construct('Ljava/util/HashMap;', '<init>()V');
    for (const [value, name] of found.flatMap((names) => [...names.entries()])) {
      if (name === '') continue;
      const put = 'put(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;';
      machine.call(map, put, machine.string(name), machine.box('I', value));
    }
    return map;
  },
  [`toString()${S}`]: (machine, self) =>
    machine.string(`${self.cls.name}[time=${timeOfCalendar(machine, self)}]`, self.taint),
};

/** Names of a field's values, by value; null for a field whose values have none. */
function namesOf(symbols: LocaleSymbols, field: number, isShort: boolean): readonly string[] | null {
  if (field === F.MONTH) return isShort ? symbols.shortMonths : symbols.months;
  if (field === F.DAY_OF_WEEK) return ['', ...(isShort ? symbols.shortWeekdays : symbols.weekdays)];
  return field === F.AM_PM ? symbols.amPm : null;
}

function compareCalendars(machine: Machine, self: HeapObject, other: HeapObject): number {
  return Math.sign(timeOfCalendar(machine, self) - timeOfCalendar(machine, other));
}

function setAll(machine: Machine, self: HeapObject, values: readonly number[]): undefined {
  const fields = [F.YEAR, F.MONTH, F.DAY_OF_MONTH, F.HOUR_OF_DAY, F.MINUTE, F.SECOND];
  for (const [index, value] of values.entries()) setField(machine, self, fields[index]!, value, index + 1);
}

const GREGORIAN = 'Ljava/util/GregorianCalendar;';
const instanceOf = (machine: Machine, zone: Reference): HeapObject =>
  newCalendar(machine, machine.allocate(GREGORIAN), zoneId(machine, zone));

function constants(): Record<string, number> {
  const values: Record<string, number> = {};
  for (const [index, name] of NAMES.entries()) values[`${name}:I`] = index;
  for (const [index, name] of [...monthConstants, 'UNDECIMBER'].entries()) values[`${name}:I`] = index;
  for (const [index, name] of weekdayConstants.entries()) values[`${name}:I`] = index + 1;
  return {
    ...values,
    'DATE:I': 5,
    'AM:I': 0,
    'PM:I': 1,
    'FIELD_COUNT:I': 17,
    'SHORT:I': 1,
    'LONG:I': 2,
    'ALL_STYLES:I': 0,
  };
}

function gregorian(machine: Machine, self: HeapObject, values: number[]): undefined {
  newCalendar(machine, self, defaultZone(machine).id);
  const [year = 1970, month = 0, day = 1, hour = 0, minute = 0, second = 0] = values;
  calendar(self).time = timeOfFields(calendar(self).zone, year, month, day, hour, minute, second, 0);
}

/** java.sql's dates differ in how they are written. */
const sqlDate = (text: (f: DateFields) => string): ModelClass => ({
  extends: DATE,
  methods: { '<init>(J)V': dateMethods['<init>(J)V']! },
  pure: { [`toString()${S}`]: (machine, self) => machine.string(text(local(machine, self))) },
});
const isoDate = (f: DateFields): string => `${String(f.year).padStart(4, '0')}-${two(f.month + 1)}-${two(f.day)}`;
const isoTime = (f: DateFields): string => `${two(f.hour)}:${two(f.minute)}:${two(f.second)}`;

export const calendarModels: Record<string, ModelClass> = {
  [DATE]: {
    implements: ['Ljava/io/Serializable;', 'Ljava/lang/Cloneable;', 'Ljava/lang/Comparable;'],
    methods: dateMethods,
    pure: datePure,
    staticMethods: {
      [`parse(${S})J`]: (machine, text: Reference) => BigInt(Date.parse(machine.toText(text).text) || 0),
    },
  },
  [CALENDAR]: {
    isAbstract: true,
    implements: ['Ljava/io/Serializable;', 'Ljava/lang/Cloneable;', 'Ljava/lang/Comparable;'],
    methods: calendarMethods,
    staticMethods: {
      [`getInstance()${CALENDAR}`]: (machine) => instanceOf(machine, null),
      [`getInstance(Ljava/util/Locale;)${CALENDAR}`]: (machine) => instanceOf(machine, null),
      [`getInstance(Ljava/util/TimeZone;)${CALENDAR}`]: instanceOf,
      [`getInstance(Ljava/util/TimeZone;Ljava/util/Locale;)${CALENDAR}`]: instanceOf,
    },
    constants: constants(),
  },
  [GREGORIAN]: {
    extends: CALENDAR,
    methods: {
      '<init>()V': (machine, self) => newCalendar(machine, self, defaultZone(machine).id),
      '<init>(Ljava/util/Locale;)V': (machine, self) => newCalendar(machine, self, defaultZone(machine).id),
      '<init>(Ljava/util/TimeZone;)V': (machine, self, zone: Reference) =>
        newCalendar(machine, self, zoneId(machine, zone)),
      '<init>(Ljava/util/TimeZone;Ljava/util/Locale;)V': (machine, self, zone: Reference) =>
        newCalendar(machine, self, zoneId(machine, zone)),
      '<init>(III)V': (machine, self, ...values: number[]) => gregorian(machine, self, values),
      '<init>(IIIII)V': (machine, self, ...values: number[]) => gregorian(machine, self, values),
      '<init>(IIIIII)V': (machine, self, ...values: number[]) => gregorian(machine, self, values),
      'isLeapYear(I)Z': (_machine, _self, year: number) => isLeap(year),
    },
    constants: { 'BC:I': 0, 'AD:I': 1 },
  },
  'Ljava/sql/Date;': sqlDate(isoDate),
  'Ljava/sql/Time;': sqlDate(isoTime),
  'Ljava/sql/Timestamp;': sqlDate(
    (f) =>
      `${isoDate(f)} ${isoTime(f)}.${String(f.millisecond)
        .padStart(3, '0')
        .replace(/0{1,2}$/, '')}`,
  ),
};
