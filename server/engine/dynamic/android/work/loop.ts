// Models of Looper, its queue and HandlerThread: whose turn it is on a thread. Knows no message.
import type { HeapObject, Value } from '../../machine/heap.ts';
import type { Machine, Models, NativeMethod } from '../../machine/model.ts';
import { post } from '../components/activity-life.ts';
import { callLast, each, flag, nothing, type Reference } from '../model-parts.ts';
import { singleton } from '../phone/system-services.ts';

/** A call that waits until its time has come, unless it is taken out of those that its handler waits for. */
export interface QueuedTask {
  readonly due: number;
  readonly what: number | null;
  readonly token: Reference;
  readonly receiver: HeapObject;
  readonly signature: string;
  readonly args: readonly Value[];
  readonly waiting: Set<QueuedTask>;
}

interface LooperState {
  /** Null for the main thread's, whose work the machine schedules. */
  readonly queue: QueuedTask[] | null;
  readonly thread: HeapObject;
  isQuitting: boolean;
}

export const looperType = 'Landroid/os/Looper;';

/** The main thread's looper, which that thread has asked for before any other. */
export function mainLooper(machine: Machine): HeapObject {
  return machine.state('android.main-looper', () => {
    const looper = machine.allocate(looperType);
    looper.native = { queue: null, thread: machine.currentThread(), isQuitting: false } satisfies LooperState;
    return looper;
  });
}

const loopers = (machine: Machine): Map<HeapObject, HeapObject> =>
  machine.state('android.loopers', () => new Map<HeapObject, HeapObject>());

/** The running thread's looper; null for a thread without one. */
export function ownLooper(machine: Machine): Reference {
  const main = mainLooper(machine);
  const thread = machine.currentThread();
  return thread === looperOf(main).thread ? main : (loopers(machine).get(thread) ?? null);
}

/** The state of a looper. */
export const looperOf = (looper: HeapObject): LooperState => looper.native as LooperState;

/** Runs a looper's queue until it quits; the thread waits in between, without holding up any other. */
function loop(machine: Machine): Value | undefined {
  const looper = ownLooper(machine);
  if (looper === null)
    throw machine.exception(
      'Ljava/lang/RuntimeException;',
      "No Looper; Looper.prepare() wasn't called on this thread.",
    );
  const state = looperOf(looper);
  const { queue } = state;
  if (queue === null) return undefined;
  const isDue = () => state.isQuitting || (queue[0] !== undefined && queue[0].due <= machine.clock.elapsed);
  const next = (): Value | undefined => {
    if (state.isQuitting) return undefined;
    if (!isDue()) {
      const wait = queue[0] === undefined ? undefined : Math.max(0, queue[0].due - machine.clock.elapsed);
      return machine.blockThen(isDue, wait, next);
    }
    const task = queue.shift()!;
    return task.waiting.delete(task) ? callLast(machine, task.receiver, task.signature, task.args, next) : next();
  };
  return next();
}

function prepare(machine: Machine): undefined {
  const thread = machine.currentThread();
  if (ownLooper(machine) !== null)
    throw machine.exception('Ljava/lang/RuntimeException;', 'Only one Looper may be created per thread');
  const looper = machine.allocate(looperType);
  looper.native = { queue: [], thread, isQuitting: false } satisfies LooperState;
  loopers(machine).set(thread, looper);
}

const quit: NativeMethod = (_machine, me) => {
  looperOf(me).isQuitting = true;
};

export const loopModels: Models = {
  [looperType]: {
    methods: {
      'quit()V': quit,
      'quitSafely()V': quit,
      'getThread()Ljava/lang/Thread;': (_machine, me) => looperOf(me).thread,
      'isCurrentThread()Z': (machine, me) => looperOf(me).thread === machine.currentThread(),
      'getQueue()Landroid/os/MessageQueue;': (machine) => singleton(machine, 'Landroid/os/MessageQueue;'),
    },
    staticMethods: {
      'getMainLooper()Landroid/os/Looper;': mainLooper,
      'myLooper()Landroid/os/Looper;': ownLooper,
      'myQueue()Landroid/os/MessageQueue;': (machine) => singleton(machine, 'Landroid/os/MessageQueue;'),
      'prepare()V': prepare,
      'prepareMainLooper()V': nothing,
      'loop()V': loop,
    },
  },
  'Landroid/os/MessageQueue;': {
    methods: {
      'addIdleHandler(!Landroid/os/MessageQueue$IdleHandler;)V': (machine, _me, handler: HeapObject) => {
        post(machine, 10, handler.cls.name, () => machine.call(handler, 'queueIdle()Z'));
      },
      'removeIdleHandler(Landroid/os/MessageQueue$IdleHandler;)V': nothing,
    },
  },
  'Landroid/os/HandlerThread;': {
    extends: 'Ljava/lang/Thread;',
    methods: {
      '<init>(Ljava/lang/String;I)V': (machine, me, name: Reference) => {
        const method = machine.resolveMethod(machine.classOf('Ljava/lang/Thread;'), '<init>(Ljava/lang/String;)V');
        if (method !== null) machine.invoke(method, [me, name]);
      },
      'run()V': (machine, me) => {
        prepare(machine);
        return callLast(machine, me, 'onLooperPrepared()V', [], () => loop(machine));
      },
      'onLooperPrepared()V': nothing,
      'getLooper()Landroid/os/Looper;': (machine, me) => {
        const isThere = () => loopers(machine).has(me);
        return machine.blockThen(isThere, 10_000, () => loopers(machine).get(me) ?? null);
      },
      'getThreadId()I': () => 14_260,
      ...each(
        (machine, me) => {
          const looper = loopers(machine).get(me);
          if (looper !== undefined) looperOf(looper).isQuitting = true;
          return flag(looper !== undefined);
        },
        'quit()Z',
        'quitSafely()Z',
      ),
    },
  },
};
