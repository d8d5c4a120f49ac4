// java.lang.ref, java.util.logging and StackTraceElement's like: small classes that hold or report. Knows no collector: references stay.
import type { HeapObject } from '../../machine/heap.ts';
import type { Machine, ModelClass, NativeMethods } from '../../machine/model.ts';
import { javaHooks } from '../hooks.ts';
import { instance, type Reference, textOf } from '../values.ts';

const R = 'Ljava/lang/ref/';
const L = 'Ljava/util/logging/';
const S = 'Ljava/lang/String;';

interface Holding {
  target: Reference;
}

const hold = (_machine: Machine, self: HeapObject, target: Reference): undefined => {
  self.native = { target } satisfies Holding;
};

const held: NativeMethods = {
  '<init>(Ljava/lang/Object;)V': hold,
  [`<init>(Ljava/lang/Object;${R}ReferenceQueue;)V`]: hold,
  'get()Ljava/lang/Object;': (_machine, self) => (self.native as Holding | undefined)?.target ?? null,
  'refersTo(Ljava/lang/Object;)Z': (_machine, self, other: Reference) =>
    ((self.native as Holding | undefined)?.target ?? null) === other,
  'clear()V': (_machine, self) => {
    self.native = { target: null } satisfies Holding;
  },
  'enqueue()Z': () => 0,
  'isEnqueued()Z': () => 0,
};

interface Logger {
  readonly name: string;
}

const LEVELS = {
  OFF: 2147483647,
  SEVERE: 1000,
  WARNING: 900,
  INFO: 800,
  CONFIG: 700,
  FINE: 500,
  FINER: 400,
  FINEST: 300,
  ALL: -2147483648,
};
const LEVEL = `${L}Level;`;
const LOGGER = `${L}Logger;`;

function log(machine: Machine, self: HeapObject, level: string, message: Reference): undefined {
  const text = machine.toText(message);
  const { name } = (self.native as Logger | undefined) ?? { name: '' };
  const letter = level === 'SEVERE' ? 'E' : level === 'WARNING' ? 'W' : level === 'INFO' ? 'I' : 'D';
  javaHooks(machine).log(machine, letter, name, text.text, machine.union(text.taint, machine.controlTaint));
}

const levelName = (level: HeapObject): string => (level.native as { name: string }).name;

function shortcuts(): NativeMethods {
  const methods: Record<string, NativeMethods[string]> = {};
  for (const name of ['severe', 'warning', 'info', 'config', 'fine', 'finer', 'finest']) {
    methods[`${name}(${S})V`] = (machine, self, message) => log(machine, self, name.toUpperCase(), message);
  }
  return methods;
}

const logger = (machine: Machine, name: Reference): HeapObject => {
  const all = machine.state('java.loggers', () => new Map<string, HeapObject>());
  const key = textOf(machine, name);
  const known = all.get(key) ?? instance(machine, LOGGER, { name: key } satisfies Logger);
  all.set(key, known);
  return known;
};

const nothing = (): undefined => undefined;

export const referenceModels: Record<string, ModelClass> = {
  [`${R}Reference;`]: { isAbstract: true, methods: held },
  [`${R}WeakReference;`]: { extends: `${R}Reference;`, methods: held },
  [`${R}SoftReference;`]: { extends: `${R}Reference;`, methods: held },
  [`${R}PhantomReference;`]: {
    extends: `${R}Reference;`,
    methods: { ...held, 'get()Ljava/lang/Object;': () => null },
  },
  [`${R}ReferenceQueue;`]: {
    methods: {
      '<init>()V': nothing,
      [`poll()${R}Reference;`]: () => null,
      // Nothing is ever collected, so that the queue of references stays empty.
      [`remove()${R}Reference;`]: (machine) =>
        machine.blockThen(
          () => false,
          undefined,
          () => null,
        ),
      [`remove(J)${R}Reference;`]: (machine, _self, timeout: bigint) =>
        machine.blockThen(
          () => false,
          Number(timeout) || undefined,
          () => null,
        ),
    },
  },
  [LOGGER]: {
    methods: {
      ...shortcuts(),
      [`log(!${LEVEL}${S})V`]: (machine, self, level: HeapObject, message) =>
        log(machine, self, levelName(level), message),
      [`log(!${LEVEL}${S}Ljava/lang/Throwable;)V`]: (machine, self, level: HeapObject, message) =>
        log(machine, self, levelName(level), message),
      [`log(!${LEVEL}${S}Ljava/lang/Object;)V`]: (machine, self, level: HeapObject, message) =>
        log(machine, self, levelName(level), message),
      [`isLoggable(!${LEVEL})Z`]: (_machine, _self, level: HeapObject) =>
        (level.native as { value: number }).value >= LEVELS.INFO,
      [`getName()${S}`]: (machine, self) => machine.string((self.native as Logger).name),
      [`setLevel(${LEVEL})V`]: nothing,
      [`getLevel()${LEVEL}`]: () => null,
      [`addHandler(${L}Handler;)V`]: nothing,
      [`getHandlers()[${L}Handler;`]: (machine) => machine.objectArray(`${L}Handler;`, []),
      'setUseParentHandlers(Z)V': nothing,
    },
    staticMethods: {
      [`getLogger(${S})${LOGGER}`]: logger,
      [`getLogger(${S}${S})${LOGGER}`]: logger,
      [`getAnonymousLogger()${LOGGER}`]: (machine) => instance(machine, LOGGER, { name: '' } satisfies Logger),
      [`getGlobal()${LOGGER}`]: (machine) => instance(machine, LOGGER, { name: 'global' } satisfies Logger),
    },
  },
  [LEVEL]: {
    methods: {
      [`getName()${S}`]: (machine, self) => machine.string(levelName(self)),
      [`toString()${S}`]: (machine, self) => machine.string(levelName(self)),
      'intValue()I': (_machine, self) => (self.native as { value: number }).value,
    },
    constants: Object.fromEntries(
      Object.entries(LEVELS).map(([name, value]) => [
        `${name}:${LEVEL}`,
        (machine: Machine) => instance(machine, LEVEL, { name, value }),
      ]),
    ),
  },
  [`${L}Handler;`]: { isAbstract: true, methods: { '<init>()V': nothing, [`setLevel(${LEVEL})V`]: nothing } },
};
