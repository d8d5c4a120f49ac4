// Lists of known files and signers over HTTP and from the command line: what they say of APKs that are there and that come.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { importList, removeList, shownLists } from '../../server/app/commands/lists.ts';
import { buildAxml, element } from '../fixtures/axml-builder.ts';
import { realApks } from '../fixtures/real-apks.ts';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';
import { buildZip } from '../fixtures/zip-builder.ts';

let workstation: TestWorkstation;
let apk: { sha256: string; sha1: string; md5: string };
let certificate = '';
before(async () => {
  workstation = await startWorkstation();
  const settings = { analyze_static_on_upload: false, analyze_dynamic_on_upload: false, analyze_yara_on_upload: false };
  await workstation.ask('/settings/', { method: 'PATCH', json: settings });
  apk = (await workstation.upload(realApks.settings)).body;
  certificate = (await workstation.ask('/signers/')).body.results[0].sha256;
});
after(() => workstation[Symbol.asyncDispose]());

const known = async (sha256 = apk.sha256) => (await workstation.ask(`/apks/${sha256}/`)).body.workstation.known;
const countOf = async (search: string) =>
  (await workstation.ask(`/apks/?search=${encodeURIComponent(search)}`)).body.count;
const lists = async () => (await workstation.ask('/known_lists/')).body.results;
const other = '0'.repeat(40);

/** Sends a list and waits until it has been looked up. */
async function sent(name: string, kind: string, text: string) {
  const query = new URLSearchParams({ name, kind, source: 'a.csv' });
  const { status, body } = await workstation.ask(`/known_lists/?${query}`, {
    method: 'POST',
    body: text,
    headers: { 'content-type': 'text/csv' },
  });
  assert.equal(status, 202);
  return workstation.jobEnd(body.id);
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
}

test('a list that is imported is looked up for APKs that are there, found by searches and facets, and goes with what it said', async () => {
  assert.deepEqual([await known(), await lists()], [[], []]);
  const text = `sha1,signature\n${apk.sha1},Joker\n${other},Other\nno hash\n`;
  assert.equal((await sent('Bazaar 1', 'bad', text)).status, 'done');
  const said = { list: 'Bazaar 1', kind: 'bad', by: 'file', name: 'Joker' };
  assert.deepEqual(await known(), [said]);
  const [list] = await lists();
  assert.deepEqual(
    { ...list, imported_at: null },
    {
      ...{ name: 'Bazaar 1', kind: 'bad', count: 2, source: 'a.csv', imported_at: null, added: 2, removed: 0 },
      ...{ unreadable: 1, first_unreadable_line: 4 },
    },
  );
  assert.deepEqual(
    await Promise.all(['known:bad', 'known:good', 'list:"Bazaar 1"', 'list:bazaar', 'known:*'].map(countOf)),
    [1, 0, 1, 1, 1],
  );
  const { facets } = (await workstation.ask('/apks/facets/')).body;
  assert.deepEqual(facets.known, [{ value: 'bad', label: 'bad', count: 1, search: 'known:bad' }]);
  assert.deepEqual(facets.list, [{ value: 'Bazaar 1', label: 'Bazaar 1', count: 1, search: 'list:"Bazaar 1"' }]);

  // A newer list of its name takes its place.
  await sent('Bazaar 1', 'bad', `${other}\n${'1'.repeat(40)}\n`);
  assert.deepEqual(await known(), []);
  assert.deepEqual([(await lists())[0].added, (await lists())[0].removed], [1, 1]);

  await sent('Bazaar 1', 'bad', text);
  assert.equal((await workstation.ask('/known_lists/Bazaar%201/', { method: 'DELETE' })).status, 204);
  await workstation.server.idle();
  assert.deepEqual([await known(), await lists()], [[], []]);
  assert.equal(await countOf('list:*'), 0);
  assert.equal((await workstation.ask('/known_lists/Bazaar%201/', { method: 'DELETE' })).status, 404);
});

test('an APK that comes is looked up at once, by its file and its signer', async () => {
  const manifest = buildAxml(element('manifest', { package: 'com.example.listed' }));
  const bytes = buildZip({ entries: [{ name: 'AndroidManifest.xml', content: manifest }] });
  const md5 = createHash('md5').update(bytes).digest('hex');
  await sent('known md5', 'good', `${md5}\n`);
  const { body } = await workstation.upload(bytes);
  assert.deepEqual(body.workstation.known, [{ list: 'known md5', kind: 'good', by: 'file', name: '' }]);
  assert.deepEqual(await known(), []);
  // No verdict of people follows.
  assert.deepEqual([body.workstation.verdict, body.is_trusted], ['unknown', false]);
});

test('what is no list says so at its line, changes nothing, and only the owner imports and deletes', async () => {
  const job = await sent('known md5', 'bad', 'hash of a file\nnothing\n');
  assert.equal(job.status, 'failed');
  assert.match(job.error!, /^This is no list of hashes: line 1 has no MD5, SHA-1 or SHA-256\.$/);
  assert.equal((await lists())[0].kind, 'good');
  const asked = (query: string, token?: string) =>
    workstation.ask(`/known_lists/?${query}`, {
      method: 'POST',
      body: `${other}\n`,
      headers: { 'content-type': 'text/plain' },
      ...(token === undefined ? {} : { token }),
    });
  const analyst = await workstation.analyst('list_analyst');
  assert.equal((await asked('name=mine&kind=bad', analyst)).status, 403);
  assert.equal((await workstation.ask('/known_lists/known%20md5/', { method: 'DELETE', token: analyst })).status, 403);
  assert.equal((await workstation.ask('/known_lists/', { token: analyst })).body.count, 1);
  assert.equal((await asked('name=mine')).status, 400);
  const { status, body } = await asked('name=..%2fmine&kind=bad');
  assert.equal(status, 400);
  assert.match(body.name[0], /^Up to 64 letters/);
});

test('what the command line imports or removes while the server runs is looked up as well', async () => {
  const { dataDir } = workstation;
  const file = join(dataDir, 'families.csv');
  writeFileSync(file, `sha1,signature\n${apk.sha1},Joker\n${other},Other\n`);
  const counts = await importList(file, { kind: 'bad', dataDir });
  assert.deepEqual(counts, { count: 2, added: 2, removed: 0, unreadable: 0, firstUnreadable: 0 });
  writeFileSync(file, certificate);
  await importList(file, { kind: 'good', name: 'own publishers', dataDir });
  await until(async () => (await known()).length === 2);
  assert.deepEqual(await known(), [
    { list: 'families', kind: 'bad', by: 'file', name: 'Joker' },
    { list: 'own publishers', kind: 'good', by: 'signer', name: '' },
  ]);
  assert.equal(shownLists({ dataDir }).length, 3);
  await removeList('families', { dataDir });
  await assert.rejects(removeList('families', { dataDir }), /There is no list "families"/);
  await until(async () => (await known()).length === 1);
  const actions = (await workstation.ask('/audit/?page_size=50')).body.results.map(
    ({ action }: { action: string }) => action,
  );
  assert.ok(actions.includes('lists import'), actions.join());
});
