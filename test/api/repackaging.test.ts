// An app that several signers hand on: which of them is a copy, over HTTP, as APKs come, are judged, go and come back.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { rotatedFrom, signedBy } from '../fixtures/signed-copies.ts';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';

let workstation: TestWorkstation;
before(async () => {
  workstation = await startWorkstation();
  await workstation.ask('/settings/', { method: 'PATCH', json: { analyze_dynamic_on_upload: false } });
});
after(() => workstation[Symbol.asyncDispose]());

async function settled(): Promise<void> {
  await workstation.server.idle();
  await workstation.server.services.familyUpkeep.settled();
}
async function came(apk: Buffer): Promise<string> {
  const { status, body } = await workstation.upload(apk);
  assert.equal(status, 201);
  await settled();
  return body.sha256;
}
interface Said {
  code: string;
  severity: string;
  where: string;
  evidence: string;
}
/** What is said of who else signed the code: code, severity, the other one. */
async function said(sha256: string): Promise<string[][]> {
  const { behaviour } = (await workstation.ask(`/apks/${sha256}/risk/`)).body;
  return behaviour
    .filter(({ code }: Said) => code.startsWith('repackaging-'))
    .map(({ code, severity, where }: Said) => [
      code.slice('repackaging-'.length),
      severity,
      where.slice('apk:'.length),
    ]);
}
const found = async (search: string): Promise<string[]> =>
  (await workstation.ask(`/apks/?search=${encodeURIComponent(search)}`)).body.results.map(
    ({ sha256 }: { sha256: string }) => sha256,
  );

let original = '';
let copy = '';

test('the same code by another signer is a copy, in findings, risk and search; the first one hears of it', async () => {
  original = await came(signedBy('ec-p256'));
  const again = await came(signedBy('ec-p256', 'next build'));
  assert.deepEqual(await said(original), []);
  await workstation.ask(`/apks/${again}/`, { method: 'DELETE' });

  copy = await came(signedBy('ec-p384'));
  assert.deepEqual(await said(copy), [['copy', 'medium', original]]);
  assert.deepEqual(await said(original), [['copied', 'info', copy]]);
  const { behaviour, parts, score } = (await workstation.ask(`/apks/${copy}/risk/`)).body;
  const { evidence } = behaviour.find(({ code }: Said) => code === 'repackaging-copy');
  assert.match(
    evidence,
    /^com\.example\.signed \(com\.example\.signed\), signed by ec-p256; (\d\d) of \1 own methods are the same; came here before this one, on \d{4}-\d\d-\d\d$/,
  );
  const part = parts.find(({ title }: { title: string }) => title === 'Its code is that of an APK by another signer');
  assert.deepEqual([part.group, part.points, part.evidence[0].where], ['hiding', 5, `apk:${original}`]);
  assert.ok(score > (await workstation.ask(`/apks/${original}/risk/`)).body.score);
  assert.deepEqual(await found('finding:repackaging-copy'), [copy]);
  assert.deepEqual(await found('finding:repackaging-copied'), [original]);
});

test('what is known good is the original, whichever came first', async () => {
  await workstation.ask(`/apks/${copy}/verdict/`, { method: 'PUT', json: { verdict: 'clean' } });
  await settled();
  assert.deepEqual(await said(copy), [['copied', 'info', original]]);
  assert.deepEqual(await said(original), [['copy', 'high', copy]]);
  assert.deepEqual(await found('finding:repackaging-copy'), [original]);
  await workstation.ask(`/apks/${copy}/verdict/`, { method: 'PUT', json: { verdict: 'unknown' } });
  await settled();
  assert.deepEqual(await said(copy), [['copy', 'medium', original]]);
});

test('a copy is none any more when the original is deleted, and is one again when that comes back', async () => {
  await workstation.ask(`/apks/${original}/`, { method: 'DELETE' });
  await settled();
  assert.deepEqual(await said(copy), []);
  assert.deepEqual(await found('finding:repackaging-copy'), []);
  const { results } = (await workstation.ask('/trash/')).body;
  const { id } = results.find(({ sha256 }: { sha256: string }) => sha256 === original);
  assert.equal((await workstation.ask(`/trash/${id}/restore/`, { method: 'POST', json: {} })).status, 200);
  await settled();
  assert.deepEqual(await said(copy), [['copy', 'medium', original]]);
  assert.deepEqual(await said(original), [['copied', 'info', copy]]);
});

test('a dismissed copy counts no more, and what a signer hands over to a new certificate is no copy of the old one', async () => {
  await workstation.ask('/dismissals/', {
    method: 'POST',
    json: { scope: 'apk', apk: copy, finding: 'repackaging-copy', where: `apk:${original}`, reason: 'our own build' },
  });
  assert.deepEqual(await found('finding:repackaging-copy'), []);

  const stranger = await came(signedBy('ec-p521'));
  assert.deepEqual(await said(stranger), [
    ['copy', 'medium', original],
    ['copy', 'medium', copy],
  ]);
  const rotated = await came(rotatedFrom('ec-p256', 'ec-p521'));
  assert.deepEqual(await said(rotated), [['copy', 'medium', copy]]);
  // The proof holds for what the new certificate signed before it.
  assert.deepEqual(await said(stranger), [['copy', 'medium', copy]]);
  assert.deepEqual(await said(original), [['copied', 'info', copy]]);
});
