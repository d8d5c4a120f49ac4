// The machine as models and the driver see it: makes one from dex files and models, and answers by name what the runtime
// does by class. Knows no model but the core that is inseparable from the machine.

import { Findings } from '../../findings.ts';
import { type Dex, openDexContainer } from '../../formats/dex/dex.ts';
import type { ClassInfo, MethodInfo } from './class-info.ts';
import { boxedPrimitive } from './conversion.ts';
import { coreModels } from './core/core-models.ts';
import { dispatchUncaught } from './core/thread.ts';
import { type Coverage, coverageOf, type RanMethods, ranMethods } from './coverage.ts';
import { type CodePosition, decodedTextUse } from './decoding.ts';
import { deepTaint } from './deep-taint.ts';
import type { Director } from './direction.ts';
import { HeapObject, type JavaArray, JavaString, type JavaThrow, type Taint, type Value } from './heap.ts';
import type { JavaThread } from './java-thread.ts';
import { defaultLimits, type Limits } from './limits.ts';
import { defaultValue, type LinkedClass, type Method } from './linked-class.ts';
import type { Clock, Machine, Models, PlatformClass, Scheduled, StackFrame } from './model.ts';
import { enterMonitor, exitMonitor } from './monitors.ts';
import { castOfResult } from './next-cast.ts';
import { literalsOf } from './preparation.ts';
import { Runtime } from './runtime.ts';

/** Innermost frames among which code that decodes a text and its caller stand. */
const framesOfDecoding = 6;

export interface MachineOptions {
  /** In the order of their names, `classes.dex` first. */
  readonly dexFiles: readonly Dex[];
  /** Earlier ones win; the machine's own core comes last. */
  readonly models: readonly Models[];
  readonly limits?: Partial<Limits>;
  /** Virtual wall clock at the start, milliseconds since 1970. */
  readonly startDate?: number;
  /** What is known of platform classes that no model has. */
  readonly platformClass?: (descriptor: string) => PlatformClass | null;
  readonly onUnmodelled?: (what: string) => void;
  /** A class of the app, or of dex it loaded, was linked. */
  readonly onClassLoaded?: (cls: ClassInfo) => void;
  /** Dex that the program loaded at run time. */
  readonly onDexLoaded?: (bytes: Uint8Array, where: string) => void;
  /** A loop that only counts was cut short; told with the method it is in. */
  readonly onLoopLeft?: (method: string) => void;
  /** A thread that did the same over and over is taken up no more. */
  readonly onThreadParked?: (method: string) => void;
  /** A callback on the main thread was given up; told with the method that ran. */
  readonly onHang?: (method: string) => void;
  /** An exception that nothing caught ended a thread, or a callback on the main thread. */
  readonly onUncaught?: (throwable: HeapObject, isMain: boolean) => void;
  /** Which methods of the platform `onWatchedCall` is told of. */
  readonly isWatched?: (method: MethodInfo) => boolean;
  /** A watched method is called. @param callerOf finds the innermost code of the app; null where none runs */
  readonly onWatchedCall?: (method: MethodInfo, args: readonly Value[], callerOf: () => CallerPlace | null) => void;
  /** Who leads the run where it would not go by itself. */
  readonly director?: Director;
  /**
   * An error of this program's was worked around: a model that failed answers as a method that nothing models.
   * @param where `Ljava/util/List;->size()I` for a model; else a part of the analysis, in words
   */
  readonly onFailure?: (error: unknown, where: string) => void;
}

/** Where in the app's code a call stands. */
export interface CallerPlace {
  readonly dex: Dex;
  /** Index in the dex file. */
  readonly methodIndex: number;
  /** Of the running instruction, in code units. */
  readonly address: number;
}

/** The machine as its driver uses it. */
export interface MachineHost extends Machine {
  /**
   * Runs `body` on the main thread. False where it ended in an exception that nothing caught, or was given up: because it
   * waits for what cannot happen, or after so many instructions, 100 million where absent. @throws RunEnd
   */
  run(body: () => void, maxInstructions?: number): boolean;
  /**
   * Runs threads and due tasks until all wait; time does not pass. Threads that never rest get so many instructions,
   * 5 million where absent, and go on the next time. @throws RunEnd
   */
  settle(maxInstructions?: number): void;
  /** Moves the clock to the next thing that is due, at most by so many milliseconds; false where nothing is. */
  advance(milliseconds: number): boolean;
  /** Moves the clock so many milliseconds on, past what is due meanwhile; `settle` does it then. */
  skip(milliseconds: number): void;
  /** As `advance` and `settle` in turn, until nothing is due within so many milliseconds. */
  runFor(milliseconds: number): void;
  readonly instructions: number;
  /** Instructions of the app's code that have run at least once. */
  readonly firstRuns: number;
  readonly coverage: Coverage;
  /** What has run so far, by method; counts nothing, and so costs little. */
  readonly ranMethods: RanMethods;
  /** An object, or a value, of a type, as a method answers that nothing models; null where none can be made. */
  typedDefault(descriptor: string): Value;
  /** Threads that waited for what could not happen and were given up. */
  readonly abandonedThreads: number;
  /** Threads alive, the main one included. */
  readonly threadCount: number;
  /** Ends threads and tasks after a `ProcessExit` that came out of any of the above; classes stay as they are. */
  endProcess(): void;
  /** Runs the initialisers of the app's classes again, as in a new process. @throws RunEnd */
  restartProcess(): void;
  readonly linkedClasses: Iterable<ClassInfo>;
}

/** A machine with its core, ready to run. Links nothing before it is asked. */
export function createMachine(options: MachineOptions): MachineHost {
  return new VirtualMachine(options);
}

export class VirtualMachine implements MachineHost {
  readonly runtime: Runtime;
  readonly clock: Clock;
  readonly #options: MachineOptions;
  readonly #states = new Map<string, unknown>();
  readonly #loadedFindings = new Findings();

  constructor(options: MachineOptions) {
    this.#options = options;
    const limits: Limits = { ...defaultLimits, ...options.limits };
    this.runtime = new Runtime(limits, [...options.models, coreModels], options.startDate ?? 0, {
      machine: () => this,
      unmodelled: (what) => options.onUnmodelled?.(what),
      platformClass: (descriptor) => options.platformClass?.(descriptor) ?? null,
      classLinked: (cls) => options.onClassLoaded?.(cls),
      isWatched: (method) => options.isWatched?.(method) ?? false,
      watchedCall: (method, args) => options.onWatchedCall?.(method, args, () => this.#caller()),
      failed: (error, where) => options.onFailure?.(error, where),
      director: options.director ?? null,
    });
    const { scheduler } = this.runtime;
    scheduler.onHang = (method) => options.onHang?.(method);
    scheduler.onParked = (method) => options.onThreadParked?.(method);
    scheduler.loops.onLeft = (method) => options.onLoopLeft?.(method);
    scheduler.onUncaught = (thread, throwable) => this.#uncaught(thread, throwable);
    this.clock = {
      get elapsed() {
        return scheduler.readElapsed();
      },
      get wall() {
        return scheduler.readWall();
      },
    };
    for (const dex of options.dexFiles) this.runtime.addDex(dex, null);
  }

  #caller(): CallerPlace | null {
    const { frames, depth: top } = this.runtime.thread;
    for (let depth = top; depth >= 0; depth--) {
      const { prepared, at } = frames[depth]!;
      if (prepared === null) continue;
      const { dex, method } = prepared;
      return { dex, methodIndex: method.dexIndex, address: prepared.addressAt(at - 1) };
    }
    return null;
  }

  #uncaught(thread: JavaThread, throwable: HeapObject): void {
    this.#options.onUncaught?.(throwable, thread === this.runtime.scheduler.main);
    thread.object ??= this.allocate('Ljava/lang/Thread;');
    dispatchUncaught(this, thread.object, throwable);
  }

  state<T>(key: string, make: () => T): T {
    if (!this.#states.has(key)) this.#states.set(key, make());
    return this.#states.get(key) as T;
  }

  string(text: string, taint: Taint = 0): JavaString {
    return this.runtime.string(text, taint);
  }

  literal(text: string): JavaString {
    return this.runtime.literal(text);
  }

  array(component: string, length: number): JavaArray {
    return this.runtime.arrayOf(component, length);
  }

  byteArray(bytes: Uint8Array, taint: Taint = 0): JavaArray {
    const array = this.runtime.arrayOf('B', bytes.length);
    (array.elements as Int8Array).set(bytes);
    if (taint !== 0) this.runtime.taintArray(array, taint);
    return array;
  }

  objectArray(component: string, elements: readonly (HeapObject | null)[]): JavaArray {
    const array = this.runtime.arrayOf(component, elements.length);
    const into = array.elements as (HeapObject | null)[];
    for (let index = 0; index < elements.length; index++) into[index] = elements[index] ?? null;
    return array;
  }

  box(primitive: string, value: number | bigint, taint: Taint = 0): HeapObject {
    return this.runtime.box(primitive, value, taint);
  }

  unbox(object: HeapObject | null): number | bigint | null {
    if (object === null || boxedPrimitive(object) === null) return null;
    return object.native as number | bigint;
  }

  allocate(descriptor: string): HeapObject {
    const cls = this.runtime.linker.get(descriptor);
    this.runtime.initialise(cls);
    return this.runtime.newObject(cls);
  }

  construct(descriptor: string, signature: string, ...args: Value[]): HeapObject {
    const object = this.allocate(descriptor);
    const cls = object.cls as LinkedClass;
    const method = cls.methods.get(signature) ?? this.#inherited(cls, signature);
    if (method === null) {
      throw this.exception('Ljava/lang/NoSuchMethodError;', `No direct method ${signature} in class ${descriptor}`);
    }
    this.runtime.invoke(method, [object, ...args]);
    return object;
  }

  #inherited(cls: LinkedClass, signature: string): Method | null {
    if (cls.isApp) return null;
    // A modelled class without a constructor takes its superclass's; that of Object would set no state.
    const found = cls.findMethod(signature);
    const isOwn = found !== null && found.owner.superclass !== null;
    return isOwn ? found : this.runtime.madeUpMethod(cls, signature, false);
  }

  exception(descriptor: string, message?: string, cause: HeapObject | null = null): JavaThrow {
    return this.runtime.exception(descriptor, message, cause);
  }

  classOf(descriptor: string): ClassInfo {
    return this.runtime.linker.get(descriptor);
  }

  findClass(descriptor: string): ClassInfo | null {
    return this.runtime.linker.findDefined(descriptor);
  }

  isInstance(object: HeapObject | null, descriptor: string): boolean {
    if (object === null) return false;
    if (object.cls.descriptor === descriptor) return true;
    const cls = this.runtime.linker.find(descriptor);
    return cls !== null && this.runtime.isInstanceOf(object, cls);
  }

  isSubclass(cls: ClassInfo, of: ClassInfo): boolean {
    return (cls as LinkedClass).isSubclassOf(of as LinkedClass);
  }

  classObject(cls: ClassInfo): HeapObject {
    return this.runtime.classObject(cls as LinkedClass);
  }

  classFrom(classObject: HeapObject): ClassInfo {
    return classObject.native as LinkedClass;
  }

  resolveMethod(cls: ClassInfo, signature: string): MethodInfo | null {
    const method = (cls as LinkedClass).resolve(signature);
    return method === null || method.isAbstract ? null : method;
  }

  call(receiver: HeapObject | null, signature: string, ...args: Value[]): Value {
    return this.#call(null, receiver, signature, args);
  }

  callWith(taints: readonly Taint[], receiver: HeapObject | null, signature: string, ...args: Value[]): Value {
    return this.#call([0, ...taints], receiver, signature, args);
  }

  get resultTaint(): Taint {
    return this.runtime.thread.resultTaint;
  }

  #call(
    taints: readonly Taint[] | null,
    receiver: HeapObject | null,
    signature: string,
    args: readonly Value[],
  ): Value {
    const { runtime } = this;
    if (receiver === null) {
      const name = signature.slice(0, signature.indexOf('('));
      throw this.exception(
        'Ljava/lang/NullPointerException;',
        `Attempt to invoke method '${name}' on a null object reference`,
      );
    }
    const cls = receiver.cls as LinkedClass;
    const found = cls.resolve(signature);
    const target = found !== null && !found.isAbstract ? found : runtime.madeUpMember(found?.owner ?? cls, signature);
    if (target === null) {
      throw this.exception('Ljava/lang/AbstractMethodError;', `abstract method "${cls.name}.${signature}"`);
    }
    const value = runtime.invoke(target, [receiver, ...args], taints);
    // The taint of a branch that chose this text or box is the result's, not the object's own.
    const beside = runtime.thread.resultTaint;
    return beside !== 0 && target.owner.isApp && value instanceof HeapObject
      ? runtime.taintedCopy(value, beside)
      : value;
  }

  callStatic(descriptor: string, signature: string, ...args: Value[]): Value {
    const cls = this.runtime.linker.get(descriptor);
    const method = cls.findMethod(signature);
    if (method === null) {
      if (!cls.isApp) return this.runtime.invoke(this.runtime.madeUpMethod(cls, signature, true), args);
      throw this.exception('Ljava/lang/NoSuchMethodError;', `No static method ${signature} in class ${descriptor}`);
    }
    this.runtime.initialise(method.owner);
    return this.runtime.invoke(method, args);
  }

  invoke(method: MethodInfo, args: readonly Value[], taints: readonly Taint[] | null = null): Value {
    if ((method as Method).isStatic) this.runtime.initialise(method.owner as LinkedClass);
    return this.runtime.invoke(method as Method, args, taints);
  }

  equals(a: HeapObject | null, b: HeapObject | null): boolean {
    if (a === b) return true;
    if (a === null || b === null) return false;
    if (a instanceof JavaString) return b instanceof JavaString && a.text === b.text;
    if (a.cls === b.cls && boxedPrimitive(a) !== null) return Object.is(a.native, b.native);
    return this.call(a, 'equals(Ljava/lang/Object;)Z', b) !== 0;
  }

  hashCode(object: HeapObject | null): number {
    return object === null ? 0 : (this.call(object, 'hashCode()I') as number);
  }

  toText(object: HeapObject | null): JavaString {
    if (object === null) return this.string('null');
    if (object instanceof JavaString) return object;
    const text = this.call(object, 'toString()Ljava/lang/String;');
    return text instanceof JavaString ? text : this.string('null');
  }

  getField(object: HeapObject, name: string): Value {
    const field = (object.cls as LinkedClass).instanceFields.findLast((candidate) => candidate.name === name);
    return field === undefined ? null : object.fields[field.slot]!;
  }

  setField(object: HeapObject, name: string, value: Value, taint: Taint = 0): void {
    const field = (object.cls as LinkedClass).instanceFields.findLast((candidate) => candidate.name === name);
    if (field === undefined) return;
    object.fields[field.slot] = value;
    this.runtime.setFieldTaint(object, field.slot, taint);
  }

  getStatic(descriptor: string, name: string): Value {
    const cls = this.runtime.linker.get(descriptor);
    this.runtime.initialise(cls);
    const field = cls.findField(name, null);
    return field === null ? null : (field.owner.statics[field.slot] ?? defaultValue(field.descriptor));
  }

  setStatic(descriptor: string, name: string, value: Value, taint: Taint = 0): void {
    const cls = this.runtime.linker.get(descriptor);
    this.runtime.initialise(cls);
    const field = cls.findField(name, null);
    if (field === null) return;
    field.owner.statics[field.slot] = value;
    if (taint !== 0) this.runtime.setStaticTaint(field, taint);
  }

  argumentTaint(index: number): Taint {
    return this.runtime.argumentTaint(index);
  }

  setResultTaint(taint: Taint): void {
    this.runtime.setResultTaint(taint);
  }

  union(a: Taint, b: Taint): Taint {
    return this.runtime.taints.union(a, b);
  }

  deepTaint(value: Value): Taint {
    return deepTaint(this.runtime, value);
  }

  source(tag: string, api: string, place?: string): Taint {
    const readIn = this.stackTrace()
      .filter((entry) => entry.isApp)
      .map((entry) => `${entry.className}.${entry.methodName}`)
      .slice(0, 16)
      .reverse();
    return this.runtime.taints.add(tag, api, place === undefined ? readIn : [...readIn, place]);
  }

  tagsOf(taint: Taint): string[] {
    return this.runtime.taints.tagsOf(taint);
  }

  sourcesOf(taint: Taint): { tag: string; api: string; place: string }[] {
    return this.runtime.taints
      .sourcesOf(taint)
      .map(({ tag, api, readIn }) => ({ tag, api, place: readIn.at(-1) ?? '' }));
  }

  isImplicit(taint: Taint): boolean {
    return this.runtime.taints.isImplicit(taint);
  }

  pathOf(taint: Taint): string[] {
    const running = this.stackTrace()
      .filter(({ isApp }) => isApp)
      .map(({ className, methodName }) => `${className}.${methodName}`)
      .reverse();
    const before = this.runtime.taints.pathTo(taint, this.runtime.outermost(this.runtime.thread));
    return [...before.filter((step) => !running.includes(step)), ...new Set(running)];
  }

  get controlTaint(): Taint {
    return this.runtime.control;
  }

  startThread(thread: HeapObject, body: () => void): void {
    this.runtime.scheduler.start(thread, null, body);
  }

  currentThread(): HeapObject {
    const { thread } = this.runtime;
    thread.object ??= this.allocate('Ljava/lang/Thread;');
    return thread.object;
  }

  block(ready: () => boolean, timeoutMilliseconds?: number): boolean {
    if (ready()) return true;
    const { scheduler, thread } = this.runtime;
    const deadline =
      timeoutMilliseconds === undefined
        ? Number.POSITIVE_INFINITY
        : scheduler.elapsed + Math.max(0, timeoutMilliseconds);
    const outer = thread.blocked;
    thread.blocked = { ready, deadline, finish: null, model: this.runtime.model };
    try {
      scheduler.waitFor(thread);
    } finally {
      thread.blocked = outer;
    }
    return ready();
  }

  blockThen(
    ready: () => boolean,
    timeoutMilliseconds: number | undefined,
    then: (isReady: boolean) => Value | undefined,
  ): Value | undefined {
    return this.runtime.blockThen(ready, timeoutMilliseconds, then);
  }

  callThen(
    method: MethodInfo,
    args: readonly Value[],
    onReturn?: (value: Value) => Value | undefined,
    onThrow?: (throwable: HeapObject) => Value | undefined,
  ): Value | undefined {
    if ((method as Method).isStatic) this.runtime.initialise(method.owner as LinkedClass);
    return this.runtime.callThen(method as Method, args, null, onReturn, onThrow);
  }

  schedule(delayMilliseconds: number, task: () => void): Scheduled {
    return this.runtime.scheduler.schedule(delayMilliseconds, task);
  }

  monitorEnter(object: HeapObject): void {
    const { thread, scheduler } = this.runtime;
    while (!enterMonitor(thread, object)) {
      scheduler.waitFor(thread);
      thread.blocked = null;
    }
  }

  monitorExit(object: HeapObject): void {
    exitMonitor(this.runtime, this.runtime.thread, object);
  }

  stackTrace(): StackFrame[] {
    return this.runtime.trace().map(({ method, address }) => ({
      className: method.owner.name,
      methodName: method.name,
      isApp: method.owner.isApp,
      address,
    }));
  }

  decodedTextUse(): CodePosition | null {
    return decodedTextUse(this.runtime.trace(framesOfDecoding));
  }

  castOfResult(): string | null {
    return castOfResult(this.runtime.trace(framesOfDecoding));
  }

  literals(): { readonly texts: ReadonlySet<string>; readonly numbers: ReadonlySet<number> } {
    const running = this.runtime.trace().find(({ method }) => method.owner.isApp)?.method;
    return running === undefined ? { texts: new Set(), numbers: new Set() } : literalsOf(running);
  }

  unmodelled(what: string): void {
    this.runtime.unmodelled(what);
  }

  failed(error: unknown): void {
    this.runtime.failed(error);
  }

  charge(bytes: number): void {
    this.runtime.charge(bytes);
  }

  loadDex(bytes: Uint8Array, where: string): void {
    this.loadDexFor(bytes, where, null);
  }

  /** @throws FormatError where there is no dex */
  loadDexFor(bytes: Uint8Array, where: string, loader: HeapObject | null): Dex[] {
    this.charge(bytes.length);
    this.#options.onDexLoaded?.(bytes, where);
    const dexFiles = openDexContainer(bytes, this.#loadedFindings, where);
    for (const dex of dexFiles) this.runtime.addDex(dex, loader);
    return dexFiles;
  }

  // The driver's side.

  run(body: () => void, maxInstructions = 100_000_000): boolean {
    return this.runtime.scheduler.runMain(body, maxInstructions);
  }

  endProcess(): void {
    this.runtime.scheduler.endProcess();
  }

  restartProcess(): void {
    this.endProcess();
    this.run(() => this.runtime.restartClasses());
  }

  settle(maxInstructions = 5_000_000): void {
    this.runtime.scheduler.settle(maxInstructions);
  }

  advance(milliseconds: number): boolean {
    const { scheduler } = this.runtime;
    return scheduler.advance(scheduler.elapsed + milliseconds);
  }

  skip(milliseconds: number): void {
    this.runtime.scheduler.skip(milliseconds);
  }

  runFor(milliseconds: number): void {
    const { scheduler } = this.runtime;
    const until = scheduler.elapsed + milliseconds;
    do this.settle();
    while (scheduler.advance(until));
  }

  get firstRuns(): number {
    return this.runtime.firstRuns;
  }

  get instructions(): number {
    return this.runtime.scheduler.instructions;
  }

  get coverage(): Coverage {
    return coverageOf(this.runtime.linker);
  }

  get ranMethods(): RanMethods {
    return ranMethods(this.runtime.linker);
  }

  typedDefault(descriptor: string): Value {
    return this.runtime.typedDefault(descriptor);
  }

  get abandonedThreads(): number {
    return this.runtime.scheduler.abandoned;
  }

  get threadCount(): number {
    return this.runtime.scheduler.threads.length;
  }

  get linkedClasses(): Iterable<ClassInfo> {
    return this.runtime.linker.linked;
  }
}
