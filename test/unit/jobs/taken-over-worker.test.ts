import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { EngineReply } from '../../../server/contract/process-line/messages.ts';
import type { EngineTask } from '../../../server/contract/process-line/tasks.ts';
import { createWorkerPool, type RunOptions, type WorkerPool } from '../../../server/jobs/worker-pool.ts';

const logged: { code?: string; message?: string; stderr?: string }[] = [];
const pool: WorkerPool = createWorkerPool({
  readableFolders: [],
  concurrency: 1,
  isBackground: false,
  entry: new URL('./taken-over-worker.ts', import.meta.url),
  log: { warn: (details) => void logged.push(details) },
});
after(() => pool.close());

const file = (path: string) => ({ kind: 'plain', path }) as const;
const analysis = (action: string): EngineTask => ({ kind: 'static', file: file(action), fileName: 'a.apk' });
const run = (task: EngineTask, options?: RunOptions): Promise<EngineReply> => pool.run(task, options);
const codeOf = (reply: EngineReply): string => (reply.status === 'failed' ? reply.code : reply.status);
const selfOf = (reply: EngineReply): unknown =>
  reply.status !== 'failed' && 'findings' in reply.result ? reply.result.findings[0]!.evidence : reply;

/** The task fails with the code, the worker is dead and in the log, and the next task has another. */
async function assertRefused(task: EngineTask): Promise<string> {
  const before = logged.length;
  const reply = await run(task);
  assert.equal(codeOf(reply), 'invalid-reply', JSON.stringify(reply).slice(0, 300));
  const { message } = reply as { message: string };
  assert.match(message, /^[\x20-\x7e]{1,200}$/);
  assert.deepEqual(
    logged.slice(before).map(({ code, message: told }) => [code, told]),
    [['invalid-reply', message]],
  );
  return message;
}

for (const action of [
  'nothing at all',
  'a number',
  'a list',
  'bytes that are no frame',
  'an empty frame',
  'text that is no JSON',
  'text that is no UTF-8',
  'a frame that holds no message',
  'attachments that are no list',
  'attachments beyond the frame',
  'bytes that nothing stands for',
  'an attachment of negative length',
  'an attachment in what every object inherits',
  'an attachment in the place of a text',
  'a message of no known type',
  'a key that no message has',
  'a key that no result has',
  'a prototype',
  'the result of another kind',
  'the reply to another task',
  'a reply whose task has no number',
  'a failure that is the pool’s to tell',
  'an error text of a hundred thousand letters',
  'an error text of 60 megabytes',
  'a number that is infinite',
  'a stage by the name of what objects inherit',
  'lists in lists, a hundred thousand deep',
  'thirty thousand findings',
  'a finding with a code of no kind',
  'a term of a field that nothing is found by',
  'progress beyond its end',
  'a stage that writes to the terminal',
  'a stage of a megabyte',
  'a flood of progress',
  'more than may be announced',
  'an endless message',
  'a report of 300 megabytes',
  'a report of less than it says',
  'a report that is not compressed',
  'a report that is no JSON',
  'a report that is a list',
  'a large report that is no JSON',
  'a large report nested too deeply',
]) {
  test(`a worker that sends ${action} is ended, and its task fails`, async () => {
    await assertRefused(analysis(action));
  });
}

test('no word of a worker that was taken over gets into the log unescaped, however much it writes', async () => {
  await assertRefused(analysis('a flood on standard error'));
  const { stderr = '' } = logged.at(-1)!;
  assert(stderr.includes('\\u{1b}]0;x\\u{7}') && stderr.length < 40_000, stderr.slice(0, 100));
  assert(!/[^\P{C}\n]/u.test(stderr));
});

test('a report that says 100 bytes and inflates to 1.5 gigabytes is refused in less memory than that', async () => {
  const before = process.resourceUsage().maxRSS;
  await assertRefused(analysis('a report that inflates to 1.5 gigabytes'));
  assert(process.resourceUsage().maxRSS - before < 500_000, `${before} to ${process.resourceUsage().maxRSS} KiB`);
});

for (const action of ['a message that never begins', 'half a message', 'a message byte by byte']) {
  test(`a worker that sends ${action} is ended by the time that it may take`, async () => {
    assert.equal(codeOf(await run(analysis(action), { cpuMilliseconds: 200 })), 'timeout');
  });
}

test('a worker that ends in the middle of a message has crashed', async () => {
  assert.equal(codeOf(await run(analysis('half a message and the end'))), 'crashed');
});

test('what comes after a reply ends the worker, and no later task', async () => {
  for (const action of ['a reply, and another', 'a reply, and progress a little later']) {
    const before = logged.length;
    const reply = await run(analysis(action));
    // While the reply is still being looked into, it does not count.
    assert.ok(['done', 'invalid-reply'].includes(codeOf(reply)), action);
    while (logged.length === before) await wait(10);
    assert.equal(logged.at(-1)!.code, 'invalid-reply');
    assert.equal(codeOf(await run(analysis('honest'))), 'done');
  }
});

test('a task whose worker answers the one before it once more is done by another worker', async () => {
  const first = await run(analysis('a reply, and it again to the next task'));
  const second = await run(analysis('honest'));
  assert.deepEqual([codeOf(first), codeOf(second)], ['done', 'done']);
  assert.notEqual(selfOf(first), selfOf(second));
});

const reports = { androguard: null, cuckoo: null, droidbox: null };
const scan = (action: string): EngineTask => ({
  kind: 'yara',
  file: file(action),
  rulesets: [{ id: 'one', rules: 'rule wanted { condition: true }' }],
  reports,
});
const look = (action: string): EngineTask => ({
  kind: 'explore',
  file: file(action),
  question: { ask: 'content', nth: 0, offset: 0, length: 1000 },
});

for (const [action, task] of [
  ['an icon that is a page', { kind: 'identify', file: file('an icon that is a page') }],
  ['a hash that is none', { kind: 'identify', file: file('a hash that is none') }],
  ...[
    'rules that were not asked for',
    'the outcome of another ruleset',
    'no outcome',
    'times that nobody asked for',
  ].map((name) => [name, scan(name)] as const),
  ...[
    'more bytes than were asked for',
    'fewer bytes than it says there are',
    'the answer to another question',
    'a fault of a field that is none',
  ].map((name) => [name, look(name)] as const),
  ['a file name with a path', { kind: 'prepare', rulesets: [], cacheFolder: 'a file name with a path' }],
  ['a report that nobody asked for', { kind: 'join', androguard: null, cuckoo: null, parts: null, added: null }],
] as readonly (readonly [string, EngineTask])[]) {
  test(`a worker that answers ${task.kind} with ${action} is ended`, async () => {
    await assertRefused(task);
  });
}

test('a worker may answer with the rules that it was given', async () => {
  assert.equal(codeOf(await run(scan('rules that were asked for'))), 'done');
});
