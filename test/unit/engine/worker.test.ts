import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { FormatError } from '../../../server/engine/formats/byte-reader.ts';
import { failureOf } from '../../../server/engine/tasks.ts';
import { createWorkerPool } from '../../../server/jobs/worker-pool.ts';
import { realApks } from '../../fixtures/real-apks.ts';
import { buildZip } from '../../fixtures/zip-builder.ts';

const folder = mkdtempSync(join(tmpdir(), 'worker-'));
const pool = createWorkerPool({ readableFolders: [folder, realApks.unlock], concurrency: 1, isBackground: false });

after(async () => {
  await pool.close();
  rmSync(folder, { recursive: true });
});

function file(name: string, bytes: Uint8Array): { kind: 'plain'; path: string } {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return { kind: 'plain', path };
}

test('a worker identifies a real APK', async () => {
  const reply = await pool.run({ kind: 'identify', file: { kind: 'plain', path: realApks.unlock } });
  assert.ok(reply.status === 'done');
  assert.equal(reply.result.packageName, 'io.appium.unlock');
});

test('a worker analyses a real APK and tells its progress', async () => {
  const progress: number[] = [];
  const reply = await pool.run(
    { kind: 'static', file: { kind: 'plain', path: realApks.unlock }, fileName: 'unlock.apk' },
    { onProgress: (_stage, done) => progress.push(done) },
  );
  assert.equal(reply.status, 'done');
  assert.ok(progress.length > 0);
  assert.ok(progress.every((done) => done >= 0 && done <= 1));
});

for (const [title, bytes] of [
  ['a text', Buffer.from('hello')],
  ['an empty file', Buffer.alloc(0)],
  ['an archive without a manifest', buildZip({ entries: [{ name: 'a.txt', content: 'x' }] })],
] as const) {
  test(`${title} is no APK`, async () => {
    const reply = await pool.run({ kind: 'identify', file: file('sample', bytes) });
    assert.ok(reply.status === 'failed');
    assert.equal(reply.code, 'not-an-apk');
  });
}

test('a missing file, and one outside the worker’s reach, are unreadable, and the reply does not name their paths', async () => {
  for (const path of [join(folder, 'missing.apk'), '/etc/hostname']) {
    for (const reference of [
      { kind: 'plain', path },
      { kind: 'sealed', path, key: 'AAAA' },
    ] as const) {
      const reply = await pool.run({ kind: 'identify', file: reference });
      assert.ok(reply.status === 'failed');
      assert.equal(reply.code, 'unreadable-file', reply.message);
      assert.ok(!reply.message.includes('/'), reply.message);
    }
  }
});

test('errors of other kinds are internal ones, told without the host’s paths', () => {
  const error = new TypeError("cannot read 'x' of /home/someone/data/store/ab/cdef at file:///opt/app/server/a.ts:3");
  const { code, message } = failureOf(error);
  assert.equal(code, 'internal');
  assert.ok(message.startsWith("TypeError: cannot read 'x' of <path>"), message);
  assert.ok(!/someone|opt/.test(message), message);
  assert.equal(failureOf('just text').code, 'internal');
  assert.equal(failureOf(new FormatError('no-manifest', 0, 'none')).code, 'not-an-apk');
  assert.equal(failureOf(new FormatError('zip-bomb', 0, 'too much')).code, 'internal');
});
