import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { type JobKind, jobKinds } from '../../../server/contract/jobs/job-kinds.ts';
import { createJobQueue, type JobQueue } from '../../../server/jobs/job-queue.ts';
import { createJobRunner, type JobHandler } from '../../../server/jobs/job-runner.ts';
import { openScratch, scratchFolder } from '../store/scratch-store.ts';
import { handlersWith } from './handlers.ts';

const log = { error: () => undefined };

async function withQueue(work: (queue: JobQueue) => Promise<void>): Promise<void> {
  const store = await openScratch(scratchFolder());
  try {
    await work(createJobQueue(store));
  } finally {
    await store.close();
  }
}

const job = <K extends 'static' | 'dynamic' | 'antivirus'>(kind: K) => ({ kind, apkId: null, priority: 1 });
/** A job that says its number. */
const numbered = (dryRunId: number) => ({ kind: 'dry_run', apkId: null, priority: 1, payload: { dryRunId } }) as const;
/** Runs until its signal is aborted. */
const endless: JobHandler<JobKind> = (_, { signal }) =>
  new Promise((resolve) => {
    const answer = { status: 'failed', code: 'cancelled', message: '' } as const;
    signal.addEventListener('abort', () => resolve(answer), { once: true });
  });

test('jobs queued before and after the start are run, a few at a time, with what their handlers say', () =>
  withQueue(async (queue) => {
    let active = 0;
    let most = 0;
    const seen: unknown[] = [];
    const count: JobHandler<'static'> = async ({ priority }, { progress }) => {
      active += 1;
      most = Math.max(most, active);
      progress('working', 0.5);
      await wait(5);
      seen.push(priority);
      active -= 1;
      return priority === 3 ? { status: 'failed', code: 'not-an-apk', message: 'No.' } : { status: 'done' };
    };
    for (const priority of [1, 2, 3]) await queue.enqueue({ ...job('static'), priority });
    const runner = createJobRunner({ queue, handlers: handlersWith({ static: count }), concurrency: () => 2, log });
    await runner.start();
    for (const priority of [4, 5]) await queue.enqueue({ ...job('static'), priority });
    await runner.idle();
    await runner.stop();
    assert.deepEqual([seen.toSorted(), most], [[1, 2, 3, 4, 5], 2]);
    assert.equal(await queue.count({ statuses: ['done'] }), 4);
    assert.equal(await queue.count({ statuses: ['failed'] }), 1);
  }));

test('a queued job that nothing can run refuses the start', () =>
  withQueue(async (queue) => {
    await queue.enqueue({ ...job('static'), kind: 'forgotten' as 'static' });
    const runner = createJobRunner({ queue, handlers: handlersWith({}), concurrency: () => 1, log });
    await assert.rejects(runner.start(), /forgotten/);
  }));

test('a handler that throws fails its job alone, without telling its internals', () =>
  withQueue(async (queue) => {
    const { job: failing } = await queue.enqueue(job('static'));
    const { job: fine } = await queue.enqueue(job('dynamic'));
    const errors: object[] = [];
    const runner = createJobRunner({
      queue,
      handlers: handlersWith({
        static: async () => {
          throw new Error('secret path /home/ada');
        },
        dynamic: async () => ({ status: 'done' }),
      }),
      concurrency: () => 1,
      log: { error: (details) => void errors.push(details) },
    });
    await runner.start();
    await runner.idle();
    await runner.stop();
    const failed = await queue.find(failing.id);
    assert.deepEqual([failed?.status, failed?.errorCode], ['failed', 'internal']);
    assert.doesNotMatch(failed?.error ?? '', /secret/);
    assert.equal(errors.length, 1);
    assert.equal((await queue.find(fine.id))?.status, 'done');
  }));

test('a job whose worker died is run again, and the second death ends it', () =>
  withQueue(async (queue) => {
    const { job: deadly } = await queue.enqueue(job('static'));
    let runs = 0;
    const handlers = handlersWith({
      static: async () => {
        runs += 1;
        return { status: 'failed', code: 'crashed', message: 'The worker died.' };
      },
    });
    const runner = createJobRunner({ queue, handlers, concurrency: () => 1, log });
    await runner.start();
    await runner.idle();
    await runner.stop();
    assert.equal(runs, 2);
    assert.equal((await queue.find(deadly.id))?.status, 'failed');
  }));

test('cancelling a running job stops its handler, and the next one runs', () =>
  withQueue(async (queue) => {
    const { job: first } = await queue.enqueue(job('static'));
    const { job: second } = await queue.enqueue(job('dynamic'));
    const handlers = handlersWith({ static: endless, dynamic: async () => ({ status: 'done' }) });
    const runner = createJobRunner({ queue, handlers, concurrency: () => 1, log });
    await runner.start();
    assert.equal((await queue.find(first.id))?.status, 'running');
    await queue.cancel(first.id);
    await runner.idle();
    await runner.stop();
    assert.equal((await queue.find(first.id))?.status, 'cancelled');
    assert.equal((await queue.find(second.id))?.status, 'done');
  }));

test('stopping queues what was running again, with no attempt counted', () =>
  withQueue(async (queue) => {
    const ids = [(await queue.enqueue(job('static'))).job.id, (await queue.enqueue(job('static'))).job.id];
    const runner = createJobRunner({ queue, handlers: handlersWith({ static: endless }), concurrency: () => 1, log });
    await runner.start();
    await runner.stop();
    for (const id of ids) {
      const stopped = await queue.find(id);
      assert.deepEqual([stopped?.status, stopped?.attempts], ['queued', 0]);
    }
  }));

/** A queue that writes nothing while `isFull`. */
function onDisk(queue: JobQueue, disk: { isFull: boolean }): JobQueue {
  const refusing = ['claim', 'finish', 'release'];
  return new Proxy(queue, {
    get(target, name: keyof JobQueue) {
      const value = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      if (!disk.isFull || !refusing.includes(name)) return value.bind(target);
      return () => Promise.reject(Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' }));
    },
  });
}

/** Lets pass what waits for the database, not for the clock. */
const pass = async () => {
  for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve));
};

test('while the disk is full no job fails, and work goes on when there is room', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  await withQueue(async (queue) => {
    const disk = { isFull: false };
    let runs = 0;
    const filling: JobHandler<'static'> = async () => {
      runs += 1;
      if (runs === 1) disk.isFull = true;
      if (runs === 2) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      return { status: 'done' };
    };
    const ids = [(await queue.enqueue(job('static'))).job.id, (await queue.enqueue(job('static'))).job.id];
    const states = async () => Promise.all(ids.map(async (id) => (await queue.find(id))?.status));
    const runner = createJobRunner({
      queue: onDisk(queue, disk),
      handlers: handlersWith({ static: filling }),
      concurrency: () => 1,
      log,
    });
    await runner.start();
    await pass();
    assert.deepEqual([await states(), runs], [['running', 'queued'], 1]);
    t.mock.timers.tick(30_000);
    await pass();
    assert.deepEqual(await states(), ['running', 'queued']);
    disk.isFull = false;
    for (let round = 0; round < 3; round++) {
      t.mock.timers.tick(30_000);
      await pass();
    }
    await runner.idle();
    await runner.stop();
    assert.deepEqual([await states(), runs], [['done', 'done'], 4]);
  });
});

test('a full disk keeps nobody from stopping', () =>
  withQueue(async (queue) => {
    const disk = { isFull: false };
    const { job: first } = await queue.enqueue(job('static'));
    const runner = createJobRunner({
      queue: onDisk(queue, disk),
      handlers: handlersWith({ static: endless }),
      concurrency: () => 1,
      log,
    });
    await runner.start();
    disk.isFull = true;
    await runner.stop();
    assert.equal((await queue.find(first.id))?.status, 'running');
  }));

test('a job that is claimed while the workstation stops on a full disk is stopped as well', () =>
  withQueue(async (queue) => {
    const disk = { isFull: false };
    const { job: last } = await queue.enqueue(job('static'));
    const full = onDisk(queue, disk);
    const slow = new Proxy(full, {
      get(target, name: keyof JobQueue) {
        if (name !== 'claim') return Reflect.get(target, name);
        return async (kinds: JobKind[]) => {
          const claimed = await queue.claim(kinds);
          stopped ??= runner.stop();
          disk.isFull = true;
          return claimed;
        };
      },
    });
    let stopped: Promise<void> | undefined;
    const runner = createJobRunner({
      queue: slow,
      handlers: handlersWith({ static: endless }),
      concurrency: () => 1,
      log,
    });
    await runner.start();
    await stopped;
    assert.equal((await queue.find(last.id))?.status, 'running');
  }));

test('kinds that wait for others run beside the rest, in places of their own', async () => {
  const store = await openScratch(scratchFolder());
  const queue = createJobQueue(store);
  const running = { static: 0, antivirus: 0 };
  const most = { static: 0, antivirus: 0 };
  const ends: (() => void)[] = [];
  const handler =
    (kind: 'static' | 'antivirus'): JobHandler<JobKind> =>
    async () => {
      running[kind] += 1;
      most[kind] = Math.max(most[kind], running[kind]);
      await new Promise<void>((resolve) => ends.push(resolve));
      running[kind] -= 1;
      return { status: 'done' };
    };
  const handlers = handlersWith({ static: handler('static'), antivirus: handler('antivirus') });
  const runner = createJobRunner({ queue, handlers, concurrency: () => 1, log });
  assert.equal(jobKinds.antivirus.places.all, 2);
  for (let count = 0; count < 5; count++) await queue.enqueue({ kind: 'antivirus', apkId: null, priority: 1 });
  for (let count = 0; count < 3; count++) await queue.enqueue({ kind: 'static', apkId: null, priority: 9 });
  await runner.start();
  assert.deepEqual(running, { static: 1, antivirus: 2 });
  const idle = runner.idle();
  const ending = setInterval(() => ends.shift()?.(), 1);
  await idle;
  clearInterval(ending);
  assert.deepEqual(most, { static: 1, antivirus: 2 });
  assert.equal(await queue.count({ statuses: ['done'] }), 8);
  await runner.stop();
  await store.close();
});

test("a long job of one account leaves a place of its kind to the next account's", () =>
  withQueue(async (queue) => {
    const begun: (number | null)[] = [];
    const handlers = handlersWith({
      dry_run: (run, context) => {
        begun.push(run.accountId);
        return endless(run, context);
      },
    });
    const runner = createJobRunner({ queue, handlers, concurrency: () => 1, log });
    for (const accountId of [1, 1, 1, 1]) await queue.enqueue({ ...numbered(1), accountId });
    await runner.start();
    assert.deepEqual(begun, [1, 1]);
    await queue.enqueue({ ...numbered(1), accountId: 2 });
    while (begun.length < 3) await wait(5);
    assert.deepEqual(begun, [1, 1, 2]);
    await runner.stop();
  }));

test("of equally urgent jobs accounts take turns; hundreds of one do not stand before another's", () =>
  withQueue(async (queue) => {
    const begun: unknown[] = [];
    const names = new Map<number, string>();
    const note: JobHandler<'static' | 'dynamic'> = async ({ id }) => {
      begun.push(names.get(id));
      return { status: 'done' };
    };
    const add = async (name: string, kind: 'static' | 'dynamic', accountId: number | null, priority = 1) =>
      names.set((await queue.enqueue({ kind, apkId: null, priority, accountId })).job.id, name);
    for (let index = 1; index <= 300; index++) await add(`a${index}`, 'static', 1);
    await add('b1', 'dynamic', 2);
    await add('nobody', 'static', null);
    await add('urgent', 'static', 1, 0);
    const handlers = handlersWith({ static: note, dynamic: note });
    const runner = createJobRunner({ queue, handlers, concurrency: () => 1, log });
    await runner.start();
    await runner.idle();
    await runner.stop();
    assert.equal(begun[0], 'urgent');
    assert.ok(
      ['b1', 'nobody'].every((one) => begun.indexOf(one) < 5),
      begun.slice(0, 6).join(),
    );
    assert.equal(begun.length, 303);
  }));

test('a job whose payload another version wrote fails with a reason, and the next one runs', () =>
  withQueue(async (queue) => {
    const unread = { ...numbered(1), payload: { number: 1 } as unknown as { dryRunId: number } };
    const { job: unreadable } = await queue.enqueue(unread);
    const { job: readable } = await queue.enqueue(numbered(2));
    const handlers = handlersWith({ dry_run: async () => ({ status: 'done' }) });
    const runner = createJobRunner({ queue, handlers, concurrency: () => 1, log });
    await runner.start();
    await runner.idle();
    await runner.stop();
    assert.equal((await queue.find(unreadable.id))?.errorCode, 'unreadable-payload');
    assert.equal((await queue.find(readable.id))?.status, 'done');
  }));
