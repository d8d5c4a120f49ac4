// org.json: JSONObject, JSONArray, JSONTokener, JSONStringer as Android has them. Knows text only by its reader and writer.
import { type HeapObject, JavaArray, JavaString, type Value } from '../../machine/heap.ts';
import type { Machine, ModelClass, NativeMethod, NativeMethods } from '../../machine/model.ts';
import { type JsonKind, javaHooks } from '../hooks.ts';
import { doubleToInt, doubleToLong, parseDoubleText } from '../lang/number-text.ts';
import { elementsOf, entriesOf, iteratorOn } from '../util/iteration.ts';
import { ListState } from '../util/list-state.ts';
import { flag, instance, made, objectTaint, optionalText, type Reference, required, textOf } from '../values.ts';
import {
  type JsonArray,
  type JsonObject,
  JsonReader,
  JsonWriter,
  jsonException,
  newArray,
  newObject,
  numberText,
  quoted,
  theNull,
} from './json-text.ts';

const OBJECT = 'Lorg/json/JSONObject;';
const ARRAY = 'Lorg/json/JSONArray;';

function state(self: HeapObject): JsonObject {
  self.native ??= { entries: new Map(), taint: 0 } satisfies JsonObject;
  return self.native as JsonObject;
}

function array(self: HeapObject): JsonArray {
  self.native ??= [];
  return self.native as JsonArray;
}

const typeName = (value: HeapObject): string => value.cls.name;

function mismatch(machine: Machine, place: string, value: Reference, wanted: string) {
  if (value === null) return jsonException(machine, `Value at ${place} is null.`);
  const shown = machine.toText(value).text;
  return jsonException(
    machine,
    `Value ${shown} at ${place} of type ${typeName(value)} cannot be converted to ${wanted}`,
  );
}

/** Android's JSON.toInteger and the like; null where the value cannot be converted. */
function coerce(machine: Machine, value: Reference, type: 'Z' | 'I' | 'J' | 'D'): number | bigint | null {
  if (value === null || value === theNull(machine)) return null;
  if (type === 'Z') {
    if (value.cls.descriptor === 'Ljava/lang/Boolean;') return machine.unbox(value);
    const text = optionalText(value)?.toLowerCase();
    return text === 'true' ? 1 : text === 'false' ? 0 : null;
  }
  let number: number | bigint | null = null;
  if (machine.isInstance(value, 'Ljava/lang/Number;')) {
    number = machine.unbox(value) ?? Number(machine.toText(value).text);
  } else if (value instanceof JavaString) {
    const whole = /^[+-]?\d{1,19}$/.test(value.text) ? BigInt(value.text) : null;
    number = type === 'J' && whole !== null && BigInt.asIntN(64, whole) === whole ? whole : parseDoubleText(value.text);
  }
  if (number === null) return null;
  if (type === 'D') return Number(number);
  if (type === 'J') return typeof number === 'bigint' ? number : doubleToLong(number);
  return typeof number === 'bigint' ? Number(BigInt.asIntN(32, number)) : doubleToInt(number);
}

function asText(machine: Machine, value: Reference): JavaString | null {
  if (value === null) return null;
  return value instanceof JavaString ? value : machine.toText(value);
}

/** JSONObject.wrap: collections and arrays become JSON, other objects their text. */
function wrap(machine: Machine, value: Reference): Reference {
  if (value === null) return theNull(machine);
  const { descriptor } = value.cls;
  if (descriptor === OBJECT || descriptor === ARRAY || value === theNull(machine)) return value;
  if (value instanceof JavaArray) return newArray(machine, arrayElements(machine, value));
  if (machine.isInstance(value, 'Ljava/util/Collection;')) {
    return newArray(
      machine,
      elementsOf(machine, value).map((element) => wrap(machine, element)),
    );
  }
  if (machine.isInstance(value, 'Ljava/util/Map;')) return fromMap(machine, newObject(machine), value);
  if (value instanceof JavaString || machine.unbox(value) !== null) return value;
  return value.cls.name.startsWith('java.') ? machine.toText(value) : null;
}

function arrayElements(machine: Machine, source: JavaArray): Reference[] {
  const type = source.cls.component?.descriptor ?? '';
  return Array.from(source.elements as ArrayLike<Value>, (element, index) =>
    typeof element === 'number' || typeof element === 'bigint'
      ? machine.box(type, element, source.elementTaints?.[index] ?? source.taint)
      : wrap(machine, element),
  );
}

function fromMap(machine: Machine, self: HeapObject, map: Reference): HeapObject {
  for (const entry of entriesOf(machine, map)) {
    const { entries } = state(self);
    entries.set(textOf(machine, entry.key), wrap(machine, entry.value));
    state(self).taint = machine.union(state(self).taint, objectTaint(machine, entry.key));
  }
  return self;
}

/** Parses a whole text into the object that a constructor was given. */
function parseInto(machine: Machine, self: HeapObject, text: Reference, wanted: string): undefined {
  javaHooks(machine).readAsJson(textOf(machine, text), wanted === ARRAY ? 'list' : 'object');
  const reader = new JsonReader(machine, textOf(machine, text), objectTaint(machine, text));
  const value = reader.value();
  if (value.cls.descriptor !== wanted) {
    const name = wanted === OBJECT ? 'JSONObject' : 'JSONArray';
    throw jsonException(
      machine,
      `Value ${machine.toText(value).text} of type ${typeName(value)} cannot be converted to ${name}`,
    );
  }
  self.native = value.native;
  self.taint = objectTaint(machine, text);
}

function write(machine: Machine, self: HeapObject, indent: number): JavaString {
  const writer = new JsonWriter(machine, indent);
  writer.value(self);
  return machine.string(writer.text, writer.taint);
}

/** Serialises without throwing: null where JSON has no such number (NaN, infinities). */
function toText(machine: Machine, self: HeapObject): JavaString {
  return write(machine, self, 0);
}

function put(machine: Machine, self: HeapObject, name: Reference, value: Reference): HeapObject {
  const { entries } = state(self);
  if (name === null) throw jsonException(machine, 'Names must be non-null');
  const key = textOf(machine, name);
  if (value === null) entries.delete(key);
  else {
    if (machine.isInstance(value, 'Ljava/lang/Number;')) numberText(machine, value);
    entries.set(key, value);
    machine.charge(64);
  }
  state(self).taint = machine.union(state(self).taint, machine.union(objectTaint(machine, name), machine.controlTaint));
  return self;
}

const PRIMITIVE = { Z: 'boolean', I: 'int', J: 'long', D: 'double' } as const;
const NAMES = { Z: 'Boolean', I: 'Int', J: 'Long', D: 'Double' } as const;
type Kind = keyof typeof PRIMITIVE;

/** A member's name in an object, an index in an array. */
// biome-ignore lint/suspicious/noExplicitAny: each of the two tables is of its own type of place
type Place = any;

/** The accessors that objects and arrays share; they differ in names and indexes. */
interface Places {
  readonly key: string;
  readonly find: (machine: Machine, self: HeapObject, place: Place, kind: JsonKind | 'any') => Reference;
  readonly describe: (machine: Machine, place: Place) => string;
  readonly missing: (machine: Machine, self: HeapObject, place: Place) => unknown;
}

function accessors({ key, find, describe, missing }: Places): Record<string, NativeMethod> {
  const methods: Record<string, NativeMethod> = {};
  const get = (machine: Machine, self: HeapObject, place: Place, kind: JsonKind | 'any'): HeapObject => {
    const value = find(machine, self, place, kind);
    if (value === null) throw missing(machine, self, place);
    return value;
  };
  methods[`get(${key})Ljava/lang/Object;`] = (machine, self, place: Place) => get(machine, self, place, 'any');
  methods[`opt(${key})Ljava/lang/Object;`] = (machine, self, place: Place) => find(machine, self, place, 'any');
  methods[`isNull(${key})Z`] = (machine, self, place: Place) => {
    const value = find(machine, self, place, 'any');
    return flag(value === null || value === theNull(machine));
  };
  for (const type of ['Z', 'I', 'J', 'D'] as const) {
    const name = NAMES[type];
    const kind = type === 'Z' ? 'flag' : 'number';
    methods[`get${name}(${key})${type}`] = (machine, self, place: Place) => {
      const value = get(machine, self, place, kind);
      const number = coerce(machine, value, type);
      if (number === null) throw mismatch(machine, describe(machine, place), value, PRIMITIVE[type]);
      machine.setResultTaint(value.taint);
      return number;
    };
    const optional = (machine: Machine, self: HeapObject, place: Place, otherwise: number | bigint) => {
      const value = find(machine, self, place, kind);
      const number = coerce(machine, value, type);
      machine.setResultTaint(number === null ? machine.argumentTaint(2) : (value?.taint ?? 0));
      return number ?? otherwise;
    };
    const zero = type === 'J' ? 0n : type === 'D' ? Number.NaN : 0;
    methods[`opt${name}(${key})${type}`] = (machine, self, place: Place) => optional(machine, self, place, zero);
    methods[`opt${name}(${key}${type})${type}`] = optional;
  }
  const S = 'Ljava/lang/String;';
  methods[`getString(${key})${S}`] = (machine, self, place: Place) =>
    asText(machine, get(machine, self, place, 'text'));
  methods[`optString(${key})${S}`] = (machine, self, place: Place) =>
    asText(machine, find(machine, self, place, 'text')) ?? machine.string('');
  methods[`optString(${key}${S})${S}`] = (machine, self, place: Place, otherwise: Reference) =>
    asText(machine, find(machine, self, place, 'text')) ?? otherwise;
  for (const wanted of [OBJECT, ARRAY]) {
    const name = wanted === OBJECT ? 'JSONObject' : 'JSONArray';
    const kind = wanted === OBJECT ? 'object' : 'list';
    methods[`get${name}(${key})${wanted}`] = (machine, self, place: Place) => {
      const value = get(machine, self, place, kind);
      if (value.cls.descriptor !== wanted) throw mismatch(machine, describe(machine, place), value, name);
      return value;
    };
    methods[`opt${name}(${key})${wanted}`] = (machine, self, place: Place) => {
      const value = find(machine, self, place, kind);
      return value?.cls.descriptor === wanted ? value : null;
    };
  }
  return methods;
}

/**
 * Whether a value has the type that is asked for; an array must not be empty. Anything but an object or an array can be
 * read as a string.
 */
function suits(value: Reference, kind: JsonKind | 'any'): boolean {
  const type = value?.cls.descriptor;
  if (kind === 'list') return type === ARRAY && array(value!).length > 0;
  if (kind === 'object') return type === OBJECT;
  return type !== undefined && (kind !== 'text' || (type !== OBJECT && type !== ARRAY));
}

/** The member's name under which an array was found. */
const listNames = (machine: Machine): WeakMap<HeapObject, string> =>
  machine.state('java.json-list-names', () => new WeakMap<HeapObject, string>());

const named: Places = {
  key: 'Ljava/lang/String;',
  find: (machine, self, place, kind) => {
    const name = optionalText(place) ?? '\0';
    const found = state(self).entries.get(name) ?? null;
    if (!suits(found, kind)) javaHooks(machine).missed(name, kind === 'any' ? 'text' : kind);
    if (found?.cls.descriptor === ARRAY) listNames(machine).set(found, name);
    return found;
  },
  describe: (machine, place) => machine.toText(place).text,
  missing: (machine, _self, place) => jsonException(machine, `No value for ${machine.toText(place).text}`),
};

const indexed: Places = {
  key: 'I',
  find: (machine, self, place, kind) => {
    const found = array(self)[place as number] ?? null;
    const name = listNames(machine).get(self);
    if (found !== null && name !== undefined && !suits(found, kind)) {
      if (kind === 'text') javaHooks(machine).missed(name, 'texts');
      if (kind === 'object') javaHooks(machine).missed(name, 'list');
    }
    return found;
  },
  describe: (_machine, place) => String(place),
  missing: (machine, self, place) => {
    const index = place as number;
    const { length } = array(self);
    return index < 0 || index >= length
      ? jsonException(machine, `Index ${index} out of range [0..${length})`)
      : jsonException(machine, `Value at ${index} is null.`);
  },
};

const box = (machine: Machine, type: string, value: number | bigint, argument: number): HeapObject =>
  machine.box(type, value, machine.union(machine.argumentTaint(argument), machine.controlTaint));

function objectPuts(): Record<string, NativeMethod> {
  const methods: Record<string, NativeMethod> = {};
  for (const type of ['Z', 'I', 'J', 'D'] as const satisfies Kind[]) {
    methods[`put(Ljava/lang/String;${type})${OBJECT}`] = (machine, self, name: Reference, value: number) =>
      put(machine, self, name, box(machine, type, value, 2));
    methods[`put(${type})${ARRAY}`] = (machine, self, value: number) => {
      array(self).push(box(machine, type, value, 1));
      return self;
    };
    methods[`put(I${type})${ARRAY}`] = (machine, self, index: number, value: number) =>
      putAt(machine, self, index, box(machine, type, value, 2));
  }
  return methods;
}

function putAt(machine: Machine, self: HeapObject, index: number, value: Reference): HeapObject {
  if (index < 0 || index > 1_000_000) throw jsonException(machine, `Index ${index}`);
  const elements = array(self);
  machine.charge(Math.max(0, index - elements.length) * 8);
  while (elements.length <= index) elements.push(null);
  elements[index] = value;
  return self;
}

function names(machine: Machine, self: HeapObject): JavaString[] {
  return [...state(self).entries.keys()].map((name) => machine.string(name, state(self).taint));
}

function append(machine: Machine, self: HeapObject, name: Reference, value: Reference): HeapObject {
  const key = textOf(machine, name);
  const before = state(self).entries.get(key) ?? null;
  if (before === null) state(self).entries.set(key, newArray(machine, [value]));
  else if (before.cls.descriptor === ARRAY) array(before).push(value);
  else state(self).entries.set(key, newArray(machine, [before, value]));
  return self;
}

const puts = objectPuts();

const objectMethods: NativeMethods = {
  '<init>()V': (_machine, self) => {
    state(self);
  },
  '<init>(Ljava/lang/String;)V': (machine, self, text: Reference) => parseInto(machine, self, text, OBJECT),
  '<init>(!Lorg/json/JSONTokener;)V': made(
    (_machine, tokener: HeapObject) => (tokener.native as JsonReader).value().native,
  ),
  '<init>(Ljava/util/Map;)V': (machine, self, map: Reference) => fromMap(machine, self, map),
  [`<init>(!${OBJECT}![Ljava/lang/String;)V`]: (machine, self, other: HeapObject, chosen: JavaArray) => {
    for (const name of chosen.elements as Reference[]) {
      const value = state(other).entries.get(textOf(machine, name));
      if (value !== undefined) state(self).entries.set(textOf(machine, name), value);
    }
  },
  ...accessors(named),
  [`put(Ljava/lang/String;Ljava/lang/Object;)${OBJECT}`]: put,
  [`putOpt(Ljava/lang/String;Ljava/lang/Object;)${OBJECT}`]: (machine, self, name: Reference, value: Reference) =>
    name === null || value === null ? self : put(machine, self, name, value),
  [`accumulate(Ljava/lang/String;Ljava/lang/Object;)${OBJECT}`]: (machine, self, name, value: Reference) => {
    const isNew = !state(self).entries.has(textOf(machine, name));
    return isNew ? put(machine, self, name, value) : append(machine, self, name, value);
  },
  [`append(Ljava/lang/String;Ljava/lang/Object;)${OBJECT}`]: append,
  ...Object.fromEntries(Object.entries(puts).filter(([name]) => name.endsWith(OBJECT))),
  'has(Ljava/lang/String;)Z': (machine, self, name: Reference) => named.find(machine, self, name, 'any') !== null,
  'length()I': (_machine, self) => state(self).entries.size,
  'remove(Ljava/lang/String;)Ljava/lang/Object;': (_machine, self, name: Reference) => {
    const before = state(self).entries.get(optionalText(name) ?? '\0') ?? null;
    state(self).entries.delete(optionalText(name) ?? '\0');
    return before;
  },
  'keys()Ljava/util/Iterator;': (machine, self) =>
    iteratorOn(machine, new ListState(names(machine, self)).cursor(machine)),
  'keySet()Ljava/util/Set;': (machine, self) => {
    const set = machine.construct('Ljava/util/LinkedHashSet;', '<init>()V');
    for (const name of names(machine, self)) machine.call(set, 'add(Ljava/lang/Object;)Z', name);
    return set;
  },
  [`names()${ARRAY}`]: (machine, self) =>
    state(self).entries.size === 0 ? null : newArray(machine, names(machine, self)),
  [`toJSONArray(${ARRAY})${ARRAY}`]: (machine, self, chosen: HeapObject | null) =>
    chosen === null
      ? null
      : newArray(
          machine,
          array(chosen).map((name) => state(self).entries.get(machine.toText(name).text) ?? null),
        ),
  'toString()Ljava/lang/String;': toText,
  'toString(I)Ljava/lang/String;': write,
};

const arrayMethods: NativeMethods = {
  '<init>()V': made(() => []),
  '<init>(Ljava/lang/String;)V': (machine, self, text: Reference) => parseInto(machine, self, text, ARRAY),
  '<init>(!Lorg/json/JSONTokener;)V': made(
    (_machine, tokener: HeapObject) => (tokener.native as JsonReader).value().native,
  ),
  '<init>(Ljava/util/Collection;)V': made((machine, elements: Reference) =>
    elements === null ? [] : elementsOf(machine, elements).map((element) => wrap(machine, element)),
  ),
  '<init>(Ljava/lang/Object;)V': (machine, self, elements: Reference) => {
    if (!(elements instanceof JavaArray)) throw jsonException(machine, 'Not a primitive array');
    self.native = arrayElements(machine, elements);
  },
  ...accessors(indexed),
  ...Object.fromEntries(Object.entries(puts).filter(([name]) => name.endsWith(ARRAY))),
  [`put(Ljava/lang/Object;)${ARRAY}`]: (machine, self, value: Reference) => {
    array(self).push(value);
    machine.charge(32);
    return self;
  },
  [`put(ILjava/lang/Object;)${ARRAY}`]: putAt,
  'length()I': (_machine, self) => array(self).length,
  'remove(I)Ljava/lang/Object;': (_machine, self, index: number) =>
    index < 0 || index >= array(self).length ? null : (array(self).splice(index, 1)[0] ?? null),
  'join(Ljava/lang/String;)Ljava/lang/String;': (machine, self, between: Reference) => {
    const texts = array(self).map((value) => {
      const writer = new JsonWriter(machine, 0);
      writer.value(value);
      return writer;
    });
    const taint = texts.reduce((all, text) => machine.union(all, text.taint), 0);
    return machine.string(texts.map((text) => text.text).join(textOf(machine, between)), taint);
  },
  'equals(Ljava/lang/Object;)Z': (machine, self, other: Reference) =>
    other?.cls === self.cls &&
    array(self).length === array(other).length &&
    array(self).every((value, index) => machine.equals(value, array(other)[index]!)),
  'toString()Ljava/lang/String;': toText,
  'toString(I)Ljava/lang/String;': write,
};

/** JSONStringer's state: the text so far, and whether a comma comes next. */
interface Stringing {
  text: string;
  taint: number;
  open: ('{' | '[')[];
  needsComma: boolean;
}

const STRINGER = 'Lorg/json/JSONStringer;';

function stringing(self: HeapObject): Stringing {
  self.native ??= { text: '', taint: 0, open: [], needsComma: false } satisfies Stringing;
  return self.native as Stringing;
}

function emit(self: HeapObject, text: string, needsComma: boolean): HeapObject {
  const s = stringing(self);
  s.text += (s.needsComma ? ',' : '') + text;
  s.needsComma = needsComma;
  return self;
}

function emitValue(machine: Machine, self: HeapObject, value: Reference): HeapObject {
  const writer = new JsonWriter(machine, 0);
  writer.value(value);
  stringing(self).taint = machine.union(stringing(self).taint, writer.taint);
  return emit(self, writer.text, true);
}

function close(self: HeapObject, text: string): HeapObject {
  const s = stringing(self);
  s.text += text;
  s.needsComma = true;
  return self;
}

const stringerMethods: NativeMethods = {
  '<init>()V': (_machine, self) => {
    stringing(self);
  },
  [`object()${STRINGER}`]: (_machine, self) => emit(self, '{', false),
  [`endObject()${STRINGER}`]: (_machine, self) => close(self, '}'),
  [`array()${STRINGER}`]: (_machine, self) => emit(self, '[', false),
  [`endArray()${STRINGER}`]: (_machine, self) => close(self, ']'),
  [`key(Ljava/lang/String;)${STRINGER}`]: (machine, self, name: Reference) =>
    emit(self, `${quoted(textOf(machine, name))}:`, false),
  [`value(Ljava/lang/Object;)${STRINGER}`]: emitValue,
  [`value(Z)${STRINGER}`]: (machine, self, value: number) => emitValue(machine, self, box(machine, 'Z', value, 1)),
  [`value(D)${STRINGER}`]: (machine, self, value: number) => emitValue(machine, self, box(machine, 'D', value, 1)),
  [`value(J)${STRINGER}`]: (machine, self, value: bigint) => emitValue(machine, self, box(machine, 'J', value, 1)),
  'toString()Ljava/lang/String;': (machine, self) => machine.string(stringing(self).text, stringing(self).taint),
};

export const jsonModels: Record<string, ModelClass> = {
  [OBJECT]: {
    methods: objectMethods,
    staticMethods: {
      'quote(Ljava/lang/String;)Ljava/lang/String;': (machine, text: Reference) =>
        machine.string(quoted(optionalText(text) ?? ''), objectTaint(machine, text)),
      'wrap(Ljava/lang/Object;)Ljava/lang/Object;': wrap,
      'numberToString(!Ljava/lang/Number;)Ljava/lang/String;': (machine, number: HeapObject) =>
        machine.string(numberText(machine, required(machine, number)), number.taint),
    },
    constants: { 'NULL:Ljava/lang/Object;': (machine) => instance(machine, 'Lorg/json/JSONObject$Null;', null) },
  },
  'Lorg/json/JSONObject$Null;': {
    methods: {
      'toString()Ljava/lang/String;': (machine) => machine.string('null'),
      'equals(Ljava/lang/Object;)Z': (_machine, self, other: Reference) => other === null || other === self,
      'hashCode()I': () => 0,
    },
  },
  [ARRAY]: { methods: arrayMethods },
  'Lorg/json/JSONTokener;': {
    methods: {
      '<init>(Ljava/lang/String;)V': made(
        (machine, text: Reference) => new JsonReader(machine, textOf(machine, text), objectTaint(machine, text)),
      ),
      'nextValue()Ljava/lang/Object;': (_machine, self) => (self.native as JsonReader).value(),
      'more()Z': (_machine, self) => (self.native as JsonReader).at < (self.native as JsonReader).text.length,
      'nextClean()C': (_machine, self) => (self.native as JsonReader).nextClean().charCodeAt(0) || 0,
    },
  },
  [STRINGER]: { methods: stringerMethods },
};
