import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planSearch } from '../../../server/query/plan.ts';
import { parseSearch, SearchError, type SearchTree } from '../../../server/query/syntax.ts';
import { boundsOf, readDate } from '../../../server/query/values.ts';

const parse = (text: string) =>
  parseSearch(text, { isNumeric: (field) => field === 'rating', hasBytes: (field) => field === 'content' });

/** The tree in prefix notation. */
function show(tree: SearchTree | null): string {
  if (tree === null) return '';
  if (tree.kind === 'not') return `(not ${show(tree.part)})`;
  if (tree.kind !== 'match') return `(${tree.kind} ${tree.parts.map(show).join(' ')})`;
  const { field, value } = tree;
  const name = field === null ? '' : `${field}=`;
  if (value.kind === 'range') return `${name}${value.from}..${value.to}`;
  if (value.kind === 'comparison') return `${name}${value.comparison}${value.text}`;
  if (value.kind === 'bytes') return `${name}{${value.text}}`;
  const text = value.isPhrase ? `'${value.text}'` : value.text;
  return `${name}${text}${value.isPrefix ? '*' : ''}${value.distance > 0 ? `~${value.distance}` : ''}`;
}

const trees: [string, string][] = [
  ['', ''],
  [' \t\n ', ''],
  ['bank', 'bank'],
  ['bank torch', '(and bank torch)'],
  ['a b or c AND d', '(or (and a b) (and c d))'],
  ['a Or b oR c', '(or a b c)'],
  ['-a', '(not a)'],
  ['content:{de ad ?? BE} -app:{a}', '(and content={de ad ?? BE} (not app={a}))'],
  ['not a', '(not a)'],
  ['a AND NOT b', '(and a (not b))'],
  ['-(a OR b)', '(not (or a b))'],
  ['NOT(a)', '(not a)'],
  ['well-known', 'well-known'],
  ['android', 'android'],
  ['"two words" rest', "(and 'two words' rest)"],
  ['whats*', 'whats*'],
  ['*whats', 'whats'],
  ['*whats*', 'whats'],
  ['Whatsapp~1', 'Whatsapp~1'],
  ['word~', 'word~2'],
  ['app:x', 'app=x'],
  ['app : x', 'app=x'],
  ['app: "a b"', "app='a b'"],
  ['network.hosts:8.8.8.8', 'network.hosts=8.8.8.8'],
  ['size:>2097152 and rating : <= -3', '(and size=>2097152 rating=<=-3)'],
  ['size:> 5', 'size=>5'],
  ['rating:-3', 'rating=-3'],
  ['rating:(-3 OR -x)', '(or rating=-3 (not rating=x))'],
  ['app:(-3 OR -x)', '(or (not app=3) (not app=x))'],
  ['size:[1 TO 2]', 'size=1..2'],
  ['size: [1, 2]', 'size=1..2'],
  ['date:[2022-01-01 to *]', 'date=2022-01-01..*'],
  ['url:http://a.b/c?d=e', 'url=http://a.b/c?d=e'],
  ['cert:AA:BB:CC', 'cert=AA:BB:CC'],
  ['app:(a OR "b c") -package:x', "(and (or app=a app='b c') (not package=x))"],
];
for (const [text, tree] of trees) test(`reads ${JSON.stringify(text)}`, () => assert.equal(show(parse(text)), tree));

const faults: [string, number][] = [
  ['a AND', 5],
  ['OR a', 0],
  ['a OR OR b', 5],
  ['(a', 0],
  ['a)', 1],
  ['()', 1],
  ['x "open', 2],
  ['""', 0],
  ['app:', 4],
  ['size:[1 2]', 5],
  ['size:[1 TO 2', 5],
  ['size:>', 6],
  ['word~9', 4],
  ['-', 1],
];
for (const [text, position] of faults) {
  test(`finds the fault in ${JSON.stringify(text)} at ${position}`, () => {
    assert.throws(
      () => parse(text),
      (error) => error instanceof SearchError && error.position === position,
    );
  });
}

const planFaults: [string, number][] = [
  ['bank nofield:x', 5],
  ['🎉 __proto__:x', 3],
  ['app:x size:ten', 11],
  ['size:>ten', 6],
  ['size:[1 TO ten]', 5],
  ['app:>5', 5],
  ['bank nofield:>5', 5],
  ['tag:bank~', 4],
  ['a date:2022-02-30', 7],
  ['detected:maybe', 9],
  ['verdict:evil', 8],
  ['verdict:>clean', 9],
  ['ab.c~', 0],
  [`${'x '.repeat(100)}late`, 200],
  [`${'('.repeat(50)}x${')'.repeat(50)}`, 41],
  ['term '.repeat(10_000), 4000],
];
for (const [text, position] of planFaults) {
  test(`finds what ${JSON.stringify(text.slice(0, 30))} must not mean at ${position}`, () => {
    assert.throws(
      () => planSearch(text, null),
      (error) => error instanceof SearchError && error.position === position,
    );
  });
}

test('a star alone asks whether there is anything', () => {
  assert.deepEqual(planSearch('developer:*', null), { kind: 'filled', column: 'company' });
  assert.deepEqual(planSearch('urls:*', null), { kind: 'term', field: 'url', text: '', fit: 'part' });
  assert.deepEqual(planSearch('tag:*', null), { kind: 'tag', name: '', isPrefix: true });
  for (const search of ['*', 'hash:*', 'sha256:*', 'date:*', 'is_detected:*']) {
    assert.deepEqual(planSearch(search, null), { kind: 'all' }, search);
  }
  for (const [search, column] of [
    ['size:*', 'size'],
    ['min_sdk:*', 'min_sdk'],
    ['sdk:[* TO *]', 'target_sdk'],
    ['cert:*', 'signer_id'],
  ] as const) {
    assert.deepEqual(planSearch(search, null), { kind: 'range', column, from: null, to: null }, search);
  }
  assert.deepEqual(planSearch('app:"*"', null), { kind: 'text', columns: ['app'], text: '*' });
});

test('only yes-or-no fields may be written with is_ before them', () => {
  const mark = { kind: 'flag', column: 'is_static_analyzed', value: true };
  for (const name of ['analyzed', 'is_analyzed', 'IS_static_analyzed'])
    assert.deepEqual(planSearch(`${name}:yes`, null), mark);
  for (const name of ['is_size', 'is_', 'is_is_detected'])
    assert.throws(() => planSearch(`${name}:1`, null), new RegExp(`no field "${name}"`));
});

test('numbers of any length are compared', () => {
  const bounds = (search: string) => planSearch(search, null);
  assert.deepEqual(bounds(`size:<${'9'.repeat(30)}`), { kind: 'range', column: 'size', from: null, to: 1e30 });
  assert.deepEqual(bounds('rating:>-99999999999999999999'), { kind: 'range', column: 'rating', from: -1e20, to: null });
});

test('a size with a unit is the whole number of bytes that it says', () => {
  for (const [text, size] of [
    ['2.01kb', 2010],
    ['1.003MB', 1_003_000],
    ['8.03GB', 8_030_000_000],
  ] as const)
    assert.deepEqual(planSearch(`size:${text}`, null), { kind: 'range', column: 'size', from: size, to: size });
});

test('hostile searches end at once with a fault', () => {
  for (const text of ['('.repeat(3900), '-'.repeat(3900), 'a '.repeat(1900), 'x'.repeat(5000), 'not '.repeat(900)]) {
    assert.throws(() => parse(text), SearchError);
  }
});

const dayOf = (text: string) => readDate(text, 0);
test('a date is a whole day in UTC, a time its second, in any zone', () => {
  const day = Date.UTC(2022, 0, 14) * 1000;
  assert.deepEqual(dayOf('2022-01-14'), { first: day, last: day + 86_400_000_000 - 1 });
  assert.deepEqual(dayOf('2022-01-14T02:00:00+02:00'), { first: day, last: day + 999_999 });
  assert.deepEqual(dayOf('2022-01-14T00:00:00.648728Z'), { first: day + 648_728, last: day + 648_728 });
  for (const text of ['2022-02-30', '2022-13-01', 'yesterday', '2022-01-14T25:00'])
    assert.throws(() => dayOf(text), SearchError);
});

test('a comparison with a day counts the whole day', () => {
  const bounds = (comparison: '>' | '<=') =>
    boundsOf({ kind: 'comparison', comparison, text: '2022-01-14', position: 0 }, readDate);
  const next = Date.UTC(2022, 0, 15) * 1000;
  assert.deepEqual(bounds('>'), { from: next, to: null });
  assert.deepEqual(bounds('<='), { from: null, to: next - 1 });
});
