import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differencesOf, sectionOf } from '../../../renderer/pages/compare/differences.ts';
import { differencesIn, rowsOf } from '../../../renderer/pages/compare/line-rows.ts';
import { searchOf } from '../../../renderer/pages/compare/search-of.ts';
import {
  type ComparedLines,
  type Comparison,
  comparedParts,
  type Difference,
} from '../../../server/contract/engine/comparison.ts';

const entry = (name: string, text: string) => ({ name, text });

function comparison(part: (typeof comparedParts)[number], differences: Difference[]): Comparison {
  const counts = { removed: 0, added: 0, changed: 0, renamed: 0, same: 4 };
  for (const { state } of differences) counts[state]++;
  const empty = { counts: { ...counts, removed: 0, added: 0, changed: 0, renamed: 0 }, is_cut: false, differences: [] };
  const parts = Object.fromEntries(comparedParts.map((name) => [name, empty])) as unknown as Comparison['parts'];
  const manifest = { removed: 0, added: 0, is_cut: false, hunks: [] };
  return { first: 'a', second: 'b', manifest, parts: { ...parts, [part]: { counts, is_cut: false, differences } } };
}

test('what both have is the same or changed, what one has is told of that side', () => {
  const found = differencesOf(
    [entry('b', '1'), entry('a', '1'), entry('gone', '1'), entry('__proto__', '1')],
    [entry('a', '2'), entry('new', '1'), entry('b', '1'), entry('constructor', '1')],
  );
  assert.deepEqual(
    found.differences.map(({ name, state }) => [name, state]),
    [
      ['a', 'changed'],
      ['gone', 'first'],
      ['__proto__', 'first'],
      ['new', 'second'],
      ['constructor', 'second'],
    ],
  );
  assert.deepEqual([found.total, found.same], [5, 1]);
});

test('of what changed only the facts that differ are shown, and each side leads to its own APK', () => {
  const method = { state: 'renamed', name: 'La;->m()V', to: 'Lb;->n()V' } as const;
  const facts = { dex: 'classes.dex', instructions: 5 };
  const whole = comparison('methods', [{ ...method, first: facts, second: { ...facts, instructions: 6 } }]);
  const [line] = sectionOf(whole, 'methods', false).differences;
  assert.deepEqual([line?.state, line?.first?.text, line?.second?.text], ['moved', 'instructions 5', 'instructions 6']);
  assert.match(line!.first!.address!, /^\/apks\/a\/code\?class=La/);
  assert.match(line!.second!.address!, /^\/apks\/b\/code\?class=Lb/);
  assert.deepEqual(line?.code, { first: 'La;->m()V', second: 'Lb;->n()V' });
});

test('swapped sides change places, and names of code stay those of the server’s sides', () => {
  const gone = { state: 'removed', name: 'La;', to: null, first: { methods: 1 }, second: null } as const;
  const [line] = sectionOf(comparison('classes', [gone]), 'classes', true).differences;
  assert.deepEqual([line?.state, line?.first, line?.second?.text], ['second', null, 'methods 1']);
  assert.deepEqual(line?.code, { first: 'La;' });
});

const lines: ComparedLines = {
  counts: { renamed: 1, changed: 1, removed: 0, added: 1 },
  is_cut: false,
  hunks: [
    {
      first_start: 4,
      second_start: 4,
      rows: [
        { state: 'same', first: 'a', second: 'a' },
        { state: 'changed', first: 'b', second: 'c' },
        { state: 'added', first: null, second: 'd' },
        { state: 'renamed', first: 'e', second: 'f' },
      ],
    },
    { first_start: 17, second_start: 18, rows: [{ state: 'added', first: null, second: 'g' }] },
  ],
};

test('rows have the numbers of their lines, and say how many lines are left out before them', () => {
  const told = rowsOf(lines, false).map(({ state, firstLine, secondLine, gap }) => [state, firstLine, secondLine, gap]);
  assert.deepEqual(told, [
    ['same', 4, 4, 3],
    ['changed', 5, 5, 0],
    ['added', 6, 6, 0],
    ['renamed', 6, 7, 0],
    ['added', 17, 18, 10],
  ]);
  const swapped = rowsOf(lines, true);
  assert.deepEqual([swapped[2]?.state, swapped[2]?.first, swapped[2]?.second], ['removed', 'd', null]);
});

test('differences are stretches of rows, and other names count where nothing else differs', () => {
  assert.deepEqual(differencesIn(rowsOf(lines, false)), [1, 4]);
  assert.deepEqual(differencesIn([lines.hunks[0]!.rows[0]!, lines.hunks[0]!.rows[3]!]), [1]);
});

test('digits that may begin a hash are searched as such, anything else as in the catalogue', () => {
  const digits = 'ab12'.repeat(16);
  assert.equal(searchOf(' AB12ef '), 'sha256:ab12ef*');
  assert.equal(searchOf(digits), `sha256:${digits}`);
  assert.equal(searchOf('decade'), 'decade');
  assert.equal(searchOf('version:2.1'), 'version:2.1');
});
