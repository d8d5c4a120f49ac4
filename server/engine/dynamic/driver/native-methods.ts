// What methods of native libraries may do. Their code is not run: the names in a library tell. Knows
// no order of events.
import { appOf } from '../android/components/app.ts';
import type { MethodInfo } from '../machine/class-info.ts';
import { JavaString, type Taint, type Value } from '../machine/heap.ts';
import type { Machine } from '../machine/model.ts';
import { recorderOf } from '../report/recorder.ts';
import type { Device } from '../world/device.ts';
import { worldOf } from '../world/world.ts';

const nativeFlag = 0x100;
const maxLibraries = 16;
const maxLibraryBytes = 32 << 20;
/** In a library with more native methods the imported names do not tell which of them does what. */
const maxEntries = 8;
const abis = ['arm64-v8a', 'armeabi-v7a', 'armeabi', 'x86_64', 'x86'];

/** Imports by which a library can learn something from the platform or the system. */
const sources: readonly { readonly name: string; readonly tag: string; readonly value: (device: Device) => string }[] =
  [
    { name: 'getDeviceId', tag: 'TAINT_IMEI', value: ({ imei }) => imei },
    { name: 'getImei', tag: 'TAINT_IMEI', value: ({ imei }) => imei },
    { name: 'getSubscriberId', tag: 'TAINT_IMSI', value: ({ imsi }) => imsi },
    { name: 'getSimSerialNumber', tag: 'TAINT_ICCID', value: ({ iccid }) => iccid },
    { name: 'getLine1Number', tag: 'TAINT_PHONE_NUMBER', value: ({ lineNumber }) => lineNumber },
    { name: 'ro.serialno', tag: 'TAINT_DEVICE_SN', value: ({ serial }) => serial },
    { name: 'ro.build.fingerprint', tag: 'TAINT_SETTINGS', value: ({ build }) => build.FINGERPRINT ?? '' },
  ];

/** Ways for data to leave the phone; a library needs all names of one. */
const sinks: readonly (readonly string[])[] = [
  ['sendTextMessage'],
  ['sendMultipartTextMessage'],
  ['sendDataMessage'],
  ['connect', 'write'],
  ['connect', 'send'],
  ['sendto'],
  ['sendmsg'],
  ['java/net/URL'],
  ['curl_easy_perform'],
];

interface Library {
  readonly name: string;
  readonly entries: ReadonlySet<string>;
  readonly sources: typeof sources;
  /** The ways out it has, as text. */
  readonly sinks: readonly string[];
}

export const isNative = (method: MethodInfo): boolean => {
  const declared = method.owner.methods.get(method.signature);
  return method.owner.isApp && declared !== undefined && (declared.accessFlags & nativeFlag) !== 0;
};

/** Notes what a native method is given and answers for it; null where nothing is known of its answer. */
export function callNative(machine: Machine, method: MethodInfo, args: readonly Value[]): Value {
  const given = args.reduce<Taint>(
    (all, arg, index) =>
      machine.union(all, machine.union(machine.argumentTaint(index), machine.deepTaint(arg ?? null))),
    0,
  );
  const libraries = librariesOf(machine);
  const name = `Java_${mangled(method.owner.name)}_${mangled(method.name)}`;
  const library = libraries.find(({ entries }) => entries.has(name)) ?? null;
  const isAnswer = method.returns.length > 1;
  if (given !== 0) {
    // A returned value keeps its taint; data that does not come back, or has a way out, counts as leaked.
    const ways = library?.sinks ?? libraries.flatMap((each) => each.sinks);
    if (!isAnswer || ways.length > 0 || libraries.length === 0) leave(machine, method, library, given);
    return method.returns === textType ? echo(machine, args, given) : null;
  }
  const known = library ?? (libraries.length === 1 ? libraries[0]! : null);
  const [source] = known?.sources ?? [];
  if (known === null || source === undefined) return null;
  const taint = machine.source(source.tag, `${known.name}: ${source.name}`);
  if (method.returns === textType) return machine.string(source.value(worldOf(machine).device), taint);
  if (library !== null && library.entries.size <= maxEntries && library.sinks.length > 0)
    leave(machine, method, library, taint);
  return null;
}

const textType = 'Ljava/lang/String;';

function leave(machine: Machine, { owner, name }: MethodInfo, library: Library | null, taint: Taint): void {
  const target = library === null ? owner.name : [library.name, ...library.sinks].join(' ');
  recorderOf(machine).leak('native', `${owner.name.replace(/^.*\./, '')}.${name}`, target, taint);
}

/** A text made of a text: the most likely result is the text itself. */
function echo(machine: Machine, args: readonly Value[], taint: Taint): Value {
  const text = args.find((arg) => arg instanceof JavaString);
  return text === undefined ? null : machine.string(text.text, taint);
}

/**
 * As JNI spells names:
 * https://docs.oracle.com/javase/8/docs/technotes/guides/jni/spec/design.html#resolving_native_method_names
 */
const mangled = (name: string): string =>
  name
    .replaceAll('_', '_1')
    .replaceAll('.', '_')
    .replace(/[^\w]/g, (character) => `_0${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** The libraries of one processor, as a device would install them. */
function librariesOf(machine: Machine): readonly Library[] {
  const { plan } = appOf(machine);
  return machine.state('driver.native-libraries', () => {
    const abi = abis.find((each) => plan.entryNames.some((name) => name.startsWith(`lib/${each}/`)));
    const found: Library[] = [];
    let size = 0;
    for (const name of plan.entryNames) {
      if (!name.startsWith(`lib/${abi}/`) || !name.endsWith('.so') || found.length >= maxLibraries) continue;
      const bytes = Buffer.from(plan.readEntry(name) ?? []);
      size += bytes.length;
      if (size > maxLibraryBytes) break;
      found.push(readLibrary(name.replace(/^.*\//, ''), bytes));
    }
    return found;
  });
}

function readLibrary(name: string, bytes: Buffer): Library {
  // Names of symbols and texts end with a zero; texts may begin anywhere.
  const has = (each: string): boolean => bytes.includes(`${each}\0`);
  return {
    name,
    entries: new Set(bytes.toString('latin1').match(/\bJava_\w+/g)),
    sources: sources.filter((each) => has(each.name)),
    sinks: sinks
      .filter((names) => names.every((each) => bytes.includes(`\0${each}\0`)))
      .map((names) => names.join('+')),
  };
}
