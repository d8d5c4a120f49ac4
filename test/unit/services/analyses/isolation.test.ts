import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createJobQueue } from '../../../../server/jobs/job-queue.ts';
import { machineWall, type Wall } from '../../../../server/jobs/wall/wall.ts';
import { createWorkerPool, type WorkerPool } from '../../../../server/jobs/worker-pool.ts';
import { Isolation } from '../../../../server/services/analyses/isolation.ts';
import { createServices } from '../../../../server/services/services.ts';
import type { Store } from '../../../../server/store/store.ts';
import { realApks } from '../../../fixtures/real-apks.ts';
import { openScratch, scratchFolder } from '../../store/scratch-store.ts';

const told: string[] = [];
const tell = (_: object, message: string) => void told.push(message);
const log = { info: tell, warn: tell, error: tell };

const folder = scratchFolder();
let store: Store;
before(async () => {
  store = await openScratch(folder);
});
const closing: (() => Promise<void>)[] = [];
after(async () => {
  for (const close of closing) await close();
  await store.close();
});

async function workstationWith(wall: Wall | null) {
  const isolation = new Isolation(store, wall, log);
  const pool: WorkerPool = createWorkerPool({
    readableFolders: [store.files.folder],
    concurrency: 1,
    wall,
    refusal: () => isolation.refusal(),
  });
  const services = await createServices({ store, isolation, queue: createJobQueue(store), pool, workers: 1, log });
  closing.push(async () => {
    await pool.close();
    services.events.close();
    await services.limits.close();
  });
  return { isolation, pool, services };
}

async function* bytes() {
  yield readFileSync(realApks.unlock);
}

test('without a wall that holds, nothing is analysed and nothing taken in where the owner wants one, with what to do', async () => {
  const { isolation, pool, services } = await workstationWith(null);
  const compile = () => pool.run({ kind: 'compile', rules: 'rule a { condition: true }' });
  assert.equal((await compile()).status, 'done');
  assert.equal(isolation.report.status, 'pending');
  await services.settings.change({ require_isolation: true });
  const refused = await compile();
  assert.deepEqual([refused.status, refused.status === 'failed' && refused.code], ['failed', 'not-isolated']);
  assert.match(refused.status === 'failed' ? refused.message : '', /Administration → Isolation says what to do/);
  assert.equal(isolation.report.status, 'missing');
  assert.deepEqual((await services.health.state()).isolation, { status: 'missing', kind: null });
  await assert.rejects(services.intake.receiveApk(bytes(), { uploader: null }), { id: 'not-isolated', status: 503 });
  assert.equal(await store.apks.count(), 0);
  await services.settings.change({ require_isolation: null });
  assert.equal((await compile()).status, 'done');
});

test('behind a wall that lets something through nothing is analysed either', {
  skip: process.platform !== 'linux' && 'it is a wall of Linux that is none',
}, async () => {
  const { isolation, pool, services } = await workstationWith({
    kind: 'namespaces',
    enclose: ({ words }) => [...words],
  });
  await services.settings.change({ require_isolation: true });
  const reply = await pool.run({ kind: 'compile', rules: '' });
  assert.deepEqual([reply.status === 'failed' && reply.code, isolation.report.status], ['not-isolated', 'leaking']);
  await services.settings.change({ require_isolation: null });
});

test('behind a wall that holds all is analysed, and the trial leaves nothing behind', {
  skip: machineWall() === null && 'this machine has no wall',
}, async () => {
  const { isolation, pool, services } = await workstationWith(machineWall());
  await services.settings.change({ require_isolation: true });
  const { apk } = await services.intake.receiveApk(bytes(), { uploader: null });
  assert.equal(apk.isCorrupted, false);
  assert.equal((await pool.run({ kind: 'compile', rules: '' })).status, 'done');
  assert.deepEqual([isolation.report.status, isolation.report.kind], ['enforced', machineWall()?.kind]);
  assert(told.includes('workers reach nothing beyond their wall'));
  assert(!existsSync(join(store.dataDir, 'cache', 'probe')));
});
