// java.util.concurrent.atomic. Knows no threads: one runs at a time.
import type { HeapObject, Taint, Value } from '../../machine/heap.ts';
import type { Machine, ModelClass, NativeMethod, NativeMethods } from '../../machine/model.ts';
import { made, outOfBounds, type Reference } from '../values.ts';

interface Cell {
  value: Value;
  taint: Taint;
}

const A = 'Ljava/util/concurrent/atomic/';
const F = 'Ljava/util/function/';

function cell(self: HeapObject): Cell {
  return self.native as Cell;
}

type Type = 'I' | 'J' | 'Z' | 'L';

const descriptor = (type: Type): string => (type === 'L' ? 'Ljava/lang/Object;' : type);
const wrap = (type: Type, value: bigint): Value =>
  type === 'J' ? BigInt.asIntN(64, value) : Number(BigInt.asIntN(32, value));

function read(machine: Machine, self: HeapObject): Value {
  machine.setResultTaint(cell(self).taint);
  return cell(self).value;
}

function write(machine: Machine, self: HeapObject, value: Value, argument: number): Value {
  const before = read(machine, self);
  self.native = { value, taint: machine.union(machine.argumentTaint(argument), machine.controlTaint) } satisfies Cell;
  return before;
}

function compareAndSet(machine: Machine, self: HeapObject, expected: Value, value: Value): number {
  if (cell(self).value !== expected) return 0;
  write(machine, self, value, 2);
  return 1;
}

function basics(type: Type): NativeMethods {
  const d = descriptor(type);
  const methods: Record<string, NativeMethod> = {
    '<init>()V': made(() => ({ value: type === 'L' ? null : type === 'J' ? 0n : 0, taint: 0 }) satisfies Cell),
    [`<init>(${d})V`]: made((machine, value: Value) => ({ value, taint: machine.argumentTaint(1) }) satisfies Cell),
    'toString()Ljava/lang/String;': (machine, self) => {
      const { value, taint } = cell(self);
      if (type === 'L') return machine.toText(value as Reference);
      return machine.string(type === 'Z' ? (value !== 0 ? 'true' : 'false') : String(value), taint);
    },
    [`getAndSet(${d})${d}`]: (machine, self, value: Value) => write(machine, self, value, 1),
  };
  for (const name of ['get', 'getPlain', 'getAcquire', 'getOpaque']) methods[`${name}()${d}`] = read;
  for (const name of ['set', 'lazySet', 'setPlain', 'setRelease']) {
    methods[`${name}(${d})V`] = (machine, self, value: Value) => {
      write(machine, self, value, 1);
    };
  }
  for (const name of ['compareAndSet', 'weakCompareAndSet', 'weakCompareAndSetPlain']) {
    methods[`${name}(${d}${d})Z`] = compareAndSet;
  }
  return methods;
}

/** Updates the value with a function of the app; taint of numbers passes into its arguments and out of its result. */
function updateBy(
  machine: Machine,
  self: HeapObject,
  call: (value: Value, taint: Taint) => Value,
  isNew: boolean,
): Value {
  const before = cell(self);
  const value = call(before.value, before.taint);
  const after = { value, taint: machine.resultTaint } satisfies Cell;
  self.native = after;
  const result = isNew ? after : before;
  machine.setResultTaint(result.taint);
  return result.value;
}

/** Updates the value with a function; methods differ in whether they return the old or the new value. */
function update(machine: Machine, self: HeapObject, change: (value: Value) => Value, isNew: boolean): Value {
  const before = read(machine, self);
  const after = change(before);
  cell(self).value = after;
  return isNew ? after : before;
}

function functional(type: Type): NativeMethods {
  const d = descriptor(type);
  const prefix = { I: 'Int', J: 'Long', L: '', Z: '' }[type];
  const method = type === 'L' ? 'apply' : `applyAs${prefix}`;
  const methods: Record<string, NativeMethod> = {};
  for (const [order, isNew] of [
    ['updateAndGet', true],
    ['getAndUpdate', false],
  ] as const) {
    methods[`${order}(${F}${prefix}UnaryOperator;)${d}`] = (machine, self, map: HeapObject) =>
      updateBy(machine, self, (value, taint) => machine.callWith([taint], map, `${method}(${d})${d}`, value), isNew);
  }
  for (const [order, isNew] of [
    ['accumulateAndGet', true],
    ['getAndAccumulate', false],
  ] as const) {
    methods[`${order}(${d}${F}${prefix}BinaryOperator;)${d}`] = (machine, self, other: Value, join: HeapObject) => {
      const given = machine.argumentTaint(1);
      const signature = `${method}(${d}${d})${d}`;
      return updateBy(
        machine,
        self,
        (value, taint) => machine.callWith([taint, given], join, signature, value, other),
        isNew,
      );
    };
  }
  return methods;
}

function counting(type: 'I' | 'J'): NativeMethods {
  const methods: Record<string, NativeMethod> = {};
  const add = (machine: Machine, self: HeapObject, amount: number | bigint, isNew: boolean): Value =>
    update(machine, self, (value) => wrap(type, BigInt(value as number) + BigInt(amount)), isNew);
  for (const [name, amount] of [
    ['increment', 1],
    ['decrement', -1],
  ] as const) {
    methods[`${name}AndGet()${type}`] = (machine, self) => add(machine, self, amount, true);
    const capital = name[0]!.toUpperCase() + name.slice(1);
    methods[`getAnd${capital}()${type}`] = (machine, self) => add(machine, self, amount, false);
  }
  methods[`addAndGet(${type})${type}`] = (machine, self, amount: number) => add(machine, self, amount, true);
  methods[`getAndAdd(${type})${type}`] = (machine, self, amount: number) => add(machine, self, amount, false);
  methods['intValue()I'] = (machine, self) => Number(BigInt.asIntN(32, BigInt(read(machine, self) as number)));
  methods['longValue()J'] = (machine, self) => BigInt(read(machine, self) as number);
  methods['doubleValue()D'] = (machine, self) => Number(read(machine, self));
  methods['floatValue()F'] = (machine, self) => Math.fround(Number(read(machine, self)));
  return methods;
}

const adder: NativeMethods = {
  ...basics('J'),
  ...counting('J'),
  'add(J)V': (machine, self, amount: bigint) =>
    update(machine, self, (value) => wrap('J', (value as bigint) + amount), true),
  'increment()V': (machine, self) => update(machine, self, (value) => wrap('J', (value as bigint) + 1n), true),
  'decrement()V': (machine, self) => update(machine, self, (value) => wrap('J', (value as bigint) - 1n), true),
  'sum()J': read,
  'reset()V': (_machine, self) => {
    self.native = { value: 0n, taint: 0 } satisfies Cell;
  },
  'sumThenReset()J': (machine, self) => {
    const sum = read(machine, self);
    self.native = { value: 0n, taint: 0 } satisfies Cell;
    return sum;
  },
};

/** Arrays of cells: the same methods with an index first. */
function arrayModel(type: 'I' | 'J' | 'L'): ModelClass {
  const d = descriptor(type);
  const zero: Value = type === 'L' ? null : type === 'J' ? 0n : 0;
  const at = (machine: Machine, self: HeapObject, index: number): Cell => {
    const found = (self.native as Cell[])[index];
    if (found === undefined) throw outOfBounds(machine, `index ${index}`);
    return found;
  };
  const put = (machine: Machine, self: HeapObject, index: number, value: Value, argument: number): Value => {
    const here = at(machine, self, index);
    const before = here.value;
    here.value = value;
    here.taint = machine.argumentTaint(argument);
    return before;
  };
  const methods: Record<string, NativeMethod> = {
    '<init>(I)V': (machine, self, length: number) => {
      machine.charge(length * 32);
      self.native = Array.from({ length }, () => ({ value: zero, taint: 0 }));
    },
    'length()I': (_machine, self) => (self.native as Cell[]).length,
    [`get(I)${d}`]: (machine, self, index: number) => {
      machine.setResultTaint(at(machine, self, index).taint);
      return at(machine, self, index).value;
    },
    [`set(I${d})V`]: (machine, self, index: number, value: Value) => put(machine, self, index, value, 2),
    [`lazySet(I${d})V`]: (machine, self, index: number, value: Value) => put(machine, self, index, value, 2),
    [`getAndSet(I${d})${d}`]: (machine, self, index: number, value: Value) => put(machine, self, index, value, 2),
    [`compareAndSet(I${d}${d})Z`]: (machine, self, index: number, expected: Value, value: Value) => {
      if (at(machine, self, index).value !== expected) return 0;
      put(machine, self, index, value, 3);
      return 1;
    },
  };
  if (type !== 'L') {
    const add = (name: string, amount: number, isNew: boolean): void => {
      methods[`${name}(I)${type}`] = (machine, self, index: number) => {
        const here = at(machine, self, index);
        const before = here.value;
        here.value = wrap(type, BigInt(before as number) + BigInt(amount));
        return isNew ? here.value : before;
      };
    };
    add('incrementAndGet', 1, true);
    add('getAndIncrement', 1, false);
    add('decrementAndGet', -1, true);
    add('getAndDecrement', -1, false);
    methods[`addAndGet(I${type})${type}`] = (machine, self, index: number, amount: number) => {
      const here = at(machine, self, index);
      here.value = wrap(type, BigInt(here.value as number) + BigInt(amount));
      return here.value;
    };
  }
  return { methods };
}

export const atomicModels: Record<string, ModelClass> = {
  [`${A}AtomicInteger;`]: {
    extends: 'Ljava/lang/Number;',
    methods: { ...basics('I'), ...functional('I'), ...counting('I') },
  },
  [`${A}AtomicLong;`]: {
    extends: 'Ljava/lang/Number;',
    methods: { ...basics('J'), ...functional('J'), ...counting('J') },
  },
  [`${A}AtomicBoolean;`]: { methods: basics('Z') },
  [`${A}AtomicReference;`]: { methods: { ...basics('L'), ...functional('L') } },
  [`${A}LongAdder;`]: { extends: 'Ljava/lang/Number;', methods: adder },
  [`${A}AtomicIntegerArray;`]: arrayModel('I'),
  [`${A}AtomicLongArray;`]: arrayModel('J'),
  [`${A}AtomicReferenceArray;`]: arrayModel('L'),
  // Kotlin's and OkHttp's classes change fields by name.
  [`${A}AtomicReferenceFieldUpdater;`]: fieldUpdater(
    'Reference',
    'Ljava/lang/Object;',
    'Ljava/lang/Class;Ljava/lang/Class;',
  ),
  [`${A}AtomicIntegerFieldUpdater;`]: fieldUpdater('Integer', 'I', 'Ljava/lang/Class;'),
  [`${A}AtomicLongFieldUpdater;`]: fieldUpdater('Long', 'J', 'Ljava/lang/Class;'),
};

function fieldUpdater(name: string, d: string, parameters: string): ModelClass {
  const own = `${A}Atomic${name}FieldUpdater;`;
  const O = 'Ljava/lang/Object;';
  const field = (self: HeapObject): string => self.native as string;
  const methods: Record<string, NativeMethod> = {
    [`get(!${O})${d}`]: (machine, self, object: HeapObject) => machine.getField(object, field(self)),
    [`getAndSet(!${O}${d})${d}`]: (machine, self, object: HeapObject, value: Value) => {
      const before = machine.getField(object, field(self));
      machine.setField(object, field(self), value);
      return before;
    },
  };
  for (const set of ['set', 'lazySet']) {
    methods[`${set}(!${O}${d})V`] = (machine, self, object: HeapObject, value: Value) =>
      machine.setField(object, field(self), value);
  }
  for (const compare of ['compareAndSet', 'weakCompareAndSet']) {
    methods[`${compare}(!${O}${d}${d})Z`] = (machine, self, object: HeapObject, expected: Value, value: Value) => {
      if (machine.getField(object, field(self)) !== expected) return 0;
      machine.setField(object, field(self), value);
      return 1;
    };
  }
  if (d !== O) {
    for (const [step, amount, isNew] of [
      ['incrementAndGet', 1n, true],
      ['getAndIncrement', 1n, false],
      ['decrementAndGet', -1n, true],
      ['getAndDecrement', -1n, false],
    ] as const) {
      methods[`${step}(!${O})${d}`] = (machine, self, object: HeapObject) => {
        const before = machine.getField(object, field(self));
        const after = wrap(d as Type, BigInt(before as number) + amount);
        machine.setField(object, field(self), after);
        return isNew ? after : before;
      };
    }
  }
  return {
    methods,
    staticMethods: {
      [`newUpdater(${parameters}Ljava/lang/String;)${own}`]: (machine, ...args: HeapObject[]) => {
        const updater = machine.allocate(own);
        updater.native = machine.toText(args.at(-1)!).text;
        return updater;
      },
    },
  };
}
