import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergedModels } from '../../../../../server/engine/dynamic/machine/merged-models.ts';

const nothing = () => undefined;

test('parts of one class in two tables become one class', () => {
  const { 'La/B;': model } = mergedModels([
    { 'La/B;': { extends: 'La/C;', methods: { 'one()V': nothing }, fields: ['x:I'] } },
    { 'La/B;': { methods: { 'two()V': nothing }, fields: ['y:I'], constants: { 'Z:I': 1 } } },
  ]);
  assert.equal(model!.extends, 'La/C;');
  assert.deepEqual(Object.keys(model!.methods!), ['one()V', 'two()V']);
  assert.deepEqual(model!.fields, ['x:I', 'y:I']);
  assert.deepEqual(model!.constants, { 'Z:I': 1 });
});

for (const kind of ['methods', 'staticMethods', 'pure', 'pureStatic'] as const) {
  test(`two models of one method in ${kind} are refused by name`, () => {
    const table = { 'La/B;': { [kind]: { 'one()V': nothing } } };
    assert.throws(() => mergedModels([table, table]), /La\/B; has two models of one\(\)V/);
  });
}

test('two superclasses of one class are refused', () => {
  assert.throws(
    () => mergedModels([{ 'La/B;': { extends: 'La/C;' } }, { 'La/B;': { extends: 'La/D;' } }]),
    /two superclasses, La\/C; and La\/D;/,
  );
});
