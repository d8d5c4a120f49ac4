import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TaintTable } from '../../../../../server/engine/dynamic/machine/taint.ts';
import { committedDex, testMachine } from '../../../../fixtures/dynamic/machine/test-machine.ts';

const dex = committedDex('taint');

function leaks(method: string): string[] {
  const { call, printed } = testMachine([dex]);
  call('Lp/Taint;', `${method}()V`);
  return printed;
}

const imei = 'TAINT_IMEI';
const imsi = 'TAINT_IMSI';
const implied = `implied ${imsi}`;
const clean = 'clean';

for (const [behaviour, method, expected] of [
  [
    'taint follows a string through concatenation, builders and its length, and leaves literals clean',
    'string',
    [imei, imei, clean, imei, imei],
  ],
  [
    'taint of numbers follows arithmetic, fields, statics, boxes and calls; overwriting cleans',
    'numbers',
    [imsi, imsi, clean, imsi, imsi, imsi, imsi, clean],
  ],
  ['elements of an array are tainted one by one', 'elements', [imsi, clean, clean, imei, imei]],
  ['of two objects of one class only the one that holds the secret leaks it', 'objects', [imei, clean, imei, clean]],
  ['an exception carries its message', 'exception', [imei]],
  ['what is in a collection or an exception counts as its content', 'containers', [clean, imei, imei]],
  [
    'what a branch on a secret decides is implied, to where both ways meet',
    'implicit',
    [implied, implied, clean, clean],
  ],
  ['a register that only the way not taken would have written is implied', 'notTaken', [implied, clean]],
  ['what a method returns by a branch on a secret is implied, what comes after is not', 'returned', [implied, clean]],
  ['a handler that a secret led to is implied, what follows is not', 'thrown', [implied, clean]],
  ['so it is where the exception comes from a called method', 'thrownInside', [implied, clean]],
  ['asking whether a secret is there tells nothing', 'present', [clean]],
  ['a table looked up with a secret gives the secret', 'table', [imsi, clean]],
  [
    'a text made in a branch on a secret is whole, where its register was copied before',
    'constructed',
    [implied, 'abc'],
  ],
  ['what a loop counts as often as a secret says is implied', 'loop', [implied, clean]],
] as const) {
  test(behaviour, () => {
    assert.deepEqual(leaks(method), expected);
  });
}

test('unions of taints are interned, whatever their order', () => {
  const table = new TaintTable();
  const [a, b, c] = ['A', 'B', 'C'].map((tag) => table.add(tag, 'api', [])) as [number, number, number];
  assert.equal(table.union(table.union(a, b), c), table.union(c, table.union(b, a)));
  assert.deepEqual(table.tagsOf(table.union(table.union(a, b), a)), ['A', 'B']);
  assert.equal(table.union(0, a), a);
});

test('thousands of readings of one source stay one set', () => {
  const table = new TaintTable();
  let all = 0;
  for (let index = 0; index < 50_000; index++) all = table.union(all, table.add('TAINT_SMS', 'query', [`m${index}`]));
  assert.deepEqual(table.tagsOf(all), ['TAINT_SMS']);
});

test('a path names the source, the method that read it, and those it went through', () => {
  const { call, printed } = testMachine([dex], {
    models: {
      'Lt/Out;': {
        staticMethods: {
          'secret()Ljava/lang/String;': (own) => own.string('x', own.source('TAINT_IMEI', 'Out.secret')),
          'leak(Ljava/lang/Object;)V': (own, value) => {
            printed.push(own.pathOf(own.deepTaint(value)).join(' > '));
          },
          'leak(I)V': () => undefined,
        },
      },
    },
  });
  call('Lp/Taint;', 'objects()V');
  assert.equal(printed[0], 'Out.secret > p.Taint.objects');
});
