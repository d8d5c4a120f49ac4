// From when on, and with which text, rulesets are run over incoming APKs; what became of their earlier texts.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { StartingRules } from '../../server/contract/rules/starting-rules.ts';
import { realApks } from '../fixtures/real-apks.ts';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';

const minute = 60_000_000;
let now = Date.UTC(2030, 0, 1) * 1000;
let workstation: TestWorkstation;
let ada: string;
let ben: string;
before(async () => {
  workstation = await startWorkstation({ clock: () => now });
  ada = await workstation.analyst('ada');
  ben = await workstation.analyst('ben');
});
after(() => workstation[Symbol.asyncDispose]());

const ask = (path: string, method = 'GET', json?: unknown, token = ada) =>
  workstation.ask(path, { method, token, ...(json === undefined ? {} : { json }) });
const sha256Of = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');
const timestamp = (time: number) => new Date(time / 1000).toISOString().replace('Z', '000+00:00');

/** Names of the rules of a ruleset that match an APK when it is scanned now. */
async function scannedNow(rulesetId: string): Promise<string[]> {
  const sha256 = sha256Of(realApks.unlock);
  await workstation.jobEnd((await ask(`/apks/${sha256}/analyze_yara/`)).body.id);
  const { body } = await ask(`/rulesets/${rulesetId}/matches/`);
  type Matches = { rules_matched: { name: string }[] }[];
  return (body.results as Matches).flatMap(({ rules_matched }) => rules_matched.map(({ name }) => name));
}

test('with a delay a new text is in use after exactly that many minutes, and until then the one before', async () => {
  await workstation.upload(realApks.unlock);
  await workstation.server.idle();
  await workstation.ask('/settings/', { method: 'PATCH', json: { ruleset_delay_minutes: 7 } });
  const saved = now;
  const made = await ask('/rulesets/', 'POST', {
    name: 'Slowly',
    is_public: true,
    rules: 'rule first { strings: $a = "PK" condition: $a at 0 and filesize > 30KB }',
  });
  assert.equal(made.body.active_since, timestamp(saved + 7 * minute));
  now = saved + 7 * minute - 1;
  assert.deepEqual(await scannedNow(made.body.id), []);
  now = saved + 7 * minute;
  assert.deepEqual(await scannedNow(made.body.id), ['first']);

  const changed = now;
  const rules = 'rule second { strings: $a = "PK" condition: $a at 0 and filesize > 30KB }';
  const { body } = await ask(`/rulesets/${made.body.id}/`, 'PATCH', { rules });
  assert.equal(body.active_since, timestamp(changed + 7 * minute));
  now = changed + 7 * minute - 1;
  assert.deepEqual(await scannedNow(made.body.id), ['first']);
  now = changed + 7 * minute;
  assert.deepEqual(await scannedNow(made.body.id), ['second']);
  await workstation.ask('/settings/', { method: 'PATCH', json: { ruleset_delay_minutes: 0 } });
  await ask(`/rulesets/${made.body.id}/`, 'DELETE');
});

test('a text that was saved while the clock was ahead is in use when the clock is set right', async () => {
  const right = now;
  now += 30 * 24 * 60 * minute;
  const rules = 'rule early { strings: $a = "PK" condition: $a at 0 and filesize > 30KB }';
  const made = await ask('/rulesets/', 'POST', { name: 'Early', is_public: true, rules });
  now = right;
  assert.deepEqual(await scannedNow(made.body.id), ['early']);
  await ask(`/rulesets/${made.body.id}/`, 'DELETE');
});

test('without a delay a change is in use at once, a disabled ruleset never, and its matches stay', async () => {
  const json = { name: 'At once', is_public: true, rules: 'rule one { condition: uint16(0) == 0x4b50 }' };
  const { id } = (await ask('/rulesets/', 'POST', json)).body;
  assert.deepEqual(await scannedNow(id), ['one']);
  await ask(`/rulesets/${id}/`, 'PATCH', { rules: 'rule two { condition: uint16(0) == 0x4b50 }', status: 'disabled' });
  assert.deepEqual(await scannedNow(id), ['one']);
  await ask(`/rulesets/${id}/`, 'PATCH', { status: 'enabled' });
  assert.deepEqual(await scannedNow(id), ['two']);
});

test('every saved text is kept, with who saved it and when; a save that changes nothing makes none', async () => {
  const texts = [
    'rule a { condition: true }',
    'rule a { condition: false }',
    'rule b { condition: true } rule c { condition: a }',
  ];
  const { id, version } = (await ask('/rulesets/', 'POST', { name: 'Kept', rules: texts[0] })).body;
  assert.equal(version, 1);
  now += minute;
  assert.equal((await ask(`/rulesets/${id}/`, 'PATCH', { rules: texts[1] })).body.version, 2);
  assert.equal((await ask(`/rulesets/${id}/`, 'PATCH', { name: 'Renamed' })).body.version, 2);
  assert.equal((await ask(`/rulesets/${id}/`, 'PATCH', { rules: texts[1] })).body.version, 2);
  assert.equal((await ask(`/rulesets/${id}/`, 'PATCH', { rules: texts[2] })).status, 400);
  const { body } = await ask(`/rulesets/${id}/versions/`);
  type Version = { version: number; author: string; is_current: boolean; created_at: string; length: number };
  assert.deepEqual(
    (body.results as Version[]).map((one) => [one.version, one.author, one.is_current, one.created_at, one.length]),
    [
      [2, 'ada', true, timestamp(now), texts[1]!.length],
      [1, 'ada', false, timestamp(now - minute), texts[0]!.length],
    ],
  );
  const first = (await ask(`/rulesets/${id}/versions/1/`)).body;
  assert.equal(first.rules, texts[0]);
  const restored = (await ask(`/rulesets/${id}/`, 'PATCH', { rules: first.rules })).body;
  assert.deepEqual([restored.version, restored.rules], [3, texts[0]]);
  for (const missing of ['4', '0', 'x', '1.5', '-1']) {
    assert.equal((await ask(`/rulesets/${id}/versions/${missing}/`)).status, 404, missing);
  }
});

test("others see the texts of a public ruleset, except those saved while it was its author's alone", async () => {
  const { id } = (await ask('/rulesets/', 'POST', { name: 'Secret', rules: 'rule secret { condition: true }' })).body;
  const seen = async (token: string) => {
    const { status, body } = await ask(`/rulesets/${id}/versions/`, 'GET', undefined, token);
    return status === 200 ? (body.results as { version: number }[]).map(({ version }) => version) : status;
  };
  assert.equal(await seen(ben), 404);
  await ask(`/rulesets/${id}/`, 'PATCH', { rules: 'rule open { condition: true }' });
  await ask(`/rulesets/${id}/`, 'PATCH', { is_public: true });
  assert.deepEqual(await seen(ben), [2]);
  await ask(`/rulesets/${id}/`, 'PATCH', { rules: 'rule wide_open { condition: true }' });
  assert.deepEqual([await seen(ben), await seen(ada)], [[3], [3, 2, 1]]);
  assert.equal((await ask(`/rulesets/${id}/versions/1/`, 'GET', undefined, ben)).status, 404);
});

test('rules are checked while they are typed: what they hold, faults and slow rules by place', async () => {
  const check = (rules: string) => ask('/rulesets/validate/', 'POST', { rules });
  const good = (await check('rule a : t { meta: b = 1 condition: true }\nprivate rule b { condition: a }')).body;
  assert.deepEqual(
    [good.is_valid, good.rules_count, good.rules[0].tags, good.rules[1].is_private],
    [true, 2, ['t'], true],
  );
  const bad = (await check('rule a { condition: true }\nrule b { condition: nothing }')).body;
  const [error] = bad.errors;
  assert.deepEqual([bad.is_valid, error.line, error.column, error.end_column], [false, 2, 21, 28]);
  const slow = (await check('rule a { strings: $a = /.*/ condition: $a }')).body;
  assert.equal(slow.warnings.length > 0 || slow.errors.length > 0, true);
  assert.deepEqual([(await check('')).body.is_valid, (await check('')).body.rules_count], [true, 0]);
  assert.equal((await ask('/rulesets/validate/', 'POST', {})).status, 400);
});

test('the words that an editor completes are there, those of reports marked', async () => {
  const { body } = await ask('/yara/vocabulary/');
  const names = (isReport: boolean) =>
    (body.modules as { name: string; is_report: boolean }[])
      .filter((one) => one.is_report === isReport)
      .map(({ name }) => name);
  assert.deepEqual(names(true), ['androguard', 'cuckoo', 'droidbox', 'file']);
  assert.ok(names(false).includes('elf') && body.keywords.includes('fullword'));
});

test('the rules that the workstation brings along make rulesets, and are told apart from those made already', async () => {
  const files = readdirSync(join(import.meta.dirname, '../../resources/rules'));
  const offered = (await ask('/yara/starting_rules/', 'GET', undefined, ben)).body as StartingRules[];
  assert.deepEqual([offered.length, new Set(offered.map(({ ruleset }) => ruleset))], [files.length, new Set([null])]);
  const made: { id: string; rules_count: number }[] = [];
  for (const { name, rules } of offered) {
    made.push((await ask('/rulesets/', 'POST', { name, rules, status: 'disabled' }, ben)).body);
  }
  const told = (await ask('/yara/starting_rules/', 'GET', undefined, ben)).body as StartingRules[];
  assert.deepEqual(
    told.map(({ ruleset, rules_count }) => [ruleset, rules_count]),
    made.map(({ id, rules_count }) => [id, rules_count]),
  );
  const others = (await ask('/yara/starting_rules/')).body as StartingRules[];
  assert.ok(others.every(({ ruleset }) => ruleset === null));
});
