import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Value } from '../../../../../server/engine/dynamic/machine/heap.ts';
import { committedDex, testMachine } from '../../../../fixtures/dynamic/machine/test-machine.ts';

const dex = committedDex('programs');

/** What a program printed, and what it threw, if it did. */
function run(
  descriptor: string,
  signature: string,
  ...args: Value[]
): { printed: string[]; result: Value; thrown: string } {
  const { call, printed } = testMachine([dex]);
  try {
    return { result: call(descriptor, signature, ...args), printed, thrown: '' };
  } catch (error) {
    return { result: null, printed, thrown: (error as Error).message };
  }
}

test('one constant serves as int, null and float, one wide constant as long and double', () => {
  const { printed } = run('Lp/Constants;', 'shared()V');
  assert.deepEqual(printed, ['0', 'null', '1', '1', '1065353216', '4607182418800017408', '1', 'text']);
});

test('a constant that meets an object where ways join is null', () => {
  assert.equal(run('Lp/Constants;', 'merged(I)I', 0).result, -1);
  assert.equal(run('Lp/Constants;', 'merged(I)I', 1).result, 4);
});

test('constants that only reach arrays take the type of the elements', () => {
  assert.equal(run('Lp/Constants;', 'floatArray()F').result, 2.5);
  assert.equal(run('Lp/Constants;', 'doubleArray()D').result, 2.5);
  assert.equal(run('Lp/Constants;', 'longArray()J').result, -5n);
  assert.equal(run('Lp/Constants;', 'high()J').result, ~0x123456789abcdef0n);
});

test('elements of narrow arrays are cut and extended as their type says', () => {
  assert.deepEqual(run('Lp/Arrays;', 'narrow()V').printed, ['-1', '9029', '-32768', '1', '0']);
});

test('filled arrays hold registers and tables, of every width', () => {
  assert.deepEqual(run('Lp/Arrays;', 'filled()V').printed, ['3', '-8', 'b', '-4', '-1']);
});

for (const [signature, argument, message] of [
  [
    'store()V',
    null,
    'java.lang.ArrayStoreException: java.lang.String cannot be stored in an array of type java.lang.Integer[]',
  ],
  ['outside(I)I', 3, 'java.lang.ArrayIndexOutOfBoundsException: length=3; index=3'],
  ['outside(I)I', -1, 'java.lang.ArrayIndexOutOfBoundsException: length=3; index=-1'],
  ['size(I)I', -3, 'java.lang.NegativeArraySizeException: -3'],
  ['size(I)I', 2_000_000_000, 'java.lang.OutOfMemoryError: Failed to allocate a 8000000000 byte allocation'],
  ['fillTooMuch()V', null, 'java.lang.ArrayIndexOutOfBoundsException: failed FILL_ARRAY_DATA; length=1, index=2'],
] as const) {
  test(`an array misused in ${signature} with ${argument} throws ${message.split(':')[0]}`, () => {
    const { thrown } = run('Lp/Arrays;', signature, ...(argument === null ? [] : [argument]));
    assert.equal(thrown, message);
  });
}

test('arrays are instances of arrays of supertypes, of Object and of Cloneable, never of other primitives', () => {
  const { printed, thrown } = run('Lp/Arrays;', 'types()V');
  assert.deepEqual(printed, ['1', '1', '1', '0', '1', '0', '0']);
  assert.equal(thrown, 'java.lang.ClassCastException: java.lang.String cannot be cast to java.lang.Integer');
});

test('a switch jumps to the target of its key, else goes on with the next instruction', () => {
  const packed = [-3, -2, -1, 0, 1].map((key) => run('Lp/Switches;', 'packed(I)I', key).result);
  assert.deepEqual(packed, [-1, 10, 11, 10, -1]);
  const sparse = [-2147483648, 5, 6, 2147483647].map((key) => run('Lp/Switches;', 'sparse(I)I', key).result);
  assert.deepEqual(sparse, [10, 11, -1, 10]);
});

test('the first handler that fits takes an exception; what none takes goes on after the catch-all', () => {
  const order = (kind: number) => run('Lp/Exceptions;', 'order(I)V', kind);
  assert.deepEqual(order(0).printed, ['nothing']);
  assert.deepEqual(order(1).printed, ['divide by zero']);
  assert.deepEqual(order(2).printed, ['java.lang.IllegalStateException: bad state']);
  assert.deepEqual(order(3).printed, ['finally']);
  assert.equal(order(3).thrown, 'p.OwnError: my own!');
  assert.deepEqual(order(4).printed, ['java.lang.NullPointerException: Attempt to throw null']);
});

test('an exception of a model comes to the handlers of the program', () => {
  const { machine, call } = testMachine([dex]);
  assert.equal(call('Lp/Exceptions;', 'parse(Ljava/lang/String;)I', machine.string('12')), 12);
  assert.equal(call('Lp/Exceptions;', 'parse(Ljava/lang/String;)I', machine.string('x')), -1);
});

test('endless recursion is a StackOverflowError that the program can catch', () => {
  assert.equal(run('Lp/Exceptions;', 'overflow()Z').result, 1);
});

test('stack traces name method and line', () => {
  assert.deepEqual(run('Lp/Exceptions;', 'trace()V').printed, ['p.Exceptions.trace(Unknown Source:101)']);
});

test('a class is initialised when it is first used, its superclass before it, arrays and literals of it not at all', () => {
  const { printed } = run('Lp/Init;', 'order()V');
  assert.deepEqual(printed, ['start', 'Parent', 'between', 'Child', '0', "hello parent's child", '3']);
});

test('static fields start with the values that stand in the file', () => {
  assert.deepEqual(run('Lp/Init;', 'constants()V').printed, ['Parent', '7', '-2', "parent's", '1', '120', '0.5']);
});

test('a failed initialiser is an ExceptionInInitializerError once, then the class is not there', () => {
  const { printed, thrown } = run('Lp/Init;', 'broken()V');
  assert.deepEqual(printed, ['java.lang.ExceptionInInitializerError', 'java.lang.ArithmeticException: divide by zero']);
  assert.equal(thrown, 'java.lang.NoClassDefFoundError: Could not initialize class p.Broken');
});

for (const [signature, message] of [
  ['type()V', /^java.lang.NoClassDefFoundError: Failed resolution of: Lcom\/example\/Nowhere;$/],
  ['method()V', /^java.lang.NoSuchMethodError: No static method nowhere\(\)V in class Lp\/Missing;/],
  ['field()I', /^java.lang.NoSuchFieldError: No static field nowhere of type I in class Lp\/Missing;/],
  ['kind()V', /^java.lang.IncompatibleClassChangeError: /],
  ['instantiate()V', /^java.lang.AbstractMethodError: /],
] as const) {
  test(`what the app itself lacks in ${signature} is ${message.source.split(':')[0]!.slice(1)}`, () => {
    assert.match(run('Lp/Missing;', signature).thrown, message);
  });
}

test('what the platform should have and no model knows answers with defaults of its type, and is counted', () => {
  const { call, printed, unmodelled } = testMachine([dex]);
  call('Lp/Missing;', 'platform()V');
  assert.deepEqual(printed, ['0', '0', '0', '0', '0']);
  assert.deepEqual(unmodelled, [
    'Landroid/nowhere/Thing;',
    'Landroid/nowhere/Thing;->number(I)I',
    'Landroid/nowhere/Thing;->text()Ljava/lang/String;',
    'Landroid/nowhere/Thing;->bytes()[B',
    'Landroid/nowhere/Thing;->part()Landroid/nowhere/Part;',
    'Landroid/nowhere/Part;',
    'Landroid/nowhere/Part;->isThere()Z',
    'Landroid/nowhere/Thing;->SETTING:I',
  ]);
});

test('classes of the app are told as they are linked', () => {
  const { call, loaded } = testMachine([dex]);
  call('Lp/Init;', 'order()V');
  assert.deepEqual(loaded, ['Lp/Init;', 'Lp/Parent;', 'Lp/Named;', 'Lp/Child;']);
});

test('coverage counts methods and instructions that ran, once each', () => {
  const { call, machine } = testMachine([dex]);
  call('Lp/Switches;', 'packed(I)I', 0);
  call('Lp/Switches;', 'packed(I)I', 0);
  const { methodsExecuted, instructionsExecuted, methodsTotal } = machine.coverage;
  assert.deepEqual({ methodsExecuted, instructionsExecuted }, { methodsExecuted: 1, instructionsExecuted: 3 });
  assert.ok(methodsTotal > 20);
});
