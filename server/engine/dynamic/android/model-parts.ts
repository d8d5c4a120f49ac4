// Pieces that many models of the framework are made of. Knows no class in particular.
import { flag, nothing, optionalText } from '../java/values.ts';
import { type HeapObject, JavaString, type Taint, type Value } from '../machine/heap.ts';
import type { Machine, NativeMethod, NativeMethods } from '../machine/model.ts';

export type Reference = HeapObject | null;

/** Answers with the receiver: builders. */
export const self: NativeMethod = (_machine, me) => me;
export const yes: NativeMethod = () => 1;
export const no: NativeMethod = () => 0;
export const none: NativeMethod = () => null;
export const noLong: NativeMethod = () => 0n;
export { nothing };

/** A number or text that never changes. */
export const always =
  (value: number | bigint | string): NativeMethod =>
  (machine) =>
    typeof value === 'string' ? machine.string(value) : value;

/** Methods that all do the same. */
export const each = (body: NativeMethod, ...signatures: string[]): NativeMethods =>
  Object.fromEntries(signatures.map((signature) => [signature, body]));

/** A value as a model keeps it: with its kind and, for numbers, its taint. */
export interface Kept {
  /** Descriptor of the primitive, or `L` for a reference. */
  readonly kind: string;
  readonly value: Value;
  readonly taint: Taint;
  /** Class of an object that is made when somebody asks for it. */
  readonly made?: string;
}

/** The n-th argument as a kept value. */
export function keep(machine: Machine, kind: string, value: Value, index: number): Kept {
  return { kind, value: value ?? null, taint: kind === 'L' ? 0 : machine.argumentTaint(index) };
}

/** Answers with a kept value, its taint included; the default where there is none of this kind. */
export function giveBack(machine: Machine, kept: Kept | undefined, kind: string, otherwise: Value): Value {
  if (kept === undefined || kept.kind !== kind) return otherwise;
  if (kept.taint !== 0) machine.setResultTaint(kept.taint);
  return kept.value;
}

/** The taint of a kept value with everything in it. */
export function keptTaint(machine: Machine, kept: Kept): Taint {
  return kept.kind === 'L' && kept.value !== null
    ? machine.union(kept.taint, machine.deepTaint(kept.value))
    : kept.taint;
}

/** The state of a modelled object that an app's own subclass may have been allocated for without our constructor. */
export function stateOf<T>(object: HeapObject, make: () => T): T {
  if (object.native === undefined) object.native = make();
  return object.native as T;
}

/** A state that several models of one class hierarchy share, beside `native`: for classes whose subclasses have their own. */
export function sideState<T>(machine: Machine, key: string, object: HeapObject, make: () => T): T {
  const states = machine.state(`android.${key}`, () => new WeakMap<HeapObject, T>());
  let state = states.get(object);
  if (state === undefined) {
    state = make();
    states.set(object, state);
  }
  return state;
}

export const text = (machine: Machine, value: string | null | undefined, taint: Taint = 0): JavaString | null =>
  value === null || value === undefined ? null : machine.string(value, taint);

/** The text of a string or any other CharSequence; empty for null. */
export function plain(machine: Machine, value: Reference | undefined): string {
  if (value === null || value === undefined) return '';
  return optionalText(value) ?? machine.toText(value).text;
}

/** The string that a CharSequence is, its taint kept. */
export function asString(machine: Machine, value: Reference | undefined): JavaString | null {
  if (value === null || value === undefined) return null;
  return value instanceof JavaString ? value : machine.toText(value);
}

/** A `java.util.ArrayList` of the elements. */
export function listOf(machine: Machine, elements: readonly Reference[]): HeapObject {
  const list = machine.construct('Ljava/util/ArrayList;', '<init>()V');
  for (const element of elements) machine.call(list, 'add(Ljava/lang/Object;)Z', element);
  return list;
}

/** A `java.util.LinkedHashSet` of the elements. */
export function setOf(machine: Machine, elements: readonly Reference[]): HeapObject {
  const set = machine.construct('Ljava/util/LinkedHashSet;', '<init>()V');
  for (const element of elements) machine.call(set, 'add(Ljava/lang/Object;)Z', element);
  return set;
}

/** A `java.util.HashMap` of the entries. */
export function mapOf(machine: Machine, entries: Iterable<readonly [Reference, Reference]>): HeapObject {
  const map = machine.construct('Ljava/util/HashMap;', '<init>()V');
  for (const [key, value] of entries) {
    machine.call(map, 'put(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;', key, value);
  }
  return map;
}

/** A collection, array lists and the app's own alike, has so many elements at most where a model walks it. */
const maxWalked = 100_000;

/** The elements of a `java.util.Collection` or any other Iterable. */
export function elementsOf(machine: Machine, iterable: HeapObject): Reference[] {
  const iterator = machine.call(iterable, 'iterator()Ljava/util/Iterator;') as Reference;
  const elements: Reference[] = [];
  while (iterator !== null && elements.length < maxWalked && machine.call(iterator, 'hasNext()Z') !== 0) {
    elements.push(machine.call(iterator, 'next()Ljava/lang/Object;') as Reference);
  }
  return elements;
}

/** Class name from a class object or a string, `com.example.A`. */
export const classNameOf = (machine: Machine, classObject: HeapObject): string => machine.classFrom(classObject).name;

export const descriptorOf = (className: string): string => `L${className.replaceAll('.', '/')};`;

/** Calls a method if the class or a class of the app above it has it: optional callbacks. */
export function callIfThere(machine: Machine, receiver: HeapObject, signature: string, ...args: Value[]): Value {
  const method = machine.resolveMethod(receiver.cls, signature);
  if (method === null || (method.accessFlags & abstractFlag) !== 0) return null;
  return machine.invoke(method, [receiver, ...args]);
}

/** A virtual call as the last thing a model does, see `Machine.callThen`; what cannot be called is passed over. */
export function callLast(
  machine: Machine,
  receiver: HeapObject,
  signature: string,
  args: readonly Value[],
  then?: (value: Value) => Value | undefined,
): Value | undefined {
  const method = machine.resolveMethod(receiver.cls, signature);
  if (method === null || (method.accessFlags & abstractFlag) !== 0) return then?.(null);
  return machine.callThen(method, [receiver, ...args], then);
}

const abstractFlag = 0x400;

/** Whether the method that a call would run is the app's own. */
export const isAppMethod = (machine: Machine, receiver: HeapObject, signature: string): boolean => {
  const method = machine.resolveMethod(receiver.cls, signature);
  return method?.owner.isApp === true && (method.accessFlags & abstractFlag) === 0;
};

export { flag };

/** Of a view, for activities and fragments that make its context menu. */
export const setContextMenuListener =
  'setOnCreateContextMenuListener(Landroid/view/View$OnCreateContextMenuListener;)V';
