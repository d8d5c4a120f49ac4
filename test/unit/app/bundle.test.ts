import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { configure, Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js';
import { Bundle } from '../../../server/app/bundle.ts';
import { realApks } from '../../fixtures/real-apks.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

configure({ useWebWorkers: false });
const folder = temporaryFolder('bundle');
const opened: Bundle[] = [];
after(() => {
  for (const bundle of opened) bundle.close();
});

/** A ZIP file in the temporary folder, each file locked as the options say. */
async function zipOf(name: string, files: Record<string, Uint8Array>, options: object): Promise<string> {
  const writer = new ZipWriter(new Uint8ArrayWriter(), options);
  for (const [file, bytes] of Object.entries(files)) await writer.add(file, new Uint8ArrayReader(bytes));
  const path = join(folder, name);
  writeFileSync(path, await writer.close());
  return path;
}

async function open(path: string): Promise<Bundle> {
  const bundle = await Bundle.open(path);
  opened.push(bundle);
  return bundle;
}

async function digestOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of bytes) hash.update(chunk);
  return hash.digest('hex');
}

const apk = readFileSync(realApks.settings);
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
    assert.equal(await digestOf(bundle.read(1, 1e9)), createHash('sha256').update(new Uint8Array(3)).digest('hex'));
    assert.equal(await digestOf(bundle.read(0, 1e9)), expected);
  });
}

test('a file with another password, and one over the limit, are refused, and the next one is still read', async () => {
  const locked = await open(
    await zipOf('other.zip', { 'one.apk': apk }, { password: 'secret', encryptionStrength: 3 }),
  );
  await assert.rejects(digestOf(locked.read(0, 1e9)), /password/i);
  const bundle = await open(await zipOf('large.zip', { 'one.apk': apk, 'two.apk': apk }, {}));
  await assert.rejects(digestOf(bundle.read(0, 1000)), /larger than 1000 bytes/);
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
