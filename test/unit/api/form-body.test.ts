import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nestedFields } from '../../../server/api/form-body.ts';

test('dotted names of a form nest, and the last value of a name counts', () => {
  const fields = [
    ['a', '1'],
    ['profile.biography', 'x'],
    ['profile.twitter', 'y'],
    ['a', '2'],
  ] as const;
  assert.deepEqual(nestedFields(fields), { a: '2', profile: { biography: 'x', twitter: 'y' } });
});

test('names that are empty, deep or reach into a prototype are left out', () => {
  const fields = ['__proto__.x', 'a.__proto__', 'constructor.prototype.x', 'a..b', '.', 'a.b.c.d.e'].map(
    (name) => [name, '1'] as const,
  );
  assert.deepEqual(nestedFields(fields), {});
  assert.equal(({} as { x?: unknown }).x, undefined);
});

test('a field that is both a value and a record is what came last', () => {
  assert.deepEqual(
    nestedFields([
      ['a', '1'],
      ['a.b', '2'],
    ]),
    { a: { b: '2' } },
  );
  assert.deepEqual(
    nestedFields([
      ['a.b', '2'],
      ['a', '1'],
    ]),
    { a: '1' },
  );
});
