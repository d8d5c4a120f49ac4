import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { configure, Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js';
import { Bundle } from '../../../server/services/collections/bundle.ts';
import { realApks } from '../../fixtures/real-apks.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

configure({ useWebWorkers: false });
const folder = temporaryFolder('bundle');
const opened: Bundle[] = [];
after(() => {
  for (const bundle of opened) bundle.close();
});

/** A module in the place of the one that reads ZIP files, with the engine's end of the line at hand. */
function hostileEntry(body: string): URL {
  const path = join(temporaryFolder('hostile-bundle'), 'entry.ts');
  const line = new URL('../../../server/engine/line.ts', import.meta.url);
  writeFileSync(
    path,
    `import { writeSync } from 'node:fs';\nimport { sendMessage } from ${JSON.stringify(line.href)};\n${body}\nsetInterval(() => writeSync, 1000);\n`,
  );
  return pathToFileURL(path);
}

/** A ZIP file in the temporary folder, each file locked as the options say. */
async function zipOf(name: string, files: Record<string, Uint8Array>, options: object): Promise<string> {
  const writer = new ZipWriter(new Uint8ArrayWriter(), options);
  for (const [file, bytes] of Object.entries(files)) await writer.add(file, new Uint8ArrayReader(bytes));
  const path = join(folder, name);
  writeFileSync(path, await writer.close());
  return path;
}

async function open(path: string): Promise<Bundle> {
  const bundle = await Bundle.open(path, { passwords: ['infected'] });
  opened.push(bundle);
  return bundle;
}

async function digestOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of bytes) hash.update(chunk);
  return hash.digest('hex');
}

const apk = readFileSync(realApks.uiautomator2Test);
const expected = createHash('sha256').update(apk).digest('hex');

for (const [label, options] of [
  ['not encrypted', {}],
  ['encrypted by the traditional scheme', { password: 'infected', zipCrypto: true }],
  ['encrypted with AES-256', { password: 'infected', encryptionStrength: 3 }],
] as const) {
  test(`a ZIP of APKs ${label} gives its files whole, one after the other`, async () => {
    const bundle = await open(await zipOf(`${label}.zip`, { 'a/one.apk': apk, 'two.bin': new Uint8Array(3) }, options));
    assert.deepEqual(
      bundle.entries.map(({ name, size }) => [name, size]),
      [
        ['a/one.apk', apk.length],
        ['two.bin', 3],
      ],
    );
    assert.equal(await digestOf(bundle.read(0, 1e9)), expected);
    assert.equal(await digestOf(bundle.read(1, 1e9)), createHash('sha256').digest('hex'), 'what is no app stays');
    assert.equal(await digestOf(bundle.read(0, 1e9)), expected);
  });
}

test('a file with another password, and one over the limit, are refused, and the next one is still read', async () => {
  const locked = await open(
    await zipOf('other.zip', { 'one.apk': apk }, { password: 'secret', encryptionStrength: 3 }),
  );
  await assert.rejects(digestOf(locked.read(0, 1e9)), /password/i);
  const bundle = await open(await zipOf('large.zip', { 'one.apk': apk, 'two.apk': apk }, {}));
  await assert.rejects(digestOf(bundle.read(0, 1000)), /larger than 1 kB/);
  assert.equal(await digestOf(bundle.read(1, 1e9)), expected);
});

test('a reader that stops half-way does not disturb the next file', async () => {
  const bundle = await open(await zipOf('half.zip', { 'one.apk': apk, 'two.apk': apk }, {}));
  for await (const chunk of bundle.read(0, 1e9)) {
    assert.ok(chunk.length > 0);
    break;
  }
  assert.equal(await digestOf(bundle.read(1, 1e9)), expected);
});

test('what is no ZIP file is refused with the reason', async () => {
  const path = join(folder, 'no.zip');
  writeFileSync(path, 'PK but no more');
  await assert.rejects(Bundle.open(path), /not found|format/i);
});

for (const [said, message] of [
  ['null', null],
  ['another type', { type: 'trusted' }],
  ['entries without a name', { type: 'opened', entries: [{ size: 1 }] }],
  ['a size that is none', { type: 'opened', entries: [{ name: 'a.apk', size: -1 }] }],
] as const) {
  test(`a process that says ${said} of its ZIP file is ended, and the file is refused`, async () => {
    const entry = hostileEntry(`sendMessage(${JSON.stringify(message)}, { text: 1e6, attached: 0 });`);
    await assert.rejects(
      Bundle.open(await zipOf('any.zip', { 'a.apk': apk }, {}), { entry }),
      /a message that is none/,
    );
  });
}

test('a process that sends more of a file than may come is ended', async () => {
  const entry = hostileEntry(`
    sendMessage({ type: 'opened', entries: [{ name: 'a.apk', size: 1 }] }, { text: 1e6, attached: 0 });
    for (;;) sendMessage({ type: 'bytes', bytes: new Uint8Array(1e6) }, { text: 1e6, attached: 1e6 });`);
  const bundle = await Bundle.open(await zipOf('endless.zip', { 'a.apk': apk }, {}), { entry });
  opened.push(bundle);
  await assert.rejects(digestOf(bundle.read(0, 3e6)), /larger than 3 MB/);
});

test('a process that announces a message beyond its limit is ended before any of it is kept', async () => {
  const entry = hostileEntry(`writeSync(4, Buffer.from('ffffffff00000000', 'hex'));`);
  await assert.rejects(Bundle.open(await zipOf('huge.zip', { 'a.apk': apk }, {}), { entry }), /4294967295 bytes/);
});
