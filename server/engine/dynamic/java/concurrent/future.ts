// Tasks with results: FutureTask, and what waiting for one means. Knows no pools.
import type { HeapObject, Value } from '../../machine/heap.ts';
import { JavaThrow } from '../../machine/heap.ts';
import type { Machine, ModelClass, NativeMethods } from '../../machine/model.ts';
import { enumModel, enumOrdinal } from '../lang/enum.ts';
import { instance, made, type Reference, required } from '../values.ts';

/** The `native` of every modelled future. */
export interface FutureState {
  task: HeapObject | null;
  /** The fixed result that a Runnable's future was created with. */
  result: Reference;
  error: HeapObject | null;
  state: 'new' | 'running' | 'done' | 'failed' | 'cancelled';
  /** Callbacks for when it has completed. */
  dependents: ((machine: Machine) => void)[];
}

const UNIT = 'Ljava/util/concurrent/TimeUnit;';

/** Nanoseconds in each TimeUnit, in the order of the enum. */
const UNITS = [1n, 1000n, 1_000_000n, 1_000_000_000n, 60_000_000_000n, 3_600_000_000_000n, 86_400_000_000_000n];

export function milliseconds(count: bigint, unit: Reference): number {
  const nanoseconds = count * (UNITS[unit === null ? 2 : enumOrdinal(unit)] ?? 1n);
  return Number(nanoseconds) / 1e6;
}

export function newFuture(task: HeapObject | null, result: Reference = null): FutureState {
  return { task, result, error: null, state: 'new', dependents: [] };
}

export function futureOf(self: HeapObject): FutureState {
  return self.native as FutureState;
}

export const isOver = (future: FutureState): boolean => future.state !== 'new' && future.state !== 'running';

export function finish(
  machine: Machine,
  future: FutureState,
  state: 'done' | 'failed' | 'cancelled',
  value: Reference,
): void {
  if (isOver(future)) return;
  future.state = state;
  if (state === 'failed') future.error = value;
  else future.result = value;
  const waiting = future.dependents;
  future.dependents = [];
  for (const next of waiting) next(machine);
}

/** A Java exception with an object that exists already. */
export function thrown(throwable: HeapObject): JavaThrow {
  return new JavaThrow(throwable);
}

/** Runs a Runnable or Callable as a model's tail call, and completes the future with its result or exception. */
export function runTask(
  machine: Machine,
  self: HeapObject,
  future: FutureState,
  then: () => Value | undefined = () => undefined,
): Value | undefined {
  const { task } = future;
  if (task === null || future.state !== 'new') return then();
  future.state = 'running';
  const isCallable = machine.isInstance(task, 'Ljava/util/concurrent/Callable;');
  const method = machine.resolveMethod(task.cls, isCallable ? 'call()Ljava/lang/Object;' : 'run()V');
  if (method === null) return then();
  const end = (state: 'done' | 'failed', value: Reference): Value | undefined => {
    finish(machine, future, state, value);
    if (machine.resolveMethod(self.cls, 'done()V')?.native === null) machine.call(self, 'done()V');
    return then();
  };
  return machine.callThen(
    method,
    [task],
    (value) => end('done', isCallable ? (value as Reference) : future.result),
    (throwable) => end('failed', throwable),
  );
}

/** Future.get: waits, then the result or ExecutionException. */
export function awaitResult(machine: Machine, future: FutureState, timeout: number | undefined): Value | undefined {
  return machine.blockThen(
    () => isOver(future),
    timeout,
    (isReady) => {
      if (!isReady) throw machine.exception('Ljava/util/concurrent/TimeoutException;');
      if (future.state === 'cancelled') throw machine.exception('Ljava/util/concurrent/CancellationException;');
      if (future.state === 'failed') {
        const text = machine.toText(future.error).text;
        throw machine.exception('Ljava/util/concurrent/ExecutionException;', text, future.error);
      }
      return future.result;
    },
  );
}

export const futureMethods: NativeMethods = {
  'get()Ljava/lang/Object;': (machine, self) => awaitResult(machine, futureOf(self), undefined),
  [`get(J${UNIT})Ljava/lang/Object;`]: (machine, self, count: bigint, unit: Reference) =>
    awaitResult(machine, futureOf(self), milliseconds(count, unit)),
  'isDone()Z': (_machine, self) => isOver(futureOf(self)),
  'isCancelled()Z': (_machine, self) => futureOf(self).state === 'cancelled',
  'cancel(Z)Z': (machine, self) => {
    const future = futureOf(self);
    if (isOver(future)) return 0;
    finish(machine, future, 'cancelled', null);
    if (machine.resolveMethod(self.cls, 'done()V')?.native === null) machine.call(self, 'done()V');
    return 1;
  },
};

const C = 'Ljava/util/concurrent/';

const unitStatics = Object.fromEntries(
  ['Nanos', 'Micros', 'Millis', 'Seconds', 'Minutes', 'Hours', 'Days'].map((name, index) => [
    `to${name}(J)J`,
    (_machine: Machine, self: HeapObject, count: bigint) => (count * UNITS[enumOrdinal(self)]!) / UNITS[index]!,
  ]),
);

export const futureModels: Record<string, ModelClass> = {
  [`${C}Callable;`]: { isInterface: true, abstractMethods: ['call()Ljava/lang/Object;'] },
  [`${C}Future;`]: { isInterface: true, abstractMethods: Object.keys(futureMethods) },
  [`${C}RunnableFuture;`]: { isInterface: true, implements: ['Ljava/lang/Runnable;', `${C}Future;`] },
  [`${C}Delayed;`]: { isInterface: true, implements: ['Ljava/lang/Comparable;'] },
  [`${C}ScheduledFuture;`]: { isInterface: true, implements: [`${C}Delayed;`, `${C}Future;`] },
  [`${C}FutureTask;`]: {
    implements: [`${C}RunnableFuture;`, `${C}ScheduledFuture;`],
    methods: {
      ...futureMethods,
      [`<init>(!${C}Callable;)V`]: made((machine, task: HeapObject) => newFuture(required(machine, task))),
      '<init>(!Ljava/lang/Runnable;Ljava/lang/Object;)V': made((machine, task: HeapObject, result: Reference) =>
        newFuture(required(machine, task), result),
      ),
      'run()V': (machine, self) => runTask(machine, self, futureOf(self)),
      'done()V': () => undefined,
      'set(Ljava/lang/Object;)V': (machine, self, value: Reference) => finish(machine, futureOf(self), 'done', value),
      'setException(Ljava/lang/Throwable;)V': (machine, self, error: Reference) =>
        finish(machine, futureOf(self), 'failed', error),
      [`getDelay(${UNIT})J`]: () => 0n,
    },
  },
  [UNIT]: enumModel(UNIT, ['NANOSECONDS', 'MICROSECONDS', 'MILLISECONDS', 'SECONDS', 'MINUTES', 'HOURS', 'DAYS'], {
    methods: {
      ...unitStatics,
      [`convert(J!${UNIT})J`]: (_machine, self, count: bigint, unit: HeapObject) =>
        (count * UNITS[enumOrdinal(unit)]!) / UNITS[enumOrdinal(self)]!,
      'sleep(J)V': (machine, self, count: bigint) =>
        machine.blockThen(
          () => false,
          milliseconds(count, self),
          () => undefined,
        ),
    },
  }),
};

/** A future object of the core library, not of the app. */
export function futureObject(machine: Machine, state: FutureState): HeapObject {
  return instance(machine, `${C}FutureTask;`, state);
}
