// Sealed collections between two workstations: what goes along, what is merged, who said what, and that nothing is left half.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { startKillable } from '../fixtures/killable-workstation.ts';
import { realApks } from '../fixtures/real-apks.ts';
import { splitApp } from '../fixtures/split-app.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { until } from '../fixtures/until.ts';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';

const passphrase = 'correct horse battery';
const folder = temporaryFolder('collections');
const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const unlock = readFileSync(realApks.unlock);
const unlockSha256 = sha256Of(unlock);
/** One more app with code that names are given to. */
const settings = readFileSync(realApks.settings);
const settingsSha256 = sha256Of(settings);
const quick = { analyze_dynamic_on_upload: false, analyze_yara_on_upload: false };

type Place = Pick<TestWorkstation, 'ask'>;

async function transfer(place: Place, direction: 'read' | 'write', json: object) {
  const begun = await place.ask(`/collections/${direction}/`, { method: 'POST', json });
  assert.equal(begun.status, 202, begun.text);
  const get = async () => (await place.ask(`/collections/${begun.body.id}/`)).body;
  await until(async () => (await get()).state !== 'running', 'it came to its end');
  return get();
}
const written = (place: Place, path: string, search = '') => transfer(place, 'write', { path, passphrase, search });
const read = (place: Place, path: string, words = passphrase) => transfer(place, 'read', { path, passphrase: words });
const told = async (place: Place, sha256: string) => (await place.ask(`/apks/${sha256}/told/`)).body.results;
const sayingsOf = async (place: Place, sha256: string, kind: string) =>
  (await told(place, sha256))
    .map(({ saying }: { saying: { kind: string } }) => saying)
    .filter((one: { kind: string }) => one.kind === kind);

let berlin: TestWorkstation;
let lisbon: TestWorkstation;
const path = join(folder, 'joker.collection');

before(async () => {
  berlin = await startWorkstation();
  lisbon = await startWorkstation();
  for (const place of [berlin, lisbon]) await place.ask('/settings/', { method: 'PATCH', json: quick });
  for (const bytes of [unlock, settings]) assert.equal((await berlin.upload(bytes)).status, 201);
  await berlin.server.idle();
  const of = `/apks/${unlockSha256}`;
  const say = (address: string, json: object, method = 'POST') => berlin.ask(address, { method, json });
  await say(`${of}/tags/`, { name: 'joker' });
  await say(`/apks/${settingsSha256}/tags/`, { name: 'joker' });
  const word = { verdict: 'malicious', family: 'Joker', note: 'premium SMS' };
  assert.ok((await say(`${of}/verdict/`, word, 'PUT')).status < 300);
  assert.equal((await say(`${of}/comments/`, { text: 'Seen on three phones' })).status, 201);
  const rules = 'rule dex_inside { condition: true }';
  await say('/rulesets/', { name: 'Berlin rules', rules });
  await berlin.ask(`${of}/analyze_yara/`, { method: 'POST', json: {} });
  await berlin.server.idle();
  const named = await say(
    `/apks/${settingsSha256}/code/names/`,
    { symbol: 'Lio/appium/settings/Settings;', text: 'Beacon' },
    'PUT',
  );
  assert.ok(named.status < 300, named.text);
  const { body: made } = await say('/cases/', { name: 'Spring campaign', note: 'all about it' });
  await say(`/cases/${made.id}/apks/`, { search: 'tag:joker' });
  await say(`/cases/${made.id}/entries/`, { kind: 'question', text: 'Who pays?' });
});
after(async () => {
  for (const place of [berlin, lisbon]) await place[Symbol.asyncDispose]();
});

test('what a search finds goes along with everything that people and rules say of it, and its cases; nothing of it can be read without the passphrase', async () => {
  const { state, problem, apk_count, added_count, saying_count, case_count } = await written(berlin, path, 'tag:joker');
  assert.deepEqual([state, problem, apk_count, added_count, case_count], ['ended', '', 2, 2, 1]);
  assert.ok(saying_count >= 4, `${saying_count}`);
  const bytes = readFileSync(path);
  for (const plain of ['Joker', 'premium SMS', 'apk-workstation-collection', 'AndroidManifest.xml'])
    assert.ok(!bytes.includes(plain), plain);
  const again = await berlin.ask('/collections/write/', { method: 'POST', json: { path, passphrase } });
  assert.deepEqual([again.status, again.body], [400, { path: ['Something stands there already.'] }]);

  const taken = await read(lisbon, path);
  assert.deepEqual(
    [taken.state, taken.problem, taken.added_count, taken.held_count],
    ['ended', '', 2, 0],
    JSON.stringify(taken),
  );
  assert.deepEqual([taken.case_count, taken.refused], [1, []]);
  assert.equal(taken.saying_count, saying_count);
  const { body: apk } = await lisbon.ask(`/apks/${unlockSha256}/`);
  assert.deepEqual([apk.package_name, apk.tags], ['io.appium.unlock', ['joker']]);
  const { body: history } = await lisbon.ask(`/apks/${unlockSha256}/verdicts/`);
  const shown = history.results.map(({ analyst, verdict, family, note }: Record<string, string>) => [
    analyst,
    verdict,
    family,
    note,
  ]);
  assert.deepEqual(shown, [['owner (elsewhere)', 'malicious', 'Joker', 'premium SMS']]);
  assert.deepEqual(
    (await sayingsOf(lisbon, unlockSha256, 'comment')).map(({ analyst, text }: Record<string, string>) => [
      analyst,
      text,
    ]),
    [['owner', 'Seen on three phones']],
  );
  const [match] = await sayingsOf(lisbon, unlockSha256, 'match');
  assert.deepEqual([match.analyst, match.ruleset, match.rules], ['owner', 'Berlin rules', ['dex_inside']]);
  const { body: names } = await lisbon.ask(`/apks/${settingsSha256}/code/names/`);
  assert.deepEqual(
    names.results.map(({ text, analyst, origin }: Record<string, string>) => [text, analyst, origin]),
    [['Beacon', 'owner (elsewhere)', 'import']],
  );
  const { body: cases } = await lisbon.ask('/cases/');
  assert.deepEqual(
    cases.results.map(({ name }: { name: string }) => name),
    ['Spring campaign'],
  );
  assert.equal((await lisbon.ask('/apks/?search=case:"Spring campaign"')).body.count, 2);
  await lisbon.server.idle();
  assert.ok((await lisbon.ask(`/apks/${unlockSha256}/analysis/androguard/`)).status === 200, 'it is analysed here');
});

test('taken in once more, all of it is known: no APK, no word and no case comes twice', async () => {
  const { added_count, held_count, saying_count, case_count } = await read(lisbon, path);
  assert.deepEqual([added_count, held_count, saying_count, case_count], [0, 2, 0, 0]);
  assert.equal((await lisbon.ask('/cases/')).body.count, 1);
  assert.equal((await lisbon.ask(`/apks/${unlockSha256}/verdicts/`)).body.count, 1);
  // What went there and comes back is one's own.
  const back = join(folder, 'back.collection');
  await written(lisbon, back, 'tag:joker');
  const home = await read(berlin, back);
  assert.deepEqual([home.state, home.held_count, home.saying_count], ['ended', 2, 0], JSON.stringify(home));
  assert.deepEqual(await told(berlin, unlockSha256), []);
});

test('what people here said stays in force, and what others say stands beside it with who said it', async () => {
  await using porto = await startWorkstation();
  await porto.ask('/settings/', { method: 'PATCH', json: { ...quick, analyze_static_on_upload: false } });
  await porto.upload(unlock);
  await porto.upload(settings);
  const word = { verdict: 'clean', note: 'our own tool' };
  await porto.ask(`/apks/${unlockSha256}/verdict/`, { method: 'PUT', json: word });
  const mine = { symbol: 'Lio/appium/settings/Settings;', text: 'Main' };
  await porto.ask(`/apks/${settingsSha256}/code/names/`, { method: 'PUT', json: mine });
  const { state, held_count } = await read(porto, path);
  assert.deepEqual([state, held_count], ['ended', 2]);
  const { body: apk } = await porto.ask(`/apks/${unlockSha256}/`);
  assert.equal(apk.workstation.verdict, 'clean');
  assert.equal((await porto.ask(`/apks/${unlockSha256}/verdicts/`)).body.count, 1);
  const [theirs] = await sayingsOf(porto, unlockSha256, 'verdict');
  assert.deepEqual([theirs.analyst, theirs.verdict, theirs.note], ['owner', 'malicious', 'premium SMS']);
  const { body: names } = await porto.ask(`/apks/${settingsSha256}/code/names/`);
  assert.deepEqual(
    names.results.map(({ text }: { text: string }) => text),
    ['Main'],
  );
  assert.deepEqual(
    (await sayingsOf(porto, settingsSha256, 'code')).map(({ text }: { text: string }) => text),
    ['Beacon'],
  );
  assert.deepEqual(apk.tags, ['joker']);
});

test('another passphrase, a cut file, an altered one and one that is no collection say so, and nothing of them is taken in', async () => {
  await using porto = await startWorkstation();
  const bytes = readFileSync(path);
  const altered = Buffer.from(bytes);
  altered[Math.floor(bytes.length * 0.9)]! ^= 1;
  const files: Record<string, [Buffer, RegExp]> = {
    altered: [altered, /passphrase is another one, or the file was altered/],
    longer: [Buffer.concat([bytes, Buffer.alloc(10)]), /altered/],
    cut: [bytes.subarray(0, bytes.length - 1000), /cut/],
    'no collection': [unlock, /no sealed collection/],
    empty: [Buffer.alloc(0), /no sealed collection|cut/],
  };
  for (const [name, [content, reason]] of Object.entries(files)) {
    const place = join(folder, name);
    writeFileSync(place, content);
    const { state, problem } = await read(porto, place);
    assert.equal(state, 'failed', name);
    assert.match(problem, reason, name);
  }
  assert.match((await read(porto, path, 'correct horse batter')).problem, /passphrase is another one/);
  assert.equal((await porto.ask('/apks/')).body.count, 0);
  for (const place of ['here', join(folder, 'nowhere')])
    assert.equal(
      (await porto.ask('/collections/read/', { method: 'POST', json: { path: place, passphrase } })).status,
      400,
    );
  const short = { path: join(folder, 'short'), passphrase: 'short' };
  assert.match(
    (await porto.ask('/collections/write/', { method: 'POST', json: short })).body.passphrase[0],
    /At least 12/,
  );
});

test('an app in parts goes along with its parts', async () => {
  const files = splitApp('in a collection');
  const base = sha256Of(files['base.apk']!);
  assert.equal((await berlin.upload(files['base.apk']!)).status, 201);
  for (const [name, bytes] of Object.entries(files))
    if (name !== 'base.apk')
      await berlin.ask(`/uploads/?part_of=${base}&name=${name}`, { method: 'POST', body: new Uint8Array(bytes) });
  const before = (await berlin.ask(`/apks/${base}/`)).body.parts.length;
  assert.equal(before, 3);
  const place = join(folder, 'parts.collection');
  await written(berlin, place, base);
  const { state, added_count } = await read(lisbon, place);
  assert.deepEqual([state, added_count], ['ended', 1]);
  assert.equal((await lisbon.ask(`/apks/${base}/`)).body.parts.length, 3);
});

test('a workstation that is killed while it reads or writes one loses nothing, leaves nothing half, and does it the next time', async () => {
  const [from, to] = [temporaryFolder('from'), temporaryFolder('to')];
  const place = join(folder, 'killed.collection');
  const count = 30;
  const one = await startKillable(from);
  const headers = { authorization: `Token ${one.token}` };
  for (let index = 0; index < count; index++) {
    const body = Buffer.concat([unlock, Buffer.from(`variant ${index}`)]);
    assert.equal((await fetch(`${one.url}/uploads/`, { method: 'POST', headers, body })).status, 201);
    await one.ask(`/apks/${sha256Of(body)}/comments/`, 'POST', { text: `comment ${index}` });
  }
  await one.ask('/collections/write/', 'POST', { path: place, passphrase });
  await one.kill();
  await using again = await startKillable(from);
  if (!existsSync(place)) {
    const { id } = await again.ask('/collections/write/', 'POST', { path: place, passphrase });
    await until(async () => (await again.ask(`/collections/${id}/`)).state === 'ended', 'it is written');
  }
  assert.ok(!existsSync(`${place}.partial`));
  assert.ok(statSync(place).size > count * unlock.length);

  const reading = await startKillable(to);
  const { id } = await reading.ask('/collections/read/', 'POST', { path: place, passphrase });
  await until(async () => (await reading.ask(`/collections/${id}/`)).done_count > 3, 'some are taken in');
  await reading.kill();
  await using next = await startKillable(to);
  const { results } = await next.ask('/apks/?page_size=100');
  assert.ok(results.length > 0 && results.length <= count, `${results.length}`);
  for (const { sha256 } of results)
    assert.equal((await next.ask(`/apks/${sha256}/told/`)).count, 1, 'no APK is there without what was said of it');
  const { id: second } = await next.ask('/collections/read/', 'POST', { path: place, passphrase });
  await until(async () => (await next.ask(`/collections/${second}/`)).state === 'ended', 'all are taken in');
  const { added_count, held_count } = await next.ask(`/collections/${second}/`);
  assert.deepEqual([added_count + held_count, held_count], [count, results.length]);
});
