// Models of Handler, Looper, Message, AsyncTask and timers: work for later, on this thread or another. Knows no component.
import { enumModel } from '../java/lang/enum.ts';
import type { HeapObject, JavaArray, Value } from '../machine/heap.ts';
import type { Machine, Models, NativeMethod, NativeMethods } from '../machine/model.ts';
import { post } from './activity-life.ts';
import { appOf } from './app.ts';
import { bundleOf, newBundle } from './bundle.ts';
import { handOver, takeBack } from './delivery.ts';
import { each, flag, no, none, nothing, type Reference, stateOf, yes } from './model-parts.ts';
import { singleton } from './system-services.ts';

interface LooperState {
  /** Null for the main thread's, whose work the machine schedules. */
  readonly queue: QueuedTask[] | null;
  readonly thread: HeapObject;
  isQuitting: boolean;
}

interface QueuedTask {
  readonly due: number;
  readonly handler: HeapObject | null;
  readonly what: number | null;
  readonly token: Reference;
  readonly run: () => void;
  isCancelled: boolean;
}

interface HandlerState {
  looper: HeapObject;
  callback: Reference;
  readonly waiting: QueuedTask[];
}

interface MessageState {
  target: Reference;
  callback: Reference;
  data: Reference;
}

const looperType = 'Landroid/os/Looper;';
const messageType = 'Landroid/os/Message;';

function mainLooper(machine: Machine): HeapObject {
  return machine.state('android.main-looper', () => {
    const looper = machine.allocate(looperType);
    looper.native = { queue: null, thread: machine.currentThread(), isQuitting: false } satisfies LooperState;
    return looper;
  });
}

const loopers = (machine: Machine): Map<HeapObject, HeapObject> =>
  machine.state('android.loopers', () => new Map<HeapObject, HeapObject>());

/** The running thread's looper; null for a thread without one. */
function ownLooper(machine: Machine): Reference {
  const main = mainLooper(machine);
  const thread = machine.currentThread();
  return thread === looperOf(main).thread ? main : (loopers(machine).get(thread) ?? null);
}

const looperOf = (looper: HeapObject): LooperState => looper.native as LooperState;
const handlerOf = (machine: Machine, handler: HeapObject): HandlerState =>
  stateOf<HandlerState>(handler, () => ({
    looper: ownLooper(machine) ?? mainLooper(machine),
    callback: null,
    waiting: [],
  }));
const messageOf = (message: HeapObject): MessageState =>
  stateOf<MessageState>(message, () => ({ target: null, callback: null, data: null }));

function enqueue(
  machine: Machine,
  handler: HeapObject,
  delay: number,
  task: Pick<QueuedTask, 'what' | 'token' | 'run'>,
): void {
  const state = handlerOf(machine, handler);
  const queued: QueuedTask = { ...task, handler, due: machine.clock.elapsed + Math.max(0, delay), isCancelled: false };
  state.waiting.push(queued);
  const run = () => {
    if (queued.isCancelled) return;
    const at = state.waiting.indexOf(queued);
    if (at >= 0) state.waiting.splice(at, 1);
    queued.run();
  };
  const { queue } = looperOf(state.looper);
  if (queue === null) post(machine, Math.max(0, delay), handler.cls.name, run);
  else {
    queue.push({ ...queued, run });
    queue.sort((left, right) => left.due - right.due);
  }
}

function cancel(machine: Machine, handler: HeapObject, fits: (task: QueuedTask) => boolean): undefined {
  const { waiting } = handlerOf(machine, handler);
  for (const task of waiting.filter(fits)) {
    task.isCancelled = true;
    waiting.splice(waiting.indexOf(task), 1);
  }
}

const sendMessage = (machine: Machine, handler: HeapObject, message: HeapObject, delay: number): number => {
  messageOf(message).target = handler;
  const what = machine.getField(message, 'what') as number;
  const token = machine.getField(message, 'obj') as Reference;
  enqueue(machine, handler, delay, {
    what,
    token,
    run: () => machine.call(handler, `dispatchMessage(${messageType})V`, message),
  });
  return 1;
};

const postRunnable = (
  machine: Machine,
  handler: HeapObject,
  task: HeapObject,
  delay: number,
  token: Reference = null,
): number => {
  enqueue(machine, handler, delay, { what: null, token: token ?? task, run: () => machine.call(task, 'run()V') });
  return 1;
};

function newMessage(
  machine: Machine,
  values: Partial<Record<'what' | 'arg1' | 'arg2' | 'obj', Value>> = {},
): HeapObject {
  const message = machine.allocate(messageType);
  for (const [name, value] of Object.entries(values)) machine.setField(message, name, value);
  return message;
}

/** `sendEmptyMessage` and its like, and `obtainMessage`: the message's numbers come with their taint. */
const withNumbers = (machine: Machine, what: number): HeapObject => newMessage(machine, { what });

const bind: NativeMethod = (machine, me: HeapObject, looper: Reference = null, callback: Reference = null) => {
  const isLooper = looper !== null && looper.cls.descriptor === looperType;
  me.native = {
    looper: isLooper ? looper : (ownLooper(machine) ?? mainLooper(machine)),
    callback: isLooper ? callback : looper,
    waiting: [],
  } satisfies HandlerState;
};

const delayOf = (value: bigint): number => Number(value);

const handlerMethods: NativeMethods = {
  ...each(
    bind,
    '<init>()V',
    '<init>(Landroid/os/Looper;)V',
    '<init>(Landroid/os/Handler$Callback;)V',
    '<init>(Landroid/os/Looper;Landroid/os/Handler$Callback;)V',
  ),
  'handleMessage(Landroid/os/Message;)V': nothing,
  'dispatchMessage(Landroid/os/Message;)V': (machine, me: HeapObject, message: HeapObject) => {
    const { callback } = messageOf(message);
    if (callback !== null) {
      machine.call(callback, 'run()V');
      return;
    }
    const own = handlerOf(machine, me).callback;
    if (own !== null && machine.call(own, 'handleMessage(Landroid/os/Message;)Z', message) !== 0) return;
    machine.call(me, 'handleMessage(Landroid/os/Message;)V', message);
  },
  'getLooper()Landroid/os/Looper;': (machine, me: HeapObject) => handlerOf(machine, me).looper,
  'post(Ljava/lang/Runnable;)Z': (machine, me: HeapObject, task: HeapObject) => postRunnable(machine, me, task, 0),
  'postAtFrontOfQueue(Ljava/lang/Runnable;)Z': (machine, me: HeapObject, task: HeapObject) =>
    postRunnable(machine, me, task, 0),
  'postDelayed(Ljava/lang/Runnable;J)Z': (machine, me: HeapObject, task: HeapObject, delay: bigint) =>
    postRunnable(machine, me, task, delayOf(delay)),
  'postDelayed(Ljava/lang/Runnable;Ljava/lang/Object;J)Z': (
    machine,
    me: HeapObject,
    task: HeapObject,
    token: Reference,
    delay: bigint,
  ) => postRunnable(machine, me, task, delayOf(delay), token),
  'postAtTime(Ljava/lang/Runnable;J)Z': (machine, me: HeapObject, task: HeapObject, time: bigint) =>
    postRunnable(machine, me, task, delayOf(time) - uptime(machine)),
  'sendMessage(Landroid/os/Message;)Z': (machine, me: HeapObject, message: HeapObject) =>
    sendMessage(machine, me, message, 0),
  'sendMessageAtFrontOfQueue(Landroid/os/Message;)Z': (machine, me: HeapObject, message: HeapObject) =>
    sendMessage(machine, me, message, 0),
  'sendMessageDelayed(Landroid/os/Message;J)Z': (machine, me: HeapObject, message: HeapObject, delay: bigint) =>
    sendMessage(machine, me, message, delayOf(delay)),
  'sendMessageAtTime(Landroid/os/Message;J)Z': (machine, me: HeapObject, message: HeapObject, time: bigint) =>
    sendMessage(machine, me, message, delayOf(time) - uptime(machine)),
  'sendEmptyMessage(I)Z': (machine, me: HeapObject, what: number) =>
    sendMessage(machine, me, withNumbers(machine, what), 0),
  'sendEmptyMessageDelayed(IJ)Z': (machine, me: HeapObject, what: number, delay: bigint) =>
    sendMessage(machine, me, withNumbers(machine, what), delayOf(delay)),
  'sendEmptyMessageAtTime(IJ)Z': (machine, me: HeapObject, what: number, time: bigint) =>
    sendMessage(machine, me, withNumbers(machine, what), delayOf(time) - uptime(machine)),
  'removeMessages(I)V': (machine, me: HeapObject, what: number) => cancel(machine, me, (task) => task.what === what),
  'removeMessages(ILjava/lang/Object;)V': (machine, me: HeapObject, what: number, token: Reference) =>
    cancel(machine, me, (task) => task.what === what && (token === null || task.token === token)),
  'removeCallbacks(Ljava/lang/Runnable;)V': (machine, me: HeapObject, task: Reference) =>
    cancel(machine, me, (each) => each.token === task),
  'removeCallbacksAndMessages(Ljava/lang/Object;)V': (machine, me: HeapObject, token: Reference) =>
    cancel(machine, me, (task) => token === null || task.token === token),
  'hasMessages(I)Z': (machine, me: HeapObject, what: number) =>
    flag(handlerOf(machine, me).waiting.some((task) => task.what === what)),
  'obtainMessage()Landroid/os/Message;': (machine, me: HeapObject) => targeted(newMessage(machine), me),
  'obtainMessage(I)Landroid/os/Message;': (machine, me: HeapObject, what: number) =>
    targeted(newMessage(machine, { what }), me),
  'obtainMessage(ILjava/lang/Object;)Landroid/os/Message;': (machine, me: HeapObject, what: number, obj: Reference) =>
    targeted(newMessage(machine, { what, obj }), me),
  'obtainMessage(III)Landroid/os/Message;': (machine, me: HeapObject, what: number, arg1: number, arg2: number) =>
    targeted(newMessage(machine, { what, arg1, arg2 }), me),
  'obtainMessage(IIILjava/lang/Object;)Landroid/os/Message;': (
    machine,
    me: HeapObject,
    what: number,
    arg1: number,
    arg2: number,
    obj: Reference,
  ) => targeted(newMessage(machine, { what, arg1, arg2, obj }), me),
};

const targeted = (message: HeapObject, target: HeapObject): HeapObject => {
  messageOf(message).target = target;
  return message;
};

/** Milliseconds since the phone was switched on: some hours, as on a phone in use. */
const bootAge = 19_437_000;
export const uptime = (machine: Machine): number => machine.clock.elapsed + bootAge;

const obtain: NativeMethod = (
  machine,
  handler: Reference = null,
  second: Value = null,
  third: Value = null,
  fourth: Value = null,
  fifth: Value = null,
) => {
  const message = newMessage(machine);
  if (handler !== null && handler.cls.descriptor === messageType) {
    for (const name of ['what', 'arg1', 'arg2', 'obj'])
      machine.setField(message, name, machine.getField(handler, name));
    message.fieldTaints = handler.fieldTaints?.slice() ?? null;
    messageOf(message).data = messageOf(handler).data;
    return message;
  }
  messageOf(message).target = handler;
  if (typeof second === 'number') machine.setField(message, 'what', second, machine.argumentTaint(1));
  else if (second !== null) messageOf(message).callback = second as HeapObject;
  if (typeof third === 'number') {
    machine.setField(message, 'arg1', third, machine.argumentTaint(2));
    machine.setField(message, 'arg2', fourth as number, machine.argumentTaint(3));
    machine.setField(message, 'obj', fifth);
  } else machine.setField(message, 'obj', third);
  return message;
};

/** Runs a looper's queue until it quits; the thread waits in between. */
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
  for (;;) {
    const first = queue[0];
    const wait = first === undefined ? undefined : Math.max(0, first.due - machine.clock.elapsed);
    if (!isDue()) machine.block(isDue, wait);
    if (state.isQuitting) return undefined;
    while (queue[0] !== undefined && queue[0].due <= machine.clock.elapsed) queue.shift()!.run();
  }
}

function prepare(machine: Machine): undefined {
  const thread = machine.currentThread();
  if (loopers(machine).has(thread))
    throw machine.exception('Ljava/lang/RuntimeException;', 'Only one Looper may be created per thread');
  const looper = machine.allocate(looperType);
  looper.native = { queue: [], thread, isQuitting: false } satisfies LooperState;
  loopers(machine).set(thread, looper);
}

const quit: NativeMethod = (_machine, me: HeapObject) => {
  looperOf(me).isQuitting = true;
};

// AsyncTask: its work runs on a thread of its own, what it tells comes back on the main one.

const taskStatus = 'Landroid/os/AsyncTask$Status;';
const taskStates = ['PENDING', 'RUNNING', 'FINISHED'] as const;

interface TaskState {
  status: number;
  isCancelled: boolean;
  result: Reference;
}

const taskOf = (task: HeapObject): TaskState =>
  stateOf<TaskState>(task, () => ({ status: 0, isCancelled: false, result: null }));

const execute: NativeMethod = (machine, me: HeapObject, ...args: Value[]) => {
  const state = taskOf(me);
  if (state.status !== 0)
    throw machine.exception(
      'Ljava/lang/IllegalStateException;',
      'Cannot execute task: the task has already been executed',
    );
  state.status = 1;
  const parameters = args.at(-1) as JavaArray | null;
  machine.call(me, 'onPreExecute()V');
  const thread = machine.construct('Ljava/lang/Thread;', '<init>(Ljava/lang/String;)V', machine.string('AsyncTask #1'));
  machine.startThread(thread, () => {
    state.result = machine.call(me, 'doInBackground([Ljava/lang/Object;)Ljava/lang/Object;', parameters) as Reference;
    post(machine, 0, me.cls.name, () => {
      state.status = 2;
      if (state.isCancelled) machine.call(me, 'onCancelled(Ljava/lang/Object;)V', state.result);
      else machine.call(me, 'onPostExecute(Ljava/lang/Object;)V', state.result);
    });
  });
  return me;
};

const asyncTaskMethods: NativeMethods = {
  ...each(
    nothing,
    '<init>()V',
    'onPreExecute()V',
    'onPostExecute(Ljava/lang/Object;)V',
    'onProgressUpdate([Ljava/lang/Object;)V',
    'onCancelled()V',
  ),
  'doInBackground([Ljava/lang/Object;)Ljava/lang/Object;': none,
  'onCancelled(Ljava/lang/Object;)V': (machine, me: HeapObject) => {
    machine.call(me, 'onCancelled()V');
  },
  'execute([Ljava/lang/Object;)Landroid/os/AsyncTask;': execute,
  'executeOnExecutor(Ljava/util/concurrent/Executor;[Ljava/lang/Object;)Landroid/os/AsyncTask;': execute,
  'publishProgress([Ljava/lang/Object;)V': (machine, me: HeapObject, values: Value) => {
    post(machine, 0, me.cls.name, () => machine.call(me, 'onProgressUpdate([Ljava/lang/Object;)V', values));
  },
  'cancel(Z)Z': (_machine, me: HeapObject) => {
    taskOf(me).isCancelled = true;
    return 1;
  },
  'isCancelled()Z': (_machine, me: HeapObject) => flag(taskOf(me).isCancelled),
  [`getStatus()${taskStatus}`]: (machine, me: HeapObject) =>
    machine.getStatic(taskStatus, taskStates[taskOf(me).status]!),
  ...each(
    (machine, me: HeapObject) => {
      machine.block(() => taskOf(me).status === 2 || taskOf(me).result !== null, 600_000);
      return taskOf(me).result;
    },
    'get()Ljava/lang/Object;',
    'get(JLjava/util/concurrent/TimeUnit;)Ljava/lang/Object;',
  ),
};

/** An executor that starts a thread for each task, or runs it on the main one. */
const executor =
  (isMain: boolean): NativeMethod =>
  (machine, me: HeapObject, task: HeapObject) => {
    const run = () => machine.call(task, 'run()V');
    if (isMain) post(machine, 0, me.cls.name, run);
    else machine.startThread(machine.construct('Ljava/lang/Thread;', '<init>()V'), () => void run());
  };

// Countdown timers.

interface CountdownState {
  readonly total: number;
  readonly interval: number;
  isCancelled: boolean;
}

/** A countdown tells of this many ticks at most. */
const maxTicks = 200;

function startCountdown(machine: Machine, timer: HeapObject): HeapObject {
  const state = timer.native as CountdownState;
  state.isCancelled = false;
  const start = machine.clock.elapsed;
  let ticks = 0;
  const tick = () => {
    if (state.isCancelled) return;
    const left = state.total - (machine.clock.elapsed - start);
    ticks += 1;
    if (left <= 0 || ticks > maxTicks) {
      machine.call(timer, 'onFinish()V');
      return;
    }
    machine.call(timer, 'onTick(J)V', BigInt(Math.round(left)));
    post(machine, Math.max(1, Math.min(state.interval, left)), timer.cls.name, tick);
  };
  post(machine, 0, timer.cls.name, tick);
  return timer;
}

// Alarms and jobs.

const setAlarm: NativeMethod = (machine, _me: HeapObject, ...args: Value[]) => {
  const pending = args.findLast(
    (arg) => arg !== null && typeof arg === 'object' && arg.cls.descriptor === 'Landroid/app/PendingIntent;',
  );
  if (pending !== undefined) handOver(machine, pending as HeapObject, 'alarm', false);
  const listener = args.find(
    (arg) =>
      arg !== null &&
      typeof arg === 'object' &&
      machine.isInstance(arg as HeapObject, 'Landroid/app/AlarmManager$OnAlarmListener;'),
  ) as Reference | undefined;
  if (listener) {
    const app = appOf(machine);
    app.listen(`alarm#${app.numberOf(listener)}`, {
      kind: 'alarm',
      isOnce: true,
      fire: () => machine.call(listener, 'onAlarm()V'),
    });
  }
};

const alarmTypes = ['IJLandroid/app/PendingIntent;', 'IJJLandroid/app/PendingIntent;'];

const alarmMethods: NativeMethods = {
  ...Object.fromEntries(
    [
      'set',
      'setExact',
      'setAndAllowWhileIdle',
      'setExactAndAllowWhileIdle',
      'setRepeating',
      'setInexactRepeating',
      'setWindow',
    ].flatMap((name) => alarmTypes.map((types) => [`${name}(${types})V`, setAlarm])),
  ),
  'setWindow(IJJLandroid/app/PendingIntent;)V': setAlarm,
  'setExact(IJLjava/lang/String;Landroid/app/AlarmManager$OnAlarmListener;Landroid/os/Handler;)V': setAlarm,
  'set(IJLjava/lang/String;Landroid/app/AlarmManager$OnAlarmListener;Landroid/os/Handler;)V': setAlarm,
  'setAlarmClock(Landroid/app/AlarmManager$AlarmClockInfo;Landroid/app/PendingIntent;)V': setAlarm,
  'cancel(Landroid/app/PendingIntent;)V': (machine, _me: HeapObject, pending: Reference) =>
    takeBack(machine, pending, 'alarm'),
  'cancel(Landroid/app/AlarmManager$OnAlarmListener;)V': (machine, _me: HeapObject, listener: HeapObject) => {
    appOf(machine).unlisten(`alarm#${appOf(machine).numberOf(listener)}`);
  },
  'setTime(J)V': nothing,
  'setTimeZone(Ljava/lang/String;)V': nothing,
  'canScheduleExactAlarms()Z': yes,
};

const messageFields = [
  'what:I',
  'arg1:I',
  'arg2:I',
  'obj:Ljava/lang/Object;',
  'replyTo:Landroid/os/Messenger;',
  'sendingUid:I',
];

export const loopModels: Models = {
  'Landroid/os/Handler;': {
    methods: handlerMethods,
    staticMethods: {
      'createAsync(Landroid/os/Looper;)Landroid/os/Handler;': (machine, looper: Reference) =>
        machine.construct('Landroid/os/Handler;', '<init>(Landroid/os/Looper;)V', looper),
    },
  },
  'Landroid/os/Handler$Callback;': { isInterface: true, abstractMethods: ['handleMessage(Landroid/os/Message;)Z'] },
  [looperType]: {
    methods: {
      'quit()V': quit,
      'quitSafely()V': quit,
      'getThread()Ljava/lang/Thread;': (_machine, me: HeapObject) => looperOf(me).thread,
      'isCurrentThread()Z': (machine, me: HeapObject) => flag(looperOf(me).thread === machine.currentThread()),
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
      'addIdleHandler(Landroid/os/MessageQueue$IdleHandler;)V': (machine, _me: HeapObject, handler: HeapObject) => {
        post(machine, 10, handler.cls.name, () => machine.call(handler, 'queueIdle()Z'));
      },
      'removeIdleHandler(Landroid/os/MessageQueue$IdleHandler;)V': nothing,
    },
  },
  [messageType]: {
    implements: ['Landroid/os/Parcelable;'],
    methods: {
      '<init>()V': nothing,
      'getData()Landroid/os/Bundle;': (machine, me: HeapObject) => {
        messageOf(me).data ??= newBundle(machine);
        return messageOf(me).data;
      },
      'peekData()Landroid/os/Bundle;': (_machine, me: HeapObject) => messageOf(me).data,
      'setData(Landroid/os/Bundle;)V': (machine, me: HeapObject, bundle: Reference) => {
        messageOf(me).data = bundle === null ? null : newBundle(machine, bundleOf(bundle));
      },
      'getTarget()Landroid/os/Handler;': (_machine, me: HeapObject) => messageOf(me).target,
      'setTarget(Landroid/os/Handler;)V': (_machine, me: HeapObject, target: Reference) => {
        messageOf(me).target = target;
      },
      'sendToTarget()V': (machine, me: HeapObject) => {
        const { target } = messageOf(me);
        if (target !== null) sendMessage(machine, target, me, 0);
      },
      'getCallback()Ljava/lang/Runnable;': (_machine, me: HeapObject) => messageOf(me).callback,
      'copyFrom(Landroid/os/Message;)V': (machine, me: HeapObject, other: HeapObject) => {
        for (const name of ['what', 'arg1', 'arg2', 'obj']) machine.setField(me, name, machine.getField(other, name));
        messageOf(me).data = messageOf(other).data;
      },
      ...each(nothing, 'recycle()V', 'setAsynchronous(Z)V'),
      'getWhen()J': () => 0n,
    },
    staticMethods: each(
      obtain,
      'obtain()Landroid/os/Message;',
      'obtain(Landroid/os/Message;)Landroid/os/Message;',
      'obtain(Landroid/os/Handler;)Landroid/os/Message;',
      'obtain(Landroid/os/Handler;Ljava/lang/Runnable;)Landroid/os/Message;',
      'obtain(Landroid/os/Handler;I)Landroid/os/Message;',
      'obtain(Landroid/os/Handler;ILjava/lang/Object;)Landroid/os/Message;',
      'obtain(Landroid/os/Handler;III)Landroid/os/Message;',
      'obtain(Landroid/os/Handler;IIILjava/lang/Object;)Landroid/os/Message;',
    ),
    fields: messageFields,
  },
  'Landroid/os/HandlerThread;': {
    extends: 'Ljava/lang/Thread;',
    methods: {
      '<init>(Ljava/lang/String;I)V': (machine, me: HeapObject, name: Reference) => {
        const method = machine.resolveMethod(machine.classOf('Ljava/lang/Thread;'), '<init>(Ljava/lang/String;)V');
        if (method !== null) machine.invoke(method, [me, name]);
      },
      'run()V': (machine, me: HeapObject) => {
        prepare(machine);
        machine.call(me, 'onLooperPrepared()V');
        return loop(machine);
      },
      'onLooperPrepared()V': nothing,
      'getLooper()Landroid/os/Looper;': (machine, me: HeapObject) => {
        if (!loopers(machine).has(me)) machine.block(() => loopers(machine).has(me), 10_000);
        return loopers(machine).get(me) ?? null;
      },
      'getThreadId()I': () => 14_260,
      ...each(
        (machine, me: HeapObject) => {
          const looper = loopers(machine).get(me);
          if (looper !== undefined) looperOf(looper).isQuitting = true;
          return flag(looper !== undefined);
        },
        'quit()Z',
        'quitSafely()Z',
      ),
    },
  },
  'Landroid/os/AsyncTask;': {
    methods: asyncTaskMethods,
    staticMethods: {
      'execute(Ljava/lang/Runnable;)V': (machine, task: HeapObject) => {
        machine.startThread(
          machine.construct('Ljava/lang/Thread;', '<init>()V'),
          () => void machine.call(task, 'run()V'),
        );
      },
    },
    constants: {
      'THREAD_POOL_EXECUTOR:Ljava/util/concurrent/Executor;': (machine) =>
        machine.allocate('Landroid/os/BackgroundExecutor;'),
      'SERIAL_EXECUTOR:Ljava/util/concurrent/Executor;': (machine) =>
        machine.allocate('Landroid/os/BackgroundExecutor;'),
    },
  },
  'Landroid/os/BackgroundExecutor;': {
    implements: ['Ljava/util/concurrent/Executor;'],
    methods: { 'execute(Ljava/lang/Runnable;)V': executor(false) },
  },
  'Landroid/os/MainExecutor;': {
    implements: ['Ljava/util/concurrent/Executor;'],
    methods: { 'execute(Ljava/lang/Runnable;)V': executor(true) },
  },
  [taskStatus]: enumModel(taskStatus, taskStates),
  'Landroid/os/CountDownTimer;': {
    methods: {
      '<init>(JJ)V': (_machine, me: HeapObject, total: bigint, interval: bigint) => {
        me.native = {
          total: Number(total),
          interval: Math.max(1, Number(interval)),
          isCancelled: false,
        } satisfies CountdownState;
      },
      'start()Landroid/os/CountDownTimer;': startCountdown,
      'cancel()V': (_machine, me: HeapObject) => {
        (me.native as CountdownState).isCancelled = true;
      },
      'onTick(J)V': nothing,
      'onFinish()V': nothing,
    },
  },
  'Landroid/app/AlarmManager;': { methods: alarmMethods },
  'Landroid/app/AlarmManager$OnAlarmListener;': { isInterface: true, abstractMethods: ['onAlarm()V'] },
  'Landroid/os/PowerManager;': {
    methods: {
      'newWakeLock(ILjava/lang/String;)Landroid/os/PowerManager$WakeLock;': (machine) =>
        machine.allocate('Landroid/os/PowerManager$WakeLock;'),
      'isScreenOn()Z': yes,
      'isInteractive()Z': yes,
      'isPowerSaveMode()Z': no,
      'isDeviceIdleMode()Z': no,
      'isIgnoringBatteryOptimizations(Ljava/lang/String;)Z': yes,
      'reboot(Ljava/lang/String;)V': nothing,
    },
  },
  'Landroid/os/PowerManager$WakeLock;': {
    methods: {
      ...each(nothing, 'acquire()V', 'acquire(J)V', 'release()V', 'setReferenceCounted(Z)V'),
      'isHeld()Z': yes,
    },
  },
  'Landroid/os/SystemClock;': {
    staticMethods: {
      'elapsedRealtime()J': (machine) => BigInt(Math.round(uptime(machine))),
      'elapsedRealtimeNanos()J': (machine) => BigInt(Math.round(uptime(machine))) * 1_000_000n,
      'uptimeMillis()J': (machine) => BigInt(Math.round(uptime(machine))),
      'currentThreadTimeMillis()J': (machine) => BigInt(Math.round(machine.clock.elapsed)),
      'sleep(J)V': (machine, milliseconds: bigint) => {
        machine.block(() => false, Number(milliseconds));
      },
    },
  },
};
