// String.format. Knows numbers, characters, dates and whatever toString says. https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/util/Formatter.html
import type { JavaThrow, Taint } from '../../machine/heap.ts';
import type { Machine } from '../../machine/model.ts';
import { bigDecimalDigits } from '../math/decimal.ts';
import type { Reference } from '../values.ts';
import { dateFields, timeOf } from './date-fields.ts';
import { type DecimalDigits, grouped, plainDigits, roundDigits, shortestDigits } from './decimal-text.ts';
import { localeSymbols } from './locale-symbols.ts';

export interface Formatted {
  text: string;
  taint: Taint;
}

/** Widest field: a format string of the app cannot fill the memory. */
const MAXIMUM_WIDTH = 1_000_000;

interface Directive {
  readonly flags: string;
  readonly width: number;
  readonly precision: number;
  readonly conversion: string;
  /** The letter after `t`. */
  readonly part: string;
  readonly source: string;
}

function fault(machine: Machine, name: string, message: string): JavaThrow {
  return machine.exception(`Ljava/util/${name};`, message);
}

const DIRECTIVE = /%(?:(\d+)\$)?([-#+ 0,(<]*)(\d+)?(?:\.(\d+))?(?:([tT])([a-zA-Z])|([a-zA-Z%]))|%/g;

/** @throws JavaThrow IllegalFormatException and its kinds */
export function formatText(
  machine: Machine,
  locale: Reference,
  pattern: string,
  values: readonly Reference[],
): Formatted {
  let taint: Taint = 0;
  let ordinary = 0;
  let last = -1;
  let result = '';
  let from = 0;
  for (const match of pattern.matchAll(DIRECTIVE)) {
    result += pattern.slice(from, match.index);
    from = match.index + match[0].length;
    if (match[0] === '%') throw fault(machine, 'UnknownFormatConversionException', `Conversion = '%'`);
    const directive: Directive = {
      flags: match[2]!,
      width: Math.min(Number(match[3] ?? -1), MAXIMUM_WIDTH),
      precision: match[4] === undefined ? -1 : Math.min(Number(match[4]), MAXIMUM_WIDTH),
      conversion: match[5] ?? match[7]!,
      part: match[6] ?? '',
      source: match[0],
    };
    if (directive.conversion === 'n') result += '\n';
    else if (directive.conversion === '%') result += pad('%', directive);
    else {
      const index = match[1] === undefined ? (directive.flags.includes('<') ? last : ordinary++) : Number(match[1]) - 1;
      if (index < 0 || index >= values.length) {
        throw fault(machine, 'MissingFormatArgumentException', `Format specifier '${match[0]}'`);
      }
      last = index;
      const value = values[index] ?? null;
      const formatted = formatValue(machine, locale, directive, value);
      taint = machine.union(taint, machine.union(formatted.taint, value?.taint ?? 0));
      result += formatted.text;
    }
    machine.charge(Math.max(0, directive.width) * 2);
  }
  return { text: result + pattern.slice(from), taint };
}

function pad(text: string, directive: Directive): string {
  return directive.flags.includes('-') ? text.padEnd(directive.width) : text.padStart(directive.width);
}

function formatValue(machine: Machine, locale: Reference, directive: Directive, value: Reference): Formatted {
  const lower = directive.conversion.toLowerCase();
  const isUpper = lower !== directive.conversion;
  let taint: Taint = 0;
  let text: string;
  if ('bhs'.includes(lower)) {
    if (lower === 'b') text = value === null ? 'false' : isFalse(machine, value) ? 'false' : 'true';
    else if (lower === 'h') text = value === null ? 'null' : (machine.hashCode(value) >>> 0).toString(16);
    else {
      const own = machine.toText(value);
      text = own.text;
      taint = own.taint;
    }
    if (directive.precision >= 0) text = text.slice(0, directive.precision);
  } else if (value === null) {
    if (!'cdoxefgat'.includes(lower)) throw unknown(machine, directive);
    text = 'null';
  } else if (lower === 'c') text = formatCharacter(machine, directive, value);
  else if (lower === 't') text = formatDatePart(machine, locale, directive.part, timeOf(machine, value));
  else if ('dox'.includes(lower)) return { text: formatInteger(machine, locale, directive, value), taint };
  else if ('efga'.includes(lower)) return { text: formatFloating(machine, locale, directive, value), taint };
  else throw unknown(machine, directive);
  return { text: pad(isUpper ? text.toUpperCase() : text, directive), taint };
}

function unknown(machine: Machine, directive: Directive): JavaThrow {
  return fault(machine, 'UnknownFormatConversionException', `Conversion = '${directive.conversion}'`);
}

function isFalse(machine: Machine, value: Reference): boolean {
  return machine.isInstance(value, 'Ljava/lang/Boolean;') && machine.unbox(value) === 0;
}

function mismatch(machine: Machine, directive: Directive, value: NonNullable<Reference>): JavaThrow {
  return fault(machine, 'IllegalFormatConversionException', `${directive.conversion} != ${value.cls.name}`);
}

function formatCharacter(machine: Machine, directive: Directive, value: NonNullable<Reference>): string {
  const code = machine.unbox(value);
  if (typeof code !== 'number' || !Number.isInteger(code)) throw mismatch(machine, directive, value);
  return String.fromCodePoint(Math.max(0, Math.min(code, 0x10ffff)));
}

const BITS: Readonly<Record<string, number>> = {
  'Ljava/lang/Byte;': 8,
  'Ljava/lang/Short;': 16,
  'Ljava/lang/Integer;': 32,
  'Ljava/lang/Long;': 64,
};

function formatInteger(machine: Machine, locale: Reference, directive: Directive, value: NonNullable<Reference>) {
  const bits = BITS[value.cls.descriptor];
  const isBig = value.cls.descriptor === 'Ljava/math/BigInteger;';
  if (bits === undefined && !isBig) throw mismatch(machine, directive, value);
  const number = BigInt(isBig ? (value.native as bigint) : (machine.unbox(value) ?? 0));
  const { flags, conversion } = directive;
  if (conversion === 'd') {
    let digits = (number < 0n ? -number : number).toString();
    if (flags.includes(',')) digits = grouped(digits, localeSymbols(machine, locale).grouping);
    return signed(directive, digits, number < 0n);
  }
  const radix = conversion === 'o' ? 8 : 16;
  let digits = (isBig || number >= 0n ? number : BigInt.asUintN(bits!, number)).toString(radix);
  if (flags.includes('#')) digits = (radix === 8 ? '0' : '0x') + digits;
  if (flags.includes('0')) digits = digits.padStart(directive.width, '0');
  return pad(conversion === 'X' ? digits.toUpperCase() : digits, directive);
}

/** Sign, parentheses and zeros in front, then the width. */
function signed(directive: Directive, digits: string, isNegative: boolean): string {
  const { flags } = directive;
  const before = isNegative
    ? flags.includes('(')
      ? '('
      : '-'
    : flags.includes('+')
      ? '+'
      : flags.includes(' ')
        ? ' '
        : '';
  const after = isNegative && flags.includes('(') ? ')' : '';
  const zeros = flags.includes('0') ? Math.max(0, directive.width - before.length - digits.length - after.length) : 0;
  return pad(before + '0'.repeat(zeros) + digits + after, directive);
}

function formatFloating(machine: Machine, locale: Reference, directive: Directive, value: NonNullable<Reference>) {
  const isBig = value.cls.descriptor === 'Ljava/math/BigDecimal;';
  const isFloating = value.cls.descriptor === 'Ljava/lang/Double;' || value.cls.descriptor === 'Ljava/lang/Float;';
  if (!isBig && !isFloating) throw mismatch(machine, directive, value);
  const number = isBig ? Number(machine.toText(value).text) : (machine.unbox(value) as number);
  const isUpper = directive.conversion !== directive.conversion.toLowerCase();
  if (!isBig && !Number.isFinite(number)) {
    const name = Number.isNaN(number) ? 'NaN' : 'Infinity';
    const plain = { ...directive, flags: directive.flags.replace('0', '') };
    return signed(plain, isUpper ? name.toUpperCase() : name, number < 0);
  }
  const isNegative = isBig ? bigDecimalDigits(value).isNegative : number < 0 || Object.is(number, -0);
  const digits = isBig ? bigDecimalDigits(value) : floatingDigits(value, number);
  const symbols = localeSymbols(machine, locale);
  let precision = directive.precision < 0 ? 6 : directive.precision;
  let conversion = directive.conversion.toLowerCase();
  if (conversion === 'a') return pad(hexFloat(number), directive);
  if (conversion === 'g') {
    precision = precision === 0 ? 1 : precision;
    const rounded = roundDigits(digits, precision - digits.point, false);
    const isPlain = number === 0 || (rounded.point > -4 && rounded.point <= precision);
    conversion = isPlain ? 'f' : 'e';
    precision = isPlain ? Math.max(0, precision - (number === 0 ? 1 : rounded.point)) : precision - 1;
  }
  let text: string;
  if (conversion === 'f') {
    const [whole, fraction] = plainDigits(roundDigits(digits, precision, false), precision).split('.') as [
      string,
      string?,
    ];
    const left = directive.flags.includes(',') ? grouped(whole, symbols.grouping) : whole;
    text = fraction === undefined ? left : left + symbols.decimal + fraction;
    if (precision === 0 && directive.flags.includes('#')) text += symbols.decimal;
  } else text = exponential(digits, precision, symbols.decimal);
  return signed(directive, isUpper ? text.toUpperCase() : text, isNegative);
}

/** A float's digits are the shortest that tell it from other floats. */
function floatingDigits(value: NonNullable<Reference>, number: number): DecimalDigits {
  if (value.cls.descriptor !== 'Ljava/lang/Float;') return shortestDigits(number);
  for (let precision = 1; precision < 9; precision++) {
    const short = Number(number.toPrecision(precision));
    if (Math.fround(short) === number) return shortestDigits(short);
  }
  return shortestDigits(Number(number.toPrecision(9)));
}

function exponential(number: DecimalDigits, precision: number, decimal: string): string {
  if (number.digits === '') return `0${precision > 0 ? decimal + '0'.repeat(precision) : ''}e+00`;
  const rounded = roundDigits({ digits: number.digits, point: 1 }, precision, false);
  const exponent = number.point - 1 + (rounded.point - 1);
  const digits = rounded.digits.padEnd(precision + 1, '0').slice(0, precision + 1);
  const mantissa = digits[0] + (precision > 0 ? decimal + digits.slice(1) : '');
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

function hexFloat(value: number): string {
  if (value === 0) return Object.is(value, -0) ? '-0x0.0p0' : '0x0.0p0';
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const mantissa = (bits & 0xfffffffffffffn).toString(16).padStart(13, '0').replace(/0+$/, '') || '0';
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const lead = exponent === 0 ? '0' : '1';
  return `${value < 0 ? '-' : ''}0x${lead}.${mantissa}p${exponent === 0 ? -1022 : exponent - 1023}`;
}

const two = (value: number): string => String(value).padStart(2, '0');

function formatDatePart(machine: Machine, locale: Reference, part: string, time: number): string {
  const f = dateFields(machine, time);
  const names = localeSymbols(machine, locale);
  const hour = f.hour % 12 === 0 ? 12 : f.hour % 12;
  const clock = `${two(f.hour)}:${two(f.minute)}`;
  const offset = `${f.offset < 0 ? '-' : '+'}${two(Math.floor(Math.abs(f.offset) / 3_600_000))}${two((Math.abs(f.offset) / 60_000) % 60)}`;
  const parts: Record<string, () => string> = {
    H: () => two(f.hour),
    I: () => two(hour),
    k: () => String(f.hour),
    l: () => String(hour),
    M: () => two(f.minute),
    S: () => two(f.second),
    L: () => String(f.millisecond).padStart(3, '0'),
    N: () => `${String(f.millisecond).padStart(3, '0')}000000`,
    p: () => (f.hour < 12 ? 'am' : 'pm'),
    z: () => offset,
    Z: () => f.zone,
    s: () => String(Math.floor(time / 1000)),
    Q: () => String(time),
    B: () => names.months[f.month]!,
    b: () => names.shortMonths[f.month]!,
    h: () => names.shortMonths[f.month]!,
    A: () => names.weekdays[f.weekday]!,
    a: () => names.shortWeekdays[f.weekday]!,
    C: () => two(Math.floor(f.year / 100)),
    Y: () => String(f.year).padStart(4, '0'),
    y: () => two(f.year % 100),
    j: () => String(f.dayOfYear).padStart(3, '0'),
    m: () => two(f.month + 1),
    d: () => two(f.day),
    e: () => String(f.day),
    R: () => clock,
    T: () => `${clock}:${two(f.second)}`,
    r: () => `${two(hour)}:${two(f.minute)}:${two(f.second)} ${f.hour < 12 ? 'AM' : 'PM'}`,
    D: () => `${two(f.month + 1)}/${two(f.day)}/${two(f.year % 100)}`,
    F: () => `${String(f.year).padStart(4, '0')}-${two(f.month + 1)}-${two(f.day)}`,
    c: () =>
      `${names.shortWeekdays[f.weekday]} ${names.shortMonths[f.month]} ${two(f.day)} ${clock}:${two(f.second)} ${f.zone} ${f.year}`,
  };
  const make = parts[part];
  if (make === undefined) throw fault(machine, 'UnknownFormatConversionException', `Conversion = 't${part}'`);
  return make();
}
