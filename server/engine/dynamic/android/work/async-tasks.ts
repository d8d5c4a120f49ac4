// Models of AsyncTask and executors: work on another thread, told of on the main one. Knows no looper.
import { enumModel } from '../../java/lang/enum.ts';
import type { HeapObject, JavaArray, Value } from '../../machine/heap.ts';
import type { Machine, Models, NativeMethod, NativeMethods } from '../../machine/model.ts';
import { post } from '../components/activity-life.ts';
import { callLast, each, none, nothing, type Reference, stateOf } from '../model-parts.ts';

const workerType = 'Landroid/os/AsyncTask$Worker;';
const taskStatus = 'Landroid/os/AsyncTask$Status;';
const taskStates = ['PENDING', 'RUNNING', 'FINISHED'] as const;

interface TaskState {
  status: number;
  isCancelled: boolean;
  result: Reference;
}

const taskOf = (task: HeapObject): TaskState =>
  stateOf<TaskState>(task, () => ({ status: 0, isCancelled: false, result: null }));

const execute: NativeMethod = (machine, me, ...args: Value[]) => {
  const state = taskOf(me);
  if (state.status !== 0)
    throw machine.exception(
      'Ljava/lang/IllegalStateException;',
      'Cannot execute task: the task has already been executed',
    );
  state.status = 1;
  const parameters = args.at(-1) as JavaArray | null;
  machine.call(me, 'onPreExecute()V');
  const worker = machine.construct(workerType, '<init>(Ljava/lang/String;)V', machine.string('AsyncTask #1'));
  worker.native = { task: me, parameters } satisfies Work;
  machine.call(worker, 'start()V');
  return me;
};

/** What a worker's thread does. */
interface Work {
  readonly task: HeapObject;
  readonly parameters: JavaArray | null;
}

const work: NativeMethod = (machine, worker: HeapObject) => {
  const { task, parameters } = worker.native as Work;
  const state = taskOf(task);
  return callLast(machine, task, 'doInBackground([Ljava/lang/Object;)Ljava/lang/Object;', [parameters], (result) => {
    state.result = result as Reference;
    post(machine, 0, task.cls.name, () => {
      state.status = 2;
      const end = state.isCancelled ? 'onCancelled' : 'onPostExecute';
      machine.call(task, `${end}(Ljava/lang/Object;)V`, state.result);
    });
  });
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
  'onCancelled(Ljava/lang/Object;)V': (machine, me) => machine.call(me, 'onCancelled()V'),
  'execute([Ljava/lang/Object;)Landroid/os/AsyncTask;': execute,
  'executeOnExecutor(Ljava/util/concurrent/Executor;[Ljava/lang/Object;)Landroid/os/AsyncTask;': execute,
  'publishProgress([Ljava/lang/Object;)V': (machine, me, values: Value) => {
    post(machine, 0, me.cls.name, () => machine.call(me, 'onProgressUpdate([Ljava/lang/Object;)V', values));
  },
  'cancel(Z)Z': (_machine, me) => {
    taskOf(me).isCancelled = true;
    return 1;
  },
  'isCancelled()Z': (_machine, me) => taskOf(me).isCancelled,
  [`getStatus()${taskStatus}`]: (machine, me) => machine.getStatic(taskStatus, taskStates[taskOf(me).status]!),
  ...each(
    (machine, me) => {
      const state = taskOf(me);
      const isDone = () => state.status === 2 || state.result !== null;
      return machine.blockThen(isDone, 600_000, () => state.result);
    },
    'get()Ljava/lang/Object;',
    'get(JLjava/util/concurrent/TimeUnit;)Ljava/lang/Object;',
  ),
};

/** Starts a thread for a task. */
function runAside(machine: Machine, task: HeapObject): undefined {
  const thread = machine.construct('Ljava/lang/Thread;', '<init>(Ljava/lang/Runnable;)V', task);
  machine.call(thread, 'start()V');
}

const newExecutor = (machine: Machine): HeapObject => machine.allocate('Landroid/os/BackgroundExecutor;');

export const asyncTaskModels: Models = {
  'Landroid/os/AsyncTask;': {
    methods: asyncTaskMethods,
    staticMethods: {
      'execute(Ljava/lang/Runnable;)V': runAside,
    },
    constants: {
      'THREAD_POOL_EXECUTOR:Ljava/util/concurrent/Executor;': newExecutor,
      'SERIAL_EXECUTOR:Ljava/util/concurrent/Executor;': newExecutor,
    },
  },
  'Landroid/os/BackgroundExecutor;': {
    implements: ['Ljava/util/concurrent/Executor;'],
    methods: {
      'execute(Ljava/lang/Runnable;)V': (machine, _me, task: HeapObject) => runAside(machine, task),
    },
  },
  'Landroid/os/MainExecutor;': {
    implements: ['Ljava/util/concurrent/Executor;'],
    methods: {
      'execute(!Ljava/lang/Runnable;)V': (machine, me, task: HeapObject) => {
        post(machine, 0, me.cls.name, () => machine.call(task, 'run()V'));
      },
    },
  },
  [workerType]: { extends: 'Ljava/lang/Thread;', methods: { 'run()V': work } },
  [taskStatus]: enumModel(taskStatus, taskStates),
};
