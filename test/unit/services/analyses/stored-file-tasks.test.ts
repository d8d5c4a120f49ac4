import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import type { EngineReply } from '../../../../server/contract/process-line/messages.ts';
import type { WorkerPool } from '../../../../server/jobs/worker-pool.ts';
import { StoredFileTasks } from '../../../../server/services/analyses/stored-file-tasks.ts';
import type { DiskRoom } from '../../../../server/services/disk-room.ts';
import type { EventBus } from '../../../../server/services/event-bus.ts';
import { FileStore } from '../../../../server/store/files/file-store.ts';
import type { ApkRecord } from '../../../../server/store/repositories/apk-repository.ts';
import type { Store } from '../../../../server/store/store.ts';

const folder = mkdtempSync(join(tmpdir(), 'stored-file-tasks-'));
after(() => rmSync(folder, { recursive: true }));

const files = new FileStore({ folder, masterKey: new Uint8Array(32), onState: () => undefined, isDurable: false });
const received = await files.receive(Readable.from([Buffer.alloc(300_000, 'a')]));
await received.commit();
const { sha256 } = received;
const { path } = files.fileReference(sha256);
const whole = readFileSync(path);
const unreadable: EngineReply = { status: 'failed', code: 'unreadable-file', message: 'the stored file is altered' };

/** Tasks on the file; they note what they tell of it. */
function tasks(reply: EngineReply) {
  const noted: unknown[] = [];
  const runs: unknown[] = [];
  const apks = { update: async (_: number, change: object) => noted.push(change) && { id: 1 } };
  const store = { files, transaction: (work: (inside: object) => unknown) => work({ apks }) } as unknown as Store;
  const pool = { run: async (task: unknown) => runs.push(task) && reply } as unknown as WorkerPool;
  const events = { publish: ({ name }: { name: string }) => noted.push(name) } as unknown as EventBus;
  const run = async (fileState: ApkRecord['fileState'] = 'ok') => {
    const apk = { id: 1, sha256, fileState } as ApkRecord;
    const answer = await new StoredFileTasks(store, pool, events, {} as DiskRoom).run(apk, (file) => ({
      kind: 'identify',
      file,
    }));
    return answer.status === 'failed' ? answer.code : answer.status;
  };
  return { run, noted, runs };
}

test('a worker that cannot read a whole file fails for itself', async () => {
  const { run, noted } = tasks(unreadable);
  assert.equal(await run(), 'unreadable-file');
  assert.deepEqual(noted, []);
});

test('a file that lost its end, or its header, is told as altered before any worker begins', async () => {
  const { run, noted, runs } = tasks(unreadable);
  truncateSync(path, 1000);
  assert.equal(await run(), 'file-altered');
  writeFileSync(path, Buffer.concat([Buffer.alloc(100), whole.subarray(100)]));
  assert.equal(await run(), 'file-altered');
  assert.deepEqual(noted, [{ fileState: 'altered' }, 'apk_updated', { fileState: 'altered' }, 'apk_updated']);
  assert.deepEqual(runs, []);
});

test('damage in the middle is found where a worker stumbles over it', async () => {
  const { run, runs } = tasks(unreadable);
  const damaged = Buffer.from(whole);
  damaged[200_000]! ^= 1;
  writeFileSync(path, damaged);
  assert.equal(await run(), 'file-altered');
  assert.equal(runs.length, 1);
});

test('a file that is known to be missing is not noted again', async () => {
  const { run, noted } = tasks(unreadable);
  unlinkSync(path);
  assert.equal(await run('missing'), 'file-missing');
  assert.deepEqual(noted, []);
});
