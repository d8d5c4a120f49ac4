// Signers over HTTP: real APKs, real certificates.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { realApks } from '../fixtures/real-apks.ts';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';

let workstation: TestWorkstation;
before(async () => {
  workstation = await startWorkstation({ onUpload: [] });
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

test('a signer that is called bad is no longer trusted, its APKs are known bad, and trust takes that back', async () => {
  const [signer] = (await workstation.ask('/signers/')).body.results;
  const judge = (json: object) => workstation.ask(`/signers/${signer.sha256}/`, { method: 'PATCH', json });
  const kinds = async () =>
    (await workstation.ask('/apks/')).body.results.map(
      (apk: { is_trusted: boolean; workstation: { known: object[] } }) => [apk.is_trusted, ...apk.workstation.known],
    );
  const own = { list: 'own signers', by: 'signer', name: signer.company };
  await judge({ is_trusted: true });
  assert.deepEqual(await kinds(), [[true, { ...own, kind: 'good' }]]);
  assert.deepEqual((await judge({ is_bad: true })).body, { ...signer, is_trusted: false, is_bad: true });
  assert.deepEqual(await kinds(), [[false, { ...own, kind: 'bad' }]]);
  assert.equal((await workstation.ask('/apks/?search=known:bad list:"own signers"')).body.count, 1);
  assert.equal((await judge({ is_trusted: true })).body.is_bad, false);
  assert.equal((await workstation.ask('/apks/?search=known:bad')).body.count, 0);
  assert.equal((await judge({})).status, 400);
  assert.equal((await judge({ is_trusted: true, is_bad: true })).status, 400);
  await judge({ is_trusted: false });
  assert.deepEqual(await kinds(), [[false]]);
});
