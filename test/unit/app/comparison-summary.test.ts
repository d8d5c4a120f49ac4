// What `compare` prints on a terminal.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comparisonSummary } from '../../../server/app/commands/comparison-summary.ts';
import { type Comparison, comparedParts, type Difference } from '../../../server/contract/engine/comparison.ts';

const part = (differences: Difference[], same = 0) => {
  const counts = { removed: 0, added: 0, changed: 0, renamed: 0, same };
  for (const { state } of differences) counts[state]++;
  return { counts, is_cut: false, differences };
};
const added = (name: string): Difference => ({ state: 'added', name, to: null, first: null, second: { methods: 1 } });
const [one, other] = ['a'.repeat(64), 'b'.repeat(64)];

const comparison: Comparison = {
  first: one!,
  second: other!,
  manifest: {
    removed: 1,
    added: 1,
    is_cut: false,
    hunks: [{ first_start: 3, first_lines: 1, second_start: 3, second_lines: 1, lines: ['-  old', '+  new'] }],
  },
  parts: {
    ...(Object.fromEntries(comparedParts.map((name) => [name, part([])])) as unknown as Comparison['parts']),
    certificate: part([
      { state: 'changed', name: 'signer 1', to: null, first: { sha256: one! }, second: { sha256: other! } },
    ]),
    classes: part(
      [
        ...Array.from({ length: 25 }, (_, place) => added(`Landroidx/lib/C${place};`)),
        added('Lcom/example/app/New;'),
        { state: 'renamed', name: 'Lcom/example/app/Old;', to: 'La/b;', first: { methods: 1 }, second: { methods: 2 } },
      ],
      7,
    ),
  },
};
const side = (file: string) => ({ file, packageName: 'com.example.app' });
const lines = comparisonSummary(comparison, side('one.apk'), side('two.apk'));

test('the files come first, then how much differs in each part', () => {
  assert.deepEqual(lines.slice(0, 2), ['--- one.apk', '+++ two.apk']);
  assert.match(lines[3]!, /^ +removed +added +changed +renamed +same$/);
  assert.match(lines.find((line) => line.startsWith('manifest lines'))!, /^manifest lines +1 +1$/);
  assert.match(lines.find((line) => line.startsWith('classes'))!, /^classes +26 +1 +7$/);
});

test('the manifest is told as a difference of lines, parts without one are not told again', () => {
  const at = lines.indexOf('manifest');
  assert.deepEqual(lines.slice(at + 1, at + 4), ['@@ -3,1 +3,1 @@', '-  old', '+  new']);
  assert.equal(lines.filter((line) => line === 'native').length, 1);
});

test('code of the app itself comes before that of libraries, and what is not listed is counted', () => {
  const at = lines.lastIndexOf('classes');
  assert.deepEqual(lines.slice(at + 1, at + 4), [
    '  + Lcom/example/app/New;',
    '  + Landroidx/lib/C0;',
    '  + Landroidx/lib/C1;',
  ]);
  assert.equal(lines.at(-1), '  … 7 more; --json lists them');
});

test('digests are told by their first digits, each fact with what it was and is', () => {
  assert.ok(lines.includes(`  ~ signer 1: sha256 ${'a'.repeat(12)} -> ${'b'.repeat(12)}`));
});
