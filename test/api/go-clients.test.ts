// The requests that published Go clients of the original make, of both generations, and what they read.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { form, rules, sha256, unknownSha256, variant, workstationWithSamples } from '../fixtures/client-samples.ts';
import type { RequestSettings, TestWorkstation } from '../fixtures/workstation.ts';

let workstation: TestWorkstation;

before(async () => {
  workstation = await workstationWithSamples();
});
after(() => workstation[Symbol.asyncDispose]());

const ask = (path: string, settings?: RequestSettings) => workstation.ask(path, settings);

test('an older Go client that sends the bare token is known by it', async () => {
  const bare = (token: string) => ask(`/legacy/apks/${sha256}`, { headers: { authorization: token } });
  assert.equal((await bare(workstation.ownerToken)).status, 200);
  assert.equal((await bare('0'.repeat(40))).status, 401);
  assert.deepEqual((await bare('word')).body, { detail: 'Authentication credentials were not provided.' });
});

test('a Go client that looks for the word "detail" in a record finds none', async () => {
  assert.doesNotMatch((await ask(`/apks/${sha256}/`)).text, /detail|Not found/);
});

test('the older Go client pages public rulesets by number, the last changed first', async () => {
  for (const name of ['Former', 'Latter']) {
    await ask('/legacy/public_rulesets', { method: 'POST', json: { name, rules } });
  }
  const { status, body } = await ask(
    '/legacy/public_rulesets?page=1&page_size=1&active=True&privacy=public&ordering=-modified_on',
  );
  assert.equal(status, 200);
  assert.equal(body.results[0].name, 'Latter');
  assert.equal((await ask(body.next)).body.results[0].name, 'Former');
  assert.match(body.next, /[?&]page=2&/);
});

test('the older Go client sends the file in a part of another name, beside another field', async () => {
  const { content, hash } = variant('gopher');
  const link = await ask(`/legacy/apks/${hash}/get_upload_url`);
  const body = form('image', hash, content, { key: 'KEY' });
  assert.equal((await fetch(link.body.upload_url, { method: 'POST', body })).status, 201);
});

test('Go clients know a missing APK by its words, and take the second quoted word of other refusals', async () => {
  const { text } = await ask(`/apks/${unknownSha256}`);
  assert.ok(text.includes('Not found'));
  const refused = await ask(`/apks/${unknownSha256}`, { token: null });
  assert.equal(refused.text.split('"')[3], 'Authentication credentials were not provided.');
  const { body } = await ask(`/apks/${sha256}`);
  assert.ok(!Object.keys(body).includes('detail'));
  assert.ok(!Number.isNaN(Date.parse(body.created_at)));
});

test('a present Go client takes the link of a download from the record or the very file', async () => {
  const { status, body } = await ask(`/apks/${sha256.toUpperCase()}/download/`, {
    headers: { accept: 'application/json' },
  });
  assert.equal(status, 200);
  assert.match(body.download_url, /^http/);
});
