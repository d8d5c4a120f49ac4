// What rules look for: rare, shared by the chosen APKs, and not all from one place.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RuleFeatures } from '../../../../../server/contract/engine/rule-features.ts';
import {
  candidatesOf,
  chooseLiterals,
  type Literal,
  type LiteralCounts,
} from '../../../../../server/services/rules/proposals/literal-choice.ts';

const literal = (id: string, more: Partial<Literal> = {}): Literal => ({
  ...{
    id,
    group: 'text',
    source: `"${id}"`,
    value: `value of ${id}`,
    where: `L${id};`,
    score: 50,
    member: null,
    hash: null,
  },
  ...more,
});
const counts = (chosen: number[], more: Partial<LiteralCounts> = {}): LiteralCounts => ({
  ...{ chosen, knownGood: 0, others: 0, othersTried: 100, catalogue: null, catalogueSize: 10_000 },
  ...more,
});
function chosenOf(
  given: Record<string, LiteralCounts>,
  of: number,
  more: Record<string, Partial<Literal>> = {},
): string[] {
  const literals = Object.keys(given).map((id) => literal(id, more[id]));
  return chooseLiterals(literals, (id) => given[id]!, of).map(({ id }) => id);
}
const features = (texts: string[], hashes: number[] = []): RuleFeatures => ({
  report: [],
  file: [],
  text: texts.map((text) => ({ hex: Buffer.from(text).toString('hex'), score: 40, where: 'La;' })),
  code: hashes.map((hash) => ({ pattern: `12 34 ${hash}`, score: 30, where: 'La;->m()V', hash })),
});

test('what something known good has is worth nothing, nor what is common among others or in the catalogue', () => {
  const all = [0, 1, 2];
  const given = {
    good: counts(all, { knownGood: 1 }),
    common: counts(all, { others: 3 }),
    everywhere: counts(all, { catalogue: 200 }),
    rare: counts(all, { others: 1, catalogue: 5 }),
    own: counts(all),
  };
  assert.deepEqual(chosenOf(given, 3), ['own', 'rare']);
});

test('what one build alone has is left out where others have enough in common', () => {
  const all = [0, 1, 2, 3];
  assert.deepEqual(chosenOf({ a: counts(all), b: counts(all), c: counts([0, 1]), build: counts([3]) }, 4), [
    'a',
    'b',
    'c',
  ]);
  assert.deepEqual(chosenOf({ a: counts([0]), b: counts([0]) }, 1), ['a', 'b']);
});

test('an APK that the first literals do not meet is met by the next ones', () => {
  const given = { a: counts([0, 1, 2]), b: counts([0, 1]), c: counts([2, 3]), d: counts([1, 2]) };
  assert.deepEqual(chosenOf(given, 4), ['a', 'c', 'b', 'd']);
});

test('of one class so many are taken that a change of it does not take all away, and no text within another', () => {
  const ids = ['a', 'b', 'c', 'd'];
  const given = Object.fromEntries(ids.map((id) => [id, counts([0, 1])]));
  const place = { where: 'La/Same;' };
  assert.deepEqual(chosenOf(given, 2, { a: place, b: place, c: place }), ['a', 'b', 'd']);
  assert.deepEqual(chosenOf(given, 2, { b: { value: 'the value of a is in it' } }), ['a', 'c', 'd']);
});

test('candidates are what most APKs name, and something of each; methods of imported libraries are none', () => {
  const shared = Array.from({ length: 300 }, (_, at) => `shared text ${at}`);
  const read = [features(shared, [11, 22]), features(shared, [11]), features(['only in the third'], [33])];
  const candidates = candidatesOf(read, (hash) => hash === 22);
  const values = candidates.filter(({ group }) => group === 'text').map(({ value }) => value);
  assert.ok(values.length >= 251 && values.length < 301, String(values.length));
  assert.ok(values.includes('only in the third'));
  assert.deepEqual(
    candidates.filter(({ group }) => group === 'code').map(({ hash, named }) => [hash, named]),
    [
      [11, 2],
      [33, 1],
    ],
  );
  assert.equal(new Set(candidates.map(({ id }) => id)).size, candidates.length);
});
