// How platform classes are written in TypeScript, and what their methods may ask of the machine. Knows no interpreter.
import type { ClassInfo, MethodInfo } from './class-info.ts';
import type { CodePosition } from './decoding.ts';
import type { HeapObject, JavaArray, JavaString, JavaThrow, Taint, Value } from './heap.ts';

/**
 * What a model answers with. The machine makes 0 or 1 of a boolean and the default of its type of nothing; what a
 * `void` method answers is dropped, so that it may be one expression.
 */
// biome-ignore lint/suspicious/noConfusingVoidType: the result of a call that returns nothing
export type Result = Value | boolean | undefined | void;

/**
 * A modelled method: `args` are the parameters, one entry each, wide ones too. A constructor's `me` is the new object.
 * Throws `machine.exception(…)` for a Java exception.
 */
export type NativeMethod = AnyReceiver['method'];
interface AnyReceiver {
  // Declared as a method, so that a model may name the kind of object that it is called on, as JavaString.
  // biome-ignore lint/suspicious/noExplicitAny: a model knows its parameters from the signature it stands under
  method(machine: Machine, me: HeapObject, ...args: any[]): Result;
}

/** As `NativeMethod`, of a static method: there is no receiver. */
// biome-ignore lint/suspicious/noExplicitAny: as above
export type StaticMethod = (machine: Machine, ...args: any[]) => Result;

/**
 * Methods by `name(parameters)return`. A parameter that Android takes no null for has a `!` before its type, as in
 * `putAll(!Ljava/util/Map;)V`: called with null there, the machine throws the app's NullPointerException and the model
 * does not run.
 */
export type NativeMethods = Readonly<Record<string, NativeMethod>>;
export type StaticMethods = Readonly<Record<string, StaticMethod>>;

/** The signature under which a method is called, of the one under which a model has it. */
export const plainSignature = (signature: string): string => signature.replaceAll('!', '');

/** A platform class. Descriptors as in dex: `Ljava/util/ArrayList;`. */
export interface ModelClass {
  /** `Ljava/lang/Object;` where absent. */
  readonly extends?: string;
  readonly implements?: readonly string[];
  readonly isInterface?: boolean;
  readonly isAbstract?: boolean;
  /** Instance methods and constructors (`<init>(…)V`). */
  readonly methods?: NativeMethods;
  readonly staticMethods?: StaticMethods;
  /**
   * Instance or static methods whose result (a number, a string, a box, an array) takes the union of the taints of the
   * receiver and all arguments, without the model doing anything. A constructor taints the new object so.
   */
  readonly pure?: NativeMethods;
  readonly pureStatic?: StaticMethods;
  /** Abstract methods, named so that a call on an interface finds the implementation and reflection sees them. */
  readonly abstractMethods?: readonly string[];
  /** `NAME:descriptor` to the value; a string stands for a `java.lang.String`, a function runs at class initialisation. */
  readonly constants?: Readonly<Record<string, number | bigint | string | null | ((machine: Machine) => Value)>>;
  /** Instance fields that apps touch directly: `name:descriptor`. */
  readonly fields?: readonly string[];
}

/** What is known of a platform class that nothing models. */
export interface PlatformClass {
  /** Null: Object, as far as is known. */
  readonly superclass: string | null;
  readonly interfaces: readonly string[];
}

/** Platform classes by descriptor. A room of models exports one of these. */
export type Models = Readonly<Record<string, ModelClass>>;

export interface Clock {
  /** Virtual milliseconds since the run's start. */
  readonly elapsed: number;
  /** Virtual wall clock in milliseconds since 1970; starts at the world's date. */
  readonly wall: number;
}

/** A task in virtual time. */
export interface Scheduled {
  readonly due: number;
  cancel(): void;
}

/** A call that runs, of the app's code or of a model. */
export interface StackFrame {
  readonly className: string;
  readonly methodName: string;
  readonly isApp: boolean;
  /** Of the running instruction, in code units; -1 in a modelled method. */
  readonly address: number;
}

/** What models see of the machine. */
export interface Machine {
  readonly clock: Clock;
  /** Room for the state of models that is one per run: `machine.state(key, make)`. */
  state<T>(key: string, make: () => T): T;

  // Making values.
  string(text: string, taint?: Taint): JavaString;
  /** The one string of this text that literals and `String.intern` share. */
  literal(text: string): JavaString;
  /** `primitive` a descriptor: B Z C S I J F D. Length is checked against the heap's limit. */
  array(component: string, length: number): JavaArray;
  byteArray(bytes: Uint8Array, taint?: Taint): JavaArray;
  objectArray(component: string, elements: readonly (HeapObject | null)[]): JavaArray;
  /** A box of the descriptor's class, `Ljava/lang/Integer;` for I. */
  box(primitive: string, value: number | bigint, taint?: Taint): HeapObject;
  /** The number in a box; null where `object` is none. */
  unbox(object: HeapObject | null): number | bigint | null;
  /** A new object of the class, no constructor run. */
  allocate(descriptor: string): HeapObject;
  /** A new object and its constructor: `machine.construct('Ljava/io/File;', '<init>(Ljava/lang/String;)V', path)`. */
  construct(descriptor: string, signature: string, ...args: Value[]): HeapObject;
  /** A Java exception to throw: `throw machine.exception('Ljava/io/IOException;', 'no such file')`. */
  exception(descriptor: string, message?: string, cause?: HeapObject | null): JavaThrow;

  // Classes.
  /** Links (not: initialises) a class; platform classes that nothing models are made up. */
  classOf(descriptor: string): ClassInfo;
  /** Null where neither the app nor a model has it. */
  findClass(descriptor: string): ClassInfo | null;
  isInstance(object: HeapObject | null, descriptor: string): boolean;
  isSubclass(cls: ClassInfo, of: ClassInfo): boolean;
  classObject(cls: ClassInfo): HeapObject;
  /** The class a `java.lang.Class` object stands for. */
  classFrom(classObject: HeapObject): ClassInfo;
  /** The method that a virtual call on an object of `cls` runs; null where there is none. */
  resolveMethod(cls: ClassInfo, signature: string): MethodInfo | null;

  // Calling back into the program: runs to the end before it returns, other threads run where it blocks.
  /**
   * Virtual call: `machine.call(listener, 'onClick(Landroid/view/View;)V', view)`.
   * @throws JavaThrow what the method throws; NullPointerException where the receiver is null, as a call in Java does
   */
  call(receiver: HeapObject | null, signature: string, ...args: Value[]): Value;
  /** As `call`, with the taint of each argument that is a number; `resultTaint` tells that of a number it returns. */
  callWith(taints: readonly Taint[], receiver: HeapObject | null, signature: string, ...args: Value[]): Value;
  /** Of the number that the last call returned; to be read before anything else is called. */
  readonly resultTaint: Taint;
  callStatic(descriptor: string, signature: string, ...args: Value[]): Value;
  /** Exactly this method, without virtual dispatch. */
  invoke(method: MethodInfo, args: readonly Value[], taints?: readonly Taint[] | null): Value;
  /** `Object.equals`, `hashCode`, `toString` with the short way for strings and boxes. */
  equals(a: HeapObject | null, b: HeapObject | null): boolean;
  hashCode(object: HeapObject | null): number;
  /** The text of `String.valueOf(object)`; taint is in `taintOf(object)` or what toString() returned. */
  toText(object: HeapObject | null): JavaString;

  // Fields by name, of app or modelled classes.
  getField(object: HeapObject, name: string): Value;
  /** @param taint of a number */
  setField(object: HeapObject, name: string, value: Value, taint?: Taint): void;
  getStatic(descriptor: string, name: string): Value;
  setStatic(descriptor: string, name: string, value: Value, taint?: Taint): void;

  // Taint.
  /** Of the n-th argument of the running native call, the receiver being 0: the number's, or the object's own. */
  argumentTaint(index: number): Taint;
  /** What the result of the running native call, if a number, shall carry. */
  setResultTaint(taint: Taint): void;
  union(a: Taint, b: Taint): Taint;
  /** Everything reachable that counts as the object's content: strings, arrays' elements, collections, models' state. */
  deepTaint(value: Value): Taint;
  /**
   * A new source: `machine.source('TAINT_IMEI', 'TelephonyManager.getDeviceId')`. Where it happened is noted.
   * @param place where that is not in the app's code: a field that was typed into
   */
  source(tag: string, api: string, place?: string): Taint;
  /** The tags of a set, sorted. */
  tagsOf(taint: Taint): string[];
  /** Whether only branches on tainted values brought it (implicit flow), and no value of a source is in it. */
  /** Where its data was read, each with the method of the app or the place that read it. */
  sourcesOf(taint: Taint): { tag: string; api: string; place: string }[];
  isImplicit(taint: Taint): boolean;
  /** Where a set's sources were read and through which methods they came to the running one: for a leak's path. */
  pathOf(taint: Taint): string[];
  /** Taint that the branches taken so far put on what happens now (implicit flow); 0 mostly. */
  readonly controlTaint: Taint;

  // Threads and time. The main thread is the first; scheduling is deterministic; sleeping costs virtual time only.
  /** Starts a thread that runs `body`; `thread` is its `java.lang.Thread` object. */
  startThread(thread: HeapObject, body: () => void): void;
  currentThread(): HeapObject;
  /** Blocks the running thread until `ready()` holds or the virtual time is over. False: time over. */
  block(ready: () => boolean, timeoutMilliseconds?: number): boolean;
  /**
   * As `block`, without holding this thread's JavaScript stack meanwhile, so that any number of threads can wait for each
   * other: the last thing a model does, `return machine.blockThen(() => queue.length > 0, timeout, (isReady) => …)`.
   * What `then` returns is the model's result; it may itself end in `blockThen` or `callThen`.
   */
  blockThen(
    ready: () => boolean,
    timeoutMilliseconds: number | undefined,
    then: (isReady: boolean) => Value | undefined,
  ): Value | undefined;
  /**
   * As `invoke`, but the last thing a model does: no JavaScript stack is held while the method runs, and it may block.
   * `onReturn` makes the model's result of the method's (absent: the same); `onThrow` may answer for an exception, or
   * throw another (absent: it goes on to the model's caller). Both may end in `blockThen` or `callThen`.
   */
  callThen(
    method: MethodInfo,
    args: readonly Value[],
    onReturn?: (value: Value) => Value | undefined,
    onThrow?: (throwable: HeapObject) => Value | undefined,
  ): Value | undefined;
  /** Runs `task` on the main thread once its delay is over and the main thread is idle. */
  schedule(delayMilliseconds: number, task: () => void): Scheduled;
  monitorEnter(object: HeapObject): void;
  monitorExit(object: HeapObject): void;

  /** Call stack of the running thread, innermost first. */
  stackTrace(): StackFrame[];
  /** Where a text is used that the running code of the app makes of data; null where the code is none that decodes. */
  decodedTextUse(): CodePosition | null;
  /** The class to which the app's code casts what the running call returns; null where it does not soon. */
  castOfResult(): string | null;
  /** Strings, and numbers of constants and switches, that the running method of the app has in its code. */
  literals(): { readonly texts: ReadonlySet<string>; readonly numbers: ReadonlySet<number> };
  /** Counts what no model knows, for the report. */
  unmodelled(what: string): void;
  /** Reports an error that ended a part of a model. @throws the error itself where it was thrown on purpose */
  failed(error: unknown): void;
  /** Charges memory that models keep outside the machine's own heap. @throws the run's end where the limit is passed */
  charge(bytes: number): void;
  /** Loads further dex files: classes become visible to the loader object that is returned by the model. */
  loadDex(bytes: Uint8Array, where: string): void;
}
