import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ensureMasterKey, readMasterKey } from '../../../server/vault/master-key.ts';
import { openSealedFile, readSalt } from '../../../server/vault/sealed-file.ts';
import {
  chunkSize,
  fileKey,
  headerSize,
  SealedFileError,
  sealedSize,
  storedChunkSize,
} from '../../../server/vault/sealed-format.ts';
import { createSealedWriter } from '../../../server/vault/sealed-writer.ts';

const folder = mkdtempSync(join(tmpdir(), 'sealed-'));
after(() => rmSync(folder, { recursive: true }));
const masterKey = randomBytes(32);
let files = 0;

async function seal(content: Uint8Array, pieceSize = 50_000): Promise<{ path: string; key: Uint8Array }> {
  files += 1;
  const path = join(folder, `${files}`);
  const writer = await createSealedWriter(path, masterKey);
  for (let offset = 0; offset < content.length; offset += pieceSize) {
    await writer.write(content.subarray(offset, offset + pieceSize));
  }
  await writer.finish();
  return { path, key: writer.key };
}

function codeOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    assert(error instanceof SealedFileError, String(error));
    return error.code;
  }
  return 'no error';
}

const sizes = [0, 1, 1000, chunkSize - 1, chunkSize, chunkSize + 1, 20 * chunkSize + 7];

test('a sealed file gives back its content whatever its size and however it was written', async () => {
  for (const size of sizes) {
    const content = randomBytes(size);
    for (const pieceSize of [333, chunkSize, 3 * chunkSize + 5]) {
      const { path, key } = await seal(content, pieceSize);
      assert.equal(statSync(path).size, sealedSize(size));
      const source = openSealedFile(path, key);
      assert.equal(source.size, size);
      assert(content.equals(source.read(0, size)));
      source.close();
    }
  }
});

test('any range can be read in any order, kept in memory or not, and past the end nothing comes', async () => {
  const content = randomBytes(40 * chunkSize + 99);
  const { path, key } = await seal(content);
  const spots = [
    0,
    1,
    chunkSize - 3,
    chunkSize,
    7 * chunkSize + 11,
    30 * chunkSize - 1,
    content.length - 5,
    content.length,
  ];
  for (const source of [openSealedFile(path, key), openSealedFile(path, key, 0)]) {
    for (const offset of [...spots, ...spots.toReversed()]) {
      for (const length of [0, 1, 10, chunkSize, 18 * chunkSize + 1, content.length]) {
        const expected = content.subarray(offset, offset + length);
        assert(expected.equals(source.read(offset, length)), `${length} bytes at ${offset}`);
      }
    }
    assert.equal(source.read(content.length + 10, 5).length, 0);
    source.close();
  }
});

test('the key follows from the master key and the salt in the header, and differs for the same content', async () => {
  const content = randomBytes(100);
  const first = await seal(content);
  const second = await seal(content);
  assert.deepEqual(fileKey(masterKey, readSalt(first.path)), first.key);
  assert.notDeepEqual(first.key, second.key);
  assert.equal(
    codeOf(() => openSealedFile(first.path, second.key)),
    'altered',
  );
});

test('nothing of the content is seen in the file', async () => {
  const text = 'Lcom/example/Evil;->sendTextMessage';
  const { path } = await seal(Buffer.from(`PK\x03\x04 classes.dex AndroidManifest.xml dex\n035 ${text.repeat(1000)}`));
  const stored = readFileSync(path);
  for (const word of ['PK\x03\x04', 'classes.dex', 'AndroidManifest', 'dex\n035', 'sendTextMessage']) {
    assert.equal(stored.indexOf(word), -1, word);
  }
});

test('every altered byte is noticed: header, content or tag', async () => {
  const { path, key } = await seal(randomBytes(3 * chunkSize + 100));
  const whole = readFileSync(path);
  for (const at of [
    9,
    17,
    30,
    70,
    headerSize,
    headerSize + chunkSize,
    headerSize + storedChunkSize + 5,
    whole.length - 1,
  ]) {
    const altered = Buffer.from(whole);
    altered[at]! ^= 1;
    writeFileSync(path, altered);
    for (const keptBytes of [0, altered.length]) {
      const code = codeOf(() => openSealedFile(path, key, keptBytes).read(0, 4 * chunkSize));
      assert.equal(code, at === 9 ? 'not-sealed' : 'altered', `byte ${at}`);
    }
  }
});

test('what failed its check once is not given out later', async () => {
  const { path, key } = await seal(randomBytes(3 * chunkSize));
  const altered = readFileSync(path);
  altered[headerSize + storedChunkSize + 9]! ^= 1;
  writeFileSync(path, altered);
  const source = openSealedFile(path, key);
  for (let attempt = 0; attempt < 2; attempt += 1) {
    assert.equal(
      codeOf(() => source.read(chunkSize, 10)),
      'altered',
    );
    assert.equal(
      codeOf(() => source.read(0, 3 * chunkSize)),
      'altered',
    );
  }
  assert.equal(source.read(0, 10).length, 10);
  source.close();
});

test('chunks that changed places are noticed', async () => {
  const { path, key } = await seal(randomBytes(2 * chunkSize));
  const whole = readFileSync(path);
  const first = whole.subarray(headerSize, headerSize + storedChunkSize);
  const second = whole.subarray(headerSize + storedChunkSize);
  writeFileSync(path, Buffer.concat([whole.subarray(0, headerSize), second, first]));
  assert.equal(
    codeOf(() => openSealedFile(path, key).read(0, 10)),
    'altered',
  );
});

test('a file cut off, even between chunks, is truncated, and a longer one altered', async () => {
  const { path, key } = await seal(randomBytes(3 * chunkSize));
  const whole = readFileSync(path);
  truncateSync(path, headerSize + 2 * storedChunkSize);
  assert.equal(
    codeOf(() => openSealedFile(path, key)),
    'truncated',
  );
  truncateSync(path, 20);
  assert.equal(
    codeOf(() => openSealedFile(path, key)),
    'truncated',
  );
  truncateSync(path, 0);
  assert.equal(
    codeOf(() => openSealedFile(path, key)),
    'not-sealed',
  );
  writeFileSync(path, Buffer.concat([whole, whole.subarray(headerSize)]));
  assert.equal(
    codeOf(() => openSealedFile(path, key)),
    'altered',
  );
});

test('what is not a sealed file, or not there, says so', () => {
  assert.equal(
    codeOf(() => openSealedFile(join(folder, 'none'), masterKey)),
    'missing',
  );
  assert.equal(
    codeOf(() => openSealedFile(import.meta.filename, masterKey)),
    'not-sealed',
  );
});

test('a file that was not finished is no sealed file, and discarding leaves nothing behind', async () => {
  const path = join(folder, 'unfinished');
  const writer = await createSealedWriter(path, masterKey);
  await writer.write(randomBytes(3_000_000));
  assert.equal(
    codeOf(() => openSealedFile(path, writer.key)),
    'not-sealed',
  );
  await writer.discard();
  assert(!readdirSync(folder).includes('unfinished'));
});

test('a finished file is moved to its place, and discarding it afterwards does nothing', async () => {
  const content = randomBytes(1000);
  const writer = await createSealedWriter(join(folder, 'temporary'), masterKey);
  await writer.write(content);
  await writer.finish();
  await writer.moveTo(join(folder, 'final'));
  await writer.discard();
  assert(content.equals(openSealedFile(join(folder, 'final'), writer.key).read(0, 1000)));
});

test('a master key is not taken for another one, also where a single bit of it has changed', () => {
  const path = join(folder, 'noted-keys', 'master.key');
  ensureMasterKey(path);
  const key = Buffer.from(readMasterKey(path));
  writeFileSync(path, key.with(7, key[7]! ^ 1));
  assert.throws(() => readMasterKey(path), /is not the key that .*master\.key\.sha256 tells of/);
  writeFileSync(path, key);
  assert.deepEqual(Buffer.from(readMasterKey(path)), key);
});

test('a master key in a folder that may only be read is read without a note', {
  skip: process.platform === 'win32',
}, () => {
  const keys = mkdtempSync(join(tmpdir(), 'read-only-keys-'));
  const path = join(keys, 'master.key');
  writeFileSync(path, randomBytes(32));
  chmodSync(keys, 0o555);
  // Root writes into any folder.
  const isRoot = process.geteuid!() === 0;
  if (isRoot) process.seteuid!(65_534);
  try {
    assert.equal(readMasterKey(path).length, 32);
  } finally {
    if (isRoot) process.seteuid!(0);
  }
  assert.deepEqual(readdirSync(keys), ['master.key']);
  chmodSync(keys, 0o755);
  rmSync(keys, { recursive: true });
});

test('the master key is made once, for its owner alone', () => {
  const path = join(folder, 'keys', 'master.key');
  ensureMasterKey(path);
  const key = readMasterKey(path);
  ensureMasterKey(path);
  assert.deepEqual(readMasterKey(path), key);
  assert.equal(key.length, 32);
  if (process.platform !== 'win32') assert.equal(statSync(path).mode & 0o777, 0o600);
  writeFileSync(path, 'short');
  assert.throws(() => readMasterKey(path), /not a master key/);
});
