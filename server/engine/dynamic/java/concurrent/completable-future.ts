// java.util.concurrent.CompletableFuture: the common stages. Knows pools as executors.
import type { HeapObject, JavaArray, Value } from '../../machine/heap.ts';
import { JavaThrow } from '../../machine/heap.ts';
import type { Machine, ModelClass, NativeMethod, NativeMethods } from '../../machine/model.ts';
import { flag, instance, made, type Reference, referencesOf } from '../values.ts';
import { commonPool, runOn } from './executors.ts';
import { awaitResult, finish, futureMethods, futureOf, isOver, newFuture, thrown } from './future.ts';

const F = 'Ljava/util/concurrent/CompletableFuture;';
const EXECUTOR = 'Ljava/util/concurrent/Executor;';
const FN = 'Ljava/util/function/';
const O = 'Ljava/lang/Object;';

const make = (machine: Machine): HeapObject => instance(machine, F, newFuture(null));

/** Completes a future with the result of a computation, or with the exception that it throws. */
function settle(machine: Machine, target: HeapObject, compute: () => Reference): void {
  try {
    finish(machine, futureOf(target), 'done', compute());
  } catch (error) {
    if (!(error instanceof JavaThrow)) throw error;
    finish(machine, futureOf(target), 'failed', error.throwable);
  }
}

/** A dependent stage: runs on the thread that completes the first stage, or on an executor. */
function stage(
  machine: Machine,
  source: HeapObject,
  executor: HeapObject | null,
  run: (target: HeapObject, value: Reference, error: HeapObject | null) => void,
): HeapObject {
  const target = make(machine);
  const future = futureOf(source);
  const next = (): void => {
    const body = (): undefined => {
      run(target, future.result, future.error);
    };
    if (executor === null) body();
    else runOn(machine, executor, body);
  };
  if (isOver(future)) next();
  else future.dependents.push(next);
  return target;
}

/** A stage that is skipped when an earlier one fails. */
function onValue(compute: (machine: Machine, value: Reference, fn: HeapObject) => Reference) {
  return (machine: Machine, self: HeapObject, fn: HeapObject, executor: HeapObject | null): HeapObject =>
    stage(machine, self, executor, (target, value, error) => {
      if (error !== null) finish(machine, futureOf(target), 'failed', error);
      else settle(machine, target, () => compute(machine, value, fn));
    });
}

const STAGES: Readonly<Record<string, readonly [string, ReturnType<typeof onValue>]>> = {
  thenApply: ['Function', onValue((m, value, fn) => m.call(fn, `apply(${O})${O}`, value) as Reference)],
  thenAccept: [
    'Consumer',
    onValue((m, value, fn) => {
      m.call(fn, `accept(${O})V`, value);
      return null;
    }),
  ],
  thenCompose: [
    'Function',
    (machine, self, fn, executor) =>
      stage(machine, self, executor, (target, value, error) => {
        if (error !== null) return finish(machine, futureOf(target), 'failed', error);
        try {
          const inner = machine.call(fn, `apply(${O})${O}`, value) as HeapObject;
          stage(machine, inner, null, (_unused, result, failure) =>
            finish(machine, futureOf(target), failure === null ? 'done' : 'failed', failure ?? result),
          );
        } catch (thrownError) {
          if (!(thrownError instanceof JavaThrow)) throw thrownError;
          finish(machine, futureOf(target), 'failed', thrownError.throwable);
        }
      }),
  ],
  handle: [
    'BiFunction',
    (machine, self, fn, executor) =>
      stage(machine, self, executor, (target, value, error) =>
        settle(machine, target, () => machine.call(fn, `apply(${O}${O})${O}`, value, error) as Reference),
      ),
  ],
  whenComplete: [
    'BiConsumer',
    (machine, self, fn, executor) =>
      stage(machine, self, executor, (target, value, error) => {
        machine.call(fn, `accept(${O}${O})V`, value, error);
        finish(machine, futureOf(target), error === null ? 'done' : 'failed', error ?? value);
      }),
  ],
};

function stages(): Record<string, NativeMethod> {
  const methods: Record<string, NativeMethod> = {};
  for (const [name, [type, run]] of Object.entries(STAGES)) {
    methods[`${name}(${FN}${type};)${F}`] = (machine, self, fn: HeapObject) => run(machine, self, fn, null);
    methods[`${name}Async(${FN}${type};)${F}`] = (machine, self, fn: HeapObject) =>
      run(machine, self, fn, commonPool(machine));
    methods[`${name}Async(${FN}${type};${EXECUTOR})${F}`] = run;
  }
  methods[`thenRun(Ljava/lang/Runnable;)${F}`] = (machine, self, fn: HeapObject) =>
    onValue((m) => {
      m.call(fn, 'run()V');
      return null;
    })(machine, self, fn, null);
  methods[`exceptionally(${FN}Function;)${F}`] = (machine, self, fn: HeapObject) =>
    stage(machine, self, null, (target, value, error) =>
      settle(machine, target, () =>
        error === null ? value : (machine.call(fn, `apply(${O})${O}`, error) as Reference),
      ),
    );
  methods[`thenCombine(!Ljava/util/concurrent/CompletionStage;${FN}BiFunction;)${F}`] = (machine, self, other, fn) =>
    onValue((m, value) => m.call(fn, `apply(${O}${O})${O}`, value, futureOf(other).result) as Reference)(
      machine,
      all(machine, [self, other], () => futureOf(self).result),
      fn,
      null,
    );
  return methods;
}

/** Completes when all of them have completed. */
function all(machine: Machine, futures: readonly HeapObject[], result: () => Reference): HeapObject {
  const target = make(machine);
  const check = (): void => {
    const failed = futures.find((future) => futureOf(future).state === 'failed');
    if (failed !== undefined) finish(machine, futureOf(target), 'failed', futureOf(failed).error);
    else if (futures.every((future) => isOver(futureOf(future)))) finish(machine, futureOf(target), 'done', result());
  };
  for (const future of futures) if (!isOver(futureOf(future))) futureOf(future).dependents.push(check);
  check();
  return target;
}

function supply(machine: Machine, executor: HeapObject, compute: () => Reference): HeapObject {
  const target = make(machine);
  runOn(machine, executor, () => {
    settle(machine, target, compute);
  });
  return target;
}

/** join() throws CompletionException where get() throws ExecutionException. */
function join(machine: Machine, self: HeapObject): Value | undefined {
  const future = futureOf(self);
  return machine.blockThen(
    () => isOver(future),
    undefined,
    () => {
      if (future.error === null) return future.result;
      throw machine.exception(
        'Ljava/util/concurrent/CompletionException;',
        machine.toText(future.error).text,
        future.error,
      );
    },
  );
}

const get = (machine: Machine, supplier: HeapObject): Reference => machine.call(supplier, `get()${O}`) as Reference;
const run = (machine: Machine, task: HeapObject): null => {
  machine.call(task, 'run()V');
  return null;
};

const methods: NativeMethods = {
  ...futureMethods,
  ...stages(),
  '<init>()V': made(() => newFuture(null)),
  [`complete(${O})Z`]: (machine, self, value: Reference) => {
    const isFirst = !isOver(futureOf(self));
    finish(machine, futureOf(self), 'done', value);
    return flag(isFirst);
  },
  'completeExceptionally(Ljava/lang/Throwable;)Z': (machine, self, error: Reference) => {
    const isFirst = !isOver(futureOf(self));
    finish(machine, futureOf(self), 'failed', error);
    return flag(isFirst);
  },
  [`join()${O}`]: join,
  [`getNow(${O})${O}`]: (machine, self, otherwise: Reference) => {
    const future = futureOf(self);
    if (!isOver(future)) return otherwise;
    if (future.error !== null) throw thrown(future.error);
    return awaitResult(machine, future, 0);
  },
  'isCompletedExceptionally()Z': (_machine, self) => futureOf(self).state === 'failed',
  [`toCompletableFuture()${F}`]: (_machine, self) => self,
};

const SUPPLIER = `${FN}Supplier;`;

export const completableFutureModels: Record<string, ModelClass> = {
  'Ljava/util/concurrent/CompletionStage;': { isInterface: true },
  [F]: {
    implements: ['Ljava/util/concurrent/Future;', 'Ljava/util/concurrent/CompletionStage;'],
    methods,
    staticMethods: {
      [`supplyAsync(${SUPPLIER})${F}`]: (machine, supplier: HeapObject) =>
        supply(machine, commonPool(machine), () => get(machine, supplier)),
      [`supplyAsync(${SUPPLIER}!${EXECUTOR})${F}`]: (machine, supplier: HeapObject, executor: HeapObject) =>
        supply(machine, executor, () => get(machine, supplier)),
      [`runAsync(Ljava/lang/Runnable;)${F}`]: (machine, task: HeapObject) =>
        supply(machine, commonPool(machine), () => run(machine, task)),
      [`runAsync(Ljava/lang/Runnable;!${EXECUTOR})${F}`]: (machine, task: HeapObject, executor: HeapObject) =>
        supply(machine, executor, () => run(machine, task)),
      [`completedFuture(${O})${F}`]: (machine, value: Reference) => {
        const done = make(machine);
        finish(machine, futureOf(done), 'done', value);
        return done;
      },
      [`allOf(![${F})${F}`]: (machine, futures: JavaArray) =>
        all(machine, referencesOf(futures) as HeapObject[], () => null),
    },
  },
};
