import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type FileEntry, Uint8ArrayReader, Uint8ArrayWriter, ZipReader } from '@zip.js/zip.js';
import { systemClock } from '../../server/store/clock.ts';
import { realApks } from '../fixtures/real-apks.ts';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';

let workstation: TestWorkstation;
let sha256: string;
/** Microseconds that the workstation's clock is ahead. */
let ahead = 0;
const bytes = readFileSync(realApks.settings);
before(async () => {
  workstation = await startWorkstation({ clock: () => systemClock() + ahead, onUpload: ['static'] });
  sha256 = (await workstation.upload(realApks.settings)).body.sha256;
});
after(() => workstation[Symbol.asyncDispose]());

async function link(): Promise<string> {
  const { status, body } = await workstation.ask(`/apks/${sha256}/download/`);
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(body), ['download_url']);
  return body.download_url;
}

test('a download link hands out the very bytes without a token, named by their hash', async () => {
  const response = await fetch(await link());
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-disposition'), `attachment; filename="${sha256}.apk"`);
  assert.equal(response.headers.get('content-length'), String(bytes.length));
  assert.equal(response.headers.get('content-type'), 'application/vnd.android.package-archive');
  assert.ok(Buffer.from(await response.arrayBuffer()).equals(bytes));
});

test('HEAD answers as GET does, without the bytes', async () => {
  const response = await fetch(await link(), { method: 'HEAD' });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-length'), String(bytes.length));
  assert.equal(response.headers.get('accept-ranges'), 'bytes');
  assert.equal((await response.arrayBuffer()).byteLength, 0);
});

test('ranges are answered with their bytes', async () => {
  const address = await link();
  const size = bytes.length;
  const cases: [string, number, number][] = [
    ['bytes=0-0', 0, 1],
    ['bytes=100-199', 100, 200],
    ['bytes=1000000-', 1_000_000, size],
    ['bytes=-7', size - 7, size],
    [`bytes=${size - 1}-${size + 100}`, size - 1, size],
    [`bytes=-${size * 2}`, 0, size],
  ];
  for (const [range, start, end] of cases) {
    const response = await fetch(address, { headers: { range } });
    assert.equal(response.status, 206, range);
    assert.equal(response.headers.get('content-range'), `bytes ${start}-${end - 1}/${size}`);
    assert.ok(Buffer.from(await response.arrayBuffer()).equals(bytes.subarray(start, end)), range);
  }
});

test('a range outside the file is a 416, one that is not understood is the whole file', async () => {
  const address = await link();
  for (const range of [`bytes=${bytes.length}-`, 'bytes=-0']) {
    const response = await fetch(address, { headers: { range } });
    assert.equal(response.status, 416);
    assert.match(response.headers.get('content-type')!, /^application\/json/);
    assert.equal(response.headers.get('content-range'), `bytes */${bytes.length}`);
    assert.ok('detail' in ((await response.json()) as object));
  }
  for (const range of ['bytes=9-3', 'lines=1-2', 'bytes=0-1,5-6', 'bytes=x']) {
    const response = await fetch(address, { headers: { range } });
    assert.equal(response.status, 200, range);
    await response.body?.cancel();
  }
});

test('a range of another version of the file is the whole file', async () => {
  const address = await link();
  const stale = await fetch(address, { headers: { range: 'bytes=0-0', 'if-range': '"other"' } });
  assert.equal(stale.status, 200);
  await stale.body?.cancel();
  const same = await fetch(address, { headers: { range: 'bytes=0-0', 'if-range': `"${sha256}"` } });
  assert.equal(same.status, 206);
  await same.arrayBuffer();
});

test('whoever holds the file already is told so, and sent nothing', async () => {
  const address = await link();
  const ask = (tags: string, method = 'GET') =>
    workstation.ask(address, { token: null, method, headers: { 'if-none-match': tags } });
  for (const tags of [`"${sha256}"`, `"other", W/"${sha256}"`, '*']) {
    const { status, headers, text } = await ask(tags);
    assert.deepEqual([status, headers.get('etag'), text], [304, `"${sha256}"`, ''], tags);
  }
  assert.equal((await ask(`"${sha256}"`, 'HEAD')).status, 304);
  for (const tags of ['"other"', sha256]) assert.equal((await ask(tags, 'HEAD')).status, 200, tags);
});

test('a lapsed link is a 410, a changed one a 403', async () => {
  const address = new URL(await link());
  const lifetime = Number(address.searchParams.get('expires')) - Date.now() / 1000;
  assert.ok(lifetime > 170 && lifetime <= 180, String(lifetime));
  ahead = 150_000_000;
  assert.equal((await workstation.ask(address.href, { token: null })).status, 200);
  ahead = 181_000_000;
  const lapsed = await workstation.ask(address.href, { token: null });
  ahead = 0;
  assert.equal(lapsed.status, 410);
  assert.equal(lapsed.headers.get('content-disposition'), null);
  address.searchParams.set('expires', '99999999999');
  assert.equal((await workstation.ask(address.href, { token: null })).status, 403);
  const other = `${workstation.url}/downloads/${'a'.repeat(64)}.apk${new URL(await link()).search}`;
  assert.equal((await workstation.ask(other, { token: null })).status, 403);
  assert.equal((await workstation.ask(`/downloads/${sha256}.apk`, { token: null })).status, 403);
});

test('a client that leaves in the middle of a download disturbs nobody', async () => {
  const abort = new AbortController();
  const response = await fetch(await link(), { signal: abort.signal });
  const reader = response.body!.getReader();
  await reader.read();
  abort.abort();
  await assert.rejects(reader.read());
  assert.equal((await fetch(await link(), { method: 'HEAD' })).status, 200);
  assert.deepEqual(
    workstation.logged.filter(({ level }) => level === 'error'),
    [],
  );
});

test('a range of an altered part of the file is refused with the reason', async () => {
  const { size } = statSync(realApks.unlock);
  const { sha256: hash } = (await workstation.upload(realApks.unlock)).body;
  // An analysis that has read the file before says that it is well.
  await workstation.server.idle();
  const { body } = await workstation.ask(`/apks/${hash}/download/`);
  const stored = join(workstation.dataDir, 'apks', hash.slice(0, 2), hash.slice(2, 4), hash);
  const sealed = readFileSync(stored);
  sealed[sealed.length - 1]! ^= 1;
  writeFileSync(stored, sealed);
  const range = `bytes=${size - 10}-`;
  const answer = await workstation.ask(body.download_url, { token: null, headers: { range } });
  assert.equal(answer.status, 500);
  assert.match(answer.body.detail, /damaged\. Upload it again/);
  assert.equal(answer.headers.get('content-range'), null);
  assert.equal((await workstation.ask(`/apks/${hash}/`)).body.file_state, 'altered');
});

test('an APK is handed out in a ZIP archive that the password of samples opens, and no other', async () => {
  const { body } = await workstation.ask(`/apks/${sha256}/download/?locked=true`);
  assert.match(body.download_url, new RegExp(`/downloads/${sha256}\\.zip\\?`));
  const response = await fetch(body.download_url);
  assert.equal(response.headers.get('content-disposition'), `attachment; filename="${sha256}.zip"`);
  const archive = Buffer.from(await response.arrayBuffer());
  assert.equal(archive.indexOf('AndroidManifest.xml'), -1, 'nothing of it is told without the password');
  const opened = (password: string) =>
    new ZipReader(new Uint8ArrayReader(archive), { password, useWebWorkers: false, checkSignature: true })
      .getEntries()
      .then(([entry]) =>
        (entry as FileEntry).getData(new Uint8ArrayWriter()).then((data) => [entry!.filename, data] as const),
      );
  const [name, content] = await opened('infected');
  assert.equal(name, `${sha256}.apk`);
  assert.ok(Buffer.from(content).equals(bytes));
  await assert.rejects(opened('harmless'));
  assert.equal((await fetch(body.download_url.replace('signature=', 'signature=0'))).status, 403);
  const plain = await workstation.ask(`/apks/${sha256}/download/?format=json&locked=`);
  assert.match(plain.body.download_url, /\.apk\?/, 'what other clients send changes nothing');
});
