// java.text.DecimalFormat, NumberFormat, MessageFormat, Normalizer and Collator. Knows symbols by locale. https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/text/DecimalFormat.html
import { type HeapObject, type JavaArray, JavaString } from '../../machine/heap.ts';
import type { Machine, ModelClass, NativeMethods } from '../../machine/model.ts';
import { enumModel, enumName } from '../lang/enum.ts';
import { parseDoubleText } from '../lang/number-text.ts';
import { bigDecimalDigits } from '../math/decimal.ts';
import {
  flag,
  illegalArgument,
  instance,
  made,
  objectTaint,
  type Reference,
  referencesOf,
  required,
  textOf,
} from '../values.ts';
import { type DecimalDigits, exactDigits, grouped, plainDigits, roundDigits, shortestDigits } from './decimal-text.ts';
import { type LocaleSymbols, localeSymbols } from './locale-symbols.ts';

interface DecimalPattern {
  prefix: string;
  suffix: string;
  minimumWhole: number;
  minimumFraction: number;
  maximumFraction: number;
  groupSize: number;
  multiplier: number;
  isHalfUp: boolean;
  isWholeParsed: boolean;
  symbols: LocaleSymbols;
}

function parsePattern(machine: Machine, pattern: string, symbols: LocaleSymbols): DecimalPattern {
  const match = /^((?:'[^']*'|[^#0,.';])*)([#0,]*)(?:\.([0#]*))?((?:'[^']*'|[^;])*)/.exec(pattern)!;
  const [, before = '', whole = '', fraction = '', after = ''] = match;
  if (/[#0]/.test(after.replaceAll(/'[^']*'/g, ''))) throw illegalArgument(machine, `Malformed pattern "${pattern}"`);
  const clean = (text: string): string => text.replaceAll(/'([^']*)'/g, (_all, inner: string) => inner || "'");
  const comma = whole.lastIndexOf(',');
  return {
    prefix: clean(before),
    suffix: clean(after),
    // `#.##` shows a zero before its point all the same.
    minimumWhole:
      whole.includes('0') || whole === '' || match[3] === undefined ? whole.replaceAll(/[^0]/g, '').length : 1,
    minimumFraction: fraction.replaceAll('#', '').length,
    maximumFraction: fraction.length,
    groupSize: comma < 0 ? 0 : whole.length - comma - 1,
    multiplier: after.includes('%') || before.includes('%') ? 100 : after.includes('‰') ? 1000 : 1,
    isHalfUp: false,
    isWholeParsed: false,
    symbols,
  };
}

const of = (self: HeapObject): DecimalPattern => self.native as DecimalPattern;

function formatDigits(p: DecimalPattern, digits: DecimalDigits, isNegative: boolean, exact = digits): string {
  const shift = (own: DecimalDigits): DecimalDigits =>
    p.multiplier === 1 || own.digits === '' ? own : { digits: own.digits, point: own.point + Math.log10(p.multiplier) };
  const shifted = shift(digits);
  // A tie of the shortest digits is decided by what the number is exactly.
  const isTie = shifted.digits.length === shifted.point + p.maximumFraction + 1 && shifted.digits.endsWith('5');
  const rounded = roundDigits(isTie ? shift(exact) : shifted, p.maximumFraction, !p.isHalfUp);
  const [whole, fraction = ''] = plainDigits(rounded, p.maximumFraction).split('.') as [string, string?];
  let kept = fraction;
  while (kept.length > p.minimumFraction && kept.endsWith('0')) kept = kept.slice(0, -1);
  const bare =
    whole === '0' && p.minimumWhole === 0 && kept !== '' ? '' : whole.padStart(Math.max(p.minimumWhole, 1), '0');
  const left = grouped(bare, p.symbols.grouping, p.groupSize);
  const sign = isNegative ? '-' : '';
  return `${sign}${p.prefix}${left}${kept === '' ? '' : p.symbols.decimal + kept}${p.suffix}`;
}

function formatNumber(machine: Machine, p: DecimalPattern, value: HeapObject): string {
  if (value.cls.descriptor === 'Ljava/math/BigDecimal;') {
    const digits = bigDecimalDigits(value);
    return formatDigits(p, digits, digits.isNegative);
  }
  const number = value.cls.descriptor === 'Ljava/math/BigInteger;' ? (value.native as bigint) : machine.unbox(value);
  if (number === null) throw illegalArgument(machine, 'Cannot format given Object as a Number');
  if (typeof number === 'number') {
    if (Number.isNaN(number)) return 'NaN';
    if (!Number.isFinite(number)) return `${number < 0 ? '-' : ''}${p.prefix}∞${p.suffix}`;
    // Java multiplies before it looks at digits.
    const scaled = number * p.multiplier;
    const isNegative = number < 0 || Object.is(number, -0);
    return formatDigits({ ...p, multiplier: 1 }, shortestDigits(scaled), isNegative, exactDigits(scaled));
  }
  const digits = (number < 0n ? -number : number).toString();
  return formatDigits(p, { digits: number === 0n ? '' : digits, point: digits.length }, number < 0n);
}

const box = (machine: Machine, type: string, value: number | bigint): HeapObject =>
  machine.box(type, value, machine.argumentTaint(1));

function format(machine: Machine, self: HeapObject, value: HeapObject): JavaString {
  return machine.string(formatNumber(machine, of(self), required(machine, value)), objectTaint(machine, value));
}

function parse(machine: Machine, self: HeapObject, source: Reference): HeapObject {
  const { symbols, multiplier, prefix, isWholeParsed } = of(self);
  const text = textOf(machine, source);
  const own = text.startsWith(prefix) ? text.slice(prefix.length) : text;
  const clean = own.replaceAll(symbols.grouping, '').replace(symbols.decimal, '.');
  const match = /^-?(?:\d+\.?\d*|\.\d+)(?:E-?\d+)?/.exec(clean);
  const number = match === null ? null : parseDoubleText(match[0]);
  if (number === null) throw machine.exception('Ljava/text/ParseException;', `Unparseable number: "${text}"`);
  const value = number / multiplier;
  const taint = objectTaint(machine, source);
  const isWhole = isWholeParsed || Number.isInteger(value);
  return isWhole && Math.abs(value) < 2 ** 63
    ? machine.box('J', BigInt(Math.trunc(value)), taint)
    : machine.box('D', value, taint);
}

const S = 'Ljava/lang/String;';
const NUMBER = 'Ljava/text/NumberFormat;';
const DECIMAL = 'Ljava/text/DecimalFormat;';
const SYMBOLS = 'Ljava/text/DecimalFormatSymbols;';

function begin(machine: Machine, self: HeapObject, pattern: string, symbols: LocaleSymbols): undefined {
  self.native = parsePattern(machine, pattern, symbols);
}

const setNumber =
  (name: 'minimumWhole' | 'minimumFraction' | 'maximumFraction') =>
  (_machine: Machine, self: HeapObject, value: number): undefined => {
    of(self)[name] = Math.max(0, Math.min(value, 340));
    if (of(self).maximumFraction < of(self).minimumFraction) {
      if (name === 'maximumFraction') of(self).minimumFraction = value;
      else of(self).maximumFraction = value;
    }
  };

const methods: NativeMethods = {
  '<init>()V': (machine, self) => begin(machine, self, '#,##0.###', localeSymbols(machine, null)),
  [`<init>(${S})V`]: (machine, self, pattern: Reference) =>
    begin(machine, self, textOf(machine, pattern), localeSymbols(machine, null)),
  [`<init>(${S}!${SYMBOLS})V`]: (machine, self, pattern: Reference, symbols: HeapObject) =>
    begin(machine, self, textOf(machine, pattern), { ...(required(machine, symbols).native as LocaleSymbols) }),
  [`format(D)${S}`]: (machine, self, value: number) => format(machine, self, box(machine, 'D', value)),
  [`format(J)${S}`]: (machine, self, value: bigint) => format(machine, self, box(machine, 'J', value)),
  [`format(!Ljava/lang/Object;)${S}`]: format,
  [`parse(${S})Ljava/lang/Number;`]: parse,
  [`applyPattern(${S})V`]: (machine, self, pattern: Reference) =>
    begin(machine, self, textOf(machine, pattern), of(self).symbols),
  'setMinimumIntegerDigits(I)V': setNumber('minimumWhole'),
  'setMaximumIntegerDigits(I)V': () => undefined,
  'setMinimumFractionDigits(I)V': setNumber('minimumFraction'),
  'setMaximumFractionDigits(I)V': setNumber('maximumFraction'),
  'getMaximumFractionDigits()I': (_machine, self) => of(self).maximumFraction,
  'setGroupingUsed(Z)V': (_machine, self, isUsed: number) => {
    of(self).groupSize = isUsed !== 0 ? of(self).groupSize || 3 : 0;
  },
  'setGroupingSize(I)V': (_machine, self, size: number) => {
    of(self).groupSize = size;
  },
  'setRoundingMode(!Ljava/math/RoundingMode;)V': (_machine, self, mode: HeapObject) => {
    of(self).isHalfUp = enumName(mode) === 'HALF_UP';
  },
  'setParseIntegerOnly(Z)V': (_machine, self, isWhole: number) => {
    of(self).isWholeParsed = isWhole !== 0;
  },
  [`setDecimalFormatSymbols(!${SYMBOLS})V`]: (_machine, self, symbols: HeapObject) => {
    of(self).symbols = symbols.native as LocaleSymbols;
  },
  'setCurrency(Ljava/util/Currency;)V': () => undefined,
};

const standard =
  (pattern: string) =>
  (machine: Machine, locale: Reference = null): HeapObject => {
    const made = machine.allocate(DECIMAL);
    begin(machine, made, pattern, localeSymbols(machine, locale));
    return made;
  };

const factories = (name: string, pattern: string): NativeMethods => ({
  [`${name}()${NUMBER}`]: standard(pattern),
  [`${name}(Ljava/util/Locale;)${NUMBER}`]: standard(pattern),
});

const mark =
  (name: 'decimal' | 'grouping') =>
  (_machine: Machine, self: HeapObject, character: number): undefined => {
    self.native = { ...(self.native as LocaleSymbols), [name]: String.fromCharCode(character) };
  };

/** MessageFormat: `{0}`, `{1,number,#.##}`, quotes. */
function message(machine: Machine, pattern: string, values: readonly Reference[]): { text: string; taint: number } {
  let taint = 0;
  let text = '';
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at]!;
    if (character === "'") {
      const end = pattern.indexOf("'", at + 1);
      if (end === at + 1) text += "'";
      else text += pattern.slice(at + 1, end < 0 ? undefined : end);
      at = end < 0 ? pattern.length : end;
    } else if (character === '{') {
      const end = pattern.indexOf('}', at);
      const match = /^(\d{1,4})(?:,(\w+)(?:,(.*))?)?$/s.exec(pattern.slice(at + 1, end < 0 ? at + 1 : end));
      if (match === null) throw illegalArgument(machine, "can't parse argument number");
      const value = values[Number(match[1])];
      if (value === undefined) text += `{${match[1]}}`;
      else if (
        value !== null &&
        !(value instanceof JavaString) &&
        machine.unbox(value) !== null &&
        machine.isInstance(value, 'Ljava/lang/Number;')
      ) {
        text += formatNumber(
          machine,
          parsePattern(machine, match[3] ?? '#,##0.###', localeSymbols(machine, null)),
          value,
        );
        taint = machine.union(taint, value.taint);
      } else {
        const own = machine.toText(value);
        text += own.text;
        taint = machine.union(taint, own.taint);
      }
      at = end;
    } else text += character;
  }
  return { text, taint };
}

const FORM = 'Ljava/text/Normalizer$Form;';
const FORMS = ['NFD', 'NFC', 'NFKD', 'NFKC'];
const COLLATOR = 'Ljava/text/Collator;';

export const numberFormatModels: Record<string, ModelClass> = {
  [NUMBER]: {
    isAbstract: true,
    extends: 'Ljava/text/Format;',
    methods,
    staticMethods: {
      ...factories('getInstance', '#,##0.###'),
      ...factories('getNumberInstance', '#,##0.###'),
      ...factories('getIntegerInstance', '#,##0'),
      ...factories('getPercentInstance', '#,##0%'),
      ...factories('getCurrencyInstance', '$#,##0.00'),
    },
  },
  [DECIMAL]: { extends: NUMBER, methods },
  [SYMBOLS]: {
    methods: {
      '<init>()V': made((machine) => localeSymbols(machine, null)),
      '<init>(Ljava/util/Locale;)V': made((machine, locale: Reference) => localeSymbols(machine, locale)),
      'setDecimalSeparator(C)V': mark('decimal'),
      'setGroupingSeparator(C)V': mark('grouping'),
      'getDecimalSeparator()C': (_machine, self) => (self.native as LocaleSymbols).decimal.charCodeAt(0),
      'getGroupingSeparator()C': (_machine, self) => (self.native as LocaleSymbols).grouping.charCodeAt(0),
      'getZeroDigit()C': () => 48,
      'getMinusSign()C': () => 45,
    },
    staticMethods: {
      [`getInstance()${SYMBOLS}`]: (machine) => instance(machine, SYMBOLS, localeSymbols(machine, null)),
      [`getInstance(Ljava/util/Locale;)${SYMBOLS}`]: (machine, locale: Reference) =>
        instance(machine, SYMBOLS, localeSymbols(machine, locale)),
    },
  },
  'Ljava/text/MessageFormat;': {
    extends: 'Ljava/text/Format;',
    methods: {
      [`<init>(${S})V`]: made((machine, pattern: Reference) => ({ pattern: textOf(machine, pattern) })),
      [`format(!Ljava/lang/Object;)${S}`]: (machine, self, values: JavaArray) => {
        const { text, taint } = message(machine, (self.native as { pattern: string }).pattern, referencesOf(values));
        return machine.string(text, taint);
      },
    },
    staticMethods: {
      [`format(${S}[Ljava/lang/Object;)${S}`]: (machine, pattern: Reference, values: JavaArray | null) => {
        const { text, taint } = message(machine, textOf(machine, pattern), values === null ? [] : referencesOf(values));
        return machine.string(text, machine.union(taint, objectTaint(machine, pattern)));
      },
    },
  },
  [FORM]: enumModel(FORM, FORMS),
  'Ljava/text/Normalizer;': {
    pureStatic: {
      [`normalize(Ljava/lang/CharSequence;!${FORM})${S}`]: (machine, text: Reference, form: HeapObject) =>
        machine.string(machine.toText(required(machine, text)).text.normalize(enumName(form))),
      [`isNormalized(Ljava/lang/CharSequence;!${FORM})Z`]: (machine, text: Reference, form: HeapObject) => {
        const own = machine.toText(required(machine, text)).text;
        return flag(own.normalize(enumName(form)) === own);
      },
    },
  },
  [COLLATOR]: {
    implements: ['Ljava/util/Comparator;'],
    staticMethods: {
      [`getInstance()${COLLATOR}`]: (machine) => machine.allocate(COLLATOR),
      [`getInstance(Ljava/util/Locale;)${COLLATOR}`]: (machine) => machine.allocate(COLLATOR),
    },
    methods: {
      [`compare(${S}${S})I`]: collate,
      'compare(Ljava/lang/Object;Ljava/lang/Object;)I': collate,
      'setStrength(I)V': () => undefined,
    },
  },
};

function collate(machine: Machine, _self: HeapObject, a: Reference, b: Reference): number {
  return Math.sign(textOf(machine, a).localeCompare(textOf(machine, b), 'en'));
}
