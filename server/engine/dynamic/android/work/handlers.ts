// Models of Handler and Message: work handed to a looper, at once or later. Knows no thread.
import type { HeapObject, Value } from '../../machine/heap.ts';
import type { Machine, Models, NativeMethod, NativeMethods } from '../../machine/model.ts';
import { post } from '../components/activity-life.ts';
import { bundleOf, newBundle } from '../components/bundle.ts';
import { callLast, each, nothing, type Reference, stateOf } from '../model-parts.ts';
import { uptime } from './clock.ts';
import { looperOf, looperType, mainLooper, ownLooper, type QueuedTask } from './loop.ts';

interface HandlerState {
  looper: HeapObject;
  callback: Reference;
  readonly waiting: Set<QueuedTask>;
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
    waiting: new Set(),
  }));
const messageOf = (message: HeapObject): MessageState =>
  stateOf<MessageState>(message, () => ({ target: null, callback: null, data: null }));

function enqueue(
  machine: Machine,
  handler: HeapObject,
  delay: number,
  task: Pick<QueuedTask, 'what' | 'token' | 'receiver' | 'signature' | 'args'>,
): void {
  const { looper, waiting } = handlerOf(machine, handler);
  const queued: QueuedTask = { ...task, due: machine.clock.elapsed + Math.max(0, delay), waiting };
  waiting.add(queued);
  const { queue } = looperOf(looper);
  if (queue === null) {
    post(machine, Math.max(0, delay), handler.cls.name, () => {
      if (waiting.delete(queued)) machine.call(task.receiver, task.signature, ...task.args);
    });
  } else {
    queue.push(queued);
    queue.sort((left, right) => left.due - right.due);
  }
}

function cancel(machine: Machine, handler: HeapObject, fits: (task: QueuedTask) => boolean): undefined {
  const { waiting } = handlerOf(machine, handler);
  for (const task of waiting) if (fits(task)) waiting.delete(task);
}

const sendMessage = (machine: Machine, handler: HeapObject, message: HeapObject, delay: number): number => {
  messageOf(message).target = handler;
  const what = machine.getField(message, 'what') as number;
  const token = machine.getField(message, 'obj') as Reference;
  enqueue(machine, handler, delay, {
    what,
    token,
    receiver: handler,
    signature: `dispatchMessage(${messageType})V`,
    args: [message],
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
  enqueue(machine, handler, delay, { what: null, token: token ?? task, receiver: task, signature: 'run()V', args: [] });
  return 1;
};

const carried = ['what', 'arg1', 'arg2', 'obj'] as const;
type Carried = (typeof carried)[number];

/** A message for the handler before the arguments, which are what `names` says, numbers with their taint. */
const newMessage =
  (...names: Carried[]): NativeMethod =>
  (machine, target: Reference = null, ...values: Value[]) => {
    const message = machine.allocate(messageType);
    messageOf(message).target = target;
    for (const [index, name] of names.entries()) {
      machine.setField(message, name, values[index]!, name === 'obj' ? 0 : machine.argumentTaint(index + 1));
    }
    return message;
  };

function copyMessage(machine: Machine, from: HeapObject, to: HeapObject): undefined {
  for (const name of carried) machine.setField(to, name, machine.getField(from, name));
  to.fieldTaints = from.fieldTaints?.slice() ?? null;
  messageOf(to).data = messageOf(from).data;
}

const emptyMessage = newMessage('what');
const sendEmpty = (machine: Machine, handler: HeapObject, what: number, delay: number): number =>
  sendMessage(machine, handler, emptyMessage(machine, handler, what) as HeapObject, delay);

const bind: NativeMethod = (machine, me, looper: Reference = null, callback: Reference = null) => {
  const isLooper = looper !== null && looper.cls.descriptor === looperType;
  me.native = {
    looper: isLooper ? looper : (ownLooper(machine) ?? mainLooper(machine)),
    callback: isLooper ? callback : looper,
    waiting: new Set(),
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
  'dispatchMessage(!Landroid/os/Message;)V': (machine, me, message: HeapObject) => {
    const { callback } = messageOf(message);
    if (callback !== null) return callLast(machine, callback, 'run()V', []);
    const handle = () => callLast(machine, me, 'handleMessage(Landroid/os/Message;)V', [message]);
    const own = handlerOf(machine, me).callback;
    if (own === null) return handle();
    return callLast(machine, own, 'handleMessage(Landroid/os/Message;)Z', [message], (isHandled) =>
      isHandled !== 0 ? undefined : handle(),
    );
  },
  'getLooper()Landroid/os/Looper;': (machine, me) => handlerOf(machine, me).looper,
  'post(Ljava/lang/Runnable;)Z': (machine, me, task: HeapObject) => postRunnable(machine, me, task, 0),
  'postAtFrontOfQueue(Ljava/lang/Runnable;)Z': (machine, me, task: HeapObject) => postRunnable(machine, me, task, 0),
  'postDelayed(Ljava/lang/Runnable;J)Z': (machine, me, task: HeapObject, delay: bigint) =>
    postRunnable(machine, me, task, delayOf(delay)),
  'postDelayed(Ljava/lang/Runnable;Ljava/lang/Object;J)Z': (
    machine,
    me,
    task: HeapObject,
    token: Reference,
    delay: bigint,
  ) => postRunnable(machine, me, task, delayOf(delay), token),
  'postAtTime(Ljava/lang/Runnable;J)Z': (machine, me, task: HeapObject, time: bigint) =>
    postRunnable(machine, me, task, delayOf(time) - uptime(machine)),
  'sendMessage(!Landroid/os/Message;)Z': (machine, me, message: HeapObject) => sendMessage(machine, me, message, 0),
  'sendMessageAtFrontOfQueue(!Landroid/os/Message;)Z': (machine, me, message: HeapObject) =>
    sendMessage(machine, me, message, 0),
  'sendMessageDelayed(!Landroid/os/Message;J)Z': (machine, me, message: HeapObject, delay: bigint) =>
    sendMessage(machine, me, message, delayOf(delay)),
  'sendMessageAtTime(!Landroid/os/Message;J)Z': (machine, me, message: HeapObject, time: bigint) =>
    sendMessage(machine, me, message, delayOf(time) - uptime(machine)),
  'sendEmptyMessage(I)Z': (machine, me, what: number) => sendEmpty(machine, me, what, 0),
  'sendEmptyMessageDelayed(IJ)Z': (machine, me, what: number, delay: bigint) =>
    sendEmpty(machine, me, what, delayOf(delay)),
  'sendEmptyMessageAtTime(IJ)Z': (machine, me, what: number, time: bigint) =>
    sendEmpty(machine, me, what, delayOf(time) - uptime(machine)),
  'removeMessages(I)V': (machine, me, what: number) => cancel(machine, me, (task) => task.what === what),
  'removeMessages(ILjava/lang/Object;)V': (machine, me, what: number, token: Reference) =>
    cancel(machine, me, (task) => task.what === what && (token === null || task.token === token)),
  'removeCallbacks(Ljava/lang/Runnable;)V': (machine, me, task: Reference) =>
    cancel(machine, me, (each) => each.token === task),
  'removeCallbacksAndMessages(Ljava/lang/Object;)V': (machine, me, token: Reference) =>
    cancel(machine, me, (task) => token === null || task.token === token),
  'hasMessages(I)Z': (machine, me, what: number) =>
    [...handlerOf(machine, me).waiting].some((task) => task.what === what),
  'obtainMessage()Landroid/os/Message;': newMessage(),
  'obtainMessage(I)Landroid/os/Message;': newMessage('what'),
  'obtainMessage(ILjava/lang/Object;)Landroid/os/Message;': newMessage('what', 'obj'),
  'obtainMessage(III)Landroid/os/Message;': newMessage('what', 'arg1', 'arg2'),
  'obtainMessage(IIILjava/lang/Object;)Landroid/os/Message;': newMessage('what', 'arg1', 'arg2', 'obj'),
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
      'getData()Landroid/os/Bundle;': (machine, me) => {
        messageOf(me).data ??= newBundle(machine);
        return messageOf(me).data;
      },
      'peekData()Landroid/os/Bundle;': (_machine, me) => messageOf(me).data,
      'setData(Landroid/os/Bundle;)V': (machine, me, bundle: Reference) => {
        messageOf(me).data = bundle === null ? null : newBundle(machine, bundleOf(bundle));
      },
      'getTarget()Landroid/os/Handler;': (_machine, me) => messageOf(me).target,
      'setTarget(Landroid/os/Handler;)V': (_machine, me, target: Reference) => {
        messageOf(me).target = target;
      },
      'sendToTarget()V': (machine, me) => {
        const { target } = messageOf(me);
        if (target !== null) sendMessage(machine, target, me, 0);
      },
      'getCallback()Ljava/lang/Runnable;': (_machine, me) => messageOf(me).callback,
      'copyFrom(!Landroid/os/Message;)V': (machine, me, other: HeapObject) => copyMessage(machine, other, me),
      ...each(nothing, 'recycle()V', 'setAsynchronous(Z)V'),
      'getWhen()J': () => 0n,
    },
    staticMethods: {
      ...each(newMessage(), 'obtain()Landroid/os/Message;', 'obtain(Landroid/os/Handler;)Landroid/os/Message;'),
      'obtain(!Landroid/os/Message;)Landroid/os/Message;': (machine, other: HeapObject) => {
        const message = machine.allocate(messageType);
        copyMessage(machine, other, message);
        return message;
      },
      'obtain(Landroid/os/Handler;Ljava/lang/Runnable;)Landroid/os/Message;': (
        machine,
        target: Reference,
        callback: Reference,
      ) => {
        const message = machine.allocate(messageType);
        Object.assign(messageOf(message), { target, callback });
        return message;
      },
      'obtain(Landroid/os/Handler;I)Landroid/os/Message;': newMessage('what'),
      'obtain(Landroid/os/Handler;ILjava/lang/Object;)Landroid/os/Message;': newMessage('what', 'obj'),
      'obtain(Landroid/os/Handler;III)Landroid/os/Message;': newMessage('what', 'arg1', 'arg2'),
      'obtain(Landroid/os/Handler;IIILjava/lang/Object;)Landroid/os/Message;': newMessage(
        'what',
        'arg1',
        'arg2',
        'obj',
      ),
    },
    fields: messageFields,
  },
};
