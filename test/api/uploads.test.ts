import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { tellStoredDamage } from '../../server/services/catalogue/stored-damage.ts';
import { systemClock } from '../../server/store/clock.ts';
import { buildAxml, element } from '../fixtures/axml-builder.ts';
import { commandLine } from '../fixtures/program.ts';
import { realApks } from '../fixtures/real-apks.ts';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';
import { buildZip } from '../fixtures/zip-builder.ts';

let workstation: TestWorkstation;
/** Microseconds that the workstation's clock is ahead. */
let ahead = 0;
before(async () => {
  workstation = await startWorkstation({ clock: () => systemClock() + ahead });
});
after(() => workstation[Symbol.asyncDispose]());

const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const unlock = readFileSync(realApks.unlock);

/** A different APK of the same app: bytes behind the end record change its hash and nothing else. */
const variantOf = (bytes: Uint8Array, mark: string) => {
  const copy = Buffer.from(bytes);
  const end = copy.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  const comment = Buffer.from(mark);
  copy.writeUInt16LE(comment.length, end + 20);
  return Buffer.concat([copy.subarray(0, end + 22), comment]);
};

async function uploadLink(sha256: string): Promise<string> {
  const { status, body } = await workstation.ask(`/apks/${sha256}/get_upload_url/`, { token: null });
  assert.equal(status, 200);
  assert.ok(body.upload_url.includes(`/uploads/${sha256}?`), 'no place for the name of a file');
  return body.upload_url;
}

/** Names of all files below the data folder but those that the clock makes, to see that nothing was kept. */
const storedFiles = () =>
  readdirSync(workstation.dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(workstation.dataDir, join(entry.parentPath, entry.name)))
    .filter((name) => !/^(?:catalogue\.db|feeds|cache\/content-index)/.test(name))
    .sort();

test('an APK uploaded by its link without a token is answered with its record, and read from that moment', async () => {
  const bytes = variantOf(unlock, 'by link');
  const sha256 = sha256Of(bytes);
  const form = new FormData();
  form.set('note', 'a field before the file');
  form.set('whatever', new Blob([bytes]), '../../etc/passwd');
  const uploaded = await workstation.ask(await uploadLink(sha256), { method: 'POST', token: null, body: form });
  assert.equal(uploaded.status, 201, uploaded.text);
  assert.equal(uploaded.body.sha256, sha256);
  assert.equal(uploaded.body.md5, createHash('md5').update(bytes).digest('hex'));
  assert.equal(uploaded.body.sha1, createHash('sha1').update(bytes).digest('hex'));
  assert.equal(uploaded.body.size, bytes.length);
  assert.equal(uploaded.body.package_name, 'io.appium.unlock');
  assert.match(uploaded.body.id, /^[0-9A-Za-z]{16}$/);
  assert.match(uploaded.body.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/);
  const { body } = await workstation.ask(`/apks/${sha256}/`);
  assert.equal(body.id, uploaded.body.id);
  assert.equal(body.url, `${workstation.url}/apks/${sha256}/`);
});

test('an upload by a link belongs to the analyst whose token comes with it; a revoked token does not keep the link from working', async () => {
  const token = await workstation.analyst('sender');
  const { store } = workstation.server;
  for (const [mark, sent, username] of [
    ['own', token, 'sender'],
    ['stale', '0'.repeat(40), null],
    ['other scheme', 'x', null],
  ] as const) {
    const bytes = variantOf(unlock, mark);
    const link = await uploadLink(sha256Of(bytes));
    const answer = await workstation.ask(link, { method: 'POST', token: sent, body: new Uint8Array(bytes) });
    assert.equal(answer.status, 201, answer.text);
    const { uploaderId } = (await store.apks.findBySha256(sha256Of(bytes)))!;
    const uploader = uploaderId === null ? null : await store.accounts.findById(uploaderId);
    assert.equal(uploader?.username ?? null, username);
  }
  const jobs = await workstation.ask('/jobs/', { token });
  assert.ok(jobs.body.count >= 1);
  assert.equal((await workstation.ask('/analysts/sender/activity')).body.results[0].type, 'upload');
});

test('the raw body is taken by PUT and by POST', async () => {
  for (const method of ['PUT', 'POST']) {
    const bytes = variantOf(unlock, `raw ${method}`);
    const body = new Uint8Array(bytes);
    const answer = await workstation.ask(await uploadLink(sha256Of(bytes)), { method, token: null, body });
    assert.equal(answer.status, 201, answer.text);
  }
});

test('a file of unknown hash is taken with a token', async () => {
  const bytes = variantOf(unlock, 'unknown hash');
  const first = await workstation.upload(bytes);
  assert.equal(first.status, 201);
  assert.equal(first.body.sha256, sha256Of(bytes));
  const form = new FormData();
  form.set('file', new Blob([bytes]), 'a.apk');
  const second = await workstation.ask('/uploads/', { method: 'POST', body: form });
  assert.equal(second.status, 200);
  assert.equal(second.body.id, first.body.id);
});

test('a link for an APK that is held is refused, and an older link answers with the held record', async () => {
  const bytes = variantOf(unlock, 'held');
  const link = await uploadLink(sha256Of(bytes));
  const first = await workstation.upload(bytes);
  assert.equal(first.status, 201);
  const refused = await workstation.ask(`/apks/${sha256Of(bytes).toUpperCase()}/get_upload_url/`, { token: null });
  assert.equal(refused.status, 409);
  assert.ok('detail' in refused.body);
  const again = await workstation.ask(link, { method: 'POST', token: null, body: new Uint8Array(bytes) });
  assert.equal(again.status, 200);
  assert.equal(again.body.id, first.body.id);
});

test('two uploads of one APK at once make one record', async () => {
  const bytes = variantOf(unlock, 'at once');
  const answers = await Promise.all([1, 2, 3, 4].map(() => workstation.upload(bytes)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 200, 201]);
  assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1);
});

test('bytes with another sha256 than the link are a 422 and are not kept', async () => {
  const link = await uploadLink('a'.repeat(64));
  const before = storedFiles();
  const answer = await workstation.ask(link, { method: 'POST', token: null, body: new Uint8Array(unlock) });
  assert.equal(answer.status, 422);
  assert.ok('detail' in answer.body);
  assert.deepEqual(storedFiles(), before);
  const empty = await workstation.ask(link, { method: 'PUT', token: null });
  assert.equal(empty.status, 422);
});

test('what is no Android app is a 415 with the reason and is not kept', async () => {
  const before = storedFiles();
  const cases: Record<string, Uint8Array> = {
    text: Buffer.from('hello'),
    noise: randomBytes(100_000),
    empty: Buffer.alloc(0),
    'a ZIP without a manifest': buildZip({ entries: [{ name: 'classes.dex', content: 'x' }] }),
    'half an APK': unlock.subarray(0, unlock.length / 2),
  };
  for (const [name, bytes] of Object.entries(cases)) {
    const answer = await workstation.upload(bytes);
    assert.equal(answer.status, 415, `${name}: ${answer.text}`);
    assert.match(answer.body.detail, /^The file is not an Android application: ./);
    const sha256 = sha256Of(bytes);
    assert.equal((await workstation.ask(`/apks/${sha256}/`)).status, 404);
  }
  assert.deepEqual(storedFiles(), before);
});

test('an archive of 65,535 entries, some with .. in their names, is answered', async () => {
  const entries = Array.from({ length: 65_534 }, (_, index) => ({ name: `../../${index}`, content: '' }));
  const bytes = buildZip({ entries: [{ name: 'AndroidManifest.xml', content: 'no manifest' }, ...entries] });
  const answer = await workstation.upload(bytes);
  assert.ok([201, 415].includes(answer.status), answer.text);
  if (answer.status === 201) assert.equal(answer.body.is_corrupted, true);
  assert.equal((await workstation.ask('/health/')).status, 200);
});

test('a form without a file is a 400', async () => {
  const form = new FormData();
  form.set('file', 'only text');
  const answer = await workstation.ask('/uploads/', { method: 'POST', body: form });
  assert.equal(answer.status, 400);
  assert.match(answer.body.detail, /^No file was submitted/);
});

test('packed bytes and parts of another kind than a form are a 415 that names them, and nothing is kept', async () => {
  const before = storedFiles();
  const form = 'multipart/form-data; boundary=x';
  const cases: [string, Record<string, string>][] = [
    ['Content-Encoding: gzip', { 'content-encoding': 'gzip' }],
    ['Content-Encoding: deflate', { 'content-encoding': 'Deflate', 'content-type': form }],
    ['multipart/mixed; boundary=x', { 'content-type': 'multipart/mixed; boundary=x' }],
  ];
  for (const [named, headers] of cases) {
    const answer = await workstation.ask('/uploads/', { method: 'POST', headers, body: gzipSync(unlock) });
    assert.equal(answer.status, 415, named);
    assert.equal(answer.body.detail, `Unsupported media type "${named}" in request.`);
  }
  assert.deepEqual(storedFiles(), before);
});

test('a form that ends before the file does is a 400 and nothing is kept', async () => {
  const before = storedFiles();
  const boundary = 'xxxxxx';
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.apk"\r\n\r\n`;
  const body = new Uint8Array(Buffer.concat([Buffer.from(head), unlock.subarray(0, 20_000)]));
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
  const answer = await workstation.ask('/uploads/', { method: 'POST', body, headers });
  assert.equal(answer.status, 400, answer.text);
  assert.match(answer.body.detail, /ended before the file did/);
  assert.deepEqual(storedFiles(), before);
});

/** Begins an upload by hand. */
function beginUpload(length: number | null) {
  const headers: Record<string, string> = { authorization: `Token ${workstation.ownerToken}` };
  if (length !== null) headers['content-length'] = String(length);
  const outgoing = httpRequest(`${workstation.url}/uploads/`, { method: 'POST', headers });
  const answered = new Promise<{ status: number; text: string }>((resolve, reject) => {
    outgoing.on('error', reject);
    outgoing.on('response', async (incoming) => {
      let text = '';
      for await (const chunk of incoming) text += chunk;
      resolve({ status: incoming.statusCode ?? 0, text });
    });
  });
  return { outgoing, answered };
}

test('an upload that its sender breaks off leaves nothing behind, and the server goes on', async () => {
  const before = storedFiles();
  const { outgoing, answered } = beginUpload(unlock.length);
  answered.catch(() => undefined);
  outgoing.write(unlock.subarray(0, 20_000));
  await sleep(150);
  outgoing.destroy();
  while (storedFiles().length > before.length) await sleep(50);
  assert.deepEqual(storedFiles(), before);
  assert.equal((await workstation.ask(`/apks/${sha256Of(unlock)}/`)).status, 404);
  assert.equal((await workstation.ask('/health/')).status, 200);
});

test('a slow sender is waited for', async () => {
  const bytes = variantOf(unlock, 'slowly');
  const { outgoing, answered } = beginUpload(null);
  for (let at = 0; at < bytes.length; at += 8_000) {
    outgoing.write(bytes.subarray(at, at + 8_000));
    await sleep(100);
  }
  outgoing.end();
  assert.equal((await answered).status, 201);
});

test('an upload that announces more than the limit is refused unread, one that only turns out larger while it is read', async () => {
  const { store } = workstation.server;
  await store.transaction(({ settings }) => settings.write('upload_max_bytes', 30_000));
  try {
    const announced = beginUpload(4 * 1024 ** 3);
    announced.outgoing.write('x');
    const refused = await announced.answered;
    announced.outgoing.destroy();
    assert.equal(refused.status, 413);
    assert.match(refused.text, /^\{"detail":"[^"]*30 kB\./);
    const found = beginUpload(null);
    found.outgoing.end(unlock);
    assert.equal((await found.answered).status, 413);
    const form = new FormData();
    form.set('file', new Blob([unlock]), 'a.apk');
    assert.equal((await workstation.ask('/uploads/', { method: 'POST', body: form })).status, 413);
  } finally {
    await store.transaction(({ settings }) => settings.write('upload_max_bytes', undefined));
  }
});

test('a link with a wrong signature is a 403, a lapsed one a 410', async () => {
  const link = new URL(await uploadLink('b'.repeat(64)));
  link.searchParams.set('expires', '99999999999');
  assert.equal((await workstation.ask(link.href, { method: 'POST', token: null, body: 'x' })).status, 403);
  link.searchParams.delete('signature');
  assert.equal((await workstation.ask(link.href, { method: 'POST', token: null, body: 'x' })).status, 403);
  const inTime = await uploadLink('b'.repeat(64));
  const send = () => workstation.ask(inTime, { method: 'PUT', token: null, body: 'x' });
  ahead = 3_590_000_000;
  assert.equal((await send()).status, 422);
  ahead = 3_601_000_000;
  assert.equal((await send()).status, 410);
  ahead = 0;
  const other = workstation.server.services.links.sign('download', 'b'.repeat(64));
  const crossed = `/uploads/${'b'.repeat(64)}?${new URLSearchParams({ ...other })}`;
  assert.equal((await workstation.ask(crossed, { method: 'POST', token: null, body: 'x' })).status, 403);
});

test('a setting closes uploads without a token', async () => {
  const { store } = workstation.server;
  await store.transaction(({ settings }) => settings.write('anonymous_upload', false));
  const path = `/apks/${'c'.repeat(64)}/get_upload_url/`;
  assert.equal((await workstation.ask(path, { token: null })).status, 401);
  assert.equal((await workstation.ask(path)).status, 200);
  await store.transaction(({ settings }) => settings.write('anonymous_upload', undefined));
});

test('an upload brings the lost file of a held APK back', async () => {
  const bytes = variantOf(unlock, 'lost');
  const sha256 = sha256Of(bytes);
  assert.equal((await workstation.upload(bytes)).status, 201);
  await workstation.server.idle();
  await workstation.server.store.files.remove(sha256);
  const lost = await workstation.ask(`/apks/${sha256}/download/`);
  assert.equal(lost.status, 404);
  assert.match(lost.body.detail, /missing/);
  assert.equal((await workstation.ask(`/apks/${sha256}/`)).body.file_state, 'missing');
  const restored = await workstation.upload(bytes);
  assert.equal(restored.status, 200);
  assert.equal(restored.body.file_state, 'ok');
  assert.equal((await workstation.ask(`/apks/${sha256}/download/`)).status, 200);
});

test('an acknowledged upload is there with its file and its job after a kill', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'apk-workstation-kill-'));
  const start = async () => {
    const words = [commandLine, 'serve', '--port', '0', '--data-dir', dataDir];
    const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'ignore'] });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    return { child, url: JSON.parse(line.toString()).url as string };
  };
  try {
    const first = await start();
    const sha256 = sha256Of(unlock);
    const link = await fetch(`${first.url}/apks/${sha256}/get_upload_url/`);
    const { upload_url: uploadUrl } = (await link.json()) as { upload_url: string };
    const uploaded = await fetch(uploadUrl, { method: 'POST', body: new Uint8Array(unlock) });
    first.child.kill('SIGKILL');
    assert.equal(uploaded.status, 201);
    await once(first.child, 'exit');
    const words = [commandLine, 'token', 'create', '--user', 'owner', '--data-dir', dataDir];
    const token = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'ignore'] });
    const secret = String((await once(token.stdout, 'data'))[0]).trim();
    const second = await start();
    const headers = { authorization: `Token ${secret}` };
    const get = async (path: string) => {
      const response = await fetch(path.startsWith('http') ? path : `${second.url}${path}`, { headers });
      assert.equal(response.status, 200, path);
      return response;
    };
    // biome-ignore lint/suspicious/noExplicitAny: what the server answers
    const json = async (path: string): Promise<any> => (await get(path)).json();
    assert.equal((await json(`/apks/${sha256}/`)).package_name, 'io.appium.unlock');
    const { download_url: downloadUrl } = await json(`/apks/${sha256}/download/`);
    const bytes = Buffer.from(await (await get(downloadUrl)).arrayBuffer());
    assert.equal(sha256Of(bytes), sha256);
    assert.deepEqual((await json('/jobs/')).results.map(({ kind }: { kind: string }) => kind).sort(), [
      'dynamic',
      'static',
    ]);
    second.child.kill('SIGTERM');
    const [code] = await once(second.child, 'exit');
    assert.equal(code, 0);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});

test('the names under which a file came are kept, shown and found, the newest ones', async () => {
  const bytes = variantOf(unlock, 'named');
  const form = new FormData();
  form.set('file', new Blob([bytes]), 'Free Gift.apk');
  const first = await workstation.ask('/uploads/', { method: 'POST', body: form });
  assert.deepEqual(first.body.workstation.file_names, ['Free Gift.apk']);
  const again = (name: string) =>
    workstation.ask(`/uploads/?${new URLSearchParams({ name })}`, { method: 'POST', body: Buffer.from(bytes) });
  assert.deepEqual((await again('other/Bank.apk')).body.workstation.file_names, ['Bank.apk', 'Free Gift.apk']);
  assert.deepEqual((await again('Free Gift.apk')).body.workstation.file_names, ['Bank.apk', 'Free Gift.apk']);
  const found = async (search: string) =>
    (await workstation.ask(`/apks/?${new URLSearchParams({ search })}`)).body.results.map(
      ({ sha256 }: { sha256: string }) => sha256,
    );
  for (const search of ['filename:"free gift"', 'filename:bank.apk'])
    assert.deepEqual(await found(search), [sha256Of(bytes)], search);
  await workstation.server.idle();
  assert.deepEqual(await found('filename:gift'), [sha256Of(bytes)], 'also with the terms of its report');
  for (let at = 0; at < 20; at += 1) await again(`${at}.apk`);
  const { body } = await again('last.apk');
  assert.deepEqual([body.workstation.file_names.length, body.workstation.file_names[0]], [20, 'last.apk']);
});

test('what is unsigned and what is damaged is told apart beside the mark that it is corrupted, also of APKs of before', async () => {
  const manifest = buildAxml(
    element('manifest', { package: 'a.b' }, element('application', { 'android:hasCode': false })),
  );
  const unsigned = await workstation.upload(
    buildZip({ entries: [{ name: 'AndroidManifest.xml', content: manifest }] }),
  );
  const damaged = await workstation.upload(buildZip({ entries: [{ name: 'AndroidManifest.xml', content: 'none' }] }));
  assert.equal(unsigned.status, 201, unsigned.text);
  for (const [{ body }, damage] of [
    [unsigned, 'unsigned'],
    [damaged, 'damaged'],
  ] as const) {
    assert.deepEqual([body.is_corrupted, body.workstation.damage], [true, damage]);
    const { store } = workstation.server;
    const { id } = (await store.apks.findBySha256(body.sha256))!;
    await store.transaction(({ apks }) => apks.update(id, { damage: null }));
    await tellStoredDamage(store);
    const search = new URLSearchParams({ search: `damage:${damage}` });
    const { results } = (await workstation.ask(`/apks/?${search}`)).body;
    const found = results.map(({ sha256 }: { sha256: string }) => sha256);
    for (const one of [unsigned, damaged]) assert.equal(found.includes(one.body.sha256), one.body === body, damage);
  }
  assert.equal((await workstation.ask('/apks/?search=damage:some')).status, 400);
});
