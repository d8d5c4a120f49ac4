// java.util.Locale, TimeZone and Currency. Knows zones by the platform's own tables.
import type { HeapObject } from '../../machine/heap.ts';
import type { Machine, ModelClass, NativeMethod, NativeMethods } from '../../machine/model.ts';
import { javaHooks } from '../hooks.ts';
import { stringHash } from '../lang/number-text.ts';
import {
  customId,
  defaultZone,
  fixedOffset,
  isKnownZone,
  shortZoneName,
  standardOffset,
  zoneOffset,
} from '../text/date-fields.ts';
import { flag, instance, made, optionalText, type Reference, required, stringArray, textOf } from '../values.ts';

const S = 'Ljava/lang/String;';
const LOCALE = 'Ljava/util/Locale;';
const ZONE = 'Ljava/util/TimeZone;';

interface LocaleState {
  readonly language: string;
  readonly country: string;
  readonly variant: string;
}

const of = (self: HeapObject): LocaleState => self.native as LocaleState;

function localeObject(machine: Machine, language: string, country = '', variant = ''): HeapObject {
  return instance(machine, LOCALE, { language, country, variant } satisfies LocaleState);
}

function fromTag(machine: Machine, tag: string): HeapObject {
  const [language = '', ...rest] = tag.split(/[-_]/);
  const country = rest.find((part) => /^([A-Za-z]{2}|\d{3})$/.test(part)) ?? '';
  return localeObject(machine, language.toLowerCase(), country.toUpperCase());
}

/** The run's default locale; an app may set another. */
function defaultLocale(machine: Machine): { object: HeapObject } {
  return machine.state('java.default-locale', () => ({ object: fromTag(machine, javaHooks(machine).locale) }));
}

function begin(
  machine: Machine,
  self: HeapObject,
  language: Reference,
  country: Reference,
  variant: Reference,
): undefined {
  self.native = {
    language: textOf(machine, language).toLowerCase(),
    country: (optionalText(country) ?? '').toUpperCase(),
    variant: optionalText(variant) ?? '',
  } satisfies LocaleState;
}

const localeText = ({ language, country, variant }: LocaleState): string =>
  variant === '' ? (country === '' ? language : `${language}_${country}`) : `${language}_${country}_${variant}`;

/** @param language that the name is in, a BCP 47 tag */
function displayName(type: 'language' | 'region', code: string, language: string): string {
  if (code === '') return '';
  try {
    return new Intl.DisplayNames([language, 'en'], { type }).of(code) ?? code;
  } catch (error) {
    if (error instanceof RangeError) return code;
    throw error;
  }
}

const iso3 = (code: string): string =>
  ({
    en: 'eng',
    de: 'deu',
    fr: 'fra',
    es: 'spa',
    ru: 'rus',
    zh: 'zho',
    US: 'USA',
    DE: 'DEU',
    GB: 'GBR',
    FR: 'FRA',
    RU: 'RUS',
    CN: 'CHN',
  })[code] ?? '';

/** The language that names are asked for in; English where none is said. */
const nameLanguage = (given: Reference): string => (given === null ? '' : of(given).language) || 'en';

const languageName: NativeMethod = (machine, self, given: Reference = null) =>
  machine.string(displayName('language', of(self).language, nameLanguage(given)));
const countryName: NativeMethod = (machine, self, given: Reference = null) =>
  machine.string(displayName('region', of(self).country, nameLanguage(given)));
const fullName: NativeMethod = (machine, self, given: Reference = null) => {
  const country = displayName('region', of(self).country, nameLanguage(given));
  const language = displayName('language', of(self).language, nameLanguage(given));
  return machine.string(country === '' ? language : `${language} (${country})`);
};

const localeMethods: NativeMethods = {
  [`<init>(${S})V`]: (machine, self, language) => begin(machine, self, language, null, null),
  [`<init>(${S}${S})V`]: (machine, self, language, country) => begin(machine, self, language, country, null),
  [`<init>(${S}${S}${S})V`]: begin,
  [`getLanguage()${S}`]: (machine, self) => machine.string(of(self).language),
  [`getCountry()${S}`]: (machine, self) => machine.string(of(self).country),
  [`getVariant()${S}`]: (machine, self) => machine.string(of(self).variant),
  [`getScript()${S}`]: (machine) => machine.string(''),
  [`getISO3Language()${S}`]: (machine, self) => machine.string(iso3(of(self).language)),
  [`getISO3Country()${S}`]: (machine, self) => machine.string(iso3(of(self).country)),
  [`getDisplayLanguage()${S}`]: languageName,
  [`getDisplayLanguage(${LOCALE})${S}`]: languageName,
  [`getDisplayCountry()${S}`]: countryName,
  [`getDisplayCountry(${LOCALE})${S}`]: countryName,
  [`getDisplayName()${S}`]: fullName,
  [`getDisplayName(${LOCALE})${S}`]: fullName,
  [`toLanguageTag()${S}`]: (machine, self) => machine.string(localeText(of(self)).replaceAll('_', '-') || 'und'),
  [`toString()${S}`]: (machine, self) => machine.string(localeText(of(self))),
  'hashCode()I': (_machine, self) => stringHash(localeText(of(self))),
  'equals(Ljava/lang/Object;)Z': (_machine, self, other: Reference) =>
    other?.cls === self.cls && localeText(of(other)) === localeText(of(self)),
};

const constant =
  (language: string, country = '') =>
  (machine: Machine) =>
    localeObject(machine, language, country);

// biome-ignore format: a table
const CONSTANTS: Readonly<Record<string, readonly [string, string?]>> = {
  ENGLISH: ['en'], FRENCH: ['fr'], GERMAN: ['de'], ITALIAN: ['it'], JAPANESE: ['ja'], KOREAN: ['ko'], CHINESE: ['zh'],
  SIMPLIFIED_CHINESE: ['zh', 'CN'], TRADITIONAL_CHINESE: ['zh', 'TW'], FRANCE: ['fr', 'FR'], GERMANY: ['de', 'DE'],
  ITALY: ['it', 'IT'], JAPAN: ['ja', 'JP'], KOREA: ['ko', 'KR'], UK: ['en', 'GB'], US: ['en', 'US'], CANADA: ['en', 'CA'],
  CHINA: ['zh', 'CN'], PRC: ['zh', 'CN'], TAIWAN: ['zh', 'TW'], CANADA_FRENCH: ['fr', 'CA'], ROOT: ['', ''],
};

/** The id of a TimeZone object, the default zone's for null. */
export function zoneId(machine: Machine, zone: Reference): string {
  return zone === null ? defaultZone(machine).id : (zone.native as string);
}

export function zoneObject(machine: Machine, id: string): HeapObject {
  return instance(machine, ZONE, id);
}

/** TimeZone.getTimeZone: unknown names are GMT. */
function zoneNamed(machine: Machine, name: Reference): HeapObject {
  const id = textOf(machine, name);
  const offset = fixedOffset(id);
  if (offset !== null && /[+-]/.test(id)) return zoneObject(machine, /^GMT[+-]/.test(id) ? customId(offset) : 'GMT');
  return zoneObject(machine, isKnownZone(id) ? id : 'GMT');
}

const zone = (self: HeapObject): string => self.native as string;

const zoneMethods: NativeMethods = {
  [`getID()${S}`]: (machine, self) => machine.string(zone(self)),
  'setID(Ljava/lang/String;)V': (machine, self, id: Reference) => {
    self.native = textOf(machine, id);
  },
  'getRawOffset()I': (machine, self) => standardOffset(zone(self), machine.clock.wall),
  'getOffset(J)I': (_machine, self, time: bigint) => zoneOffset(zone(self), Number(time)),
  'getDSTSavings()I': (machine, self) =>
    zoneOffset(zone(self), machine.clock.wall) === standardOffset(zone(self), machine.clock.wall) ? 0 : 3_600_000,
  'useDaylightTime()Z': (machine, self) => {
    const year = new Date(machine.clock.wall).getUTCFullYear();
    return flag(zoneOffset(zone(self), Date.UTC(year, 0, 1)) !== zoneOffset(zone(self), Date.UTC(year, 6, 1)));
  },
  'inDaylightTime(!Ljava/util/Date;)Z': (machine, self, date: HeapObject) => {
    const time = Number(machine.call(date, 'getTime()J'));
    return flag(zoneOffset(zone(self), time) !== standardOffset(zone(self), time));
  },
  [`getDisplayName()${S}`]: zoneName,
  [`getDisplayName(ZI)${S}`]: zoneName,
  [`getDisplayName(ZILjava/util/Locale;)${S}`]: zoneName,
  [`getDisplayName(Ljava/util/Locale;)${S}`]: zoneName,
  'hasSameRules(Ljava/util/TimeZone;)Z': (_machine, self, other: Reference) =>
    other !== null && zone(other) === zone(self),
  'equals(Ljava/lang/Object;)Z': (_machine, self, other: Reference) =>
    other?.cls === self.cls && zone(other) === zone(self),
  'hashCode()I': (_machine, self) => stringHash(zone(self)),
  'clone()Ljava/lang/Object;': (machine, self) => zoneObject(machine, zone(self)),
};

function zoneName(machine: Machine, self: HeapObject) {
  const id = zone(self);
  const { wall } = machine.clock;
  return machine.string(fixedOffset(id) !== null ? id : (shortZoneName(id, wall) ?? customId(zoneOffset(id, wall))));
}

const CURRENCY = 'Ljava/util/Currency;';

export const localeModels: Record<string, ModelClass> = {
  [LOCALE]: {
    implements: ['Ljava/io/Serializable;', 'Ljava/lang/Cloneable;'],
    methods: localeMethods,
    staticMethods: {
      [`getDefault()${LOCALE}`]: (machine) => defaultLocale(machine).object,
      [`getDefault(Ljava/util/Locale$Category;)${LOCALE}`]: (machine) => defaultLocale(machine).object,
      [`setDefault(${LOCALE})V`]: (machine, locale: HeapObject) => {
        defaultLocale(machine).object = required(machine, locale);
      },
      [`forLanguageTag(${S})${LOCALE}`]: (machine, tag: Reference) => fromTag(machine, textOf(machine, tag)),
      [`getAvailableLocales()[${LOCALE}`]: (machine) =>
        machine.objectArray(
          LOCALE,
          Object.values(CONSTANTS).map(([language, country]) => localeObject(machine, language, country)),
        ),
      [`getISOCountries()[${S}`]: (machine) =>
        stringArray(machine, ['CA', 'CN', 'DE', 'FR', 'GB', 'IT', 'JP', 'KR', 'RU', 'US']),
      [`getISOLanguages()[${S}`]: (machine) =>
        stringArray(machine, ['de', 'en', 'es', 'fr', 'it', 'ja', 'ko', 'ru', 'zh']),
    },
    constants: Object.fromEntries(
      Object.entries(CONSTANTS).map(([name, [language, country]]) => [
        `${name}:${LOCALE}`,
        constant(language, country),
      ]),
    ),
  },
  [ZONE]: {
    methods: { '<init>()V': () => undefined, ...zoneMethods },
    staticMethods: {
      [`getDefault()${ZONE}`]: (machine) => zoneObject(machine, defaultZone(machine).id),
      [`setDefault(${ZONE})V`]: (machine, value: Reference) => {
        defaultZone(machine).id = value === null ? javaHooks(machine).timeZone : zone(value);
      },
      [`getTimeZone(${S})${ZONE}`]: zoneNamed,
      [`getAvailableIDs()[${S}`]: (machine) => stringArray(machine, Intl.supportedValuesOf('timeZone')),
    },
    constants: { 'SHORT:I': 0, 'LONG:I': 1 },
  },
  'Ljava/util/SimpleTimeZone;': {
    extends: ZONE,
    methods: {
      [`<init>(I${S})V`]: made((_machine, offset: number) => customId(offset)),
    },
  },
  [CURRENCY]: {
    staticMethods: {
      [`getInstance(${S})${CURRENCY}`]: (machine, code: Reference) =>
        instance(machine, CURRENCY, textOf(machine, code)),
      [`getInstance(${LOCALE})${CURRENCY}`]: (machine) => instance(machine, CURRENCY, 'USD'),
    },
    methods: {
      [`getCurrencyCode()${S}`]: (machine, self) => machine.string(self.native as string),
      [`getSymbol()${S}`]: (machine, self) => machine.string(self.native === 'USD' ? '$' : (self.native as string)),
      [`toString()${S}`]: (machine, self) => machine.string(self.native as string),
    },
  },
};
