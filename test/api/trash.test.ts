// The trash over HTTP: what is deleted is gone everywhere, and comes back whole. With a clock of the test's own.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Apk } from '../../server/contract/catalogue/apk.ts';
import type { TrashItem } from '../../server/contract/catalogue/trash.ts';
import type { RulesetVersion } from '../../server/contract/rules/ruleset-version.ts';
import { repairDataFolder } from '../../server/store/repair/repair.ts';
import { openStore } from '../../server/store/store.ts';
import { variant } from '../fixtures/client-samples.ts';
import { commandLine } from '../fixtures/program.ts';
import { realApks } from '../fixtures/real-apks.ts';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';

const day = 86_400_000_000;
let now = Date.now() * 1000;
let workstation: TestWorkstation;
let analyst = '';
before(async () => {
  workstation = await startWorkstation({ clock: () => now });
  analyst = await workstation.analyst('ada');
});
after(() => workstation[Symbol.asyncDispose]());

const ask = (path: string, method = 'GET', json?: object, token = workstation.ownerToken) =>
  workstation.ask(path, { method, token, ...(json === undefined ? {} : { json }) });
const trash = async (token?: string): Promise<TrashItem[]> =>
  (await ask('/trash/', 'GET', undefined, token)).body.results;
const remove = async (sha256: string) => assert.equal((await ask(`/apks/${sha256}/`, 'DELETE')).status, 204);
const restore = ({ id }: TrashItem, token?: string) => ask(`/trash/${id}/restore/`, 'POST', {}, token);
const count = async (search: string) => (await ask(`/apks/?search=${encodeURIComponent(search)}`)).body.count;
const stored = (sha256: string) =>
  existsSync(join(workstation.dataDir, 'apks', sha256.slice(0, 2), sha256.slice(2, 4), sha256));

const ofApk = [
  '',
  'analysis/',
  'manifest/',
  'files/',
  'matches/',
  'votes/',
  'comments/',
  'verdict/',
  'verdicts/',
  'dismissals/',
];
const ofCatalogue = ['/apks/', '/apks/facets/', '/notifications/', '/signers/', '/jobs/', '/analysts/ada/comments'];
/** All that is said of an APK. */
async function allOf(sha256: string): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  for (const part of ofApk) answers[part] = (await ask(`/apks/${sha256}/${part}`)).body;
  for (const path of ofCatalogue) answers[path] = (await ask(path)).body;
  for (const search of ['tag:kept', 'filter:main', 'class:*', 'api:*', 'family:Joker', 'rule:every_file', 'finding:*'])
    answers[search] = (await ask(`/apks/?search=${encodeURIComponent(search)}`)).body;
  const { body } = await ask(`/apks/${sha256}/download/`);
  const bytes = Buffer.from(await (await fetch(body.download_url)).arrayBuffer());
  answers.file = createHash('sha256').update(bytes).digest('hex');
  return answers;
}

test('a deleted APK is gone everywhere, and comes back with all that was known and said of it', async () => {
  const rules = 'rule every_file { condition: true }';
  await ask('/rulesets/', 'POST', { name: 'Every', rules, is_public: true }, analyst);
  const { body: apk } = await workstation.upload(realApks.unicodeIme);
  const { sha256 } = apk;
  await workstation.server.idle();
  await ask(`/apks/${sha256}/tags/`, 'POST', { name: 'kept' });
  await ask(`/apks/${sha256}/vote_negative/`, 'POST', undefined, analyst);
  await ask(`/apks/${sha256}/comments/`, 'POST', { text: 'seen by @owner' }, analyst);
  await ask(`/apks/${sha256}/verdict/`, 'PUT', { verdict: 'suspicious' });
  await ask(`/apks/${sha256}/verdict/`, 'PUT', { verdict: 'malicious', family: 'Joker', note: 'why' }, analyst);
  await ask('/dismissals/', 'POST', { finding: 'code-x', scope: 'apk', apk: sha256, reason: 'known' });
  const whole = await allOf(sha256);

  await remove(sha256);
  for (const part of ofApk) assert.equal((await ask(`/apks/${sha256}/${part}`)).status, 404, part);
  assert.equal((await ask(`/apks/${sha256}/download/`)).status, 404);
  assert.equal((await ask(`/apks/${sha256}/`, 'DELETE')).status, 404);
  for (const search of ['', 'tag:kept', 'family:Joker', 'verdict:malicious', 'rule:every_file', sha256])
    assert.equal(await count(search), 0, search);
  for (const path of [...ofCatalogue, '/statistics/', '/dismissals/'])
    assert.ok(!(await ask(path)).text.includes(sha256), path);
  assert.equal((await ask('/apks/facets/')).body.count, 0);
  assert.equal((await ask('/storage/')).body.apks, 0);

  const [item] = await trash();
  const { id: _id, url: _url, deleted_at: at, expires_at: until, ...rest } = item!;
  const { app: name, size } = apk;
  assert.deepEqual(rest, { kind: 'apk', sha256, ruleset: null, name, size, deleted_by: 'owner' });
  assert.equal(Date.parse(until) - Date.parse(at), 30 * 86_400_000);
  const { status, body } = await restore(item!);
  assert.deepEqual([status, body], [200, { apk: `${workstation.url}/apks/${sha256}/`, ruleset: null }]);
  assert.deepEqual(await allOf(sha256), whole);
  assert.deepEqual([await trash(), (await restore(item!)).status], [[], 404]);
});

test('an APK comes back whole where another came meanwhile, whose rows have the numbers that its own had', async () => {
  const [gone, next] = [variant('gone'), variant('next')];
  await workstation.upload(gone.content);
  await workstation.server.idle();
  const said = async () =>
    Promise.all(
      ['', 'analysis/', 'manifest/', 'files/'].map(async (part) => (await ask(`/apks/${gone.hash}/${part}`)).body),
    );
  const whole = await said();
  await remove(gone.hash);
  const [item] = await trash();
  // Times of arrival are unique.
  now += 1000;
  await workstation.upload(next.content);
  await workstation.server.idle();
  assert.equal((await restore(item!)).status, 200);
  await workstation.server.idle();
  assert.deepEqual(await said(), whole);
  assert.equal((await ask(`/apks/${next.hash}/analysis/`)).status, 200);
  for (const { hash } of [gone, next]) await remove(hash);
  await ask('/trash/', 'DELETE');
});

test('an upload of an APK that lies in the trash brings it back with its history, and analyses it anew', async () => {
  const { content, hash: sha256 } = variant('uploaded again');
  const { body: first } = await workstation.upload(content);
  await workstation.server.idle();
  await ask(`/apks/${sha256}/verdict/`, 'PUT', { verdict: 'clean', note: 'seen' });
  await remove(sha256);
  const again = await workstation.upload(content, { token: analyst });
  assert.deepEqual([again.status, again.body.id, again.body.created_at], [201, first.id, first.created_at]);
  assert.equal((await ask(`/apks/${sha256}/verdict/`)).body.note, 'seen');
  assert.deepEqual(await trash(), []);
  const jobs = (await ask(`/jobs/?apk=${sha256}`)).body.results;
  assert.equal(jobs.filter(({ kind }: { kind: string }) => kind === 'static').length, 2);
  await workstation.server.idle();
  await remove(sha256);
});

test('what is deleted for good takes its file along, by item, all at once, and without a trash', async () => {
  const { content, hash: sha256 } = variant('for good');
  for (const item of await trash()) assert.equal((await ask(`/trash/${item.id}/`, 'DELETE')).status, 204);
  await workstation.upload(content);
  await workstation.server.idle();
  await remove(sha256);
  assert.ok(stored(sha256));
  assert.equal((await ask('/trash/', 'DELETE')).status, 204);
  assert.deepEqual([stored(sha256), await trash()], [false, []]);

  await ask('/settings/', 'PATCH', { trash_days: 0 });
  await workstation.upload(content);
  await workstation.server.idle();
  await remove(sha256);
  assert.deepEqual([stored(sha256), await trash()], [false, []]);
  await ask('/settings/', 'PATCH', { trash_days: null });
});

test('the trash is emptied of what has been there for its days', async () => {
  const { content, hash: sha256 } = variant('lapsed');
  await workstation.upload(content);
  await workstation.server.idle();
  await remove(sha256);
  const { services } = workstation.server;
  for (let days = 0; days < 30; days += 10) {
    await services.trash.forgetOld();
    assert.equal((await trash()).length, 1, `after ${days} days`);
    now += 10 * day;
    await services.storage.enforceRetention();
  }
  now += day;
  await services.trash.forgetOld();
  assert.deepEqual([stored(sha256), await trash()], [false, []]);
});

test('where room is wanted the trash goes first, what was deleted longest ago before the rest', async () => {
  const made = [variant('older'), variant('newer')];
  for (const { content, hash } of made) {
    await workstation.upload(content);
    await workstation.server.idle();
    await remove(hash);
    now += 1_000_000;
  }
  const gone: string[] = [];
  const { files } = workstation.server.store;
  const original = files.removeWith.bind(files);
  files.removeWith = (sha256, forget) => {
    gone.push(sha256);
    return original(sha256, forget);
  };
  await ask('/settings/', 'PATCH', { disk_reserve_bytes: Number.MAX_SAFE_INTEGER });
  assert.equal((await workstation.upload(realApks.unlock)).status, 507);
  await ask('/settings/', 'PATCH', { disk_reserve_bytes: null });
  files.removeWith = original;
  assert.deepEqual(
    gone,
    made.map(({ hash }) => hash),
  );
  assert.deepEqual(await trash(), []);
});

const bySearch = async (token = analyst) =>
  (await ask('/apks/?search=rule:every_file', 'GET', undefined, token)).body.count;

test('a deleted ruleset takes its matches and detections along, and brings them back', async () => {
  const [ruleset] = (await ask('/rulesets/', 'GET', undefined, analyst)).body.results;
  await ask(`/rulesets/${ruleset.id}/promote/`, 'POST', {}, analyst);
  await ask(`/rulesets/${ruleset.id}/social/`, 'POST', { accepted: true });
  await ask(`/rulesets/${ruleset.id}/comments/`, 'POST', { text: 'good rules' });
  const rules = 'rule every_file { condition: true } rule again { condition: true }';
  await ask(`/rulesets/${ruleset.id}/`, 'PATCH', { rules }, analyst);
  const old = (await ask('/legacy/public_rulesets')).body.results[0];
  const votes = `/legacy/public_rulesets/${old.id}/votes`;
  assert.equal((await ask(votes, 'POST', { kind: 'positive' })).status, 201);
  const all = async () => {
    const of = async (part: string) => (await ask(`/rulesets/${ruleset.id}/${part}`, 'GET', undefined, analyst)).body;
    const { updated_at: _, active_since: __, ...detail } = await of('');
    const [matches, comments, saved] = [await of('matches/'), await of('comments/'), await of('versions/')];
    // It is enabled anew.
    const versions = saved.results.map(({ active_since: ___, ...version }: RulesetVersion) => version);
    const text = (await of('versions/1/')).rules;
    const said = (await ask(votes)).body;
    const marks = (await ask('/apks/')).body.results.map((apk: Apk) => [
      apk.sha256,
      apk.matches_count,
      apk.is_detected,
    ]);
    return {
      detail,
      matches,
      comments,
      versions,
      text,
      said,
      marks,
      found: await bySearch(),
      detected: await count('detected:true'),
    };
  };
  const whole = await all();
  assert.ok(whole.detected > 0 && whole.detail.matches_count > 0);
  assert.deepEqual(
    [whole.versions.length, whole.said.count, whole.text],
    [2, 1, 'rule every_file { condition: true }'],
  );

  assert.equal((await ask(`/rulesets/${ruleset.id}/`, 'DELETE', undefined, analyst)).status, 204);
  assert.equal((await ask(`/rulesets/${ruleset.id}/`)).status, 404);
  assert.deepEqual([await bySearch(), await count('detected:true')], [0, 0]);
  assert.deepEqual([(await ask('/apks/')).body.results[0].matches_count, await trash()], [0, []]);
  const [item] = await trash(analyst);
  assert.deepEqual([item!.kind, item!.ruleset, item!.name], ['ruleset', ruleset.id, 'Every']);
  assert.equal((await restore(item!)).status, 404, 'not even the owner brings back what is another one’s');
  const back = await restore(item!, analyst);
  assert.deepEqual([back.status, back.body.ruleset], [200, ruleset.url]);
  assert.deepEqual(await all(), whole);
  assert.deepEqual(await trash(analyst), []);
});

for (const order of ['apk first', 'ruleset first'] as const) {
  test(`a match is back when its APK and its ruleset both are, whichever went first (${order})`, async () => {
    const [ruleset] = (await ask('/rulesets/', 'GET', undefined, analyst)).body.results;
    const [apk] = (await ask('/apks/')).body.results;
    const match = (await ask(`/apks/${apk.sha256}/matches/`)).body.results[0];
    const deletions = [() => remove(apk.sha256), () => ask(`/rulesets/${ruleset.id}/`, 'DELETE', undefined, analyst)];
    if (order === 'ruleset first') deletions.reverse();
    for (const deletion of deletions) await deletion();
    const items = [...(await trash()), ...(await trash(analyst))];
    const restorations = items.map((item) => () => restore(item, item.kind === 'apk' ? undefined : analyst));
    if (order === 'ruleset first') restorations.reverse();
    assert.equal((await restorations[0]!()).status, 200);
    assert.equal(await bySearch(), 0);
    assert.equal((await restorations[1]!()).status, 200);
    const {
      ruleset: of,
      updated_at: at,
      rules_matched: matched,
    } = (await ask(`/apks/${apk.sha256}/matches/`)).body.results[0];
    assert.deepEqual([of.id, at, matched], [ruleset.id, match.updated_at, match.rules_matched]);
    assert.equal((await ask(`/apks/${apk.sha256}/`)).body.is_detected, true);
  });
}

test('the trash of others is not there', async () => {
  const { content, hash: sha256 } = variant('not for all');
  await workstation.upload(content);
  await workstation.server.idle();
  await remove(sha256);
  const [item] = await trash();
  assert.deepEqual(await trash(analyst), []);
  assert.equal((await restore(item!, analyst)).status, 404);
  assert.equal((await ask(`/trash/${item!.id}/`, 'DELETE', undefined, analyst)).status, 404);
  await ask('/trash/', 'DELETE', undefined, analyst);
  assert.equal((await trash()).length, 1);
  const about = (await ask(`/trash/?subject=${sha256}`)).body;
  assert.deepEqual([about.count, about.results[0].id], [1, item!.id]);
  assert.equal((await ask(`/trash/?subject=${'e'.repeat(64)}`)).body.count, 0);
  assert.equal((await workstation.ask('/trash/', { token: null })).status, 401);
});

test('the trash is in backups, and nothing of it is taken for lost', async () => {
  const [item] = await trash();
  const scratch = mkdtempSync(join(tmpdir(), 'apk-workstation-trash-'));
  try {
    const [file, folder] = [join(scratch, 'backup.zip'), join(scratch, 'restored')];
    const run = (...words: string[]) => execFileSync(process.execPath, [commandLine, ...words]).toString();
    run('backup', file, '--data-dir', workstation.dataDir);
    run('restore', file, '--data-dir', folder);
    assert.equal((await repairDataFolder(folder, new Date())).isRepaired, false);
    const log = { info: () => undefined, warn: () => undefined };
    const store = await openStore(folder, { log });
    try {
      const held = (await store.trash.findBySha256(item!.sha256!))!;
      assert.equal(held.name, item!.name);
      assert.equal(store.files.inspect(held.sha256!), 'ok');
      assert.equal(await store.apks.findBySha256(held.sha256!), null);
    } finally {
      await store.close();
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
});
