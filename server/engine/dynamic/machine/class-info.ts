// What the machine knows of a class, a method and a field once they are linked. Knows no heap and no files.
import type { HeapObject, Value } from './heap.ts';
import type { NativeMethod } from './model.ts';

export interface FieldInfo {
  readonly owner: ClassInfo;
  readonly name: string;
  readonly descriptor: string;
  readonly accessFlags: number;
  /** Index into `HeapObject.fields`, or into `ClassInfo.statics`. */
  readonly slot: number;
}

export interface MethodInfo {
  readonly owner: ClassInfo;
  readonly name: string;
  /** Parameter descriptors, without the receiver. */
  readonly parameters: readonly string[];
  readonly returns: string;
  /** `name(parameters)return`, as in `add(Ljava/lang/Object;)Z`: how methods are found. */
  readonly signature: string;
  readonly accessFlags: number;
  /** Set for a modelled method. */
  readonly native: NativeMethod | null;
  /** Result takes the taint of receiver and arguments, see `ModelClass.pure`. */
  readonly isPure: boolean;
  /** What the interpreter made of the code; null for abstract, native and modelled methods. Its own business. */
  code: unknown;
}

export interface ClassInfo {
  /** `Ljava/lang/Object;`, `[I`, `I` for a primitive. */
  readonly descriptor: string;
  /** `java.lang.Object`, `[I`, `int`: what `Class.getName()` says. */
  readonly name: string;
  readonly superclass: ClassInfo | null;
  readonly interfaces: readonly ClassInfo[];
  readonly accessFlags: number;
  /** Part of the app (or of dex it loaded), not of the platform. */
  readonly isApp: boolean;
  /** A platform class that nothing models: made up on first sight. */
  readonly isUnmodelled: boolean;
  /** Element class of an array. */
  readonly component: ClassInfo | null;
  /** Own methods by signature. */
  readonly methods: ReadonlyMap<string, MethodInfo>;
  /** All instance fields by slot, those of superclasses first. */
  readonly instanceFields: readonly FieldInfo[];
  readonly staticFields: readonly FieldInfo[];
  /** Values of the static fields by slot. */
  readonly statics: Value[];
  /** The `java.lang.Class` object, made on first use. */
  classObject: HeapObject | null;
}
