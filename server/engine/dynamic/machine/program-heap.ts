// What the program allocates: objects, arrays, strings, boxes, exceptions, each counted, with their taint. Knows no calls.
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { ArrayData } from '../../formats/dex/instruction.ts';
import type { ClassLinker } from './class-linker.ts';
import { boxedPrimitive, boxes } from './conversion.ts';
import { type ArrayElements, HeapObject, JavaArray, JavaString, JavaThrow, type Taint } from './heap.ts';
import { type Limits, RunEnd } from './limits.ts';
import type { LinkedClass, Method } from './linked-class.ts';
import { TaintTable } from './taint.ts';
import { type TraceEntry, throwableState } from './throwable-state.ts';

/** Allocation between two looks at the process's memory, and at the processor's time, which models take without instructions. */
const heapCheckBytes = 32 * 1024 * 1024;
/** Arrays up to this length keep a taint per element when a whole array is tainted. */
const maxElementTaints = 1 << 16;

function usedBytes(): number {
  // Not `process.memoryUsage`, which also reads from the system what a worker may not read.
  const { used_heap_size: inHeap, external_memory: outside } = getHeapStatistics();
  return inHeap + outside;
}

let collect: (() => void) | null = null;

function collectGarbage(): void {
  if (collect === null) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  collect();
}

export abstract class ProgramHeap {
  /** The model whose TypeScript runs: in a call, or in what it left to be done later. Null in the driver's own. */
  model: Method | null = null;
  readonly limits: Limits;
  readonly taints = new TaintTable();
  abstract readonly linker: ClassLinker;
  readonly #literals = new Map<string, JavaString>();
  #stringClass: LinkedClass | null = null;
  #charged = 0;

  constructor(limits: Limits) {
    this.limits = limits;
  }

  /** Where the running thread is, innermost first. */
  abstract trace(): TraceEntry[];

  /** @throws RunEnd where the run has had the processor for as long as it may */
  abstract checkProcessor(): void;

  charge(bytes: number): void {
    this.#charged += bytes;
    if (this.#charged < heapCheckBytes) return;
    this.#charged = 0;
    this.checkProcessor();
    if (usedBytes() <= this.limits.heapBytes) return;
    // Dropped objects count until they are collected.
    collectGarbage();
    if (usedBytes() > this.limits.heapBytes) {
      throw new RunEnd('heap', `the program took more than ${this.limits.heapBytes} bytes`);
    }
  }

  /** An object whose constructor has not run. */
  newObject(cls: LinkedClass): HeapObject {
    this.charge(64 + cls.template.length * 8);
    if (cls === this.#stringClass || cls.descriptor === 'Ljava/lang/String;') return new JavaString(cls, '', 0);
    return new HeapObject(cls, cls.template.slice());
  }

  /** @throws JavaThrow for a negative length, and for one that no device has memory for */
  newArray(cls: LinkedClass, length: number): JavaArray {
    const { component } = cls;
    if (component === null) throw this.exception('Ljava/lang/InternalError;', `${cls.name} is no array`);
    if (length < 0) throw this.exception('Ljava/lang/NegativeArraySizeException;', String(length));
    const bytes = length * elementSize(component.descriptor);
    if (bytes > this.limits.arrayBytes) {
      throw this.exception('Ljava/lang/OutOfMemoryError;', `Failed to allocate a ${bytes} byte allocation`);
    }
    this.charge(96 + bytes);
    return new JavaArray(cls, newElements(component.descriptor, length));
  }

  arrayOf(componentDescriptor: string, length: number): JavaArray {
    return this.newArray(this.linker.get(`[${componentDescriptor}`), length);
  }

  fillArray(array: JavaArray, { data, elements }: ArrayData): void {
    const target = array.elements;
    if (Array.isArray(target)) throw this.exception('Ljava/lang/VerifyError;', 'fill-array-data into objects');
    if (elements > target.length) {
      throw this.exception(
        'Ljava/lang/ArrayIndexOutOfBoundsException;',
        `failed FILL_ARRAY_DATA; length=${target.length}, index=${elements}`,
      );
    }
    const bytes = new Uint8Array(target.buffer, target.byteOffset, target.byteLength);
    bytes.set(data.subarray(0, bytes.length));
    array.elementTaints = null;
  }

  canStore(array: JavaArray, value: HeapObject): boolean {
    const component = array.cls.component as LinkedClass | null;
    return component === null || this.isInstanceOf(value, component);
  }

  isInstanceOf(object: HeapObject, cls: LinkedClass): boolean {
    return (object.cls as LinkedClass).isSubclassOf(cls);
  }

  get stringClass(): LinkedClass {
    this.#stringClass ??= this.linker.get('Ljava/lang/String;');
    return this.#stringClass;
  }

  string(text: string, taint: Taint = 0): JavaString {
    this.charge(48 + text.length * 2);
    return new JavaString(this.stringClass, text, taint);
  }

  /** A box of a primitive; its number stands in `native`. */
  box(primitive: string, value: number | bigint, taint: Taint = 0): HeapObject {
    const object = this.newObject(this.linker.get(boxes[primitive] ?? 'Ljava/lang/Integer;'));
    object.native = value;
    object.taint = taint;
    return object;
  }

  /** The one string of this text that literals and `String.intern` share. */
  literal(text: string): JavaString {
    let known = this.#literals.get(text);
    if (known === undefined) {
      known = this.string(text);
      this.#literals.set(text, known);
    }
    return known;
  }

  isLiteral(string: JavaString): boolean {
    return this.#literals.get(string.text) === string;
  }

  /** A string or box with further taint that leaves the original clean; other objects are what they are. */
  taintedCopy(object: HeapObject, taint: Taint): HeapObject {
    const all = this.taints.union(object.taint, taint);
    if (all === object.taint) return object;
    if (object instanceof JavaString) return new JavaString(object.cls, object.text, all);
    if (boxedPrimitive(object) === null) return object;
    const copy = new HeapObject(object.cls, object.fields.slice());
    copy.native = object.native;
    copy.taint = all;
    return copy;
  }

  // Exceptions.

  exception(descriptor: string, message?: string, cause: HeapObject | null = null): JavaThrow {
    const throwable = this.throwable(descriptor, message, cause);
    throwableState(throwable).model = this.model;
    return new JavaThrow(throwable);
  }

  throwable(descriptor: string, message?: string, cause: HeapObject | null = null): HeapObject {
    const object = this.newObject(this.linker.get(descriptor));
    const state = throwableState(object);
    state.message = message === undefined ? null : this.string(message);
    state.cause = cause;
    state.trace = this.trace();
    return object;
  }

  outOfBounds(array: JavaArray, index: number): HeapObject {
    return this.throwable(
      'Ljava/lang/ArrayIndexOutOfBoundsException;',
      `length=${array.elements.length}; index=${index}`,
    );
  }

  divideByZero(): HeapObject {
    return this.throwable('Ljava/lang/ArithmeticException;', 'divide by zero');
  }

  classCast(object: HeapObject, cls: LinkedClass): HeapObject {
    return this.throwable('Ljava/lang/ClassCastException;', `${object.cls.name} cannot be cast to ${cls.name}`);
  }

  arrayStore(array: JavaArray, value: HeapObject): HeapObject {
    return this.throwable(
      'Ljava/lang/ArrayStoreException;',
      `${value.cls.name} cannot be stored in an array of type ${array.cls.component?.name}[]`,
    );
  }

  // Taint.

  /** Taints an array as a whole: its elements one by one, so that overwriting one cleans it. */
  taintArray(array: JavaArray, taint: Taint): void {
    const { elements } = array;
    if (elements.length > maxElementTaints) {
      array.taint = this.taints.union(array.taint, taint);
      return;
    }
    if (Array.isArray(elements)) {
      for (let index = 0; index < elements.length; index++) {
        const element = elements[index];
        if (element instanceof HeapObject) elements[index] = this.taintedCopy(element, taint);
      }
    }
    const taints = array.elementTaints;
    array.elementTaints = Array.from({ length: elements.length }, (_, index) =>
      this.taints.union(taints?.[index] ?? 0, taint),
    );
  }

  /** An object's own taint; an array's with that of its elements. */
  ownTaint(object: HeapObject): Taint {
    let { taint } = object;
    if (!(object instanceof JavaArray)) return taint;
    if (object.elementTaints !== null) {
      let last = 0;
      for (const element of object.elementTaints) {
        if (element === last || element === undefined) continue;
        last = element;
        taint = this.taints.union(taint, element);
      }
    }
    if (Array.isArray(object.elements)) {
      for (const element of object.elements) if (element !== null) taint = this.taints.union(taint, element.taint);
    }
    return taint;
  }

  elementTaint(array: JavaArray, index: number, taint: Taint): Taint {
    return this.taints.union(this.taints.union(taint, array.taint), array.elementTaints?.[index] ?? 0);
  }

  setElementTaint(array: JavaArray, index: number, taint: Taint): void {
    if (array.elementTaints === null) {
      if (taint === 0) return;
      array.elementTaints = array.elements.length > maxElementTaints ? [] : new Array(array.elements.length).fill(0);
    }
    array.elementTaints[index] = taint;
  }
}

function elementSize(descriptor: string): number {
  switch (descriptor) {
    case 'Z':
    case 'B':
      return 1;
    case 'C':
    case 'S':
      return 2;
    case 'J':
    case 'D':
      return 8;
    default:
      return 4;
  }
}

function newElements(descriptor: string, length: number): ArrayElements {
  switch (descriptor) {
    case 'Z':
    case 'B':
      return new Int8Array(length);
    case 'C':
      return new Uint16Array(length);
    case 'S':
      return new Int16Array(length);
    case 'I':
      return new Int32Array(length);
    case 'J':
      return new BigInt64Array(length);
    case 'F':
      return new Float32Array(length);
    case 'D':
      return new Float64Array(length);
    default: {
      const elements: (HeapObject | null)[] = [];
      for (let index = 0; index < length; index++) elements.push(null);
      return elements;
    }
  }
}
