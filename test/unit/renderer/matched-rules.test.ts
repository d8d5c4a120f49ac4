import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type MatchedRule, rulesWithFiles } from '../../../renderer/components/place/matched-rules.ts';

const hit = { identifier: '$a', offset: 1, length: 2, data: 'ab' } as MatchedRule['strings'][number];
const matched = (name: string, file: string, strings: MatchedRule['strings'] = [], filesCount = 1) =>
  ({
    name,
    file,
    tags: [],
    metadata: {},
    strings,
    strings_count: strings.length,
    files_count: filesCount,
  }) as unknown as MatchedRule;

test('a rule that no string proves is told once with all its files, in the order of the first', () => {
  const rules = [matched('asks', ''), matched('sends', 'a.dex'), matched('asks', 'a.dex'), matched('asks', 'b.dex')];
  const told = rulesWithFiles(rules).map(({ rule, files }) => [rule.name, files]);
  assert.deepEqual(told, [
    ['asks', ['', 'a.dex', 'b.dex']],
    ['sends', ['a.dex']],
  ]);
});

test('a rule whose strings hit stands apart for each file, which has bytes of its own to show', () => {
  const told = rulesWithFiles([matched('finds', '', [hit]), matched('finds', 'a.dex', [hit])]);
  assert.deepEqual(
    told.map(({ files }) => files),
    [[''], ['a.dex']],
  );
});

test('files that a rule matches in beyond those that are told are counted, once for all', () => {
  const told = rulesWithFiles([
    matched('everywhere', '', [], 700),
    matched('everywhere', 'a.dex', [], 700),
    matched('finds', '', [hit], 9),
    matched('finds', 'a.dex', [hit], 9),
    matched('of before', ''),
  ]);
  assert.deepEqual(
    told.map(({ rule, moreFiles }) => [rule.name, moreFiles]),
    [
      ['everywhere', 698],
      ['finds', 0],
      ['finds', 7],
      ['of before', 0],
    ],
  );
});

test('a rule on the manifest is told once for the APK, not for its files', () => {
  const ofApk = (file: string) => ({ ...matched('asks', file, [], 497), is_of_apk: true });
  const told = rulesWithFiles([
    ofApk(''),
    ofApk('a.dex'),
    matched('small', '', [], 3),
    matched('small', 'a.dex', [], 3),
  ]);
  assert.deepEqual(
    told.map(({ rule, files, moreFiles }) => [rule.name, files, moreFiles]),
    [
      ['asks', [''], 0],
      ['small', ['', 'a.dex'], 1],
    ],
  );
});
