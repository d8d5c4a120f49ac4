// java.lang.Thread and what belongs to it, on the machine's scheduler. Knows no executor and no looper.
import type { HeapObject, JavaString, Value } from '../heap.ts';
import type { JavaThread } from '../java-thread.ts';
import type { LinkedClass, Method } from '../linked-class.ts';
import type { Machine, ModelClass, Models } from '../model.ts';
import { runtimeOf } from '../runtime.ts';
import { threadTraceStart, traceElements } from './throwable.ts';

type Reference = HeapObject | null;

const threadClass = 'Ljava/lang/Thread;';
const groupClass = 'Ljava/lang/ThreadGroup;';
const handlerSignature = 'uncaughtException(Ljava/lang/Thread;Ljava/lang/Throwable;)V';

/** State of a `java.lang.Thread`. */
export interface ThreadState {
  name: string;
  target: Reference;
  id: number;
  priority: number;
  isDaemon: boolean;
  running: JavaThread | null;
  hasStarted: boolean;
  /** Of `LockSupport`. */
  hasPermit: boolean;
  handler: Reference;
  contextLoader: Reference;
  group: Reference;
  /** Values of ThreadLocals, with the taint of nothing: objects carry their own. */
  readonly locals: Map<HeapObject, Reference>;
}

interface Globals {
  lastId: number;
  lastNumber: number;
  defaultHandler: Reference;
  mainGroup: Reference;
}

const globalsOf = (machine: Machine): Globals =>
  machine.state('core.threads', () => ({ lastId: 1, lastNumber: 0, defaultHandler: null, mainGroup: null }));

/** The state of a thread object; the main thread's is made when it is first asked for. */
function threadState(machine: Machine, object: HeapObject): ThreadState {
  if (object.native !== undefined) return object.native as ThreadState;
  const { scheduler } = runtimeOf(machine);
  const isMain = scheduler.main.object === object || scheduler.main.object === null;
  const running = isMain ? scheduler.main : (scheduler.threads.find((thread) => thread.object === object) ?? null);
  const globals = globalsOf(machine);
  const state: ThreadState = {
    name: isMain ? 'main' : `Thread-${globals.lastNumber++}`,
    target: null,
    id: isMain ? 1 : ++globals.lastId,
    priority: 5,
    isDaemon: false,
    running,
    hasStarted: running !== null,
    hasPermit: false,
    handler: null,
    contextLoader: null,
    group: null,
    locals: new Map(),
  };
  object.native = state;
  return state;
}

const current = (machine: Machine): ThreadState => threadState(machine, machine.currentThread());

interface ThreadStart {
  readonly target?: Reference;
  readonly name?: JavaString | null;
  readonly group?: Reference;
}

function initialise(machine: Machine, self: HeapObject, { target = null, name = null, group = null }: ThreadStart) {
  self.native = undefined;
  const globals = globalsOf(machine);
  const parent = current(machine);
  const state: ThreadState = {
    name: name?.text ?? `Thread-${globals.lastNumber++}`,
    target,
    id: ++globals.lastId,
    priority: parent.priority,
    isDaemon: parent.isDaemon,
    running: null,
    hasStarted: false,
    hasPermit: false,
    handler: null,
    contextLoader: parent.contextLoader,
    group: group ?? parent.group,
    locals: new Map(),
  };
  self.native = state;
  return undefined;
}

function start(machine: Machine, self: HeapObject): undefined {
  const state = threadState(machine, self);
  if (state.hasStarted) throw machine.exception('Ljava/lang/IllegalThreadStateException;', 'Thread already started');
  state.hasStarted = true;
  const runtime = runtimeOf(machine);
  const run = (self.cls as LinkedClass).resolve('run()V');
  state.running = runtime.scheduler.start(self, run ?? null, run === null ? () => undefined : null);
}

function run(machine: Machine, self: HeapObject): Value | undefined {
  const { target } = threadState(machine, self);
  if (target === null) return undefined;
  const method = machine.resolveMethod(target.cls, 'run()V');
  if (method === null) throw machine.exception('Ljava/lang/AbstractMethodError;', `${target.cls.name}.run()`);
  return machine.callThen(method, [target]);
}

const isAlive = (state: ThreadState): boolean =>
  state.hasStarted && state.running !== null && !state.running.isFinished;

/** @throws JavaThrow InterruptedException where the running thread is, or becomes, interrupted */
function interruptible(machine: Machine, ready: () => boolean, timeout: number | undefined): Value | undefined {
  const { thread } = runtimeOf(machine);
  return machine.blockThen(
    () => thread.isInterrupted || ready(),
    timeout,
    () => {
      if (thread.isInterrupted) {
        thread.isInterrupted = false;
        throw machine.exception('Ljava/lang/InterruptedException;');
      }
    },
  );
}

function sleep(machine: Machine, milliseconds: bigint) {
  if (milliseconds < 0n) throw machine.exception('Ljava/lang/IllegalArgumentException;', 'millis < 0');
  return interruptible(machine, () => false, Number(milliseconds));
}

function join(machine: Machine, self: HeapObject, milliseconds: bigint) {
  const state = threadState(machine, self);
  return interruptible(machine, () => !isAlive(state), milliseconds === 0n ? undefined : Number(milliseconds));
}

function groupOf(machine: Machine, state: ThreadState): HeapObject {
  const globals = globalsOf(machine);
  if (globals.mainGroup === null) {
    globals.mainGroup = machine.allocate(groupClass);
    globals.mainGroup.native = { name: 'main', parent: null } satisfies GroupState;
  }
  return state.group ?? globals.mainGroup;
}

interface GroupState {
  readonly name: string;
  readonly parent: Reference;
}

function stateName(machine: Machine, self: HeapObject): string {
  const state = threadState(machine, self);
  if (!state.hasStarted) return 'NEW';
  if (!isAlive(state)) return 'TERMINATED';
  const blocked = state.running?.blocked;
  if (!blocked) return 'RUNNABLE';
  if (blocked.finish === null) return 'BLOCKED';
  return Number.isFinite(blocked.deadline) ? 'TIMED_WAITING' : 'WAITING';
}

/** Tells the program of an exception that ended a thread. True where a handler that the app set took it. */
export function dispatchUncaught(machine: Machine, thread: HeapObject, throwable: HeapObject): boolean {
  const handler = threadState(machine, thread).handler ?? globalsOf(machine).defaultHandler;
  if (handler === null) return false;
  machine.call(handler, handlerSignature, thread, throwable);
  return true;
}

const threadModel: ModelClass = {
  implements: ['Ljava/lang/Runnable;'],
  constants: { 'MIN_PRIORITY:I': 1, 'NORM_PRIORITY:I': 5, 'MAX_PRIORITY:I': 10 },
  methods: {
    '<init>()V': (machine, self) => initialise(machine, self, {}),
    '<init>(Ljava/lang/Runnable;)V': (machine, self, target: Reference) => initialise(machine, self, { target }),
    '<init>(!Ljava/lang/String;)V': (machine, self, name: JavaString) => initialise(machine, self, { name }),
    '<init>(Ljava/lang/Runnable;!Ljava/lang/String;)V': (machine, self, target: Reference, name: JavaString) =>
      initialise(machine, self, { target, name }),
    '<init>(Ljava/lang/ThreadGroup;Ljava/lang/Runnable;)V': (machine, self, group: Reference, target: Reference) =>
      initialise(machine, self, { group, target }),
    '<init>(Ljava/lang/ThreadGroup;!Ljava/lang/String;)V': (machine, self, group: Reference, name: JavaString) =>
      initialise(machine, self, { group, name }),
    '<init>(Ljava/lang/ThreadGroup;Ljava/lang/Runnable;!Ljava/lang/String;)V': (
      machine,
      self,
      group: Reference,
      target: Reference,
      name: JavaString,
    ) => initialise(machine, self, { group, target, name }),
    '<init>(Ljava/lang/ThreadGroup;Ljava/lang/Runnable;!Ljava/lang/String;J)V': (
      machine,
      self,
      group: Reference,
      target: Reference,
      name: JavaString,
    ) => initialise(machine, self, { group, target, name }),
    'start()V': start,
    'run()V': run,
    'join()V': (machine, self) => join(machine, self, 0n),
    'join(J)V': join,
    'join(JI)V': (machine, self, milliseconds: bigint) => join(machine, self, milliseconds || 1n),
    'interrupt()V': (machine, self) => {
      const { running } = threadState(machine, self);
      if (running !== null) running.isInterrupted = true;
    },
    'isInterrupted()Z': (machine, self) => (threadState(machine, self).running?.isInterrupted ? 1 : 0),
    'isAlive()Z': (machine, self) => (isAlive(threadState(machine, self)) ? 1 : 0),
    'isDaemon()Z': (machine, self) => (threadState(machine, self).isDaemon ? 1 : 0),
    'setDaemon(Z)V': (machine, self, isDaemon: number) => {
      threadState(machine, self).isDaemon = isDaemon !== 0;
    },
    'getName()Ljava/lang/String;': (machine, self) => machine.string(threadState(machine, self).name),
    'setName(Ljava/lang/String;)V': (machine, self, name: JavaString | null) => {
      if (name === null) throw machine.exception('Ljava/lang/NullPointerException;', 'name == null');
      threadState(machine, self).name = name.text;
    },
    'getId()J': (machine, self) => BigInt(threadState(machine, self).id),
    'threadId()J': (machine, self) => BigInt(threadState(machine, self).id),
    'getPriority()I': (machine, self) => threadState(machine, self).priority,
    'setPriority(I)V': (machine, self, priority: number) => {
      if (priority < 1 || priority > 10) throw machine.exception('Ljava/lang/IllegalArgumentException;');
      threadState(machine, self).priority = priority;
    },
    'getThreadGroup()Ljava/lang/ThreadGroup;': (machine, self) => groupOf(machine, threadState(machine, self)),
    'getContextClassLoader()Ljava/lang/ClassLoader;': (machine, self) =>
      threadState(machine, self).contextLoader ??
      (machine.callStatic('Ljava/lang/ClassLoader;', 'getSystemClassLoader()Ljava/lang/ClassLoader;') as Reference),
    'setContextClassLoader(Ljava/lang/ClassLoader;)V': (machine, self, loader: Reference) => {
      threadState(machine, self).contextLoader = loader;
    },
    'getUncaughtExceptionHandler()Ljava/lang/Thread$UncaughtExceptionHandler;': (machine, self) =>
      threadState(machine, self).handler,
    'setUncaughtExceptionHandler(Ljava/lang/Thread$UncaughtExceptionHandler;)V': (
      machine,
      self,
      handler: Reference,
    ) => {
      threadState(machine, self).handler = handler;
    },
    'getStackTrace()[Ljava/lang/StackTraceElement;': (machine, self) => {
      const runtime = runtimeOf(machine);
      const isCurrent = runtime.thread.object === self;
      return isCurrent ? traceElements(machine, runtime.trace(), threadTraceStart) : traceElements(machine, []);
    },
    'getState()Ljava/lang/Thread$State;': (machine, self) =>
      machine.getStatic('Ljava/lang/Thread$State;', stateName(machine, self)),
    'stop()V': (machine) => {
      throw machine.exception('Ljava/lang/UnsupportedOperationException;');
    },
    'checkAccess()V': () => undefined,
    'toString()Ljava/lang/String;': (machine, self) => {
      const state = threadState(machine, self);
      return machine.string(`Thread[${state.name},${state.priority},main]`);
    },
  },
  staticMethods: {
    'currentThread()Ljava/lang/Thread;': (machine) => machine.currentThread(),
    'sleep(J)V': sleep,
    'sleep(JI)V': (machine, milliseconds: bigint, nanoseconds: number) =>
      sleep(machine, milliseconds + (nanoseconds > 0 ? 1n : 0n)),
    'yield()V': (machine) => {
      let isFirst = true;
      return machine.blockThen(
        () => {
          const isReady = !isFirst;
          isFirst = false;
          return isReady;
        },
        0,
        () => undefined,
      );
    },
    'onSpinWait()V': () => undefined,
    'interrupted()Z': (machine) => {
      const { thread } = runtimeOf(machine);
      const was = thread.isInterrupted;
      thread.isInterrupted = false;
      return was ? 1 : 0;
    },
    'holdsLock(!Ljava/lang/Object;)Z': (machine, object: HeapObject) => {
      const monitor = object.monitor as { owner: unknown } | null;
      return monitor !== null && monitor.owner === runtimeOf(machine).thread ? 1 : 0;
    },
    'activeCount()I': (machine) => runtimeOf(machine).scheduler.threads.length,
    'dumpStack()V': () => undefined,
    'getDefaultUncaughtExceptionHandler()Ljava/lang/Thread$UncaughtExceptionHandler;': (machine) =>
      globalsOf(machine).defaultHandler,
    'setDefaultUncaughtExceptionHandler(Ljava/lang/Thread$UncaughtExceptionHandler;)V': (
      machine,
      handler: Reference,
    ) => {
      globalsOf(machine).defaultHandler = handler;
    },
  },
};

const groupModel: ModelClass = {
  methods: {
    '<init>(!Ljava/lang/String;)V': (machine, self, name: JavaString) => {
      self.native = { name: name.text, parent: groupOf(machine, current(machine)) } satisfies GroupState;
    },
    '<init>(Ljava/lang/ThreadGroup;!Ljava/lang/String;)V': (_machine, self, parent: Reference, name: JavaString) => {
      self.native = { name: name.text, parent } satisfies GroupState;
    },
    'getName()Ljava/lang/String;': (machine, self) => machine.string((self.native as GroupState).name),
    'getParent()Ljava/lang/ThreadGroup;': (_machine, self) => (self.native as GroupState).parent,
    'activeCount()I': (machine) => runtimeOf(machine).scheduler.threads.length,
  },
};

/** The value of a thread's own variable, made by `initialValue` where it has none. */
function localValue(machine: Machine, self: HeapObject): Value | undefined {
  const { locals } = current(machine);
  if (locals.has(self)) return locals.get(self) ?? null;
  const initial = machine.resolveMethod(self.cls, 'initialValue()Ljava/lang/Object;') as Method;
  return machine.callThen(initial, [self], (value) => {
    locals.set(self, value as Reference);
    return value;
  });
}

const localModel: ModelClass = {
  methods: {
    '<init>()V': () => undefined,
    'initialValue()Ljava/lang/Object;': (machine, self) =>
      self.native === undefined ? null : machine.call(self.native as HeapObject, 'get()Ljava/lang/Object;'),
    'get()Ljava/lang/Object;': localValue,
    'set(Ljava/lang/Object;)V': (machine, self, value: Reference) => {
      current(machine).locals.set(self, value);
    },
    'remove()V': (machine, self) => current(machine).locals.delete(self),
  },
  staticMethods: {
    'withInitial(!Ljava/util/function/Supplier;)Ljava/lang/ThreadLocal;': (machine, supplier: HeapObject) => {
      const local = machine.allocate('Ljava/lang/ThreadLocal;');
      local.native = supplier;
      return local;
    },
  },
};

/** One permit per thread: parking takes it, or waits for it. */
function park(machine: Machine, timeout: number | undefined): Value | undefined {
  const state = current(machine);
  const { thread } = runtimeOf(machine);
  return machine.blockThen(
    () => state.hasPermit || thread.isInterrupted,
    timeout,
    () => {
      state.hasPermit = false;
    },
  );
}

const nanoseconds = (value: bigint) => Math.max(0, Number(value) / 1e6);

const parkModel: ModelClass = {
  staticMethods: {
    'park()V': (machine) => park(machine, undefined),
    'park(Ljava/lang/Object;)V': (machine) => park(machine, undefined),
    'parkNanos(J)V': (machine, time: bigint) => park(machine, nanoseconds(time)),
    'parkNanos(Ljava/lang/Object;J)V': (machine, _blocker: Reference, time: bigint) => park(machine, nanoseconds(time)),
    'parkUntil(J)V': (machine, deadline: bigint) => park(machine, Math.max(0, Number(deadline) - machine.clock.wall)),
    'unpark(Ljava/lang/Thread;)V': (machine, thread: Reference) => {
      if (thread !== null) threadState(machine, thread).hasPermit = true;
    },
  },
};

const stateNames = ['NEW', 'RUNNABLE', 'BLOCKED', 'WAITING', 'TIMED_WAITING', 'TERMINATED'];

export const threadModels: Models = {
  'Ljava/lang/Runnable;': { isInterface: true, abstractMethods: ['run()V'] },
  'Ljava/lang/Thread$UncaughtExceptionHandler;': { isInterface: true, abstractMethods: [handlerSignature] },
  [threadClass]: threadModel,
  [groupClass]: groupModel,
  'Ljava/lang/ThreadLocal;': localModel,
  'Ljava/lang/InheritableThreadLocal;': {
    extends: 'Ljava/lang/ThreadLocal;',
    methods: { '<init>()V': () => undefined },
  },
  'Ljava/util/concurrent/locks/LockSupport;': parkModel,
  'Ljava/lang/Thread$State;': {
    extends: 'Ljava/lang/Enum;',
    constants: Object.fromEntries(
      stateNames.map((name, ordinal) => [
        `${name}:Ljava/lang/Thread$State;`,
        (machine: Machine) => {
          const constant = runtimeOf(machine).newObject(runtimeOf(machine).linker.get('Ljava/lang/Thread$State;'));
          constant.native = { name: machine.string(name), ordinal };
          return constant;
        },
      ]),
    ),
  },
};
