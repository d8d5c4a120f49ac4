// Executors on the machine's threads, and timers in virtual time. Knows tasks as futures.
import type { HeapObject, Value } from '../../machine/heap.ts';
import type { Machine, ModelClass, NativeMethods, Scheduled } from '../../machine/model.ts';
import { elementsOf, newList } from '../util/iteration.ts';
import { flag, instance, made, type Reference, required } from '../values.ts';
import {
  type FutureState,
  finish,
  futureObject,
  futureOf,
  isOver,
  milliseconds,
  newFuture,
  runTask,
} from './future.ts';

const C = 'Ljava/util/concurrent/';
const UNIT = `${C}TimeUnit;`;

interface Pool {
  readonly number: number;
  readonly maximum: number;
  readonly factory: HeapObject | null;
  queue: { object: HeapObject; future: FutureState }[];
  busy: Set<number>;
  isShutdown: boolean;
  completed: number;
}

function begin(machine: Machine, self: HeapObject, maximum: number, factory: Reference): HeapObject {
  const numbers = machine.state('java.pool-numbers', () => ({ next: 1 }));
  self.native = {
    number: factory === null ? numbers.next++ : 0,
    maximum: Math.max(1, maximum),
    factory,
    queue: [],
    busy: new Set(),
    isShutdown: false,
    completed: 0,
  } satisfies Pool;
  return self;
}

function poolOf(machine: Machine, self: HeapObject): Pool {
  if (self.native === undefined) begin(machine, self, 4, null);
  return self.native as Pool;
}

/** Takes tasks until there are none; then the thread ends. */
function work(machine: Machine, self: HeapObject, pool: Pool, worker: number): Value | undefined {
  const next = pool.queue.shift();
  if (next === undefined) {
    pool.busy.delete(worker);
    if (pool.isShutdown && pool.busy.size === 0 && self.cls.isApp) machine.call(self, 'terminated()V');
    return undefined;
  }
  if (self.cls.isApp) {
    machine.call(self, 'beforeExecute(Ljava/lang/Thread;Ljava/lang/Runnable;)V', machine.currentThread(), next.object);
  }
  return runTask(machine, next.object, next.future, () => {
    pool.completed++;
    if (self.cls.isApp) {
      machine.call(self, 'afterExecute(Ljava/lang/Runnable;Ljava/lang/Throwable;)V', next.object, next.future.error);
    }
    return work(machine, self, pool, worker);
  });
}

function enqueue(machine: Machine, self: HeapObject, object: HeapObject, future: FutureState): void {
  const pool = poolOf(machine, self);
  if (pool.isShutdown) throw machine.exception(`${C}RejectedExecutionException;`, 'the executor has been shut down');
  pool.queue.push({ object, future });
  machine.charge(128);
  if (pool.busy.size >= pool.maximum) return;
  let worker = 1;
  while (pool.busy.has(worker)) worker++;
  pool.busy.add(worker);
  const body = instance(machine, `${C}ThreadPoolExecutor$Worker;`, { run: () => work(machine, self, pool, worker) });
  const thread =
    pool.factory === null
      ? machine.construct(
          'Ljava/lang/Thread;',
          '<init>(Ljava/lang/Runnable;Ljava/lang/String;)V',
          body,
          machine.string(`pool-${pool.number}-thread-${worker}`),
        )
      : (machine.call(pool.factory, 'newThread(Ljava/lang/Runnable;)Ljava/lang/Thread;', body) as HeapObject | null);
  if (thread === null) pool.busy.delete(worker);
  else machine.call(thread, 'start()V');
}

function execute(machine: Machine, self: HeapObject, task: HeapObject): undefined {
  // A task without a result is queued as the app's own object, which its pool may look at.
  const isFuture = required(machine, task).cls.descriptor === `${C}FutureTask;`;
  enqueue(machine, self, task, isFuture ? futureOf(task) : newFuture(task));
}

function submit(machine: Machine, self: HeapObject, task: HeapObject, result: Reference = null): HeapObject {
  const object = futureObject(machine, newFuture(required(machine, task), result));
  // An app's own pool sees every task in its `execute`.
  if (machine.resolveMethod(self.cls, 'execute(Ljava/lang/Runnable;)V')?.native === null) {
    machine.call(self, 'execute(Ljava/lang/Runnable;)V', object);
  } else enqueue(machine, self, object, futureOf(object));
  return object;
}

/** Runs a task on the pool after a delay, again every period where it is given. */
function schedule(machine: Machine, self: HeapObject, task: HeapObject, delay: number, period: number): HeapObject {
  const object = futureObject(machine, newFuture(required(machine, task)));
  const outer = futureOf(object);
  const start = (after: number): Scheduled =>
    machine.schedule(Math.max(0, after), () => {
      if (isOver(outer) || poolOf(machine, self).isShutdown) return;
      const turn = period > 0 ? newFuture(task) : outer;
      if (period > 0) {
        turn.dependents.push(() => {
          if (turn.state === 'failed') finish(machine, outer, 'failed', turn.error);
          else start(period);
        });
      }
      enqueue(machine, self, object, turn);
    });
  start(delay);
  return object;
}

function invokeAll(machine: Machine, self: HeapObject, tasks: Reference): Value | undefined {
  const futures = elementsOf(machine, tasks).map((task) => submit(machine, self, task!));
  return machine.blockThen(
    () => futures.every((future) => isOver(futureOf(future))),
    undefined,
    () => newList(machine, futures),
  );
}

const executorMethods: NativeMethods = {
  'execute(Ljava/lang/Runnable;)V': execute,
  [`submit(Ljava/lang/Runnable;)${C}Future;`]: (machine, self, task: HeapObject) => submit(machine, self, task),
  [`submit(${C}Callable;)${C}Future;`]: (machine, self, task: HeapObject) => submit(machine, self, task),
  [`submit(Ljava/lang/Runnable;Ljava/lang/Object;)${C}Future;`]: submit,
  'invokeAll(Ljava/util/Collection;)Ljava/util/List;': invokeAll,
  'shutdown()V': (machine, self) => {
    poolOf(machine, self).isShutdown = true;
  },
  'shutdownNow()Ljava/util/List;': (machine, self) => {
    const pool = poolOf(machine, self);
    pool.isShutdown = true;
    const waiting = pool.queue.map((entry) => entry.object);
    pool.queue = [];
    return newList(machine, waiting);
  },
  'isShutdown()Z': (machine, self) => poolOf(machine, self).isShutdown,
  'isTerminated()Z': (machine, self) => poolOf(machine, self).isShutdown && poolOf(machine, self).busy.size === 0,
  'isTerminating()Z': (machine, self) => poolOf(machine, self).isShutdown && poolOf(machine, self).busy.size > 0,
  [`awaitTermination(J${UNIT})Z`]: (machine, self, count: bigint, unit: Reference) => {
    const pool = poolOf(machine, self);
    return machine.blockThen(() => pool.busy.size === 0, milliseconds(count, unit), flag);
  },
  'close()V': (machine, self) => {
    poolOf(machine, self).isShutdown = true;
  },
};

const scheduling: NativeMethods = {
  [`schedule(Ljava/lang/Runnable;J${UNIT})${C}ScheduledFuture;`]: (machine, self, task, delay: bigint, unit) =>
    schedule(machine, self, task, milliseconds(delay, unit), 0),
  [`schedule(${C}Callable;J${UNIT})${C}ScheduledFuture;`]: (machine, self, task, delay: bigint, unit) =>
    schedule(machine, self, task, milliseconds(delay, unit), 0),
  [`scheduleAtFixedRate(Ljava/lang/Runnable;JJ${UNIT})${C}ScheduledFuture;`]: (
    machine,
    self,
    task,
    delay,
    period,
    unit,
  ) => schedule(machine, self, task, milliseconds(delay, unit), Math.max(1, milliseconds(period, unit))),
  [`scheduleWithFixedDelay(Ljava/lang/Runnable;JJ${UNIT})${C}ScheduledFuture;`]: (
    machine,
    self,
    task,
    delay,
    period,
    unit,
  ) => schedule(machine, self, task, milliseconds(delay, unit), Math.max(1, milliseconds(period, unit))),
};

const POOL = `IIJ${UNIT}${C}BlockingQueue;`;
const FACTORY = `${C}ThreadFactory;`;
const REJECTION = `${C}RejectedExecutionHandler;`;

/** A pool with an unbounded queue never grows beyond its core. */
function fromSettings(
  machine: Machine,
  self: HeapObject,
  core: number,
  maximum: number,
  factory: Reference,
): undefined {
  begin(machine, self, core > 0 ? core : maximum, factory);
}

const poolMethods: NativeMethods = {
  [`<init>(${POOL})V`]: (machine, self, core: number, maximum: number) =>
    fromSettings(machine, self, core, maximum, null),
  [`<init>(${POOL}${FACTORY})V`]: (machine, self, core, maximum, _keep, _unit, _queue, factory) =>
    fromSettings(machine, self, core, maximum, factory),
  [`<init>(${POOL}${REJECTION})V`]: (machine, self, core: number, maximum: number) =>
    fromSettings(machine, self, core, maximum, null),
  [`<init>(${POOL}${FACTORY}${REJECTION})V`]: (machine, self, core, maximum, _keep, _unit, _queue, factory) =>
    fromSettings(machine, self, core, maximum, factory),
  'getPoolSize()I': (machine, self) => poolOf(machine, self).busy.size,
  'getActiveCount()I': (machine, self) => poolOf(machine, self).busy.size,
  'getCorePoolSize()I': (machine, self) => poolOf(machine, self).maximum,
  'getMaximumPoolSize()I': (machine, self) => poolOf(machine, self).maximum,
  'getCompletedTaskCount()J': (machine, self) => BigInt(poolOf(machine, self).completed),
  [`getQueue()${C}BlockingQueue;`]: (machine) => machine.construct(`${C}LinkedBlockingQueue;`, '<init>()V'),
  'allowCoreThreadTimeOut(Z)V': () => undefined,
  'setCorePoolSize(I)V': () => undefined,
  'setMaximumPoolSize(I)V': () => undefined,
  [`setKeepAliveTime(J${UNIT})V`]: () => undefined,
  [`setThreadFactory(${FACTORY})V`]: () => undefined,
  [`setRejectedExecutionHandler(${REJECTION})V`]: () => undefined,
  'prestartAllCoreThreads()I': () => 0,
  'remove(Ljava/lang/Runnable;)Z': (machine, self, task: Reference) => {
    const pool = poolOf(machine, self);
    const before = pool.queue.length;
    pool.queue = pool.queue.filter((entry) => entry.object !== task);
    return flag(pool.queue.length < before);
  },
  'purge()V': () => undefined,
  'beforeExecute(Ljava/lang/Thread;Ljava/lang/Runnable;)V': () => undefined,
  'afterExecute(Ljava/lang/Runnable;Ljava/lang/Throwable;)V': () => undefined,
  'terminated()V': () => undefined,
};

const SERVICE = `${C}ExecutorService;`;
const SCHEDULED = `${C}ScheduledExecutorService;`;

const make =
  (descriptor: string, maximum: number) =>
  (machine: Machine, ...args: (number | Reference)[]): HeapObject => {
    const count = typeof args[0] === 'number' ? args[0] : maximum;
    const factory = args.find((value) => typeof value === 'object' && value !== null) as HeapObject | undefined;
    return begin(machine, machine.allocate(descriptor), count, factory ?? null);
  };

const plain = `${C}ThreadPoolExecutor;`;
const timed = `${C}ScheduledThreadPoolExecutor;`;
/** Threads of a pool that grows as it needs: a bound all the same. */
const GROWING = 64;

const executorStatics: NativeMethods = {
  [`newFixedThreadPool(I)${SERVICE}`]: make(plain, 1),
  [`newFixedThreadPool(I${FACTORY})${SERVICE}`]: make(plain, 1),
  [`newCachedThreadPool()${SERVICE}`]: make(plain, GROWING),
  [`newCachedThreadPool(${FACTORY})${SERVICE}`]: make(plain, GROWING),
  [`newSingleThreadExecutor()${SERVICE}`]: make(plain, 1),
  [`newSingleThreadExecutor(${FACTORY})${SERVICE}`]: make(plain, 1),
  [`newWorkStealingPool()${SERVICE}`]: make(plain, 8),
  [`newWorkStealingPool(I)${SERVICE}`]: make(plain, 8),
  [`newScheduledThreadPool(I)${SCHEDULED}`]: make(timed, 1),
  [`newScheduledThreadPool(I${FACTORY})${SCHEDULED}`]: make(timed, 1),
  [`newSingleThreadScheduledExecutor()${SCHEDULED}`]: make(timed, 1),
  [`newSingleThreadScheduledExecutor(${FACTORY})${SCHEDULED}`]: make(timed, 1),
  [`defaultThreadFactory()${FACTORY}`]: (machine) => machine.allocate(`${C}Executors$DefaultThreadFactory;`),
  [`callable(Ljava/lang/Runnable;)${C}Callable;`]: (machine, task: HeapObject) =>
    instance(machine, `${C}Executors$RunnableAdapter;`, { task }),
  [`unconfigurableExecutorService(${SERVICE})${SERVICE}`]: (_machine, pool: HeapObject) => pool,
};

/** The pool that CompletableFuture and ForkJoinPool.commonPool share. */
export function commonPool(machine: Machine): HeapObject {
  return machine.state('java.common-pool', () => begin(machine, machine.allocate(`${C}ForkJoinPool;`), 7, null));
}

/** Runs TypeScript on a thread of an executor. */
export function runOn(machine: Machine, executor: HeapObject, run: () => Value | undefined): void {
  const task = instance(machine, `${C}ThreadPoolExecutor$Worker;`, { run });
  machine.call(executor, 'execute(Ljava/lang/Runnable;)V', task);
}

export const executorModels: Record<string, ModelClass> = {
  [`${C}Executor;`]: { isInterface: true, abstractMethods: ['execute(Ljava/lang/Runnable;)V'] },
  [SERVICE]: {
    isInterface: true,
    implements: [`${C}Executor;`, 'Ljava/lang/AutoCloseable;'],
    abstractMethods: Object.keys(executorMethods).filter((name) => !name.startsWith('close')),
  },
  [SCHEDULED]: { isInterface: true, implements: [SERVICE], abstractMethods: Object.keys(scheduling) },
  [`${C}AbstractExecutorService;`]: {
    isAbstract: true,
    implements: [SERVICE],
    methods: { '<init>()V': () => undefined, ...executorMethods },
  },
  [plain]: { extends: `${C}AbstractExecutorService;`, methods: poolMethods },
  [timed]: {
    extends: plain,
    implements: [SCHEDULED],
    methods: {
      ...scheduling,
      '<init>(I)V': (machine, self, core: number) => fromSettings(machine, self, core, core, null),
      [`<init>(I${FACTORY})V`]: (machine, self, core: number, factory) =>
        fromSettings(machine, self, core, core, factory),
      'setRemoveOnCancelPolicy(Z)V': () => undefined,
      'setExecuteExistingDelayedTasksAfterShutdownPolicy(Z)V': () => undefined,
    },
  },
  [`${C}ForkJoinPool;`]: {
    extends: `${C}AbstractExecutorService;`,
    methods: {
      '<init>()V': (machine, self) => begin(machine, self, 7, null),
      '<init>(I)V': (machine, self, count: number) => begin(machine, self, count, null),
    },
    staticMethods: { [`commonPool()${C}ForkJoinPool;`]: commonPool },
  },
  [`${C}Executors;`]: { staticMethods: executorStatics },
  [FACTORY]: { isInterface: true, abstractMethods: ['newThread(Ljava/lang/Runnable;)Ljava/lang/Thread;'] },
  [REJECTION]: { isInterface: true },
  [`${C}Executors$DefaultThreadFactory;`]: {
    implements: [FACTORY],
    methods: {
      'newThread(Ljava/lang/Runnable;)Ljava/lang/Thread;': (machine, _self, task: Reference) =>
        machine.construct('Ljava/lang/Thread;', '<init>(Ljava/lang/Runnable;)V', task),
    },
  },
  [`${C}Executors$RunnableAdapter;`]: {
    implements: [`${C}Callable;`],
    methods: {
      'call()Ljava/lang/Object;': (machine, self) => {
        machine.call((self.native as { task: HeapObject }).task, 'run()V');
        return null;
      },
    },
  },
  [`${C}ThreadPoolExecutor$Worker;`]: {
    implements: ['Ljava/lang/Runnable;'],
    methods: { 'run()V': (_machine, self) => (self.native as { run: () => Value | undefined }).run() },
  },
  [`${C}ExecutorCompletionService;`]: {
    methods: {
      [`<init>(!${C}Executor;)V`]: made((_machine, executor: HeapObject) => ({ executor, futures: [] })),
      [`submit(${C}Callable;)${C}Future;`]: (machine, self, task: HeapObject) => {
        const state = self.native as { executor: HeapObject; futures: HeapObject[] };
        const object = futureObject(machine, newFuture(task));
        futureOf(object).dependents.push(() => state.futures.push(object));
        machine.call(state.executor, 'execute(Ljava/lang/Runnable;)V', object);
        return object;
      },
      [`take()${C}Future;`]: (machine, self) => {
        const state = self.native as { futures: HeapObject[] };
        return machine.blockThen(
          () => state.futures.length > 0,
          undefined,
          () => state.futures.shift()!,
        );
      },
      [`poll()${C}Future;`]: (_machine, self) => (self.native as { futures: HeapObject[] }).futures.shift() ?? null,
    },
  },
};

interface Timing {
  isCancelled: boolean;
}

const TASK = 'Ljava/util/TimerTask;';

/** Runs a TimerTask on a thread of its own, in virtual time. */
function time(machine: Machine, timer: HeapObject, task: HeapObject, delay: number, period: number): undefined {
  const timing = timer.native as Timing & { pool: HeapObject };
  const own = required(machine, task);
  own.native ??= { isCancelled: false, due: 0 };
  const state = own.native as Timing & { due: number };
  const start = (after: number): void => {
    state.due = machine.clock.wall + after;
    machine.schedule(Math.max(0, after), () => {
      if (timing.isCancelled || state.isCancelled) return;
      runOn(machine, timing.pool, () => {
        const method = machine.resolveMethod(own.cls, 'run()V');
        if (method === null) return undefined;
        return machine.callThen(method, [own], () => {
          if (period > 0) start(period);
          return undefined;
        });
      });
    });
  };
  start(delay);
}

function beginTimer(machine: Machine, self: HeapObject): undefined {
  self.native = { isCancelled: false, pool: begin(machine, machine.allocate(plain), 1, null) };
}

const untilDate = (machine: Machine, date: HeapObject): number =>
  Number(machine.call(required(machine, date), 'getTime()J')) - machine.clock.wall;

export const timerModels: Record<string, ModelClass> = {
  [TASK]: {
    isAbstract: true,
    implements: ['Ljava/lang/Runnable;'],
    methods: {
      '<init>()V': made(() => ({ isCancelled: false, due: 0 })),
      'cancel()Z': (_machine, self) => {
        const state = self.native as Timing;
        const was = state.isCancelled;
        state.isCancelled = true;
        return flag(!was);
      },
      'scheduledExecutionTime()J': (_machine, self) => BigInt(Math.floor((self.native as { due: number }).due)),
    },
    abstractMethods: ['run()V'],
  },
  'Ljava/util/Timer;': {
    methods: {
      '<init>()V': beginTimer,
      '<init>(Z)V': beginTimer,
      '<init>(Ljava/lang/String;)V': beginTimer,
      '<init>(Ljava/lang/String;Z)V': beginTimer,
      'cancel()V': (_machine, self) => {
        (self.native as Timing).isCancelled = true;
      },
      'purge()I': () => 0,
      [`schedule(${TASK}J)V`]: (machine, self, task, delay: bigint) => time(machine, self, task, Number(delay), 0),
      [`schedule(${TASK}JJ)V`]: (machine, self, task, delay: bigint, period: bigint) =>
        time(machine, self, task, Number(delay), Number(period)),
      [`scheduleAtFixedRate(${TASK}JJ)V`]: (machine, self, task, delay: bigint, period: bigint) =>
        time(machine, self, task, Number(delay), Number(period)),
      [`schedule(${TASK}Ljava/util/Date;)V`]: (machine, self, task, date) =>
        time(machine, self, task, untilDate(machine, date), 0),
      [`schedule(${TASK}Ljava/util/Date;J)V`]: (machine, self, task, date, period: bigint) =>
        time(machine, self, task, untilDate(machine, date), Number(period)),
    },
  },
};
