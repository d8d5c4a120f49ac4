// Models of Bundle, ContentValues, Parcel: values by name or in a row, each with its taint. Knows no intent.
import { made, nullPointer } from '../../java/values.ts';
import { type HeapObject, type JavaArray, JavaThrow, type Taint, type Value } from '../../machine/heap.ts';
import type { Machine, Models, NativeMethod, NativeMethods } from '../../machine/model.ts';
import {
  descriptorOf,
  each,
  flag,
  giveBack,
  type Kept,
  keep,
  keptTaint,
  no,
  nothing,
  plain,
  type Reference,
  setOf,
  stateOf,
} from '../model-parts.ts';
import { extraOf, hasExtra } from './missed-extras.ts';

export type BundleState = Map<string, Kept>;

export const bundleOf = (bundle: HeapObject): BundleState => stateOf<BundleState>(bundle, () => new Map());

export function newBundle(machine: Machine, state: BundleState = new Map()): HeapObject {
  const bundle = machine.allocate('Landroid/os/Bundle;');
  bundle.native = state;
  return bundle;
}

/** The union of the taints in a bundle. */
export function bundleTaint(machine: Machine, state: BundleState): Taint {
  let taint: Taint = 0;
  for (const kept of state.values()) {
    const value = kept.value as Reference;
    const inner = value !== null && typeof value === 'object' && value.native instanceof Map ? value.native : null;
    taint = machine.union(taint, inner === null ? keptTaint(machine, kept) : bundleTaint(machine, inner));
  }
  return taint;
}

const keyOf = (machine: Machine, key: Reference): string => (key === null ? '' : plain(machine, key));

export const primitives: readonly (readonly [name: string, descriptor: string])[] = [
  ['Boolean', 'Z'],
  ['Byte', 'B'],
  ['Char', 'C'],
  ['Short', 'S'],
  ['Int', 'I'],
  ['Long', 'J'],
  ['Float', 'F'],
  ['Double', 'D'],
];

/** Reference types that Bundle and Intent have methods of their own for. */
export const references: readonly (readonly [name: string, descriptor: string])[] = [
  ['String', 'Ljava/lang/String;'],
  ['CharSequence', 'Ljava/lang/CharSequence;'],
  ['Parcelable', 'Landroid/os/Parcelable;'],
  ['Serializable', 'Ljava/io/Serializable;'],
  ['Bundle', 'Landroid/os/Bundle;'],
  ['ParcelableArray', '[Landroid/os/Parcelable;'],
  ['StringArray', '[Ljava/lang/String;'],
  ['CharSequenceArray', '[Ljava/lang/CharSequence;'],
  ['StringArrayList', 'Ljava/util/ArrayList;'],
  ['IntegerArrayList', 'Ljava/util/ArrayList;'],
  ['ParcelableArrayList', 'Ljava/util/ArrayList;'],
  ['CharSequenceArrayList', 'Ljava/util/ArrayList;'],
  ['SparseParcelableArray', 'Landroid/util/SparseArray;'],
  ['Binder', 'Landroid/os/IBinder;'],
  ...primitives.map(([name, descriptor]) => [`${name}Array`, `[${descriptor}`] as const),
];

const zero = (descriptor: string): Value => (descriptor === 'J' ? 0n : 0);

/** The value under a name. A missing one is remembered, as bundles mostly are the extras of intents. */
const keptIn = (machine: Machine, bundle: HeapObject, key: Reference, type: string): Kept | undefined =>
  extraOf(machine, bundleOf(bundle), keyOf(machine, key), type);

function bundleMethods(): NativeMethods {
  const methods: Record<string, NativeMethod> = {};
  for (const [name, type] of primitives) {
    methods[`put${name}(Ljava/lang/String;${type})V`] = (machine, me, key: Reference, value: Value) => {
      bundleOf(me).set(keyOf(machine, key), keep(machine, type, value, 2));
    };
    methods[`get${name}(Ljava/lang/String;)${type}`] = (machine, me, key: Reference) =>
      giveBack(machine, keptIn(machine, me, key, type), type, zero(type));
    methods[`get${name}(Ljava/lang/String;${type})${type}`] = (machine, me, key: Reference, otherwise: Value) =>
      giveBack(machine, keptIn(machine, me, key, type), type, otherwise);
  }
  for (const [name, type] of references) {
    methods[`put${name}(Ljava/lang/String;${type})V`] = (machine, me, key: Reference, value: Value) => {
      bundleOf(me).set(keyOf(machine, key), keep(machine, 'L', value, 2));
    };
    const get: NativeMethod = (machine, me, key: Reference, otherwise: Value = null) => {
      const found = giveBack(machine, keptIn(machine, me, key, type), 'L', null);
      return found === null || !fits(machine, found as HeapObject, type) ? (otherwise ?? null) : found;
    };
    methods[`get${name}(Ljava/lang/String;)${type}`] = get;
    methods[`get${name}(Ljava/lang/String;${type})${type}`] = get;
  }
  const typed: NativeMethod = (machine, me, key: Reference, type: HeapObject) =>
    giveBack(machine, keptIn(machine, me, key, machine.classFrom(type).descriptor), 'L', null);
  methods['getParcelable(Ljava/lang/String;!Ljava/lang/Class;)Ljava/lang/Object;'] = typed;
  methods['getSerializable(Ljava/lang/String;!Ljava/lang/Class;)Ljava/io/Serializable;'] = typed;
  return methods;
}

function fits(machine: Machine, value: HeapObject, type: string): boolean {
  return type.startsWith('[') || type === 'Landroid/os/Parcelable;' || machine.isInstance(value, type);
}

const copy: NativeMethod = (_machine, me, other: HeapObject | null) => {
  me.native = new Map(other === null ? [] : bundleOf(other));
};
const putAll: NativeMethod = (_machine, me, other: HeapObject | null) => {
  if (other !== null) for (const [key, kept] of bundleOf(other)) bundleOf(me).set(key, kept);
};

/** A kept value as an object: numbers in their boxes. */
export function boxed(machine: Machine, kept: Kept | undefined): Reference {
  if (kept === undefined) return null;
  return kept.kind === 'L' ? (kept.value as Reference) : machine.box(kept.kind, kept.value as number, kept.taint);
}

/** A value of ContentValues as a box of another class; null where a text says no such number. */
function convertedTo(machine: Machine, name: string, value: Reference): Reference {
  const descriptor = `Ljava/lang/${name};`;
  if (value === null || value.cls.descriptor === descriptor) return value;
  const number = machine.unbox(value);
  if (name === 'Boolean') {
    const isTrue = number === null ? /^(?:true|1)$/i.test(plain(machine, value)) : number !== 0 && number !== 0n;
    return machine.box('Z', flag(isTrue), value.taint);
  }
  const word = name === 'Integer' ? 'int' : name.toLowerCase();
  const type = Object.fromEntries(primitives)[name === 'Integer' ? 'Int' : name]!;
  try {
    const box =
      number === null
        ? machine.callStatic(descriptor, `valueOf(Ljava/lang/String;)${descriptor}`, machine.toText(value))
        : machine.box(type, machine.call(value, `${word}Value()${type}`) as number, value.taint);
    return box as Reference;
  } catch (error) {
    if (error instanceof JavaThrow) return null;
    throw error;
  }
}
const baseBundle: NativeMethods = {
  '<init>()V': made(() => new Map()),
  '<init>(I)V': made(() => new Map()),
  '<init>(Ljava/lang/ClassLoader;)V': made(() => new Map()),
  '<init>(Landroid/os/Bundle;)V': copy,
  '<init>(Landroid/os/PersistableBundle;)V': copy,
  'putAll(Landroid/os/Bundle;)V': putAll,
  'putAll(Landroid/os/PersistableBundle;)V': putAll,
  'containsKey(Ljava/lang/String;)Z': (machine, me, key: Reference) =>
    hasExtra(machine, bundleOf(me), keyOf(machine, key)),
  'get(Ljava/lang/String;)Ljava/lang/Object;': (machine, me, key: Reference) =>
    boxed(machine, bundleOf(me).get(keyOf(machine, key))),
  'remove(Ljava/lang/String;)V': (machine, me, key: Reference) => bundleOf(me).delete(keyOf(machine, key)),
  'clear()V': (_machine, me) => bundleOf(me).clear(),
  'size()I': (_machine, me) => bundleOf(me).size,
  'isEmpty()Z': (_machine, me) => bundleOf(me).size === 0,
  'keySet()Ljava/util/Set;': (machine, me) =>
    setOf(
      machine,
      [...bundleOf(me).keys()].map((key) => machine.string(key)),
    ),
  'clone()Ljava/lang/Object;': (machine, me) => newBundle(machine, new Map(bundleOf(me))),
  'deepCopy()Landroid/os/Bundle;': (machine, me) => newBundle(machine, new Map(bundleOf(me))),
  'setClassLoader(Ljava/lang/ClassLoader;)V': nothing,
  'hasFileDescriptors()Z': no,
  'toString()Ljava/lang/String;': (machine, me) => {
    const inner = [...bundleOf(me)].map(([key, kept]) => `${key}=${machine.toText(boxed(machine, kept)).text}`);
    return machine.string(`Bundle[{${inner.join(', ')}}]`, bundleTaint(machine, bundleOf(me)));
  },
  ...bundleMethods(),
};

// Parcels.

interface ParcelState {
  items: Kept[];
  at: number;
}

const parcelOf = (parcel: HeapObject): ParcelState => stateOf<ParcelState>(parcel, () => ({ items: [], at: 0 }));

const write =
  (kind: string): NativeMethod =>
  (machine, me, value: Value) => {
    const state = parcelOf(me);
    machine.charge(16);
    state.items.splice(state.at, 1, keep(machine, kind, value, 1));
    state.at += 1;
  };

const read =
  (kind: string, otherwise: Value): NativeMethod =>
  (machine, me) => {
    const state = parcelOf(me);
    const kept = state.items[state.at];
    if (kept !== undefined) state.at += 1;
    return giveBack(machine, kept, kind, otherwise);
  };

/** Copies an array read from a parcel into the one that the app brought. */
const readInto: NativeMethod = (_machine, me, target: JavaArray) => {
  const state = parcelOf(me);
  const source = state.items[state.at++]?.value as JavaArray | null | undefined;
  if (!source) return;
  const length = Math.min(source.elements.length, target.elements.length);
  for (let index = 0; index < length; index++) target.elements[index] = source.elements[index]!;
  target.elementTaints = source.elementTaints?.slice(0, target.elements.length) ?? null;
  target.taint = source.taint;
};

/** A parcelable goes through its own writeToParcel, so that what it leaves out is left out. */
function writeParcelable(machine: Machine, parcel: HeapObject, value: Reference): undefined {
  const state = parcelOf(parcel);
  const put = (kept: Kept) => {
    state.items.splice(state.at, 1, kept);
    state.at += 1;
  };
  if (value === null || !value.cls.isApp) {
    put({ kind: 'L', value, taint: 0 });
    return;
  }
  put({ kind: 'L', value: machine.string(value.cls.name), taint: 0 });
  machine.call(value, 'writeToParcel(Landroid/os/Parcel;I)V', parcel, 0);
}

function readParcelable(machine: Machine, parcel: HeapObject): Value {
  const state = parcelOf(parcel);
  const value = (state.items[state.at++]?.value ?? null) as Reference;
  if (value === null || !value.cls.descriptor.endsWith('/String;')) return value;
  const descriptor = descriptorOf(plain(machine, value));
  if (machine.findClass(descriptor) === null) return null;
  const creator = machine.getStatic(descriptor, 'CREATOR') as Reference;
  return creator === null
    ? null
    : machine.call(creator, 'createFromParcel(Landroid/os/Parcel;)Ljava/lang/Object;', parcel);
}

const parcelMethods: NativeMethods = {
  'recycle()V': nothing,
  'setDataPosition(I)V': (_machine, me, at: number) => {
    parcelOf(me).at = at;
  },
  'dataPosition()I': (_machine, me) => parcelOf(me).at,
  'dataSize()I': (_machine, me) => parcelOf(me).items.length,
  'dataAvail()I': (_machine, me) => parcelOf(me).items.length - parcelOf(me).at,
  'marshall()[B': (machine, me) => {
    const state = parcelOf(me);
    const taint = state.items.reduce<Taint>((all, kept) => machine.union(all, keptTaint(machine, kept)), 0);
    const written = state.items.map((kept) => machine.toText(boxed(machine, kept)).text).join('\0');
    const bytes = machine.byteArray(Buffer.from(written), taint);
    machine.state('android.marshalled', () => new WeakMap<HeapObject, Kept[]>()).set(bytes, state.items.slice());
    return bytes;
  },
  'unmarshall([BII)V': (machine, me, bytes: JavaArray) => {
    const state = parcelOf(me);
    const written = machine.state('android.marshalled', () => new WeakMap<HeapObject, Kept[]>()).get(bytes);
    state.items = written?.slice() ?? [];
    state.at = 0;
  },
  'writeInterfaceToken(Ljava/lang/String;)V': nothing,
  'enforceInterface(Ljava/lang/String;)V': nothing,
  'writeNoException()V': nothing,
  'readException()V': nothing,
  'writeInt(I)V': write('I'),
  'readInt()I': read('I', 0),
  'writeLong(J)V': write('J'),
  'readLong()J': read('J', 0n),
  'writeFloat(F)V': write('F'),
  'readFloat()F': read('F', 0),
  'writeDouble(D)V': write('D'),
  'readDouble()D': read('D', 0),
  'writeByte(B)V': write('B'),
  'readByte()B': read('B', 0),
  'writeBoolean(Z)V': write('Z'),
  'readBoolean()Z': read('Z', 0),
  ...Object.fromEntries(
    [
      ['String', 'Ljava/lang/String;'],
      ['StrongBinder', 'Landroid/os/IBinder;'],
      ['Bundle', 'Landroid/os/Bundle;'],
      ['Serializable', 'Ljava/io/Serializable;'],
      ['Value', 'Ljava/lang/Object;'],
      ['StringArray', '[Ljava/lang/String;'],
      ['ByteArray', '[B'],
      ['IntArray', '[I'],
      ['LongArray', '[J'],
      ['BooleanArray', '[Z'],
      ['DoubleArray', '[D'],
      ['FloatArray', '[F'],
      ['CharArray', '[C'],
      ['StringList', 'Ljava/util/List;'],
      ['List', 'Ljava/util/List;'],
      ['TypedList', 'Ljava/util/List;'],
      ['Map', 'Ljava/util/Map;'],
    ].map(([name, type]) => [`write${name}(${type})V`, write('L')]),
  ),
  'readString()Ljava/lang/String;': read('L', null),
  'readStrongBinder()Landroid/os/IBinder;': read('L', null),
  'readBundle()Landroid/os/Bundle;': read('L', null),
  'readBundle(Ljava/lang/ClassLoader;)Landroid/os/Bundle;': read('L', null),
  'readSerializable()Ljava/io/Serializable;': read('L', null),
  'readValue(Ljava/lang/ClassLoader;)Ljava/lang/Object;': read('L', null),
  'createStringArray()[Ljava/lang/String;': read('L', null),
  'createByteArray()[B': read('L', null),
  'createIntArray()[I': read('L', null),
  'createLongArray()[J': read('L', null),
  'createBooleanArray()[Z': read('L', null),
  'createStringArrayList()Ljava/util/ArrayList;': read('L', null),
  'createTypedArrayList(Landroid/os/Parcelable$Creator;)Ljava/util/ArrayList;': read('L', null),
  'readHashMap(Ljava/lang/ClassLoader;)Ljava/util/HashMap;': read('L', null),
  'readArrayList(Ljava/lang/ClassLoader;)Ljava/util/ArrayList;': read('L', null),
  ...each(
    readInto,
    'readStringArray([Ljava/lang/String;)V',
    'readByteArray([B)V',
    'readIntArray([I)V',
    'readLongArray([J)V',
    'readBooleanArray([Z)V',
    'readDoubleArray([D)V',
    'readFloatArray([F)V',
    'readCharArray([C)V',
  ),
  'readStringList(!Ljava/util/List;)V': (machine, me, target: HeapObject) => {
    const source = parcelOf(me).items[parcelOf(me).at++]?.value as Reference | undefined;
    if (source) machine.call(target, 'addAll(Ljava/util/Collection;)Z', source);
  },
  'readTypedList(!Ljava/util/List;Landroid/os/Parcelable$Creator;)V': (machine, me, target: HeapObject) => {
    const source = parcelOf(me).items[parcelOf(me).at++]?.value as Reference | undefined;
    if (source) machine.call(target, 'addAll(Ljava/util/Collection;)Z', source);
  },
  'writeParcelable(Landroid/os/Parcelable;I)V': (machine, me, value: Reference) => writeParcelable(machine, me, value),
  'writeTypedObject(Landroid/os/Parcelable;I)V': (machine, me, value: Reference) => writeParcelable(machine, me, value),
  'readParcelable(Ljava/lang/ClassLoader;)Landroid/os/Parcelable;': (machine, me) => readParcelable(machine, me),
  'readTypedObject(Landroid/os/Parcelable$Creator;)Ljava/lang/Object;': (machine, me) => readParcelable(machine, me),
};

// ContentValues.

const contentValuesMethods: NativeMethods = {
  '<init>()V': baseBundle['<init>()V']!,
  '<init>(I)V': baseBundle['<init>(I)V']!,
  '<init>(Landroid/content/ContentValues;)V': copy,
  'putAll(Landroid/content/ContentValues;)V': putAll,
  'putNull(Ljava/lang/String;)V': (machine, me, key: Reference) => {
    bundleOf(me).set(keyOf(machine, key), { kind: 'L', value: null, taint: 0 });
  },
  ...Object.fromEntries(
    [
      'Ljava/lang/String;',
      'Ljava/lang/Integer;',
      'Ljava/lang/Long;',
      'Ljava/lang/Short;',
      'Ljava/lang/Byte;',
      'Ljava/lang/Boolean;',
      'Ljava/lang/Float;',
      'Ljava/lang/Double;',
      '[B',
    ].map((type): [string, NativeMethod] => [
      `put(Ljava/lang/String;${type})V`,
      (machine, me, key: Reference, value: Value) => {
        if (key === null) throw nullPointer(machine);
        bundleOf(me).set(keyOf(machine, key), { kind: 'L', value, taint: 0 });
      },
    ]),
  ),
  ...Object.fromEntries(
    ['Integer', 'Long', 'Short', 'Byte', 'Boolean', 'Float', 'Double'].map((name): [string, NativeMethod] => [
      `getAs${name}(Ljava/lang/String;)Ljava/lang/${name};`,
      (machine, me, key: Reference) =>
        convertedTo(machine, name, boxed(machine, bundleOf(me).get(keyOf(machine, key)))),
    ]),
  ),
  'getAsString(Ljava/lang/String;)Ljava/lang/String;': (machine, me, key: Reference) => {
    const value = boxed(machine, bundleOf(me).get(keyOf(machine, key)));
    return value === null ? null : machine.toText(value);
  },
  'getAsByteArray(Ljava/lang/String;)[B': (machine, me, key: Reference) =>
    boxed(machine, bundleOf(me).get(keyOf(machine, key))),
  'get(Ljava/lang/String;)Ljava/lang/Object;': baseBundle['get(Ljava/lang/String;)Ljava/lang/Object;']!,
  'containsKey(Ljava/lang/String;)Z': (machine, me, key: Reference) => bundleOf(me).has(keyOf(machine, key)),
  'remove(Ljava/lang/String;)V': baseBundle['remove(Ljava/lang/String;)V']!,
  'clear()V': baseBundle['clear()V']!,
  'size()I': baseBundle['size()I']!,
  'isEmpty()Z': baseBundle['isEmpty()Z']!,
  'keySet()Ljava/util/Set;': baseBundle['keySet()Ljava/util/Set;']!,
};

const newParcel: NativeMethod = (machine) => {
  const parcel = machine.allocate('Landroid/os/Parcel;');
  parcel.native = { items: [], at: 0 } satisfies ParcelState;
  return parcel;
};

export const bundleModels: Models = {
  'Landroid/os/BaseBundle;': { methods: baseBundle },
  'Landroid/os/Bundle;': {
    extends: 'Landroid/os/BaseBundle;',
    implements: ['Landroid/os/Parcelable;', 'Ljava/lang/Cloneable;'],
    methods: baseBundle,
    constants: {
      'EMPTY:Landroid/os/Bundle;': (machine) => newBundle(machine),
      'CREATOR:Landroid/os/Parcelable$Creator;': null,
    },
  },
  'Landroid/os/PersistableBundle;': {
    extends: 'Landroid/os/BaseBundle;',
    implements: ['Landroid/os/Parcelable;'],
    methods: baseBundle,
  },
  'Landroid/content/ContentValues;': { implements: ['Landroid/os/Parcelable;'], methods: contentValuesMethods },
  'Landroid/os/Parcelable;': {
    isInterface: true,
    abstractMethods: ['writeToParcel(Landroid/os/Parcel;I)V', 'describeContents()I'],
  },
  'Landroid/os/Parcelable$Creator;': {
    isInterface: true,
    abstractMethods: ['createFromParcel(Landroid/os/Parcel;)Ljava/lang/Object;', 'newArray(I)[Ljava/lang/Object;'],
  },
  'Landroid/os/Parcelable$ClassLoaderCreator;': {
    isInterface: true,
    implements: ['Landroid/os/Parcelable$Creator;'],
  },
  'Landroid/os/Parcel;': { methods: parcelMethods, staticMethods: { 'obtain()Landroid/os/Parcel;': newParcel } },
};
