// Dry runs over HTTP on a real workstation with real workers and real APKs.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { dryRunSchema } from '../../server/contract/rules/dry-run.ts';
import { awaitedStretch, rulesetTimeout } from '../../server/contract/rules/ruleset-limits.ts';
import { realApks } from '../fixtures/real-apks.ts';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';

let workstation: TestWorkstation;
let ada: string;
const sha256Of = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');
const unlock = sha256Of(realApks.unlock);
const ime = sha256Of(realApks.unicodeIme);
const minicap = sha256Of(realApks.minicap);

before(async () => {
  workstation = await startWorkstation({ onUpload: ['static', 'yara'] });
  ada = await workstation.analyst('ada', 'gold');
  for (const apk of [realApks.unlock, realApks.unicodeIme, realApks.minicap]) await workstation.upload(apk);
  await workstation.server.idle();
  await workstation.ask(`/apks/${ime}/`, { method: 'PATCH', json: { is_trusted: true } });
});
after(() => workstation[Symbol.asyncDispose]());

const ask = (path: string, method = 'GET', json?: unknown, token = ada) =>
  workstation.ask(path, { method, token, ...(json === undefined ? {} : { json }) });
async function tried(json: object) {
  const { status, body, text } = await ask('/rulesets/dry_run/', 'POST', json);
  assert.equal(status, 201, text);
  const begun = dryRunSchema.parse(body);
  await workstation.jobEnd(begun.job.id);
  return dryRunSchema.parse((await ask(`/dry_runs/${begun.id}/`)).body);
}

const rules = `
import "androguard"
rule dex { strings: $dex = "dex\\n035" $other = "no such text" condition: any of them }
rule unlock_only { condition: androguard.package_name("io.appium.unlock") and filesize > 0 }
private rule hidden { condition: true }
rule never { condition: false }
`;

test('rules are tried on chosen APKs and on known good ones, with counts, strings and times', async () => {
  const run = await tried({ rules, apks: [unlock, minicap], known_good: true });
  assert.deepEqual(
    [run.status, run.progress, run.apks_count, run.known_good_count, run.scanned_count, run.failed_count],
    ['done', 1, 2, 1, 3, 0],
  );
  assert.deepEqual(
    run.rules.map(({ name, matches_count, known_good_matches_count }) => [
      name,
      matches_count,
      known_good_matches_count,
    ]),
    [
      ['dex', 2, 1],
      ['unlock_only', 1, 0],
      ['never', 0, 0],
    ],
  );
  const [dex] = run.rules;
  assert.deepEqual(
    dex!.strings.map(({ identifier }) => identifier),
    ['$dex'],
  );
  assert.ok(dex!.strings[0]!.hits >= 3 && dex!.files_count >= 3);
  assert.deepEqual([run.matches_count, run.known_good_matches_count], [2, 1]);
  assert.deepEqual(
    run.matches.map(({ apk, is_known_good }) => [apk.sha256, is_known_good]).toSorted(),
    [
      [ime, true],
      [minicap, false],
      [unlock, false],
    ].toSorted(),
  );
  assert.equal(run.matches[0]!.is_known_good, true);
  assert.ok(run.timing.scan_ms > 0 && run.timing.slowest_ms <= run.timing.scan_ms);
  assert.equal(
    run.timing.unit === 'rule',
    run.rules.some(({ milliseconds }) => milliseconds !== null),
  );
});

test('a condition on the manifest is told once for an APK, beside what matches in its files', async () => {
  const run = await tried({ rules, apks: [unlock] });
  const told = run.matches[0]!.rules_matched.filter(({ name }) => name === 'unlock_only');
  assert.deepEqual(
    told.map(({ file, files_count }) => [file, files_count]),
    [['', 1]],
  );
  assert.equal(run.rules[1]!.files_count, 1);
  assert.ok(run.matches[0]!.rules_matched.some(({ name, file }) => name === 'dex' && file !== ''));
  assert.notEqual(run.matches[0]!.apk.version, '');
});

test('nothing of a dry run becomes a match, a detection or a notification', async () => {
  await tried({ rules: 'rule a { condition: true }', apks: [unlock] });
  assert.equal((await ask(`/apks/${unlock}/matches/`)).body.count, 0);
  const { body } = await ask(`/apks/${unlock}/`);
  assert.deepEqual([body.is_detected, body.matches_count], [false, 0]);
  assert.equal((await ask('/notifications/')).body.count, 0);
  assert.equal((await ask('/rulesets/?is_own=true')).body.count, 0);
});

test('APKs may be those that a search finds', async () => {
  const run = await tried({ rules: 'rule a { condition: true }', search: 'app:unlock' });
  assert.deepEqual([run.apks_count, run.matches[0]!.apk.sha256], [1, unlock]);
});

test('rules that do not compile are refused by place, as when they are saved; so is a run without rules or APKs', async () => {
  const faulty = await ask('/rulesets/dry_run/', 'POST', { rules: 'rule a { condition: nothing }', apks: [unlock] });
  assert.deepEqual([faulty.status, faulty.body.errors[0].line], [400, 1]);
  const refused: object[] = [
    { rules: '', apks: [unlock] },
    { rules: 'rule a { condition: true }' },
    { rules: 'rule a { condition: true }', apks: ['0'.repeat(64)] },
    { rules: 'rule a { condition: true }', apks: ['short'] },
    { rules: 'rule a { condition: true }', search: 'size:(' },
  ];
  for (const json of refused) assert.equal((await ask('/rulesets/dry_run/', 'POST', json)).status, 400);
});

const slow = 'rule s { condition: for all i in (0..100000000000) : (uint8(i % 3) != 1) }';

test('a hopelessly slow rule ends with its reason, in the time that its author may have to wait', async () => {
  const run = await tried({ rules: slow, apks: [minicap] });
  assert.deepEqual([run.status, run.scanned_count, run.failures[0]!.code], ['partial', 1, 'timeout']);
  assert.match(run.failures[0]!.message, /longer than 10 seconds/);
  const longest = rulesetTimeout * awaitedStretch;
  assert.ok(run.timing.scan_ms <= longest, `${run.timing.scan_ms} ms`);
});

test('a dry run is its analyst’s own, is counted, and can be ended', async () => {
  const used = async () => (await ask('/account/statistics/')).body.rate_limits['apk-analyze'].used;
  const before = await used();
  const { body } = await ask('/rulesets/dry_run/', 'POST', { rules: slow, apks: [minicap] });
  assert.equal(await used(), before + 1);
  assert.equal((await ask(`/dry_runs/${body.id}/`, 'GET', undefined, workstation.ownerToken)).status, 404);
  const ended = await ask(`/dry_runs/${body.id}/cancel/`, 'POST', {});
  assert.deepEqual([ended.body.status, ended.body.error_code], ['failed', 'cancelled']);
  await workstation.server.idle();
});
