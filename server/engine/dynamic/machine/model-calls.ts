// Calls of modelled methods: the taint of what goes in and comes out, and whose error is on its way. Knows no frame.
import { boxedPrimitive } from './conversion.ts';
import type { TaintedValue } from './direction.ts';
import { HeapObject, JavaArray, JavaString, type Taint, type Value } from './heap.ts';
import type { JavaThread } from './java-thread.ts';
import { Departure } from './limits.ts';
import { defaultValue, type LinkedClass, type Method } from './linked-class.ts';
import type { Machine, Result } from './model.ts';
import { ProgramHeap } from './program-heap.ts';

/** A modelled method at work. */
interface NativeCall {
  readonly thread: JavaThread;
  readonly method: Method;
  readonly args: readonly Value[];
  /** Of numbers, and of references that a tainted choice selected; null while none has any. */
  readonly taints: Taint[] | null;
  resultTaint: Taint;
}

const describe = (method: Method): string => `${method.owner.descriptor}->${method.signature}`;

export abstract class ModelCalls extends ProgramHeap {
  abstract readonly machine: Machine;
  abstract readonly thread: JavaThread;
  /** Control taint of what runs in TypeScript. */
  control: Taint = 0;
  /** The call that runs. */
  protected native: NativeCall | null = null;
  /** Whether the model ended in a call or in waiting instead of a result: see `Machine.callThen` and `blockThen`. */
  protected isTransferred = false;

  /** Notes in a taint's path that it was seen where the running thread is. */
  abstract note(taint: Taint): void;

  abstract madeUpMethod(owner: LinkedClass, signature: string, isStatic: boolean): Method;

  /** Reports an error. @param where a method's descriptor, or a part of the analysis */
  abstract onFailure(error: unknown, where: string): void;

  /** Reports an error of the model that runs. @throws the error itself where it was thrown on purpose */
  failed(error: unknown): void {
    if (error instanceof Departure) throw error;
    this.onFailure(error, this.model === null ? 'driver' : describe(this.model));
  }

  /** Whether calls of a modelled method are told. */
  abstract isWatched(method: Method): boolean;

  /** Tells a call of a watched method, which is about to run. */
  abstract watchedCall(method: Method, args: readonly Value[]): void;

  /** What a watched method is to answer instead of what its model does; null leaves that. */
  abstract watchedAnswer(method: Method, args: readonly Value[], value: Value): TaintedValue | null;

  abstract typedDefault(descriptor: string): Value;

  /** Runs what a model left to be done once something has happened; where it fails, a default of the model's is the result. */
  resume(model: Method | null, body: () => Value | undefined): Value | undefined {
    const outer = this.model;
    this.model = model;
    try {
      return body();
    } catch (error) {
      this.failed(error);
      return model === null ? null : this.typedDefault(model.returns);
    } finally {
      this.model = outer;
    }
  }

  /** @throws JavaThrow NullPointerException where an argument is null that the model requires */
  #checkRequired(method: Method, args: readonly Value[]): void {
    for (const index of method.required) {
      if (args[index] !== null) continue;
      const { name } = method.owner;
      throw this.exception(
        'Ljava/lang/NullPointerException;',
        `${name}.${method.name}: argument ${method.isStatic ? index + 1 : index} is null`,
      );
    }
  }

  /** Runs a model. One that fails is reported, and answers as a method does that nothing models. */
  #run(method: Method, args: readonly Value[]): Result {
    const native = method.native!;
    const { machine } = this;
    try {
      switch (args.length) {
        case 0:
          return native(machine);
        case 1:
          return native(machine, args[0]);
        case 2:
          return native(machine, args[0], args[1]);
        case 3:
          return native(machine, args[0], args[1], args[2]);
        default:
          return native(machine, ...args);
      }
    } catch (error) {
      this.failed(error);
      if (this.isTransferred || method.isMadeUp) return undefined;
      return this.madeUpMethod(method.owner, method.signature, method.isStatic).native!(machine, ...args);
    }
  }

  protected callNative(
    thread: JavaThread,
    method: Method,
    args: Value[],
    argTaints: Taint[] | null,
    control: Taint,
  ): Value {
    if (argTaints !== null) {
      // What a constructor makes is the object that the program holds, never a copy of it.
      for (let index = method.isConstructor ? 1 : 0; index < args.length; index++) {
        const value = args[index];
        if (argTaints[index] !== 0 && value instanceof HeapObject) {
          args[index] = this.taintedCopy(value, argTaints[index]!);
        }
      }
    }
    const call: NativeCall = { thread, method, args, taints: argTaints, resultTaint: 0 };
    const outer = this.native;
    const outerModel = this.model;
    const outerControl = this.control;
    this.native = call;
    this.model = method;
    this.control = control;
    let value: Result;
    let instead: TaintedValue | null = null;
    try {
      method.isWatched ??= this.isWatched(method);
      if (method.isWatched) this.watchedCall(method, args);
      if (method.required.length > 0) this.#checkRequired(method, args);
      value = this.#run(method, args);
      if (method.isWatched && !this.isTransferred)
        instead = this.watchedAnswer(method, args, this.#resultOf(method, value));
    } finally {
      this.native = outer;
      this.model = outerModel;
      this.control = outerControl;
    }
    if (this.isTransferred) return null;
    const result = instead === null ? this.#resultOf(method, value) : instead.value;
    thread.resultTaint = instead === null ? call.resultTaint : this.taints.union(call.resultTaint, instead.taint);
    return method.isPure ? this.#withTaintOf(call, result, control) : result;
  }

  /** What a model answered, as its method's type has it. */
  #resultOf({ returns }: Method, value: Result): Value {
    if (value === undefined || returns === 'V') return defaultValue(returns);
    const result = typeof value === 'boolean' ? Number(value) : value;
    if (returns !== 'J') return result;
    return BigInt.asIntN(64, typeof result === 'number' ? BigInt(Math.trunc(result)) : (result as bigint));
  }

  /** The result of a pure method, with the union of what went in. */
  #withTaintOf(call: NativeCall, result: Value, control: Taint): Value {
    let taint = control;
    for (let index = 0; index < call.args.length; index++) {
      taint = this.taints.union(taint, this.#taintOf(call, index));
    }
    if (taint === 0) return result;
    this.note(taint);
    // A constructor's result is the object it was given.
    const target = call.method.isConstructor ? call.args[0]! : result;
    if (!(target instanceof HeapObject)) {
      call.thread.resultTaint = this.taints.union(call.thread.resultTaint, taint);
      return result;
    }
    if (target instanceof JavaArray) {
      this.taintArray(target, taint);
    } else if (call.method.isConstructor) {
      target.taint = this.taints.union(target.taint, taint);
    } else if (target instanceof JavaString) {
      if (call.args.includes(target) || this.isLiteral(target)) return this.taintedCopy(target, taint);
      target.taint = this.taints.union(target.taint, taint);
    } else if (boxedPrimitive(target) !== null) {
      return this.taintedCopy(target, taint);
    } else {
      target.taint = this.taints.union(target.taint, taint);
    }
    return result;
  }

  #taintOf(call: NativeCall, index: number): Taint {
    const beside = call.taints?.[index] ?? 0;
    const value = call.args[index];
    return value instanceof HeapObject ? this.taints.union(beside, this.ownTaint(value)) : beside;
  }

  argumentTaint(index: number): Taint {
    return this.native === null ? 0 : this.#taintOf(this.native, index);
  }

  setResultTaint(taint: Taint): void {
    if (this.native !== null) this.native.resultTaint = taint;
    this.thread.resultTaint = taint;
  }

  /** Whether the model that was just called ended in a call or in waiting, so that its result is still to come. */
  takeSignal(): boolean {
    const { isTransferred } = this;
    this.isTransferred = false;
    return isTransferred;
  }
}
