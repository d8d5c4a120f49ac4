import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import {
  closeSync,
  copyFileSync,
  createReadStream,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { type ReceivedFile, ReceiveError, StoredFileError } from '../../../../server/store/files/file-store.ts';
import { openSealedFile } from '../../../../server/vault/sealed-file.ts';
import { realApks } from '../../../fixtures/real-apks.ts';
import { newApk } from '../new-apk.ts';
import { logged, openScratch, scratchFolder } from '../scratch-store.ts';

const store = await openScratch(scratchFolder());
after(() => store.close());
const { files } = store;
const receive = (content: Uint8Array, options = {}) => files.receive(Readable.from([content]), options);
const digest = (name: string, content: Uint8Array) => createHash(name).update(content).digest('hex');
const pathOf = (sha256: string) => join(files.folder, sha256.slice(0, 2), sha256.slice(2, 4), sha256);
const incoming = () => readdirSync(join(files.folder, 'incoming'));

async function stored(content: Uint8Array): Promise<ReceivedFile> {
  const received = await receive(content);
  await received.commit();
  return received;
}

test('a real APK is hashed on its way in, stored, and comes back byte by byte', async () => {
  const received = await files.receive(createReadStream(realApks.apiDemos));
  const content = await buffer(createReadStream(realApks.apiDemos));
  assert.equal(received.sha256, digest('sha256', content));
  assert.equal(received.sha1, digest('sha1', content));
  assert.equal(received.md5, digest('md5', content));
  assert.equal(received.size, content.length);
  await received.commit();
  assert(content.equals(await buffer(files.stream(received.sha256))));
  assert(
    content.subarray(1_000_000, 1_500_001).equals(await buffer(files.stream(received.sha256, 1_000_000, 1_500_001))),
  );
  assert.equal(await files.verify(received.sha256), 'ok');
  assert.deepEqual(incoming(), []);
});

test('a worker reads received bytes before and after they are committed, with the key it is given', async () => {
  const content = randomBytes(200_000);
  const received = await receive(content);
  const read = (reference: ReceivedFile['reference']) => {
    assert(reference.kind === 'sealed');
    const source = openSealedFile(reference.path, Buffer.from(reference.key, 'base64'));
    const bytes = source.read(0, source.size);
    source.close();
    return bytes;
  };
  assert(content.equals(read(received.reference)));
  await received.commit();
  assert(content.equals(read(files.fileReference(received.sha256))));
});

test('too many, too few or other bytes than announced are refused, and nothing of them stays', async () => {
  const code = (expected: string) => (error: unknown) => error instanceof ReceiveError && error.code === expected;
  await assert.rejects(receive(randomBytes(1001), { maxBytes: 1000 }), code('too-large'));
  await assert.rejects(receive(randomBytes(10), { expectedSha256: 'ab'.repeat(32) }), code('wrong-sha256'));
  await assert.rejects(receive(Buffer.alloc(0)), code('empty'));
  await assert.rejects(receive(randomBytes(10), { signal: AbortSignal.abort() }), code('aborted'));
  const broken = Readable.from(
    (async function* () {
      yield randomBytes(100_000);
      throw new Error('the line went dead');
    })(),
  );
  await assert.rejects(files.receive(broken), /the line went dead/);
  const content = randomBytes(10);
  await (await receive(content, { expectedSha256: digest('sha256', content).toUpperCase(), maxBytes: 10 })).discard();
  assert.deepEqual(incoming(), []);
});

test('the same content a second time leaves one file, and heals a damaged one', async () => {
  const content = randomBytes(100_000);
  const { sha256 } = await stored(content);
  truncateSync(pathOf(sha256), 500);
  assert.equal(files.inspect(sha256), 'altered');
  await stored(content);
  assert.equal(await files.verify(sha256), 'ok');
  assert.equal(readdirSync(join(pathOf(sha256), '..')).length, 1);
});

test('a missing or altered file is an error on opening, in the log and on the record, until it is whole again', async () => {
  const content = randomBytes(600_000);
  const { sha256 } = await stored(content);
  const apk = await store.transaction(({ apks }) => apks.insert({ ...newApk(1), sha256 }));
  const stateOf = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return (await store.apks.findById(apk.id))?.fileState;
  };
  const file = openSync(pathOf(sha256), 'r+');
  writeSync(file, Buffer.from('x'), 0, 1, 500_000);
  closeSync(file);
  assert.equal(files.inspect(sha256), 'ok', 'the change is too deep for a cheap look');
  await assert.rejects(buffer(files.stream(sha256)), StoredFileError);
  assert.throws(() => files.stream(sha256, 490_000), StoredFileError);
  assert.equal(await stateOf(), 'altered');
  assert.equal(await files.verify(sha256), 'altered');
  rmSync(pathOf(sha256));
  for (const access of [() => files.open(sha256), () => files.stream(sha256), () => files.fileReference(sha256)]) {
    assert.throws(
      access,
      (error) => error instanceof StoredFileError && error.code === 'missing' && error.sha256 === sha256,
    );
  }
  assert.equal(await stateOf(), 'missing');
  assert(logged.some(({ details }) => 'sha256' in details && details.sha256 === sha256));
  await stored(content);
  assert.equal(await stateOf(), 'ok');
});

test('what the system does not hand out as a file counts as altered', async () => {
  const { sha256 } = await stored(randomBytes(1_000));
  rmSync(pathOf(sha256));
  mkdirSync(pathOf(sha256));
  assert.equal(files.inspect(sha256), 'altered');
});

test('a file sealed under one name does not pass for another', async () => {
  const { sha256 } = await stored(randomBytes(1000));
  const other = await receive(randomBytes(1000));
  assert(other.reference.kind === 'sealed');
  copyFileSync(other.reference.path, pathOf(sha256));
  await other.discard();
  assert.equal(await files.verify(sha256), 'altered');
});

test('removing tells whether there was a file', async () => {
  const { sha256 } = await stored(randomBytes(10));
  assert.equal(await files.remove(sha256), true);
  assert.equal(await files.remove(sha256), false);
  assert.equal(await files.verify(sha256), 'missing');
});

test('no name but a sha256 reaches the file system', () => {
  for (const name of ['../../keys/master.key', 'AB'.repeat(32), '', 'x']) {
    assert.throws(() => files.open(name), TypeError);
  }
});

test('a download that is broken off lets go of the file', async () => {
  const { sha256 } = await stored(randomBytes(2_000_000));
  const stream = files.stream(sha256);
  for await (const _ of stream) break;
  assert.equal(stream.destroyed, true);
});
