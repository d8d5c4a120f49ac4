import assert from 'node:assert/strict';
import { test } from 'node:test';
import { committedDex, testMachine } from '../../../../fixtures/dynamic/machine/test-machine.ts';

const dex = committedDex('reflection');

function run(method: string): { printed: string[]; thrown: string } {
  const { call, printed } = testMachine([dex]);
  try {
    call('Lp/Reflection;', `${method}()V`);
  } catch (error) {
    return { printed, thrown: (error as Error).message };
  }
  return { printed, thrown: '' };
}

test('members are found, called and changed by name, private ones too; what they throw is wrapped', () => {
  const { printed, thrown } = run('members');
  assert.deepEqual(printed, [
    'Subject',
    'private long p.Subject.secretSum(int,long)',
    '207',
    'class java.lang.Long',
    '33',
    'java.lang.IllegalStateException: inside',
  ]);
  assert.equal(thrown, 'java.lang.NoSuchMethodException: p.Subject.nowhere []');
});

test('taint goes through a call by reflection', () => {
  assert.deepEqual(run('tainted').printed, ['SECRET', 'TAINT_IMEI']);
});

test('a proxy hands every call to its handler, in boxes, and its answer back', () => {
  assert.deepEqual(run('proxy').printed, ['greet', '5', 'somebody', 'count', '99']);
});

test('method handles of every kind are called, converted where asked and refused where exact', () => {
  const { printed, thrown } = run('handles');
  assert.deepEqual(printed, ['QUIET', '5', '2']);
  assert.match(thrown, /^java.lang.invoke.WrongMethodTypeException: /);
});

test('a call site is linked once by its own bootstrap method', () => {
  assert.deepEqual(run('custom').printed, ['added', 'extra', '5', '4']);
});

test('lambdas and concatenations of newer compilers are linked by the machine', () => {
  assert.deepEqual(run('lambda').printed, ['captured']);
  assert.deepEqual(run('concatenated').printed, ['<text|42|x>']);
});

test('class loaders know what the app and the models define, and nothing made up', () => {
  const { printed, thrown } = run('loaders');
  assert.deepEqual(printed, ['interface p.Greeter']);
  assert.match(thrown, /^java.lang.ClassNotFoundException: Didn't find class "dalvik.system.Taint"/);
});
