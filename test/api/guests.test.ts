// What callers without a token learn: what the original tells, or nothing where the owner closes that.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { realApks } from '../fixtures/real-apks.ts';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';

let workstation: TestWorkstation;
before(async () => {
  workstation = await startWorkstation();
});
after(() => workstation[Symbol.asyncDispose]());

const held = readFileSync(realApks.unlock);
const unheld = readFileSync(realApks.unicodeIme);
const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const set = (json: object) => workstation.ask('/settings/', { method: 'PATCH', json });
const guest = (path: string, method = 'GET', body?: Uint8Array<ArrayBuffer>) =>
  workstation.ask(path, { method, token: null, ...(body && { body }) });

test('guests are told what the original tells unless the owner closes that', async () => {
  await workstation.upload(held);
  assert.equal((await guest(`/apks/${sha256Of(held)}/get_upload_url/`)).status, 409);
  assert.equal((await guest(`/apks/${sha256Of(unheld)}/get_upload_url/`)).status, 200);
  assert.equal((await guest('/rulesets/')).status, 200);
  assert.ok('jobs' in (await guest('/health/')).body);
});

test('closed to guests, public rulesets and their authors are seen with a token alone', async () => {
  const json = { name: 'seen', rules: 'rule a { condition: true }', is_public: true };
  const { id } = (await workstation.ask('/rulesets/', { method: 'POST', json })).body;
  await set({ open_to_guests: false });
  const paths = ['/rulesets/', `/rulesets/${id}/`, `/rulesets/${id}/versions/`, `/rulesets/${id}/versions/1/`];
  const older = ['/legacy/public_rulesets', '/legacy/public_rulesets/1'];
  for (const path of [...paths, ...older]) {
    const { status, text } = await guest(path);
    assert.equal(status, 401, path);
    assert.doesNotMatch(text, /owner|seen/);
  }
  const token = await workstation.analyst('reader');
  for (const path of paths) assert.equal((await workstation.ask(path, { token })).status, 200, path);
});

test('closed to guests, two of them hear the same whether their APK was held or not, from the link to the upload', async () => {
  await set({ open_to_guests: false });
  const told = [];
  for (const bytes of [held, unheld]) {
    for (const base of ['', '/legacy']) {
      const path = `${base}/apks/${sha256Of(bytes)}/get_upload_url`;
      const link = await guest(path);
      const shape = new URL(link.body.upload_url);
      told.push([
        link.status,
        Object.keys(link.body),
        shape.pathname.replace(sha256Of(bytes), ''),
        [...shape.searchParams.keys()],
      ]);
    }
  }
  assert.deepEqual(told[0], told[2]);
  assert.deepEqual(told[1], told[3]);
  for (const bytes of [held, unheld, unheld]) {
    const { upload_url } = (await guest(`/apks/${sha256Of(bytes)}/get_upload_url/`)).body;
    const { status, body } = await guest(upload_url, 'POST', bytes);
    assert.deepEqual([status, body], [201, { sha256: sha256Of(bytes), size: bytes.length }]);
  }
  assert.equal((await workstation.ask(`/apks/${sha256Of(unheld)}/`)).status, 200, 'it was taken');
  assert.equal('jobs' in (await guest('/health/')).body, false);
  assert.equal('jobs' in (await workstation.ask('/health/')).body, true);
  const known = await workstation.ask(`/apks/${sha256Of(held)}/get_upload_url/`);
  assert.equal(known.status, 409, 'whoever has a token is told');
});

test('the same work is done for an APK that was held: a file that is none is refused alike', async () => {
  await set({ open_to_guests: false });
  const none = Buffer.from('no APK at all');
  const { upload_url } = (await guest(`/apks/${sha256Of(none)}/get_upload_url/`)).body;
  for (let count = 0; count < 2; count++) assert.equal((await guest(upload_url, 'POST', none)).status, 415);
});

test('the address of a picture tells nobody who has an account', async () => {
  const answers = await Promise.all(['owner', 'nobody'].map((name) => guest(`/avatars/${name}/?image=x&signature=y`)));
  assert.deepEqual(
    answers.map(({ status, text }) => [status, text])[0],
    answers.map(({ status, text }) => [status, text])[1],
  );
  assert.equal(answers[0]!.status, 403);
});
