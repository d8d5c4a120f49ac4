// java.util.function: the interfaces and their default methods. Knows no streams.
import type { HeapObject } from '../../machine/heap.ts';
import type { Machine, ModelClass, NativeMethod, Result } from '../../machine/model.ts';
import { instance, type Reference } from '../values.ts';

const O = 'Ljava/lang/Object;';
const of = (name: string): string => `Ljava/util/function/${name};`;

/** Interfaces by name to their one method. */
const SINGLE: Readonly<Record<string, string>> = {
  Supplier: `get()${O}`,
  BooleanSupplier: 'getAsBoolean()Z',
  IntSupplier: 'getAsInt()I',
  LongSupplier: 'getAsLong()J',
  DoubleSupplier: 'getAsDouble()D',
  Consumer: `accept(${O})V`,
  BiConsumer: `accept(${O}${O})V`,
  IntConsumer: 'accept(I)V',
  LongConsumer: 'accept(J)V',
  DoubleConsumer: 'accept(D)V',
  ObjIntConsumer: `accept(${O}I)V`,
  ObjLongConsumer: `accept(${O}J)V`,
  Predicate: `test(${O})Z`,
  BiPredicate: `test(${O}${O})Z`,
  IntPredicate: 'test(I)Z',
  LongPredicate: 'test(J)Z',
  DoublePredicate: 'test(D)Z',
  Function: `apply(${O})${O}`,
  BiFunction: `apply(${O}${O})${O}`,
  IntFunction: `apply(I)${O}`,
  LongFunction: `apply(J)${O}`,
  DoubleFunction: `apply(D)${O}`,
  ToIntFunction: `applyAsInt(${O})I`,
  ToLongFunction: `applyAsLong(${O})J`,
  ToDoubleFunction: `applyAsDouble(${O})D`,
  ToIntBiFunction: `applyAsInt(${O}${O})I`,
  IntUnaryOperator: 'applyAsInt(I)I',
  LongUnaryOperator: 'applyAsLong(J)J',
  DoubleUnaryOperator: 'applyAsDouble(D)D',
  IntBinaryOperator: 'applyAsInt(II)I',
  LongBinaryOperator: 'applyAsLong(JJ)J',
  DoubleBinaryOperator: 'applyAsDouble(DD)D',
  IntToLongFunction: 'applyAsLong(I)J',
  IntToDoubleFunction: 'applyAsDouble(I)D',
  LongToIntFunction: 'applyAsInt(J)I',
  LongToDoubleFunction: 'applyAsDouble(J)D',
  DoubleToIntFunction: 'applyAsInt(D)I',
  DoubleToLongFunction: 'applyAsLong(D)J',
};

type Function = (machine: Machine, ...args: Reference[]) => Result;

/** An object of a functional interface whose method is TypeScript's. */
function functionObject(machine: Machine, interfaceName: string, run: Function): HeapObject {
  return instance(machine, `Ljava/util/function/Model${interfaceName};`, run);
}

const APPLY = SINGLE.Function!;
const TEST = SINGLE.Predicate!;
const apply = (machine: Machine, map: HeapObject, value: Reference): Reference =>
  machine.call(map, APPLY, value) as Reference;
const test = (machine: Machine, predicate: HeapObject, value: Reference): boolean =>
  machine.call(predicate, TEST, value) !== 0;

const DEFAULTS: Readonly<Record<string, Record<string, NativeMethod>>> = {
  Function: {
    [`andThen(${of('Function')})${of('Function')}`]: (machine, self, next: HeapObject) =>
      functionObject(machine, 'Function', (m, value) => apply(m, next, apply(m, self, value!))),
    [`compose(${of('Function')})${of('Function')}`]: (machine, self, before: HeapObject) =>
      functionObject(machine, 'Function', (m, value) => apply(m, self, apply(m, before, value!))),
  },
  Predicate: {
    [`and(${of('Predicate')})${of('Predicate')}`]: (machine, self, other: HeapObject) =>
      functionObject(machine, 'Predicate', (m, value) => test(m, self, value!) && test(m, other, value!)),
    [`or(!${of('Predicate')})${of('Predicate')}`]: (machine, self, other: HeapObject) =>
      functionObject(machine, 'Predicate', (m, value) => test(m, self, value!) || test(m, other, value!)),
    [`negate()${of('Predicate')}`]: (machine, self) =>
      functionObject(machine, 'Predicate', (m, value) => !test(m, self, value!)),
  },
  Consumer: {
    [`andThen(${of('Consumer')})${of('Consumer')}`]: (machine, self, next: HeapObject) =>
      functionObject(machine, 'Consumer', (m, value) => {
        m.call(self, SINGLE.Consumer!, value!);
        m.call(next, SINGLE.Consumer!, value!);
      }),
  },
};

const STATICS: Readonly<Record<string, Record<string, NativeMethod>>> = {
  Function: { [`identity()${of('Function')}`]: (machine) => functionObject(machine, 'Function', (_m, value) => value) },
  UnaryOperator: {
    [`identity()${of('UnaryOperator')}`]: (machine) => functionObject(machine, 'Function', (_m, value) => value),
  },
};

function table(): Record<string, ModelClass> {
  const models: Record<string, ModelClass> = {
    [of('UnaryOperator')]: { isInterface: true, implements: [of('Function')], staticMethods: STATICS.UnaryOperator! },
    [of('BinaryOperator')]: { isInterface: true, implements: [of('BiFunction')] },
  };
  for (const [name, signature] of Object.entries(SINGLE)) {
    models[of(name)] = {
      isInterface: true,
      abstractMethods: [signature],
      methods: DEFAULTS[name] ?? {},
      staticMethods: STATICS[name] ?? {},
    };
  }
  for (const name of ['Function', 'Predicate', 'Consumer', 'Supplier', 'BiFunction']) {
    models[of(`Model${name}`)] = {
      implements: name === 'Function' ? [of('Function'), of('UnaryOperator')] : [of(name)],
      methods: {
        [SINGLE[name]!]: (machine, self, ...args: Reference[]) => (self.native as Function)(machine, ...args),
      },
    };
  }
  return models;
}

export const functionModels: Record<string, ModelClass> = table();
