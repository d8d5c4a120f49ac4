// What the interpreter's loop and the models use: objects, calls, exceptions, taint, locks, time. Knows no model.

import { BadCode } from '../../code/method-body.ts';
import type { Dex } from '../../formats/dex/dex.ts';
import type { CallSite } from './call-site.ts';
import { ClassInitialiser } from './class-initialiser.ts';
import { ClassLinker } from './class-linker.ts';
import { enterRegion, leaveRegions } from './control-taint.ts';
import { type Director, passOver, registersOf, standIn, type TaintedValue } from './direction.ts';
import { type HeapObject, JavaThrow, type Taint, type Value } from './heap.ts';
import type { Frame, JavaThread } from './java-thread.ts';
import { Departure, type Limits, RunEnd } from './limits.ts';
import { defaultValue, type Field, flags, type LinkedClass, type Method } from './linked-class.ts';
import type { Machine, Models, PlatformClass } from './model.ts';
import { ModelCalls } from './model-calls.ts';
import { enterMonitor, releaseFrameLock } from './monitors.ts';
import { nullPointerMessage } from './null-pointer-message.ts';
import { prepare } from './preparation.ts';
import type { PreparedMethod } from './prepared-method.ts';
import { resolve } from './resolution.ts';
import { Scheduler } from './scheduler.ts';
import { execute } from './thread-loop.ts';
import type { TraceEntry } from './throwable-state.ts';
import { exceptionCost } from './unwinding.ts';

export interface RuntimeHost {
  readonly machine: () => Machine;
  unmodelled(what: string): void;
  platformClass(descriptor: string): PlatformClass | null;
  classLinked(cls: LinkedClass): void;
  isWatched(method: Method): boolean;
  watchedCall(method: Method, args: readonly Value[]): void;
  /** Who leads the run; null where it goes its own way. */
  readonly director: Director | null;
  /** An error of this program's, in a model or elsewhere; it is worked around. */
  failed(error: unknown, where: string): void;
}

/** Registers of all frames of one thread. */
const maxRegisters = 1 << 19;
/** Frames that a throwable remembers. */
const maxTrace = 256;

export class Runtime extends ModelCalls {
  readonly linker: ClassLinker;
  readonly scheduler: Scheduler;
  readonly #initialiser: ClassInitialiser;
  readonly #host: RuntimeHost;
  /** Instructions left of the running slice. */
  budget: number;
  /** Taint of the index or divisor that made an instruction throw, until the exception is unwound. */
  faultTaint: Taint = 0;
  /** Calls that stand on the JavaScript stack, of all threads. */
  nested = 0;
  #classes = 0;

  constructor(limits: Limits, models: readonly Models[], startDate: number, host: RuntimeHost) {
    super(limits);
    this.#host = host;
    this.scheduler = new Scheduler(this, startDate);
    this.budget = this.scheduler.slice;
    this.linker = new ClassLinker(
      {
        exception: (descriptor, message) => new JavaThrow(this.throwable(descriptor, message)),
        string: (text) => this.literal(text),
        unmodelled: (what) => this.#host.unmodelled(what),
        platformClass: (descriptor) => this.#host.platformClass(descriptor),
        classLinked: (cls) => this.#host.classLinked(cls),
        countClass: () => {
          if (++this.#classes > this.limits.classes) throw new RunEnd('classes', `more than ${limits.classes} classes`);
        },
      },
      models,
    );
    this.#initialiser = new ClassInitialiser(this);
  }

  /** Instructions of the app's code that have run at least once. */
  firstRuns = 0;

  get machine(): Machine {
    return this.#host.machine();
  }

  get thread(): JavaThread {
    return this.scheduler.current;
  }

  unmodelled(what: string): void {
    this.#host.unmodelled(what);
  }

  addDex(dex: Dex, loader: HeapObject | null): void {
    this.linker.addDex(dex, loader);
  }

  checkProcessor(): void {
    this.scheduler.checkProcessor();
  }

  // Exceptions.

  /** Where the running thread is, innermost first. */
  trace(most = maxTrace): TraceEntry[] {
    const thread = this.thread;
    const trace: TraceEntry[] = [];
    for (let depth = thread.depth; depth >= 0 && trace.length < most; depth--) {
      const { prepared, at, native } = thread.frames[depth]!;
      if (prepared !== null) trace.push({ method: prepared.method, address: prepared.addressAt(at - 1) });
      else if (native !== null) trace.push({ method: native, address: -1 });
    }
    return trace;
  }

  /**
   * The Java exception that an error in the loop of instructions stands for.
   * @throws the error itself where it ends the run or the thread
   */
  throwableOf(error: unknown): HeapObject {
    this.budget -= exceptionCost;
    if (error instanceof JavaThrow) return error.throwable;
    if (error instanceof Departure) throw error;
    // Only code that a verifier would refuse makes an instruction fail here.
    const where = this.trace()[0]?.method.label ?? '';
    this.onFailure(error, `code of ${where}`);
    return this.throwable('Ljava/lang/VerifyError;', `Verifier rejected ${where}: ${String(error)}`);
  }

  onFailure(error: unknown, where: string): void {
    this.#host.failed(error, where);
  }

  isWatched(method: Method): boolean {
    return this.#host.isWatched(method);
  }

  watchedCall(method: Method, args: readonly Value[]): void {
    this.#host.watchedCall(method, args);
  }

  watchedAnswer(method: Method, args: readonly Value[], value: Value): TaintedValue | null {
    return this.#host.director?.answered(method, args, value) ?? null;
  }

  /** What the instruction at a place throws; null where it is to run again. @param budget left to the loop */
  nullPointer(frame: Frame, at: number, budget: number): HeapObject | null {
    frame.at = at + 1;
    this.budget = budget;
    const { director } = this.#host;
    if (director !== null && standIn(director, this.thread, frame, at)) {
      frame.at = at;
      this.budget -= exceptionCost;
      return null;
    }
    return this.throwable('Ljava/lang/NullPointerException;', nullPointerMessage(frame.prepared!, at));
  }

  /** Goes on behind a call that threw, where whoever leads the run wants it. */
  passOver(thread: JavaThread, frame: Frame): boolean {
    const { director } = this.#host;
    return director !== null && passOver(director, thread, frame);
  }

  /** Drops the frames of an entry whose loop ends in something that is no Java exception. */
  abandon(thread: JavaThread, floor: number): void {
    while (thread.depth >= floor) {
      const frame = thread.frames[thread.depth]!;
      if (frame.lock !== null) releaseFrameLock(thread, frame);
      thread.depth--;
    }
    thread.blocked = null;
  }

  // Calls.

  dispatch(site: CallSite, cls: LinkedClass): void {
    const declared = site.target!;
    site.cachedTarget = this.virtualTarget(cls, declared, site.signature);
    site.cachedClass = cls;
  }

  /** @throws JavaThrow AbstractMethodError where nothing implements it */
  virtualTarget(cls: LinkedClass, declared: Method, signature: string): Method {
    if ((declared.accessFlags & flags.private) !== 0) return declared;
    const target = cls.resolve(signature);
    if (target !== null && !target.isAbstract) return target;
    if (target === null && !declared.isAbstract) return declared;
    if (!declared.owner.isApp || !cls.isApp) return this.madeUpMethod(declared.owner, signature, false);
    throw this.exception(
      'Ljava/lang/AbstractMethodError;',
      `abstract method "${declared.returns} ${declared.owner.name}.${declared.name}(${declared.parameters.join(', ')})"`,
    );
  }

  readonly #madeUp = new Map<string, Method>();

  /** A method that the platform should have: it answers with a default of its type. */
  madeUpMethod(owner: LinkedClass, signature: string, isStatic: boolean): Method {
    const key = `${owner.descriptor}->${signature}`;
    const known = this.#madeUp.get(key);
    if (known !== undefined) return known;
    const method = this.#initialiser.madeUpMethod(owner, signature, isStatic);
    this.#madeUp.set(key, method);
    return method;
  }

  /** A method that a class of the platform at or above this one should have; null where the app has every class. */
  madeUpMember(cls: LinkedClass, signature: string): Method | null {
    let owner: LinkedClass | null = cls;
    while (owner?.isApp) owner = owner.superclass;
    return owner === null || owner.superclass === null ? null : this.madeUpMethod(owner, signature, false);
  }

  initialise(cls: LinkedClass): void {
    if (!cls.isReady) this.#initialiser.initialise(cls);
  }

  restartClasses(): void {
    this.#initialiser.restart();
  }

  /** See `resolution.ts`. */
  resolve(prepared: PreparedMethod, at: number): void {
    resolve(this, prepared, at);
  }

  enumConstant(cls: LinkedClass, name: string): HeapObject {
    return this.#initialiser.enumConstant(cls, name);
  }

  typedDefault(descriptor: string): Value {
    return this.#initialiser.typedDefault(descriptor);
  }

  /** A `java.lang.invoke.MethodType` for `(ILjava/lang/String;)V`. */
  methodType(prototype: string): HeapObject {
    const object = this.newObject(this.linker.get('Ljava/lang/invoke/MethodType;'));
    object.native = prototype;
    return object;
  }

  /** Makes room for a frame. @throws JavaThrow StackOverflowError */
  reserve(thread: JavaThread, end: number): void {
    if (thread.depth >= this.limits.frames || end > maxRegisters) {
      throw this.exception('Ljava/lang/StackOverflowError;', 'stack size 8192KB');
    }
    thread.reserve(end);
  }

  /** @throws JavaThrow VerifyError, AbstractMethodError or UnsatisfiedLinkError where it cannot run */
  prepared(method: Method): PreparedMethod {
    if (method.code === null) {
      if (method.isAbstract) {
        throw this.exception('Ljava/lang/AbstractMethodError;', `abstract method "${method.label}"`);
      }
      try {
        method.code = prepare(method);
      } catch (error) {
        if (!(error instanceof BadCode)) throw error;
        const where = `${method.owner.descriptor}->${method.signature}`;
        this.unmodelled(`rejected code of ${where}: ${error.message}`);
        throw this.exception('Ljava/lang/VerifyError;', `Verifier rejected ${where}: ${error.message}`);
      }
      this.#host.director?.began(method);
    }
    return method.code as PreparedMethod;
  }

  /** The native that runs for a method without code of its own, null where it has code. */
  nativeOf(method: Method): Method | null {
    if (method.native !== null) return method;
    if (method.codeOffset === 0 && !method.isAbstract && method.owner.isApp) {
      return this.madeUpMethod(method.owner, method.signature, method.isStatic);
    }
    return null;
  }

  /**
   * An invocation that needs more than a frame: a model, a lock, code that has not run yet.
   * @returns true where the result stands ready; false where frames have changed, or the instruction is to be repeated
   */
  enterSlowly(thread: JavaThread, frame: Frame, site: CallSite, target: Method, at: number, count: number): boolean {
    const prepared = frame.prepared!;
    const native = this.nativeOf(target);
    if (native !== null) {
      const { registers, taints } = thread;
      const first = at + 3;
      const { places } = site;
      const args: Value[] = [];
      let argTaints: Taint[] | null = null;
      for (let index = 0; index < places.length; index++) {
        const register = frame.base + prepared.stream[first + places[index]!]!;
        args.push(registers[register]!);
        if (taints[register]! !== 0) {
          argTaints ??= new Array<number>(places.length).fill(0);
          argTaints[index] = taints[register]!;
        }
      }
      const value = this.callNative(thread, native, args, argTaints, frame.control);
      if (this.takeSignal()) return false;
      thread.result = value;
      return true;
    }
    const callee = this.prepared(target);
    if (!callee.isSynchronized) {
      frame.at = at;
      return false;
    }
    const lock = target.isStatic
      ? this.classObject(target.owner)
      : (thread.registers[frame.base + prepared.stream[at + 3]!] as HeapObject);
    if (!enterMonitor(thread, lock)) {
      frame.at = at;
      return false;
    }
    const calleeBase = frame.base + prepared.registers;
    this.reserve(thread, calleeBase + callee.registers);
    const to = calleeBase + callee.argumentBase;
    for (let index = 0; index < count; index++) {
      const from = frame.base + prepared.stream[at + 3 + index]!;
      thread.registers[to + index] = thread.registers[from]!;
      thread.taints[to + index] = thread.taints[from]!;
    }
    const inner = thread.push();
    inner.prepared = callee;
    inner.base = calleeBase;
    inner.control = frame.control;
    inner.lock = lock;
    return false;
  }

  /** Puts a method's frame on top of the thread, with arguments one each. */
  pushFrame(thread: JavaThread, method: Method, args: readonly Value[], argTaints: readonly Taint[] | null): void {
    const callee = this.prepared(method);
    let lock: HeapObject | null = null;
    if (callee.isSynchronized) {
      lock = method.isStatic ? this.classObject(method.owner) : (args[0] as HeapObject);
      while (!enterMonitor(thread, lock)) {
        this.scheduler.waitFor(thread);
        thread.blocked = null;
      }
    }
    const base = thread.top;
    this.reserve(thread, base + callee.registers);
    let to = base + callee.argumentBase;
    let index = 0;
    const put = (type: string) => {
      thread.registers[to] = args[index] ?? defaultValue(type);
      thread.taints[to] = argTaints?.[index] ?? 0;
      index++;
      to += type === 'J' || type === 'D' ? 2 : 1;
    };
    if (!method.isStatic) put(method.owner.descriptor);
    for (const type of method.parameters) put(type);
    const frame = thread.push();
    frame.prepared = callee;
    frame.base = base;
    frame.control = this.control;
    frame.lock = lock;
  }

  /** Notes in a taint's path that it was seen where the running thread is. */
  note(taint: Taint): void {
    const thread = this.thread;
    for (let depth = thread.depth; depth >= 0; depth--) {
      const { prepared } = thread.frames[depth]!;
      if (prepared === null) continue;
      this.taints.note(taint, prepared.method.label, this.outermost(thread));
      return;
    }
  }

  /** The method of the app that everything else of a thread runs within. */
  outermost({ frames, depth }: JavaThread): string {
    for (let at = 0; at <= depth; at++) {
      const { prepared } = frames[at]!;
      if (prepared !== null) return prepared.method.label;
    }
    return '';
  }

  /** Runs a method to its end and gives its result. @throws JavaThrow */
  invoke(method: Method, args: readonly Value[], argTaints: readonly Taint[] | null = null): Value {
    const { thread } = this;
    if (this.nested >= this.limits.nestedCalls) {
      throw this.exception('Ljava/lang/StackOverflowError;', 'too many calls through models');
    }
    this.nested++;
    thread.nesting++;
    const outer = this.native;
    const entry = thread.push();
    const depth = thread.depth;
    entry.isEntry = true;
    entry.control = this.control;
    let isRun = false;
    try {
      const native = this.nativeOf(method);
      if (native !== null) {
        const taints = argTaints?.some((taint) => taint !== 0) ? [...argTaints] : null;
        const value = this.callNative(thread, native, [...args], taints, this.control);
        if (!this.takeSignal()) return value;
      } else {
        this.pushFrame(thread, method, args, argTaints);
      }
      isRun = true;
      execute(this, thread);
      return thread.result;
    } finally {
      if (!isRun) this.abandon(thread, depth);
      this.native = outer;
      thread.nesting--;
      this.nested--;
    }
  }

  /** See `Machine.callThen`. */
  callThen(
    method: Method,
    args: readonly Value[],
    argTaints: readonly Taint[] | null,
    onReturn: ((value: Value) => Value | undefined) | undefined,
    onThrow: ((throwable: HeapObject) => Value | undefined) | undefined,
  ): undefined {
    const { thread } = this;
    this.reserve(thread, 0);
    const frame = thread.push();
    frame.continuation = { onReturn, onThrow };
    frame.control = this.control;
    frame.native = this.model;
    const native = this.nativeOf(method);
    if (native !== null) {
      const value = this.callNative(
        thread,
        native,
        [...args],
        argTaints === null ? null : [...argTaints],
        this.control,
      );
      if (!this.takeSignal()) thread.result = value;
    } else {
      this.pushFrame(thread, method, args, argTaints);
    }
    this.isTransferred = true;
  }

  /** A modelled method as the first thing that a thread does; the thread's loop takes it from there. */
  begin(method: Method, args: readonly Value[]): void {
    this.callThen(method, args, null, undefined, undefined);
    this.isTransferred = false;
  }

  /** See `Machine.blockThen`. */
  blockThen(
    ready: () => boolean,
    timeoutMilliseconds: number | undefined,
    then: (isReady: boolean) => Value | undefined,
  ): Value | undefined {
    if (ready()) return then(true);
    const { scheduler, thread } = this;
    const deadline =
      timeoutMilliseconds === undefined
        ? Number.POSITIVE_INFINITY
        : scheduler.elapsed + Math.max(0, timeoutMilliseconds);
    thread.blocked = { ready, deadline, finish: then, model: this.model };
    this.isTransferred = true;
  }

  /** Puts a thread's frames in order until a method can go on: null. Otherwise the loop's end. */
  settle(thread: JavaThread, floor: number): 'returned' | 'aside' | null {
    for (;;) {
      if (thread.depth < floor) return 'returned';
      if (this.scheduler.takeAside()) return 'aside';
      const { blocked } = thread;
      if (blocked !== null) {
        if (!this.scheduler.isAwake(blocked)) {
          if (thread.isSteppable && thread.loops === 1) return 'aside';
          this.scheduler.waitFor(thread);
        }
        thread.blocked = null;
        if (blocked.finish !== null) {
          thread.resultTaint = 0;
          const { finish, model } = blocked;
          const value = this.resume(model, () => finish(blocked.ready()));
          if (!this.takeSignal()) this.deliver(thread, value ?? null, 0);
        }
        continue;
      }
      const frame = thread.frames[thread.depth]!;
      if (frame.prepared !== null) return null;
      thread.depth--;
      if (frame.isEntry) return 'returned';
      const onReturn = frame.continuation?.onReturn;
      if (onReturn === undefined) continue;
      const taint = thread.resultTaint;
      thread.returnedTaint = taint;
      thread.resultTaint = 0;
      const value = this.resume(frame.native, () => onReturn(thread.result));
      if (!this.takeSignal()) this.deliver(thread, value ?? null, taint);
    }
  }

  /** Sets the result of a model that had to wait for it. */
  deliver(thread: JavaThread, value: Value, taint: Taint): void {
    thread.result = value;
    thread.resultTaint = this.taints.union(thread.resultTaint, taint);
  }

  // Taint.

  enterRegion(frame: Frame, at: number, taint: Taint): Taint {
    const { director } = this.#host;
    if (director !== null) director.decided({ prepared: frame.prepared!, at }, taint, registersOf(this.thread, frame));
    return enterRegion(this, frame, at, taint);
  }

  leaveRegions(thread: JavaThread, frame: Frame, at: number): Taint {
    return leaveRegions(this, thread, frame, at);
  }

  setFieldTaint(object: HeapObject, slot: number, taint: Taint): void {
    if (object.fieldTaints === null) {
      if (taint === 0) return;
      object.fieldTaints = new Array(object.fields.length).fill(0);
    }
    object.fieldTaints[slot] = taint;
    if (taint !== 0) this.note(taint);
  }

  setStaticTaint(field: Field, taint: Taint): void {
    const { owner } = field;
    owner.staticTaints ??= [];
    owner.staticTaints[field.slot] = taint;
    if (taint !== 0) this.note(taint);
  }

  /** At the end of a slice: counts it and lets other threads run. True where this thread has to step aside. */
  sliceEnded(thread: JavaThread): boolean {
    return this.scheduler.sliceEnded(thread);
  }

  // Classes as objects.

  classObject(cls: LinkedClass): HeapObject {
    if (cls.classObject === null) {
      cls.classObject = this.newObject(this.linker.get('Ljava/lang/Class;'));
      cls.classObject.native = cls;
    }
    return cls.classObject;
  }
}

/** The runtime behind a machine, for the core models. */
export function runtimeOf(machine: Machine): Runtime {
  return (machine as Machine & { readonly runtime: Runtime }).runtime;
}
