// java.text.DateFormatSymbols: names of months and days, from the tables of locales. Knows no pattern.
import type { HeapObject } from '../../machine/heap.ts';
import type { Machine, ModelClass, NativeMethod } from '../../machine/model.ts';
import { instance, type Reference, stringArray } from '../values.ts';
import { type LocaleSymbols, localeSymbols } from './locale-symbols.ts';

const SYMBOLS = 'Ljava/text/DateFormatSymbols;';
const LOCALE = 'Ljava/util/Locale;';
const S = 'Ljava/lang/String;';

const begin: NativeMethod = (machine, self, locale: Reference = null) => {
  self.native = localeSymbols(machine, locale);
};

const made: NativeMethod = (machine, locale: Reference = null) =>
  instance(machine, SYMBOLS, localeSymbols(machine, locale));

const listed =
  (names: (symbols: LocaleSymbols) => readonly string[]): NativeMethod =>
  (machine: Machine, self: HeapObject) =>
    stringArray(machine, names(self.native as LocaleSymbols));

export const dateFormatSymbolsModels: Record<string, ModelClass> = {
  [SYMBOLS]: {
    methods: {
      '<init>()V': begin,
      [`<init>(${LOCALE})V`]: begin,
      // The thirteenth month is that of other calendars; days count from 1, which is Sunday.
      [`getMonths()[${S}`]: listed(({ months }) => [...months, '']),
      [`getShortMonths()[${S}`]: listed(({ shortMonths }) => [...shortMonths, '']),
      [`getWeekdays()[${S}`]: listed(({ weekdays }) => ['', ...weekdays]),
      [`getShortWeekdays()[${S}`]: listed(({ shortWeekdays }) => ['', ...shortWeekdays]),
      [`getAmPmStrings()[${S}`]: listed(({ amPm }) => amPm),
      [`getEras()[${S}`]: listed(() => ['BC', 'AD']),
    },
    staticMethods: {
      [`getInstance()${SYMBOLS}`]: made,
      [`getInstance(${LOCALE})${SYMBOLS}`]: made,
    },
  },
};
