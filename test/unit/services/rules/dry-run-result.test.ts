import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CompiledRuleset, RuleMatch } from '../../../../server/contract/engine/yara.ts';
import { maxShownMatches } from '../../../../server/contract/rules/dry-run.ts';
import {
  addScan,
  addUntried,
  emptyDryRun,
  isHopeless,
  slowRules,
} from '../../../../server/services/rules/dry-run-result.ts';
import type { ApkScan } from '../../../../server/services/rules/ruleset-isolation.ts';

const compiled = (...names: string[]): CompiledRuleset => ({
  rules: names.map((name) => ({ name, is_private: false, is_global: false, tags: [], meta_count: 0 })),
  errors: [],
  warnings: [],
});
const match = (name: string, file: string, identifiers: string[] = [], total = identifiers.length): RuleMatch => ({
  name,
  tags: [],
  metadata: {},
  file,
  strings: identifiers.map((identifier) => ({ identifier, offset: 0, length: 1, data: 'x' })),
  strings_count: total,
  files_count: 1,
});
const scan = (matches: RuleMatch[], measured: Record<string, number> = {}, yara = 10): ApkScan => ({
  status: 'done',
  findings: [],
  timings: { yara, compile: 3, measuring: Object.values(measured).reduce((sum, one) => sum + one, 0) },
  outcomes: [
    {
      id: 'dry',
      status: 'done',
      code: 'done',
      message: '',
      errors: [],
      files_scanned: 100,
      matches_count: matches.length,
      rules_matched: matches,
      rules_measured: Object.entries(measured).map(([name, milliseconds]) => ({ name, milliseconds })),
    },
  ],
});
const apk = (id: number, isKnownGood = false) => ({ id, size: 1_000_000, isKnownGood });

test('rules that end on almost no APK are hopeless, and what is left is told as not tried', () => {
  const result = emptyDryRun(compiled('a'), 300, 0);
  const late = scan([]);
  assert.ok(late.status !== 'failed');
  Object.assign(late.outcomes[0]!, { status: 'timeout', code: 'timeout', message: 'It took too long.' });
  const states = [scan([]), late, late, late].map((outcome, id) => {
    addScan(result, apk(id), outcome);
    return isHopeless(result);
  });
  assert.deepEqual(states, [false, false, false, true]);
  addUntried(result, 4);
  assert.deepEqual([result.scanned, result.unfinished, result.failures.at(-1)!.code], [4, 4, 'untried']);
  const often = emptyDryRun(compiled('a'), 300, 0);
  for (let id = 0; id < 40; id++) addScan(often, apk(id), id % 4 === 3 ? late : scan([]));
  assert.ok(!isHopeless(often));
});

test('matches are counted by APK, files and strings each for themselves', () => {
  const result = emptyDryRun(compiled('a', 'b'), 2, 1);
  addScan(result, apk(1), scan([match('a', ''), match('a', 'x.dex', ['$s', '$s'], 70), match('b', 'x.dex', ['$t'])]));
  addScan(result, apk(2, true), scan([match('a', 'y', ['$s'])]));
  const [a, b] = result.rules;
  assert.deepEqual([a!.matches, a!.knownGoodMatches, a!.files, a!.strings.$s], [1, 1, 3, 71]);
  assert.deepEqual([b!.matches, b!.strings], [1, { $t: 1 }]);
  assert.deepEqual([result.matchesCount, result.knownGoodMatchesCount, result.scanned], [1, 1, 2]);
});

test('a rule that matches in many files hides no other, and its files are counted past those that are listed', () => {
  const result = emptyDryRun(compiled('a', 'b'), 1, 0);
  const everywhere = Array.from({ length: 20 }, (_, at) => ({ ...match('a', `${at}.dex`, ['$s']), files_count: 60 }));
  addScan(result, apk(1), scan([...everywhere, match('b', 'x.dex', ['$t'])]));
  const { rules, rulesCount } = result.matches[0]!;
  assert.ok(rules.some(({ name }) => name === 'b'));
  assert.deepEqual([rulesCount, result.rules[0]!.files, result.isCapped], [61, 60, true]);
});

test('what holds for the APK alone is told once, not for each of its files', () => {
  const result = emptyDryRun(compiled('manifest', 'everywhere'), 1, 0);
  const ofAll = (name: string, identifiers: string[] = []) =>
    Array.from({ length: 20 }, (_, at) => ({
      ...match(name, at === 0 ? '' : `${at}`, identifiers),
      files_count: 497,
      is_of_apk: identifiers.length === 0,
    }));
  addScan(result, apk(1), scan([...ofAll('manifest'), ...ofAll('everywhere', ['$s'])]));
  const { rules, rulesCount } = result.matches[0]!;
  assert.deepEqual(
    rules.filter(({ name }) => name === 'manifest').map(({ file, files_count }) => [file, files_count]),
    [['', 1]],
  );
  assert.deepEqual([rulesCount, result.rules[0]!.files, result.rules[1]!.files], [498, 1, 497]);
});

test('of many matches the first ones are shown, those on known good APKs before all', () => {
  const result = emptyDryRun(compiled('a'), 200, 3);
  for (let id = 1; id <= 200; id++) addScan(result, apk(id), scan([match('a', '')]));
  for (let id = 201; id <= 203; id++) addScan(result, apk(id, true), scan([match('a', '')]));
  assert.equal(result.matches.length, maxShownMatches);
  assert.equal(result.matches.filter(({ isKnownGood }) => isKnownGood).length, 3);
  assert.equal(result.matchesCount, 200);
});

test('rules that take long for their megabytes are named, and measuring them is no part of the scan', () => {
  const result = emptyDryRun(compiled('quick', 'slow'), 1, 0);
  addScan(result, apk(1), scan([], { quick: 2, slow: 400 }, 450));
  assert.deepEqual([result.scanMs, result.slowestMs], [48, 48]);
  assert.deepEqual(
    slowRules(result).map(({ rule }) => rule),
    ['slow'],
  );
});

test('what every scan of an APK takes makes no rule slow, however small the APKs are', () => {
  const result = emptyDryRun(compiled('a', 'b'), 100, 0);
  for (let id = 1; id <= 100; id += 1) addScan(result, { ...apk(id), size: 35_000 }, scan([], { a: 2, b: 4 }, 46));
  assert.deepEqual(slowRules(result), []);
  addScan(result, { ...apk(101), size: 35_000 }, scan([], { a: 3000 }, 3040));
  assert.deepEqual(
    slowRules(result).map(({ rule }) => rule),
    ['a'],
  );
});

test('an APK that cannot be scanned is named and counted', () => {
  const result = emptyDryRun(compiled('a'), 1, 0);
  addScan(result, apk(7), { status: 'failed', code: 'file-missing', message: 'It is missing.' });
  assert.deepEqual([result.scanned, result.failed, result.failures[0]!.apkId], [1, 1, 7]);
});
