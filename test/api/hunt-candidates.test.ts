// What the index of contents spares hunts, on a real workstation, and that nothing is missed by it.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Apk } from '../../server/contract/catalogue/apk.ts';
import { matchesByRule } from '../../server/contract/engine/yara.ts';
import type { Match } from '../../server/contract/rules/match.ts';
import { huntEstimateSchema, retrohuntSchema } from '../../server/contract/rules/retrohunt.ts';
import { realApks } from '../fixtures/real-apks.ts';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';

let workstation: TestWorkstation;
const count = 12;
const indexed = () => workstation.server.services.contentIndexing.settled();
const unlock = readFileSync(realApks.unlock);
const variant = (index: number) => Buffer.concat([unlock, Buffer.from(`the text of number ${index} stands here`)]);

before(async () => {
  workstation = await startWorkstation();
  const off = { analyze_dynamic_on_upload: false, analyze_yara_on_upload: false };
  await ask('/settings/', 'PATCH', off);
  for (let index = 0; index < count; index++) await workstation.upload(variant(index));
  await workstation.server.idle();
  await indexed();
});
after(() => workstation[Symbol.asyncDispose]());

const ask = (path: string, method = 'GET', json?: unknown) =>
  workstation.ask(path, { method, ...(json === undefined ? {} : { json }) });

async function makeRuleset(name: string, rules: string) {
  const { body, status, text } = await ask('/rulesets/', 'POST', { name, rules, status: 'disabled' });
  assert.equal(status, 201, text);
  return body.id as string;
}
async function hunted(id: string, search = '') {
  const begun = retrohuntSchema.parse((await ask(`/rulesets/${id}/retrohunt/`, 'POST', { search })).body);
  await workstation.jobEnd(begun.job.id);
  const { status, scanned_count, passed_count, matches_count } = retrohuntSchema.parse(
    (await ask(`/retrohunts/${begun.id}/`)).body,
  );
  return { status, scanned_count, passed_count, matches_count };
}
const estimate = async (id: string) =>
  huntEstimateSchema.parse((await ask('/retrohunts/estimate/', 'POST', { rulesets: [id] })).body);

test('a hunt reads the APKs alone that may hold its text, and says beforehand how many', async () => {
  const id = await makeRuleset('One', 'rule one { strings: $a = "The Text of number 7 stands" nocase condition: $a }');
  const { apks_count, read_count, rulesets } = await estimate(id);
  assert.deepEqual([apks_count, read_count, rulesets[0]!.slow], [count, 1, []]);
  assert.deepEqual(await hunted(id), {
    status: 'done',
    scanned_count: count,
    passed_count: count - 1,
    matches_count: 1,
  });
});

test('a condition on reports that no APK meets has none of them read', async () => {
  const rules = 'import "androguard" rule app { condition: androguard.package_name("nobody.at.home") }';
  assert.equal((await hunted(await makeRuleset('Nobody', rules))).passed_count, count);
  const meant = 'import "androguard" rule app { condition: androguard.package_name("io.appium.unlock") }';
  const { passed_count, matches_count } = await hunted(await makeRuleset('Unlock', meant));
  assert.deepEqual([passed_count, matches_count], [0, count]);
});

test('a condition on reports alone finds APKs whose files nobody can read', async () => {
  const rules = 'import "androguard" rule old { condition: androguard.target_sdk < 99 and androguard.min_sdk > 0 }';
  const id = await makeRuleset('Old', rules);
  const { read_count, rulesets } = await estimate(id);
  assert.deepEqual([read_count, rulesets[0]!.slow], [0, []]);
  const { results } = (await ask('/apks/')).body;
  const paths = results.map(({ sha256 }: Apk) => workstation.server.store.files.fileReference(sha256).path);
  for (const path of paths) renameSync(path, `${path}-hidden`);
  const { status, matches_count } = await hunted(id);
  for (const path of paths) renameSync(`${path}-hidden`, path);
  assert.deepEqual([status, matches_count], ['done', count]);
  const before = (await ask(`/rulesets/${id}/matches/`)).body.results;
  assert.equal(before.length, results.length);
  const [{ rules_matched: matched }] = before;
  assert.deepEqual([matched.length, matched[0].file, matched[0].is_of_apk], [1, '', true]);
  // Read whole, the same is found.
  await ask('/settings/', 'PATCH', { content_index: false });
  await hunted(id);
  await ask('/settings/', 'PATCH', { content_index: true });
  await indexed();
  const shown = (list: Match[]) => list.map((match) => [match.rules_count, matchesByRule(match.rules_matched)]);
  assert.deepEqual(shown((await ask(`/rulesets/${id}/matches/`)).body.results), shown(before));
});

test('an estimate is of rulesets that are there', async () => {
  assert.equal((await ask('/retrohunts/estimate/', 'POST', { rulesets: ['0123456789abcdef'] })).status, 404);
});

test('a match that no longer holds goes though nothing of its APK may match', async () => {
  const id = await makeRuleset('Changing', 'rule some { strings: $a = "the text of number 1 stands" condition: $a }');
  assert.equal((await hunted(id)).matches_count, 1);
  const rules = 'rule some { strings: $a = "no such text stands anywhere" condition: $a }';
  assert.equal((await ask(`/rulesets/${id}/`, 'PATCH', { rules })).status, 200);
  const second = await hunted(id);
  assert.deepEqual([second.passed_count, second.matches_count], [count - 1, 0]);
  assert.equal((await ask(`/rulesets/${id}/matches/`)).body.count, 0);
});

test('a rule that says nothing of ten letters has every APK read, and the estimate names it with the reason', async () => {
  const rules = `
    rule short { strings: $s = "umber 7" condition: $s }
    rule size { condition: filesize < 100 }`;
  const id = await makeRuleset('Slow', rules);
  const { read_count, rulesets } = await estimate(id);
  assert.equal(read_count, count);
  assert.deepEqual(rulesets[0]!.slow, [
    { rule: 'short', reason: 'strings', strings: ['$s'] },
    { rule: 'size', reason: 'condition', strings: [] },
  ]);
  const { passed_count, matches_count } = await hunted(id);
  assert.equal(passed_count, 0);
  assert.ok(matches_count >= 1);
});

test('APKs that are not indexed yet, a damaged index and one that is thrown away cost time and no match', async () => {
  const id = await makeRuleset('Sure', 'rule sure { strings: $a = "of number 1 stands here" condition: $a }');
  const expected = 1;
  await workstation.upload(variant(100));
  await workstation.server.idle();
  const first = await hunted(id);
  assert.equal(first.matches_count, expected);
  assert.equal(first.passed_count, count - expected);

  await indexed();
  const folder = join(workstation.dataDir, 'cache/content-index');
  for (const name of readdirSync(folder)) {
    const bytes = readFileSync(join(folder, name));
    // In the middle of the fingerprints, and of the tables.
    bytes[20] = bytes[20]! ^ 1;
    bytes[bytes.length - 100] = bytes[bytes.length - 100]! ^ 1;
    writeFileSync(join(folder, name), bytes);
  }
  assert.equal((await hunted(id)).matches_count, expected);

  assert.equal((await ask('/settings/', 'PATCH', { content_index: false })).status, 200);
  assert.throws(() => readdirSync(folder));
  const without = await hunted(id);
  assert.deepEqual([without.matches_count, without.passed_count], [expected, 0]);
  await ask('/settings/', 'PATCH', { content_index: true });
  await indexed();
  const again = await hunted(id);
  assert.deepEqual([again.matches_count, again.passed_count], [expected, count + 1 - expected]);
});

test('a deleted APK is in no hunt, and one that comes back is found by the index again', async () => {
  const id = await makeRuleset('Back', 'rule back { strings: $a = "of number 2 stands here" condition: $a }');
  const sha256 = createHash('sha256').update(variant(2)).digest('hex');
  await ask(`/apks/${sha256}/`, 'DELETE');
  assert.equal((await hunted(id)).matches_count, 0);
  const [item] = (await ask('/trash/')).body.results;
  assert.equal((await ask(`/trash/${item.id}/restore/`, 'POST', {})).status, 200);
  await workstation.server.idle();
  await indexed();
  const { scanned_count, passed_count, matches_count } = await hunted(id);
  assert.deepEqual([scanned_count - passed_count, matches_count], [1, 1]);
});

test('a hunt that was cancelled goes on where it stood', async () => {
  const id = await makeRuleset('Paused', 'rule everything { strings: $a = "dex" condition: #a >= 0 }');
  const begun = retrohuntSchema.parse((await ask(`/rulesets/${id}/retrohunt/`, 'POST', {})).body);
  await ask(`/retrohunts/${begun.id}/cancel/`, 'POST', {});
  const resumed = retrohuntSchema.parse((await ask(`/retrohunts/${begun.id}/resume/`, 'POST', {})).body);
  assert.ok(['queued', 'running'].includes(resumed.status), resumed.status);
  await workstation.jobEnd(resumed.job.id);
  const done = retrohuntSchema.parse((await ask(`/retrohunts/${begun.id}/`)).body);
  const all = count + 1;
  assert.deepEqual([done.status, done.scanned_count, done.matches_count], ['done', all, all]);
});
