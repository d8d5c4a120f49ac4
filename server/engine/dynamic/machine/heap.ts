// Values of the interpreted program: what registers, fields and arrays hold. Knows no instructions and no models.
import type { ClassInfo } from './class-info.ts';
import { Departure } from './limits.ts';

/**
 * An interned set of taint sources, see `taint.ts`; 0 is the empty one.
 * Objects that stand for a value (strings, boxes, what a source returned) carry their own; numbers' taint stands
 * beside the register, the field or the array element that holds them.
 */
export type Taint = number;

/**
 * boolean, byte, short, char, int: int32 as a number (a char is its code unit); long: a bigint within 64 bits signed;
 * float: a number rounded by `Math.fround`; double: a number; a reference: a heap object or null.
 */
export type Value = number | bigint | HeapObject | null;

/** An object of a class: of the app's, or of a modelled one whose state stands in `native`. */
export class HeapObject {
  readonly cls: ClassInfo;
  /** By slot, in the order of `ClassInfo.instanceFields`, those of superclasses first. */
  fields: Value[];
  /** By slot, taint of fields that hold numbers; null while none has any. */
  fieldTaints: Taint[] | null = null;
  /** State of a modelled class; its model alone knows the type. */
  native: unknown = undefined;
  taint: Taint = 0;
  /** What `System.identityHashCode` says; 0 while nobody asked. */
  identityHash = 0;
  /** The lock's state, null while nobody took it. */
  monitor: unknown = null;

  constructor(cls: ClassInfo, fields: Value[]) {
    this.cls = cls;
    this.fields = fields;
  }
}

/**
 * `java.lang.String`: immutable, UTF-16. Literals are interned by the machine. `new-instance` makes an empty one, whose
 * text the modelled constructors fill before anybody sees it. Boxes keep their number in `native`.
 */
export class JavaString extends HeapObject {
  readonly text: string;

  constructor(cls: ClassInfo, text: string, taint: Taint) {
    super(cls, []);
    this.text = text;
    this.taint = taint;
  }
}

export type ArrayElements =
  | Int8Array // byte and boolean
  | Uint16Array // char
  | Int16Array // short
  | Int32Array
  | BigInt64Array
  | Float32Array
  | Float64Array
  | (HeapObject | null)[];

/** An array; `cls.descriptor` starts with `[`. */
export class JavaArray extends HeapObject {
  readonly elements: ArrayElements;
  /** Taint of numbers by index; null while none has any. */
  elementTaints: Taint[] | null = null;

  constructor(cls: ClassInfo, elements: ArrayElements) {
    super(cls, []);
    this.elements = elements;
  }
}

/** A Java exception on its way through models written in TypeScript; only the machine catches it. */
export class JavaThrow extends Departure {
  readonly throwable: HeapObject;

  constructor(throwable: HeapObject) {
    super('a Java exception');
    this.throwable = throwable;
  }
}
