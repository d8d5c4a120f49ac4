import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { getPriority, totalmem } from 'node:os';
import { after, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { EngineReply } from '../../../server/contract/process-line/messages.ts';
import {
  createWorkerPool,
  type RunOptions,
  type WorkerPool,
  type WorkerPoolOptions,
} from '../../../server/jobs/worker-pool.ts';

const pools: WorkerPool[] = [];
after(() => Promise.all(pools.map((pool) => pool.close())));

/**
 * Its analyses give way to nothing: beside busy programs they would hardly begin. Its workers are told apart by the ids of
 * their processes, which a wall hides.
 */
function createPool(options: Partial<WorkerPoolOptions> = {}): WorkerPool {
  const entry = new URL('./misbehaving-worker.ts', import.meta.url);
  const pool = createWorkerPool({
    readableFolders: [],
    concurrency: 1,
    entry,
    isBackground: false,
    wall: null,
    ...options,
  });
  pools.push(pool);
  return pool;
}

const analyze = (pool: WorkerPool, action: string, options?: RunOptions): Promise<EngineReply> =>
  pool.run({ kind: 'static', file: { kind: 'plain', path: '' }, fileName: action }, options);
const identify = (pool: WorkerPool, action: string): Promise<EngineReply> =>
  pool.run({ kind: 'identify', file: { kind: 'plain', path: action } });
const codeOf = (reply: EngineReply): string => (reply.status === 'failed' ? reply.code : reply.status);
const messageOf = (reply: EngineReply): string => (reply.status === 'failed' ? reply.message : '');
/** What the worker says in its first finding. */
const resultOf = (reply: EngineReply): unknown => {
  if (reply.status === 'failed' || !('findings' in reply.result)) return reply;
  return JSON.parse(reply.result.findings[0]!.evidence);
};

const pool = createPool();

test('a worker that dies fails its own task alone, and the next task gets a new worker', async () => {
  const [crashed, reply] = await Promise.all([analyze(pool, 'crash'), analyze(pool, 'pid')]);
  assert.deepEqual([codeOf(crashed), codeOf(reply)], ['crashed', 'done']);
  const hanging = analyze(pool, 'hang');
  process.kill(resultOf(reply) as number, 'SIGSEGV');
  assert.equal(codeOf(await hanging), 'crashed');
  assert.notEqual(resultOf(await analyze(pool, 'pid')), resultOf(reply));
});

test('a worker serves many tasks', async () => {
  assert.equal(resultOf(await analyze(pool, 'pid')), resultOf(await analyze(pool, 'pid')));
});

test('a task that uses the processor for too long is ended, even where it never yields, and told by how much', async () => {
  const reply = await analyze(pool, 'loop', { cpuMilliseconds: 500 });
  assert.equal(codeOf(reply), 'timeout');
  const told = /^The analysis used the processor for (\d+\.\d) s, (\d+\.\d) s more than the 0\.5 s it may\.$/;
  const [, used, over] = told.exec(messageOf(reply)) ?? assert.fail(messageOf(reply));
  assert(Number(used) >= 0.5 && Math.abs(Number(used) - 0.5 - Number(over)) < 0.11, messageOf(reply));
});

test('a task that only waits is ended too, later, and told by how much', async () => {
  await analyze(pool, 'pid');
  const reply = await analyze(pool, 'hang', { cpuMilliseconds: 150 });
  assert.equal(codeOf(reply), 'timeout');
  assert.match(
    messageOf(reply),
    /^The analysis waited without using the processor for \d+\.\d s, \d+\.\d s more than the 0\.9 s it may\.$/,
  );
});

test('what a worker used for earlier tasks, and time in which others have the processor, is not held against a task', {
  skip: process.platform === 'win32',
}, async () => {
  const pid = resultOf(await analyze(pool, 'pid')) as number;
  assert.equal(codeOf(await analyze(pool, 'work')), 'done');
  const working = analyze(pool, 'work', { cpuMilliseconds: 600 });
  process.kill(pid, 'SIGSTOP');
  await wait(1500);
  process.kill(pid, 'SIGCONT');
  assert.equal(resultOf(await working), pid);
});

test('a worker that was stopped, or stops itself, ends as one that waits for too long', {
  skip: process.platform === 'win32',
}, async () => {
  const pid = resultOf(await analyze(pool, 'pid')) as number;
  const working = analyze(pool, 'work', { cpuMilliseconds: 150 });
  process.kill(pid, 'SIGSTOP');
  assert.equal(codeOf(await working), 'timeout');
  assert.notEqual(resultOf(await analyze(pool, 'pid')), pid);
});

test('a task that fills the memory outside the heap is ended by the watch', {
  skip: process.platform === 'win32',
}, async () => {
  const small = createPool({ limits: { residentBytes: 300_000_000 } });
  const reply = await analyze(small, 'buffers');
  assert.equal(codeOf(reply), 'memory');
  assert.match(messageOf(reply), /needed \d+ MiB of memory, \d+ MiB more than the 287 MiB it may use/);
});

test('a task that fills the heap is told as one of memory', async () => {
  assert.equal(codeOf(await analyze(pool, 'heap')), 'memory');
});

test('a running task is cancelled by killing its worker, a waiting one by forgetting it', async () => {
  const [running, waiting] = [new AbortController(), new AbortController()];
  const first = analyze(pool, 'loop', { signal: running.signal });
  const second = analyze(pool, 'pid', { signal: waiting.signal });
  const third = analyze(pool, 'pid');
  await wait(20);
  waiting.abort();
  assert.equal(codeOf(await second), 'cancelled');
  running.abort();
  assert.equal(codeOf(await first), 'cancelled');
  assert.equal(codeOf(await third), 'done');
  assert.equal(codeOf(await analyze(pool, 'pid', { signal: AbortSignal.abort() })), 'cancelled');
});

test('identity never waits behind analyses', async () => {
  const stop = new AbortController();
  const analyses = [1, 2, 3].map(() => analyze(pool, 'loop', { signal: stop.signal }));
  assert.equal(codeOf(await identify(pool, 'pid')), 'done');
  stop.abort();
  assert.deepEqual((await Promise.all(analyses)).map(codeOf), ['cancelled', 'cancelled', 'cancelled']);
});

test('a warmed worker for identity serves the first upload, and is replaced by another warm one', async () => {
  const warmed = createPool({ limits: { recycleTasks: 2 } });
  warmed.warm();
  const [first, second] = [await identify(warmed, 'pid'), await identify(warmed, 'pid')];
  assert.deepEqual([codeOf(first), codeOf(second)], ['done', 'done']);
});

test('identities give way to nobody, however many, and analyses only where they are to', {
  skip: process.platform === 'win32',
}, async () => {
  const background = createPool({ isBackground: true });
  const priority = async (reply: Promise<EngineReply>) => getPriority(resultOf(await reply) as number);
  const identities = Array.from({ length: 4 }, () => priority(identify(background, 'pid')));
  assert.deepEqual(new Set(await Promise.all(identities)), new Set([getPriority()]));
  assert.equal(await priority(analyze(pool, 'pid')), getPriority());
});

const canIdle = spawnSync('chrt', ['-i', '0', 'true']).status === 0;
test('on Linux analyses run only where a core is free, at the lowest priority', { skip: !canIdle }, async () => {
  const background = createPool({ isBackground: true });
  // Where none is free it does not get to answer.
  void analyze(background, 'pid');
  const words = ['--ppid', String(process.pid), '-o', 'pid=,class='];
  const idle = () => /^ *(\d+) +IDL$/m.exec(execFileSync('ps', words, { encoding: 'utf8' }))?.[1];
  while (idle() === undefined) await wait(20);
  assert.equal(getPriority(Number(idle())), 19);
});

test('a worker may neither read what is not its own, nor write, start anything, or reach the network', async () => {
  assert.deepEqual(resultOf(await analyze(pool, 'tries')), {
    read: 'ERR_ACCESS_DENIED',
    write: 'ERR_ACCESS_DENIED',
    spawn: 'ERR_ACCESS_DENIED',
    net: 'ERR_ACCESS_DENIED',
    getBuiltin: 'ERR_ACCESS_DENIED',
    fetch: 'ReferenceError',
    binding: 'ERR_ACCESS_DENIED',
    kill: 'ERR_ACCESS_DENIED',
    thread: 'ERR_ACCESS_DENIED',
    eval: 'EvalError',
  });
  assert(!existsSync('/tmp/written-by-a-worker'));
});

test('a worker sees nothing of the environment', async () => {
  const names = Object.keys(resultOf(await analyze(pool, 'environment')) as object);
  assert.deepEqual(
    names.filter((name) => name !== 'SystemRoot' && name !== 'MALLOC_ARENA_MAX'),
    [],
  );
});

test('a task hears of its progress', async () => {
  const stages: unknown[] = [];
  await analyze(pool, 'progress', { onProgress: (stage, done) => stages.push([stage, done]) });
  assert.deepEqual(stages, [['dex', 0.5]]);
});

test('a worker is replaced after its share of tasks', async () => {
  const replacing = createPool({ limits: { recycleTasks: 2 } });
  const pid = async () => resultOf(await analyze(replacing, 'pid'));
  const [first, second, third] = [await pid(), await pid(), await pid()];
  assert.equal(first, second);
  assert.notEqual(second, third);
});

test('a worker that has grown is replaced, soon if not at once', { skip: process.platform === 'win32' }, async () => {
  const replacing = createPool({ limits: { recycleBytes: 120_000_000 } });
  const before = resultOf(await analyze(replacing, 'pid'));
  await analyze(replacing, 'grow');
  while (resultOf(await analyze(replacing, 'pid')) === before) await wait(25);
});

test('what a worker holds for its next tasks is no reason to replace it', {
  skip: process.platform === 'win32',
}, async () => {
  const replacing = createPool({ limits: { recycleBytes: 1 } });
  const holding = () => analyze(replacing, 'pid', { holds: 4_000_000_000 });
  const pid = resultOf(await holding());
  for (let index = 0; index < 5; index++) assert.equal(resultOf(await holding()), pid);
  while (resultOf(await analyze(replacing, 'pid')) === pid) await wait(25);
});

test('rules may take what the machine has for them, and fewer scans run where each holds much', () => {
  const many = createPool({ concurrency: 64, limits: { residentBytes: 1_000_000_000 } });
  const nothing = many.memory({ takes: 0, holds: 0 });
  assert.deepEqual([nothing.worker, nothing.compiling, nothing.isEnough], [1_000_000_000, 1_000_000_000, true]);
  const little = many.memory({ takes: 1_000_000, holds: 1_000_000 });
  assert.deepEqual([little.compiling, little.isEnough], [1_001_000_000, true]);
  const tooMuch = many.memory({ takes: 2 * totalmem(), holds: totalmem() });
  assert.deepEqual([tooMuch.isEnough, tooMuch.scansAtOnce], [false, 1]);
  assert.ok(tooMuch.compiling <= Math.max(1_000_000_000, totalmem()));
  assert.ok(nothing.scansAtOnce > tooMuch.scansAtOnce);
});

test('a task right after another gets the same worker', async () => {
  const first = resultOf(await identify(pool, 'pid'));
  assert.equal(resultOf(await identify(pool, 'pid')), first);
});

test('closing the pool cancels what runs and what waits, and leaves no process', async () => {
  const closing = createPool();
  const pid = resultOf(await analyze(closing, 'pid')) as number;
  const replies = [analyze(closing, 'loop'), analyze(closing, 'pid')];
  await closing.close();
  assert.deepEqual((await Promise.all(replies)).map(codeOf), ['cancelled', 'cancelled']);
  assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
  assert.equal(codeOf(await analyze(closing, 'pid')), 'cancelled');
});

test('a scan that somebody waits for is taken before those that nobody does, however long they have waited', async () => {
  const busy = createPool();
  const scan = (name: string, isPatient: boolean) => {
    const file = { kind: 'plain', path: 'pid' } as const;
    const reply = busy.run({ kind: 'yara', file, rulesets: [], reports: noReports }, { isPatient });
    return reply.then(() => order.push(name));
  };
  const noReports = { androguard: null, cuckoo: null, droidbox: null };
  const order: string[] = [];
  await Promise.all([scan('first', true), scan('second', true), scan('third', true), scan('incoming', false)]);
  assert.deepEqual(order, ['first', 'incoming', 'second', 'third']);
});

test('a scan that a person waits for neither waits behind others nor gives way to anything', {
  skip: process.platform === 'win32',
}, async () => {
  const busy = createPool();
  const abort = new AbortController();
  const reports = { androguard: null, cuckoo: null, droidbox: null };
  const scan = (path: string, options: RunOptions) =>
    busy.run({ kind: 'yara', file: { kind: 'plain', path }, rulesets: [], reports }, options);
  const hanging = [scan('hang', { signal: abort.signal }), scan('hang', { signal: abort.signal })];
  const pid = resultOf(await scan('pid', { isAwaited: true })) as number;
  assert.equal(getPriority(pid), getPriority());
  abort.abort();
  assert.deepEqual((await Promise.all(hanging)).map(codeOf), ['cancelled', 'cancelled']);
});

test('rules are checked while a scan runs', async () => {
  const busy = createPool();
  const abort = new AbortController();
  const reports = { androguard: null, cuckoo: null, droidbox: null };
  const file = { kind: 'plain', path: 'hang' } as const;
  const scanning = busy.run({ kind: 'yara', file, rulesets: [], reports }, { signal: abort.signal });
  assert.equal(codeOf(await busy.run({ kind: 'compile', rules: '' })), 'done');
  abort.abort();
  assert.equal(codeOf(await scanning), 'cancelled');
});

test("heavy questions, checks and scans of one account leave a worker to the next one's", async () => {
  const busy = createPool();
  const abort = new AbortController();
  const { signal } = abort;
  const reports = { androguard: null, cuckoo: null, droidbox: null };
  const file = (path: string) => ({ kind: 'plain', path }) as const;
  const asks: ((path: string, options: RunOptions) => Promise<EngineReply>)[] = [
    (path, options) => busy.run({ kind: 'explore', file: file(path), question: { ask: 'code-outline' } }, options),
    (path, options) => busy.run({ kind: 'identify', file: file(path) }, options),
    (path, options) =>
      busy.run({ kind: 'yara', file: file(path), rulesets: [], reports }, { ...options, isAwaited: true }),
  ];
  for (const ask of asks) {
    const hanging = Array.from({ length: 8 }, () => ask('hang', { account: 1, signal }));
    assert.equal(codeOf(await ask('pid', { account: 2 })), 'done');
    assert.equal(codeOf(await ask('pid', { account: null })), 'done');
    void hanging;
  }
  abort.abort();
});
