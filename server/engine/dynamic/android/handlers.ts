// Models of Handler and Message: work handed to a looper, at once or later. Knows no thread.
import type { HeapObject, Value } from '../machine/heap.ts';
import type { Machine, Models, NativeMethod, NativeMethods } from '../machine/model.ts';
import { post } from './activity-life.ts';
import { bundleOf, newBundle } from './bundle.ts';
import { uptime } from './clock.ts';
import { looperOf, looperType, mainLooper, ownLooper, type QueuedTask } from './loop.ts';
import { each, flag, nothing, type Reference, stateOf } from './model-parts.ts';

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

const messageType = 'Landroid/os/Message;';

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

const messageFields = [
  'what:I',
  'arg1:I',
  'arg2:I',
  'obj:Ljava/lang/Object;',
  'replyTo:Landroid/os/Messenger;',
  'sendingUid:I',
];

export const handlerModels: Models = {
  'Landroid/os/Handler;': {
    methods: handlerMethods,
    staticMethods: {
      'createAsync(Landroid/os/Looper;)Landroid/os/Handler;': (machine, looper: Reference) =>
        machine.construct('Landroid/os/Handler;', '<init>(Landroid/os/Looper;)V', looper),
    },
  },
  'Landroid/os/Handler$Callback;': { isInterface: true, abstractMethods: ['handleMessage(Landroid/os/Message;)Z'] },
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
};
