// What resources are chosen by: the phone's size, how it is held, its language, network and platform; and Configuration,
// the class that tells apps of it. Knows no resource.

import type { ResourceConfig } from '../../../formats/arsc/resource-config.ts';
import { made } from '../../java/values.ts';
import type { HeapObject, Value } from '../../machine/heap.ts';
import type { Machine, Models, NativeMethod, NativeMethods } from '../../machine/model.ts';
import type { Device } from '../../world/device.ts';
import { worldOf } from '../../world/world.ts';
import { each, nothing, plain, type Reference } from '../model-parts.ts';
import { singleton } from '../phone/system-services.ts';

/** The configuration of the phone as it is held now; the same object until that changes. */
export function configurationOf(machine: Machine): Readonly<ResourceConfig> {
  const { device } = worldOf(machine);
  const known = machine.state('android.configurations', () => new WeakMap<Device, ResourceConfig>());
  let config = known.get(device);
  if (config === undefined) {
    config = configurationFor(device);
    known.set(device, config);
  }
  return config;
}

function configurationFor({ screen, locale, networkOperator, sdk }: Device): ResourceConfig {
  const screenWidthDp = Math.round(screen.width / screen.density);
  const screenHeightDp = Math.round(screen.height / screen.density);
  const [short, long] = [Math.min(screenWidthDp, screenHeightDp), Math.max(screenWidthDp, screenHeightDp)];
  const size = long >= 960 && short >= 720 ? 4 : long >= 640 && short >= 480 ? 3 : long >= 470 && short >= 320 ? 2 : 1;
  const isLong = (long * 3) / 5 >= short - 1;
  return {
    mcc: Number(networkOperator.slice(0, 3)),
    mnc: Number(networkOperator.slice(3)),
    language: locale.language,
    region: locale.country,
    script: '',
    variant: '',
    orientation: screen.width > screen.height ? 2 : 1,
    touchscreen: 3,
    density: screen.density * 160,
    keyboard: 1,
    navigation: 1,
    // Keys on the screen only, and none to move about with.
    inputFlags: 0x3 | 0x8,
    grammaticalGender: 0,
    screenWidth: screen.width,
    screenHeight: screen.height,
    sdkVersion: sdk,
    minorVersion: 0,
    screenLayout: size | (isLong ? 0x20 : 0x10) | 0x40,
    uiMode: 0x11,
    smallestScreenWidthDp: short,
    screenWidthDp,
    screenHeightDp,
    screenLayout2: 1,
    colorMode: 0x5,
  };
}

const configuration = 'Landroid/content/res/Configuration;';
const localeList = 'Landroid/os/LocaleList;';
const locale = 'Ljava/util/Locale;';

/** Fields that are called as in the resource table. */
const tableFields = [
  'screenWidthDp',
  'screenHeightDp',
  'smallestScreenWidthDp',
  'orientation',
  'uiMode',
  'mcc',
  'mnc',
  'touchscreen',
  'keyboard',
  'navigation',
] as const;

/** All fields, each with the bit that `diff` sets where it differs. */
const fields: readonly (readonly [name: string, descriptor: string, change: number])[] = [
  ['fontScale', 'F', 0x40000000],
  ['mcc', 'I', 0x1],
  ['mnc', 'I', 0x2],
  ['locale', locale, 0x4],
  ['touchscreen', 'I', 0x8],
  ['keyboard', 'I', 0x10],
  ['keyboardHidden', 'I', 0x20],
  ['hardKeyboardHidden', 'I', 0x20],
  ['navigation', 'I', 0x40],
  ['navigationHidden', 'I', 0x20],
  ['orientation', 'I', 0x80],
  ['screenLayout', 'I', 0x100],
  ['uiMode', 'I', 0x200],
  ['screenWidthDp', 'I', 0x400],
  ['screenHeightDp', 'I', 0x400],
  ['smallestScreenWidthDp', 'I', 0x800],
  ['densityDpi', 'I', 0x1000],
  ['colorMode', 'I', 0x4000],
];

const localeOf = (machine: Machine): HeapObject => {
  const { language, country } = worldOf(machine).device.locale;
  return machine.construct(
    locale,
    '<init>(Ljava/lang/String;Ljava/lang/String;)V',
    machine.string(language),
    machine.string(country),
  );
};

/** `Resources.getConfiguration()`: how the phone is held now. */
export function currentConfiguration(machine: Machine): HeapObject {
  const object = singleton(machine, configuration);
  const { screenLayout, ...config } = configurationOf(machine);
  machine.setField(object, 'locale', localeOf(machine));
  for (const name of tableFields) machine.setField(object, name, config[name]);
  machine.setField(object, 'densityDpi', config.density);
  machine.setField(object, 'screenLayout', 0x10000100 | screenLayout);
  machine.setField(object, 'fontScale', 1);
  return object;
}

const copy: NativeMethod = (machine, me, other: Reference) => {
  if (other === null) return;
  for (const [name] of fields) machine.setField(me, name, machine.getField(other, name));
};

const isSame = (machine: Machine, left: Value, right: Value): boolean =>
  typeof left === 'object' && typeof right === 'object'
    ? machine.equals(left as Reference, right as Reference)
    : left === right;

/** The bits of the fields that the other one sets, and sets otherwise. */
function difference(machine: Machine, me: HeapObject, other: HeapObject): number {
  let changes = 0;
  for (const [name, , change] of fields) {
    const wanted = machine.getField(other, name);
    if (wanted !== 0 && wanted !== null && !isSame(machine, wanted, machine.getField(me, name))) changes |= change;
  }
  return changes;
}

const methods: NativeMethods = {
  '<init>()V': nothing,
  ...each(copy, `<init>(${configuration})V`, `setTo(${configuration})V`),
  'setToDefaults()V': (machine, me) => {
    for (const [name, descriptor] of fields) machine.setField(me, name, descriptor === locale ? null : 0);
  },
  [`updateFrom(!${configuration})I`]: (machine, me, other: HeapObject) => {
    const changes = difference(machine, me, other);
    for (const [name] of fields) {
      const wanted = machine.getField(other, name);
      if (wanted !== 0 && wanted !== null) machine.setField(me, name, wanted);
    }
    return changes;
  },
  [`diff(!${configuration})I`]: difference,
  ...each(
    (machine, me, other: Reference) =>
      other !== null &&
      machine.isInstance(other, configuration) &&
      fields.every(([name]) => isSame(machine, machine.getField(me, name), machine.getField(other, name))),
    `equals(${configuration})Z`,
    'equals(Ljava/lang/Object;)Z',
  ),
  'hashCode()I': (machine, me) =>
    fields.reduce((hash, [name, descriptor]) => {
      const value = machine.getField(me, name);
      return (Math.imul(hash, 31) + (descriptor === locale ? machine.hashCode(value as Reference) : Number(value))) | 0;
    }, 17),
  [`compareTo(!${configuration})I`]: (machine, me, other: HeapObject) => (difference(machine, me, other) === 0 ? 0 : 1),
  'toString()Ljava/lang/String;': (machine, me) => {
    const known = fields.map(([name, descriptor]) => {
      const value = machine.getField(me, name);
      return `${name}=${descriptor === locale ? plain(machine, value as Reference) : value}`;
    });
    return machine.string(`{${known.join(' ')}}`);
  },
  [`setLocale(${locale})V`]: (machine, me, value: Reference) => machine.setField(me, 'locale', value),
  [`setLocales(${localeList})V`]: (machine, me, list: Reference) => {
    if (list !== null) machine.setField(me, 'locale', machine.call(list, `get(I)${locale}`, 0));
  },
  [`getLocales()${localeList}`]: (machine, me) => {
    const own = machine.getField(me, 'locale') as Reference;
    return newLocaleList(machine, own === null ? [] : [own]);
  },
  [`setLayoutDirection(${locale})V`]: nothing,
  'getLayoutDirection()I': () => 0,
  'isScreenRound()Z': () => 0,
  'isLayoutSizeAtLeast(I)Z': (machine, me, size: number) =>
    ((machine.getField(me, 'screenLayout') as number) & 0xf) >= size,
};

// Languages in the order that their owner likes them.

const localesOf = (list: HeapObject): readonly HeapObject[] => (list.native as readonly HeapObject[] | undefined) ?? [];

function newLocaleList(machine: Machine, locales: readonly HeapObject[]): HeapObject {
  const list = machine.allocate(localeList);
  list.native = locales;
  return list;
}

const usualList: NativeMethod = (machine) => newLocaleList(machine, [localeOf(machine)]);

export const configurationModels: Models = {
  [configuration]: { methods, fields: fields.map(([name, descriptor]) => `${name}:${descriptor}`) },
  [localeList]: {
    methods: {
      [`<init>(![${locale})V`]: made((_machine, locales: { elements: readonly HeapObject[] }) => [...locales.elements]),
      [`get(I)${locale}`]: (_machine, me, index: number) => localesOf(me)[index] ?? null,
      'size()I': (_machine, me) => localesOf(me).length,
      'isEmpty()Z': (_machine, me) => localesOf(me).length === 0,
      [`indexOf(${locale})I`]: (machine, me, wanted: Reference) =>
        localesOf(me).findIndex((each) => machine.equals(each, wanted)),
      [`getFirstMatch([Ljava/lang/String;)${locale}`]: (_machine, me) => localesOf(me)[0] ?? null,
      'toLanguageTags()Ljava/lang/String;': (machine, me) =>
        machine.string(
          localesOf(me)
            .map((each) => plain(machine, machine.call(each, 'toLanguageTag()Ljava/lang/String;') as Reference))
            .join(','),
        ),
    },
    staticMethods: {
      ...each(usualList, `getDefault()${localeList}`, `getAdjustedDefault()${localeList}`),
      [`getEmptyLocaleList()${localeList}`]: (machine) => newLocaleList(machine, []),
      [`forLanguageTags(Ljava/lang/String;)${localeList}`]: (machine, tags: Reference) =>
        newLocaleList(
          machine,
          plain(machine, tags)
            .split(',')
            .filter((tag) => tag !== '')
            .map(
              (tag) =>
                machine.callStatic(
                  locale,
                  `forLanguageTag(Ljava/lang/String;)${locale}`,
                  machine.string(tag),
                ) as HeapObject,
            ),
        ),
    },
  },
};
