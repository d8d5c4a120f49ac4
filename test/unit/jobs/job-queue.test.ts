import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type JobKind, payloadOf } from '../../../server/contract/jobs/job-kinds.ts';
import { createJobQueue, jobPriorities, type NewJob } from '../../../server/jobs/job-queue.ts';
import type { JobRecord } from '../../../server/store/repositories/job-repository.ts';
import { newApk } from '../store/new-apk.ts';
import { openScratch, scratchFolder } from '../store/scratch-store.ts';

const store = await openScratch(scratchFolder());
after(() => store.close());
const queue = createJobQueue(store);
let apks = 0;
async function apkId(): Promise<number> {
  apks += 1;
  return (await store.transaction((inside) => inside.apks.insert(newApk(apks)))).id;
}
const accounts = await Promise.all(
  ['ada', 'bob'].map((username) =>
    store.transaction(({ accounts }) => accounts.insert({ username, role: 'analyst', apiGroup: 'basic' })),
  ),
);
const [ada, bob] = accounts.map(({ id }) => id) as [number, number];
/** The queue knows no kind by name: each test has its own. */
const made = (job: Omit<NewJob<'static'>, 'kind'> & { kind: string }) => job as NewJob;
const claim = (kind: string) => queue.claim([kind as JobKind]);
const enqueue = async (kind: string, priority: number = jobPriorities.upload, requestedBy: number | null = null) =>
  queue.enqueue(made({ kind, apkId: await apkId(), priority, requestedBy }));

test("a person's request runs before an import, equal ones by age, and only of the kinds asked for", async () => {
  const bulk = await enqueue('order', jobPriorities.bulk);
  const imported = await enqueue('order', jobPriorities.import);
  const requested = await enqueue('order', jobPriorities.request);
  const later = await enqueue('order', jobPriorities.request);
  await enqueue('another-order', jobPriorities.request);
  const order: number[] = [];
  for (let job = await claim('order'); job !== null; job = await claim('order')) order.push(job.id);
  assert.deepEqual(
    order,
    [requested, later, imported, bulk].map(({ job }) => job.id),
  );
});

test('the same request while one is queued or running joins it and raises its priority', async () => {
  const first = await enqueue('join', jobPriorities.bulk);
  const again = made({ kind: 'join', apkId: first.job.apkId, priority: jobPriorities.request, requestedBy: ada });
  const second = await queue.enqueue(again);
  assert.deepEqual([second.isNew, second.job.id, second.job.priority], [false, first.job.id, jobPriorities.request]);
  await claim('join');
  const third = await queue.enqueue({ ...again, requestedBy: bob, priority: jobPriorities.bulk });
  assert.deepEqual([third.isNew, third.job.priority, third.job.status], [false, jobPriorities.request, 'running']);
  assert.deepEqual(await queue.requesters(first.job.id), [ada, bob]);
  await queue.finish(first.job.id, { status: 'done' });
  assert.equal((await queue.enqueue(again)).isNew, true);
});

test('an upload makes a job that is its own too without having asked for it, until it asks', async () => {
  const id = await apkId();
  const upload = made({ kind: 'uploaded', apkId: id, priority: jobPriorities.upload, uploadedBy: ada });
  const { job } = await queue.enqueue(upload);
  const asking = async () => [await queue.requesters(job.id), await store.jobs.askers(job.id)];
  assert.deepEqual(await asking(), [[ada], []]);
  await queue.enqueue({ ...upload, uploadedBy: null, requestedBy: bob });
  assert.deepEqual(await asking(), [[ada, bob], [bob]]);
  await queue.enqueue({ ...upload, uploadedBy: null, requestedBy: ada });
  await queue.enqueue(upload);
  assert.deepEqual(await asking(), [
    [ada, bob],
    [ada, bob],
  ]);
  await queue.withdraw(job.id, ada);
  assert.equal((await queue.withdraw(job.id, bob))!.status, 'cancelled');
});

test('many equal requests at once make one job', async () => {
  const id = await apkId();
  const requests = await Promise.all(
    Array.from({ length: 20 }, () => queue.enqueue(made({ kind: 'once', apkId: id, priority: 1, requestedBy: ada }))),
  );
  assert.equal(requests.filter(({ isNew }) => isNew).length, 1);
  assert.equal(new Set(requests.map(({ job }) => job.id)).size, 1);
});

test('a job enqueued in a transaction that fails does not exist, and nobody hears of it', async () => {
  const heard: JobRecord[] = [];
  const stop = queue.onChange((job) => heard.push(job));
  const id = await apkId();
  const enqueued = store.transaction(async (inside) => {
    await queue.enqueue(made({ kind: 'tx', apkId: id, priority: 1 }), inside);
    throw new Error('rolled back');
  });
  await assert.rejects(enqueued, /rolled back/);
  assert.equal(await claim('tx'), null);
  assert.deepEqual(heard, []);
  const { job } = await store.transaction((inside) =>
    queue.enqueue({ kind: 'dry_run', apkId: id, priority: 1, payload: { dryRunId: 1 } }, inside),
  );
  assert.deepEqual(payloadOf('dry_run', job), { dryRunId: 1 });
  assert.deepEqual(heard, [job]);
  stop();
});

test('listeners hear every step of a job with its progress', async () => {
  const steps: unknown[] = [];
  const stop = queue.onChange(({ status, stage, progress }) => steps.push([status, stage, progress]));
  const { job } = await enqueue('steps');
  await claim('steps');
  queue.progress(job.id, 'dex', 0.25);
  queue.progress(job.id, 'dex', 7);
  const running = await queue.find(job.id);
  assert.deepEqual([running?.stage, running?.progress, running?.startedAt !== null], ['dex', 1, true]);
  await queue.finish(job.id, { status: 'partial' });
  queue.progress(job.id, 'too late', 0.5);
  assert.deepEqual(steps, [
    ['queued', '', 0],
    ['running', '', 0],
    ['running', 'dex', 0.25],
    ['running', 'dex', 1],
    ['partial', '', 1],
  ]);
  assert.notEqual((await queue.find(job.id))?.finishedAt, null);
  stop();
});

test('a job that kills its worker is tried once more and then failed with the reason', async () => {
  const { job } = await enqueue('deadly');
  await claim('deadly');
  const first = await queue.finish(job.id, { status: 'failed', code: 'memory', message: 'Too much memory.' });
  assert.deepEqual([first?.status, first?.attempts, first?.errorCode], ['queued', 1, 'memory']);
  await claim('deadly');
  const second = await queue.finish(job.id, { status: 'failed', code: 'crashed', message: 'The worker died.' });
  assert.deepEqual([second?.status, second?.attempts, second?.errorCode], ['failed', 2, 'crashed']);
  assert.equal(second?.error, 'The worker died. It was tried 2 times.');
  assert.equal(await claim('deadly'), null);
});

test("a failure that is the file's fault is final at once", async () => {
  const { job } = await enqueue('faulty');
  await claim('faulty');
  const failed = await queue.finish(job.id, { status: 'failed', code: 'not-an-apk', message: 'No ZIP.' });
  assert.deepEqual([failed?.status, failed?.errorCode, failed?.error], ['failed', 'not-an-apk', 'No ZIP.']);
});

test('jobs that were running when the workstation ended run again, until it has ended with them ten times', async () => {
  const { job } = await enqueue('interrupted');
  for (let interruption = 1; interruption <= 10; interruption++) {
    await claim('interrupted');
    const restarted = createJobQueue(store);
    await restarted.recover();
    assert.equal((await restarted.find(job.id))?.status, interruption < 10 ? 'queued' : 'failed');
  }
  assert.match((await queue.find(job.id))?.error ?? '', /workstation ended while this job was running/);
});

test('a released job waits again as if it had never run', async () => {
  const { job } = await enqueue('released');
  await claim('released');
  assert.deepEqual(await queue.release(job.id), job);
});

test('a cancelled job is over: neither a late result nor a second cancelling changes it', async () => {
  const { job } = await enqueue('cancelled');
  await claim('cancelled');
  assert.equal((await queue.cancel(job.id))?.status, 'cancelled');
  assert.equal(await queue.finish(job.id, { status: 'done' }), null);
  assert.equal(await queue.cancel(job.id), null);
  assert.equal((await queue.find(job.id))?.status, 'cancelled');
});

test('a job ends when the last analyst takes the request back, but not one that the workstation wants', async () => {
  const { job } = await enqueue('withdrawn', jobPriorities.request, ada);
  await queue.enqueue(made({ kind: 'withdrawn', apkId: job.apkId, priority: 10, requestedBy: bob }));
  assert.equal((await queue.withdraw(job.id, ada))?.status, 'queued');
  assert.equal(await queue.withdraw(job.id, ada), null);
  assert.equal((await queue.withdraw(job.id, bob))?.status, 'cancelled');
  const automatic = await enqueue('withdrawn');
  await queue.enqueue(made({ kind: 'withdrawn', apkId: automatic.job.apkId, priority: 10, requestedBy: ada }));
  assert.equal((await queue.withdraw(automatic.job.id, ada))?.status, 'queued');
});

test('who takes the last request back, or takes it back from a job that is over, still finds the job', async () => {
  const ended = await enqueue('kept', jobPriorities.request, ada);
  await queue.withdraw(ended.job.id, ada);
  assert.deepEqual(await queue.requesters(ended.job.id), [ada]);
  const done = await enqueue('kept', jobPriorities.request, ada);
  await claim('kept');
  await queue.finish(done.job.id, { status: 'done' });
  assert.equal((await queue.withdraw(done.job.id, ada))?.status, 'done');
  assert.deepEqual(await queue.requesters(done.job.id), [ada]);
});

test('a job ends when both that asked for it leave at once', async () => {
  const { job } = await enqueue('left', jobPriorities.request, ada);
  await queue.enqueue(made({ kind: 'left', apkId: job.apkId, priority: 10, requestedBy: bob }));
  await Promise.all([queue.withdraw(job.id, ada), queue.withdraw(job.id, bob)]);
  assert.equal((await queue.find(job.id))?.status, 'cancelled');
});

test('jobs are paged newest first, by who asked, by APK and by state', async () => {
  const carl = await store.transaction(({ accounts }) =>
    accounts.insert({ username: 'carl', role: 'analyst', apiGroup: 'basic' }),
  );
  const mine: number[] = [];
  for (let index = 0; index < 5; index += 1) mine.unshift((await enqueue('paged', 1, carl.id)).job.id);
  await enqueue('paged', 1, ada);
  const request = { requestedBy: carl.id, limit: 2 };
  const first = await queue.page(request);
  assert.deepEqual([first.items.map(({ id }) => id), first.hasOlder, first.hasNewer], [mine.slice(0, 2), true, false]);
  const next = await queue.page({ ...request, olderThan: mine[1] });
  assert.deepEqual([next.items.map(({ id }) => id), next.hasOlder, next.hasNewer], [mine.slice(2, 4), true, true]);
  assert.equal(await queue.count({ requestedBy: carl.id }), 5);
  assert.equal(await queue.count({ requestedBy: carl.id, statuses: ['done', 'failed'] }), 0);
  const { apkId: apk } = first.items[0]!;
  assert.equal(await queue.count({ apkId: apk! }), 1);
});

test('jobs go with their APK', async () => {
  const { job } = await enqueue('gone');
  await store.transaction(({ apks }) => apks.remove(job.apkId!));
  assert.equal(await queue.find(job.id), null);
});
