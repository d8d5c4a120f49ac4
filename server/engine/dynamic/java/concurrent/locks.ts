// Locks, latches, semaphores, barriers and blocking queues on the machine's scheduler. Knows no pools.
import type { HeapObject, Value } from '../../machine/heap.ts';
import type { Machine, ModelClass, NativeMethod, NativeMethods } from '../../machine/model.ts';
import { dequeMethods } from '../util/deque-methods.ts';
import { elementsOf } from '../util/iteration.ts';
import { ListState } from '../util/list-state.ts';
import { HeapState, priorityQueueMethods } from '../util/priority-queue.ts';
import { flag, instance, made, type Reference, required } from '../values.ts';
import { milliseconds } from './future.ts';

const C = 'Ljava/util/concurrent/';
const L = `${C}locks/`;
const UNIT = `${C}TimeUnit;`;
const EVER = undefined;

interface Lock {
  owner: HeapObject | null;
  count: number;
  readers: number;
}

function lockOf(self: HeapObject): Lock {
  self.native ??= { owner: null, count: 0, readers: 0 } satisfies Lock;
  return self.native as Lock;
}

function acquire(machine: Machine, lock: Lock, timeout: number | undefined): Value | undefined {
  const me = machine.currentThread();
  const isFree = (): boolean => lock.owner === me || (lock.owner === null && lock.readers === 0);
  return machine.blockThen(isFree, timeout, (isReady) => {
    if (!isReady) return 0;
    lock.owner = me;
    lock.count++;
    return 1;
  });
}

function release(machine: Machine, lock: Lock): undefined {
  if (lock.owner !== machine.currentThread()) throw machine.exception('Ljava/lang/IllegalMonitorStateException;');
  if (--lock.count === 0) lock.owner = null;
}

function lockMethods(of: (self: HeapObject) => Lock): NativeMethods {
  return {
    '<init>()V': () => undefined,
    '<init>(Z)V': () => undefined,
    'lock()V': (machine, self) => acquire(machine, of(self), EVER),
    'lockInterruptibly()V': (machine, self) => acquire(machine, of(self), EVER),
    'tryLock()Z': (machine, self) => {
      const lock = of(self);
      const isFree = lock.owner === machine.currentThread() || (lock.owner === null && lock.readers === 0);
      return isFree ? acquire(machine, lock, 0) : 0;
    },
    [`tryLock(J${UNIT})Z`]: (machine, self, count: bigint, unit: Reference) =>
      acquire(machine, of(self), milliseconds(count, unit)),
    'unlock()V': (machine, self) => release(machine, of(self)),
    'isLocked()Z': (_machine, self) => of(self).owner !== null,
    'isHeldByCurrentThread()Z': (machine, self) => of(self).owner === machine.currentThread(),
    'getHoldCount()I': (machine, self) => (of(self).owner === machine.currentThread() ? of(self).count : 0),
    'hasQueuedThreads()Z': () => 0,
    [`newCondition()${L}Condition;`]: (machine, self) =>
      instance(machine, `${L}ConditionObject;`, { lock: of(self), waiting: [] } satisfies Condition),
  };
}

interface Condition {
  lock: Lock;
  waiting: { isSignalled: boolean }[];
}

function wait(
  machine: Machine,
  self: HeapObject,
  timeout: number | undefined,
  result: (isReady: boolean) => Value | undefined,
) {
  const { lock, waiting } = self.native as Condition;
  const me = machine.currentThread();
  if (lock.owner !== me) throw machine.exception('Ljava/lang/IllegalMonitorStateException;');
  const { count } = lock;
  lock.owner = null;
  lock.count = 0;
  const ticket = { isSignalled: false };
  waiting.push(ticket);
  return machine.blockThen(
    () => ticket.isSignalled,
    timeout,
    (isReady) => {
      if (!isReady) waiting.splice(waiting.indexOf(ticket), 1);
      return machine.blockThen(
        () => lock.owner === null,
        EVER,
        () => {
          lock.owner = me;
          lock.count = count;
          return result(isReady);
        },
      );
    },
  );
}

const conditionMethods: NativeMethods = {
  'await()V': (machine, self) => wait(machine, self, EVER, () => undefined),
  'awaitUninterruptibly()V': (machine, self) => wait(machine, self, EVER, () => undefined),
  [`await(J${UNIT})Z`]: (machine, self, count: bigint, unit: Reference) =>
    wait(machine, self, milliseconds(count, unit), flag),
  'awaitNanos(J)J': (machine, self, count: bigint) =>
    wait(machine, self, Number(count) / 1e6, (isReady) => (isReady ? 1n : 0n)),
  'signal()V': (_machine, self) => {
    const next = (self.native as Condition).waiting.shift();
    if (next !== undefined) next.isSignalled = true;
  },
  'signalAll()V': (_machine, self) => {
    for (const next of (self.native as Condition).waiting.splice(0)) next.isSignalled = true;
  },
};

const part = (self: HeapObject): Lock => self.native as Lock;

const readMethods: NativeMethods = {
  'lock()V': (machine, self) => {
    const lock = part(self);
    const me = machine.currentThread();
    return machine.blockThen(
      () => lock.owner === null || lock.owner === me,
      EVER,
      () => {
        lock.readers++;
      },
    );
  },
  'tryLock()Z': (_machine, self) => {
    if (part(self).owner !== null) return 0;
    part(self).readers++;
    return 1;
  },
  'unlock()V': (_machine, self) => {
    part(self).readers = Math.max(0, part(self).readers - 1);
  },
};

/** Latches and semaphores: a number that threads wait for. */
interface Counter {
  count: number;
}

const counter = (self: HeapObject): Counter => self.native as Counter;

function permits(machine: Machine, self: HeapObject, wanted: number, timeout: number | undefined): Value | undefined {
  return machine.blockThen(
    () => counter(self).count >= wanted,
    timeout,
    (isReady) => {
      if (isReady) counter(self).count -= wanted;
      return flag(isReady);
    },
  );
}

const semaphoreMethods: NativeMethods = {
  '<init>(I)V': made((_machine, count: number) => ({ count }) satisfies Counter),
  '<init>(IZ)V': made((_machine, count: number) => ({ count }) satisfies Counter),
  'acquire()V': (machine, self) => permits(machine, self, 1, EVER),
  'acquire(I)V': (machine, self, count: number) => permits(machine, self, count, EVER),
  'acquireUninterruptibly()V': (machine, self) => permits(machine, self, 1, EVER),
  'tryAcquire()Z': (_machine, self) => {
    if (counter(self).count < 1) return 0;
    counter(self).count--;
    return 1;
  },
  [`tryAcquire(J${UNIT})Z`]: (machine, self, count: bigint, unit: Reference) =>
    permits(machine, self, 1, milliseconds(count, unit)),
  'release()V': (_machine, self) => {
    counter(self).count++;
  },
  'release(I)V': (_machine, self, count: number) => {
    counter(self).count += count;
  },
  'availablePermits()I': (_machine, self) => counter(self).count,
  'drainPermits()I': (_machine, self) => {
    const { count } = counter(self);
    counter(self).count = 0;
    return count;
  },
};

const latchMethods: NativeMethods = {
  '<init>(I)V': made((_machine, count: number) => ({ count }) satisfies Counter),
  'countDown()V': (_machine, self) => {
    counter(self).count = Math.max(0, counter(self).count - 1);
  },
  'getCount()J': (_machine, self) => BigInt(counter(self).count),
  'await()V': (machine, self) =>
    machine.blockThen(
      () => counter(self).count === 0,
      EVER,
      () => undefined,
    ),
  [`await(J${UNIT})Z`]: (machine, self, count: bigint, unit: Reference) =>
    machine.blockThen(() => counter(self).count === 0, milliseconds(count, unit), flag),
};

interface Barrier {
  parties: number;
  waiting: number;
  generation: number;
  action: HeapObject | null;
}

const barrierMethods: NativeMethods = {
  '<init>(I)V': made(
    (_machine, parties: number) => ({ parties, waiting: 0, generation: 0, action: null }) satisfies Barrier,
  ),
  '<init>(ILjava/lang/Runnable;)V': made(
    (_machine, parties: number, action: HeapObject | null) =>
      ({ parties, waiting: 0, generation: 0, action }) satisfies Barrier,
  ),
  'await()I': (machine, self) => {
    const barrier = self.native as Barrier;
    const { generation } = barrier;
    const index = barrier.parties - ++barrier.waiting;
    if (index > 0) {
      return machine.blockThen(
        () => barrier.generation !== generation,
        EVER,
        () => index,
      );
    }
    if (barrier.action !== null) machine.call(barrier.action, 'run()V');
    barrier.waiting = 0;
    barrier.generation++;
    return 0;
  },
  'getParties()I': (_machine, self) => (self.native as Barrier).parties,
};

const list = (self: HeapObject): ListState => self.native as ListState;

function takeWhenThere(
  machine: Machine,
  self: HeapObject,
  timeout: number | undefined,
  isLast = false,
): Value | undefined {
  const queue = list(self);
  return machine.blockThen(
    () => queue.items.length > 0,
    timeout,
    (isReady) => (isReady ? queue.removeAt(machine, isLast ? queue.items.length - 1 : 0) : null),
  );
}

function putWhenFree(
  machine: Machine,
  self: HeapObject,
  element: HeapObject,
  timeout: number | undefined,
  isFirst = false,
) {
  const queue = list(self);
  required(machine, element);
  return machine.blockThen(
    () => queue.items.length < queue.capacity,
    timeout,
    (isReady) => {
      if (!isReady) return 0;
      if (queue instanceof HeapState) queue.add(machine, element);
      else queue.insert(machine, isFirst ? 0 : queue.items.length, element);
      return 1;
    },
  );
}

const O = 'Ljava/lang/Object;';

function drain(machine: Machine, self: HeapObject, target: HeapObject, most: number): number {
  const queue = list(self);
  let count = 0;
  for (; count < most && queue.items.length > 0; count++) {
    machine.call(target, `add(${O})Z`, queue.removeAt(machine, 0));
  }
  return count;
}

const blocking: NativeMethods = {
  [`put(${O})V`]: (machine, self, element: HeapObject) => putWhenFree(machine, self, element, EVER),
  [`take()${O}`]: (machine, self) => takeWhenThere(machine, self, EVER),
  [`takeFirst()${O}`]: (machine, self) => takeWhenThere(machine, self, EVER),
  [`takeLast()${O}`]: (machine, self) => takeWhenThere(machine, self, EVER, true),
  [`putFirst(${O})V`]: (machine, self, element: HeapObject) => putWhenFree(machine, self, element, EVER, true),
  [`putLast(${O})V`]: (machine, self, element: HeapObject) => putWhenFree(machine, self, element, EVER),
  [`offer(${O}J${UNIT})Z`]: (machine, self, element: HeapObject, count: bigint, unit: Reference) =>
    putWhenFree(machine, self, element, milliseconds(count, unit)),
  [`poll(J${UNIT})${O}`]: (machine, self, count: bigint, unit: Reference) =>
    takeWhenThere(machine, self, milliseconds(count, unit)),
  'remainingCapacity()I': (_machine, self) => Math.min(2147483647, list(self).capacity - list(self).items.length),
  'drainTo(Ljava/util/Collection;)I': (machine, self, target: HeapObject) => drain(machine, self, target, Infinity),
  'drainTo(!Ljava/util/Collection;I)I': drain,
};

function queueConstructors(unbounded: number): NativeMethods {
  const begin = (self: HeapObject, capacity: number, items: Reference[] = []): undefined => {
    const queue = new ListState(items, true);
    queue.capacity = capacity;
    self.native = queue;
  };
  const bounded: NativeMethod = (machine, self, capacity: number) => {
    if (capacity <= 0) throw machine.exception('Ljava/lang/IllegalArgumentException;');
    return begin(self, capacity);
  };
  return {
    '<init>()V': (_machine, self) => begin(self, unbounded),
    '<init>(I)V': bounded,
    '<init>(IZ)V': bounded,
    '<init>(Z)V': (_machine, self) => begin(self, unbounded),
    '<init>(Ljava/util/Collection;)V': (machine, self, other: Reference) =>
      begin(self, Infinity, elementsOf(machine, other)),
  };
}

const queueModel = (unbounded = Infinity): ModelClass => ({
  extends: 'Ljava/util/AbstractQueue;',
  implements: [`${C}BlockingDeque;`],
  methods: { ...dequeMethods, ...blocking, ...queueConstructors(unbounded) },
});

export const lockModels: Record<string, ModelClass> = {
  [`${L}Lock;`]: { isInterface: true, abstractMethods: ['lock()V', 'unlock()V', 'tryLock()Z', 'lockInterruptibly()V'] },
  [`${L}Condition;`]: { isInterface: true, abstractMethods: Object.keys(conditionMethods) },
  [`${L}ConditionObject;`]: { implements: [`${L}Condition;`], methods: conditionMethods },
  [`${L}ReentrantLock;`]: { implements: [`${L}Lock;`], methods: lockMethods(lockOf) },
  [`${L}ReadWriteLock;`]: { isInterface: true },
  [`${L}ReentrantReadWriteLock;`]: {
    implements: [`${L}ReadWriteLock;`],
    methods: {
      '<init>()V': () => undefined,
      '<init>(Z)V': () => undefined,
      ...Object.fromEntries(
        [
          ['readLock', 'ReadLock'],
          ['writeLock', 'WriteLock'],
        ].flatMap(([name, type]) =>
          [`${L}Lock;`, `${L}ReentrantReadWriteLock$${type};`].map((returns): [string, NativeMethod] => [
            `${name}()${returns}`,
            (machine, self) => instance(machine, `${L}ReentrantReadWriteLock$${type};`, lockOf(self)),
          ]),
        ),
      ),
    },
  },
  [`${L}ReentrantReadWriteLock$ReadLock;`]: { implements: [`${L}Lock;`], methods: readMethods },
  [`${L}ReentrantReadWriteLock$WriteLock;`]: { implements: [`${L}Lock;`], methods: lockMethods(part) },
  [`${C}Semaphore;`]: { methods: semaphoreMethods },
  [`${C}CountDownLatch;`]: { methods: latchMethods },
  [`${C}CyclicBarrier;`]: { methods: barrierMethods },
  [`${C}BlockingQueue;`]: {
    isInterface: true,
    implements: ['Ljava/util/Queue;'],
    abstractMethods: Object.keys(blocking),
  },
  [`${C}BlockingDeque;`]: { isInterface: true, implements: [`${C}BlockingQueue;`, 'Ljava/util/Deque;'] },
  [`${C}TransferQueue;`]: { isInterface: true, implements: [`${C}BlockingQueue;`] },
  [`${C}LinkedBlockingQueue;`]: queueModel(),
  [`${C}LinkedBlockingDeque;`]: queueModel(),
  [`${C}ArrayBlockingQueue;`]: queueModel(),
  [`${C}LinkedTransferQueue;`]: queueModel(),
  // SynchronousQueue is modelled as a queue with room for one element.
  [`${C}SynchronousQueue;`]: queueModel(1),
  [`${C}PriorityBlockingQueue;`]: {
    extends: 'Ljava/util/AbstractQueue;',
    implements: [`${C}BlockingQueue;`],
    methods: { ...blocking, ...priorityQueueMethods },
  },
  [`${C}DelayQueue;`]: {
    extends: 'Ljava/util/AbstractQueue;',
    implements: [`${C}BlockingQueue;`],
    methods: { ...blocking, ...priorityQueueMethods },
  },
};
