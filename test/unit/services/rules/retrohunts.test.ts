// How a retrohunt goes through a catalogue of many pages, several APKs at a time, with interruptions. No worker runs.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createJobQueue, type JobQueue } from '../../../../server/jobs/job-queue.ts';
import { createJobRunner } from '../../../../server/jobs/job-runner.ts';
import type { WorkerPool } from '../../../../server/jobs/worker-pool.ts';
import { Isolation } from '../../../../server/services/analyses/isolation.ts';
import { createTokenFor } from '../../../../server/services/people/accounts.ts';
import { createServices, type Services } from '../../../../server/services/services.ts';
import type { AccountRecord } from '../../../../server/store/repositories/people/account-repository.ts';
import type { Store } from '../../../../server/store/store.ts';
import { newApk } from '../../store/new-apk.ts';
import { openScratch, scratchFolder } from '../../store/scratch-store.ts';

const count = 450;
const folder = scratchFolder();
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
let store: Store;
let queue: JobQueue;
let services: Services;
let owner: AccountRecord;
/** How often each stored file was asked for, by its reference. */
let scans = new Map<string, number>();
/** What happens while a file is scanned. */
let meanwhile = async (): Promise<void> => undefined;
const pool = {
  run: async (task: { kind: string; file: { path: string }; rulesets: { id: string }[] }) => {
    if (task.kind === 'compile') {
      return { status: 'done', result: { rules: [{ name: 'a', is_private: false }], errors: [], warnings: [] } };
    }
    scans.set(task.file.path, (scans.get(task.file.path) ?? 0) + 1);
    // Scans end in another order than they begin.
    for (let turns = Math.random() * 4; turns > 0; turns--) await new Promise(setImmediate);
    await meanwhile();
    const nothing = { errors: [], files_scanned: 1, matches_count: 0, rules_matched: [], rules_measured: [] };
    const rulesets = task.rulesets.map(({ id }) => ({ id, status: 'done', ...nothing }));
    return { status: 'done', result: { rulesets, findings: [], timings: {} } };
  },
} as unknown as WorkerPool;

before(async () => {
  store = await openScratch(folder);
  // The files themselves are not there; nobody reads them.
  Object.assign(store.files, {
    inspect: () => 'ok',
    fileReference: (sha256: string) => ({ kind: 'plain', path: sha256 }),
  });
  queue = createJobQueue(store);
  services = await createServices({ store, isolation: new Isolation(store, null, log), queue, pool, workers: 3, log });
  await createTokenFor(store, 'owner');
  owner = (await services.accounts.find('owner'))!;
  await store.transaction(async (inside) => {
    for (let number = 1; number <= count; number++) {
      await inside.apks.insert({ ...newApk(number), app: number % 2 === 0 ? 'Even' : 'Odd' });
    }
  });
});
after(async () => {
  services.events.close();
  await services.limits.close();
  await store.close();
});

const runner = () => createJobRunner({ queue, handlers: services.jobHandlers, concurrency: () => 1, log });

async function begin(search: string, rules = 'rule a { condition: true }') {
  const { ruleset } = await services.rulesets.create(owner, { name: 'Hunts', rules });
  scans = new Map();
  const { view } = await services.retrohunts.begin(owner, [ruleset], search);
  const again = await services.retrohunts.begin(owner, [ruleset, ruleset], search);
  assert.deepEqual([again.isNew, again.view.hunt.id], [false, view.hunt.id]);
  return view;
}

test('a hunt of many pages scans each APK once, those that came after its beginning not at all', async () => {
  const { hunt } = await begin('');
  await store.transaction(({ apks }) => apks.insert({ ...newApk(count + 1), app: 'Later' }));
  const running = runner();
  await running.start();
  await running.idle();
  await running.stop();
  const done = await services.retrohunts.get(owner, hunt.id);
  assert.deepEqual([done.job.status, done.hunt.scannedCount, done.hunt.apksCount], ['done', count, count]);
  assert.equal(scans.size, count);
  assert.ok([...scans.values()].every((times) => times === 1));
  assert.equal(scans.has(newApk(count + 1).sha256), false);
});

test('a hunt that is interrupted again and again stores the outcome of each APK once', async () => {
  const { hunt } = await begin('');
  const apks = (await store.apks.findById(count + 1)) === null ? count : count + 1;
  for (let interruptions = 0; interruptions < 5; interruptions++) {
    const running = runner();
    await running.start();
    while (scans.size < 50 * (interruptions + 1)) await new Promise(setImmediate);
    await running.stop();
  }
  const between = await services.retrohunts.get(owner, hunt.id);
  assert.equal(between.job.status, 'queued');
  const running = runner();
  await running.start();
  await running.idle();
  await running.stop();
  const { hunt: end, job } = await services.retrohunts.get(owner, hunt.id);
  assert.deepEqual([job.status, end.scannedCount, end.ahead], ['done', apks, []]);
  assert.equal(scans.size, apks);
  // What was under way at an interruption is scanned again, and nothing else.
  const repeated = [...scans.values()].reduce((sum, times) => sum + times - 1, 0);
  assert.ok(repeated <= 5 * 3, `${repeated} scans were made again`);
});

test('a hunt in what a search finds keeps to it over many pages', async () => {
  const { hunt } = await begin('app:even');
  const running = runner();
  await running.start();
  await running.idle();
  await running.stop();
  const done = await services.retrohunts.get(owner, hunt.id);
  assert.deepEqual([done.hunt.apksCount, done.hunt.scannedCount, scans.size], [count / 2, count / 2, count / 2]);
});

test('a scan that ends after its hunt stores nothing: nobody would be told of it', async () => {
  const { hunt, job } = await begin('');
  // As it is in the moment before the signal to stop arrives.
  meanwhile = async () =>
    void (await store.transaction(({ jobs }) =>
      jobs.end(job.id, { status: 'cancelled', errorCode: 'cancelled', error: '' }),
    ));
  const running = runner();
  await running.start();
  await running.idle();
  await running.stop();
  meanwhile = async () => undefined;
  assert.ok(scans.size > 0);
  assert.equal((await services.retrohunts.get(owner, hunt.id)).hunt.scannedCount, 0);
});

test('hunts that wait at the same time read each APK once for all of them, and end each with all of its outcomes', async () => {
  const views = [];
  for (const name of ['b', 'c', 'd']) views.push(await begin('', `rule ${name} { condition: true }`));
  const running = runner();
  await running.start();
  await running.idle();
  await running.stop();
  const apks = (await store.apks.findById(count + 1)) === null ? count : count + 1;
  for (const { hunt } of views) {
    const done = await services.retrohunts.get(owner, hunt.id);
    assert.deepEqual([done.job.status, done.hunt.scannedCount, done.hunt.ahead], ['done', apks, []]);
  }
  assert.equal(scans.size, apks);
  const reads = [...scans.values()].reduce((sum, times) => sum + times, 0);
  // Those that one of them had begun with before the next one was there are read again.
  assert.ok(reads <= apks * 1.1, `${reads} reads for three hunts over ${apks} APKs`);
});

test('a hunt that is cancelled while it shares what it reads holds up and spoils no other', async () => {
  const cancelled = await begin('', 'rule e { condition: true }');
  const kept = await begin('', 'rule f { condition: true }');
  const running = runner();
  await running.start();
  while (scans.size < 100) await new Promise(setImmediate);
  await services.retrohunts.cancel(owner, cancelled);
  await running.idle();
  const apks = (await store.apks.findById(count + 1)) === null ? count : count + 1;
  const after = await services.retrohunts.get(owner, kept.hunt.id);
  assert.deepEqual([after.job.status, after.hunt.scannedCount, after.hunt.ahead], ['done', apks, []]);
  const stopped = await services.retrohunts.get(owner, cancelled.hunt.id);
  assert.equal(stopped.job.status, 'cancelled');
  assert.ok(stopped.hunt.scannedCount < apks);

  await services.retrohunts.resume(owner, stopped);
  await running.idle();
  await running.stop();
  const resumed = await services.retrohunts.get(owner, cancelled.hunt.id);
  assert.deepEqual([resumed.job.status, resumed.hunt.scannedCount, resumed.hunt.ahead], ['done', apks, []]);
});
