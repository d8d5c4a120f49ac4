// Signers over HTTP: real APKs, real certificates.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { importList, removeList, shownLists } from '../../server/app/commands/lists.ts';
import { realApks } from '../fixtures/real-apks.ts';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';

let workstation: TestWorkstation;
before(async () => {
  workstation = await startWorkstation();
});
after(() => workstation[Symbol.asyncDispose]());

test('trusting a signer trusts all its APKs, those that come later too, until it is taken back', async () => {
  const { body: first } = await workstation.upload(realApks.settings);
  const { body: listed } = await workstation.ask('/signers/');
  const signer = listed.results[0];
  assert.equal(signer.apks_count, 1);
  assert.equal(signer.is_trusted, false);
  const found = await workstation.ask(`/apks/?search=${encodeURIComponent(signer.search)}`);
  assert.deepEqual(
    found.body.results.map((apk: { sha256: string }) => apk.sha256),
    [first.sha256],
  );

  const trusted = await workstation.ask(`/signers/${signer.sha256}/`, { method: 'PATCH', json: { is_trusted: true } });
  assert.equal(trusted.status, 200);
  assert.deepEqual(trusted.body, { ...signer, is_trusted: true });
  assert.equal((await workstation.ask(`/apks/${first.sha256}/`)).body.is_trusted, true);
  assert.equal((await workstation.ask('/apks/?search=trusted:true')).body.count, 1);
  assert.equal((await workstation.ask('/signers/?is_trusted=true')).body.count, 1);

  // Deleted and sent again, it comes as trusted.
  await workstation.server.idle();
  await workstation.ask(`/apks/${first.sha256}/`, { method: 'DELETE' });
  const { body: again } = await workstation.upload(realApks.settings);
  assert.equal(again.is_trusted, true);

  await workstation.ask(`/signers/${signer.sha256}/`, { method: 'PATCH', json: { is_trusted: false } });
  assert.equal((await workstation.ask(`/apks/${first.sha256}/`)).body.is_trusted, false);
});

test('only an expert trusts signers, and an unknown signer is a 404', async () => {
  const token = await workstation.analyst('signer_analyst');
  const [signer] = (await workstation.ask('/signers/', { token })).body.results;
  const change = { method: 'PATCH', json: { is_trusted: true } };
  assert.equal((await workstation.ask(`/signers/${signer.sha256}/`, { ...change, token })).status, 403);
  assert.equal((await workstation.ask(`/signers/${'0'.repeat(64)}/`, change)).status, 404);
  assert.equal((await workstation.ask('/signers/nonsense/', change)).status, 404);
});

test('lists that come while the server runs say of an APK that is there what they know of its file and its signer', async () => {
  const { dataDir } = workstation;
  const { body: apk } = await workstation.upload(realApks.settings);
  const known = async () => (await workstation.ask(`/apks/${apk.sha256}/`)).body.known;
  assert.deepEqual(await known(), []);
  const [signer] = (await workstation.ask('/signers/')).body.results;
  const file = join(dataDir, 'families.csv');
  writeFileSync(file, `sha1,signature\n${apk.sha1},Joker\n${'0'.repeat(40)},Other\n`);
  const counts = await importList(file, { kind: 'bad', dataDir });
  assert.deepEqual(counts, { count: 2, added: 2, removed: 0, unreadable: 0, firstUnreadable: 0 });
  writeFileSync(file, signer.sha256);
  await importList(file, { kind: 'good', name: 'own publishers', dataDir });
  assert.deepEqual(await known(), [
    { list: 'families', kind: 'bad', by: 'file', name: 'Joker' },
    { list: 'own publishers', kind: 'good', by: 'signer', name: '' },
  ]);
  assert.equal(shownLists({ dataDir }).length, 2);
  await removeList('families', { dataDir });
  await assert.rejects(removeList('families', { dataDir }), /There is no list "families"/);
  assert.equal((await known()).length, 1);
  const commands = (await workstation.ask('/audit/?page_size=50')).body.results.map(
    ({ action }: { action: string }) => action,
  );
  assert.ok(
    commands.some((action: string) => action.includes('lists import')),
    commands.join(),
  );
});
