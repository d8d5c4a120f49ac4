import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { EngineMessage, EngineReply, EngineTask, Identity } from '../../../server/contract/engine.ts';
import { FormatError } from '../../../server/engine/formats/byte-reader.ts';
import { failureOf } from '../../../server/engine/worker.ts';
import { realApks } from '../../fixtures/real-apks.ts';
import { buildZip } from '../../fixtures/zip-builder.ts';

const root = join(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'worker-'));
/** As the pool starts it: reads the program and the files to analyse, nothing else, and has no environment. */
const worker = fork(join(root, 'server/engine/worker.ts'), [], {
  execArgv: [
    '--permission',
    `--allow-fs-read=${root}`,
    `--allow-fs-read=${folder}`,
    '--disable-warning=SecurityWarning',
  ],
  env: {},
  serialization: 'advanced',
  stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
});
const waiting = new Map<number, { messages: EngineMessage[]; resolve: (messages: EngineMessage[]) => void }>();
let lastId = 0;

before(() => {
  worker.on('message', (message: EngineMessage) => {
    const task = waiting.get(message.id)!;
    task.messages.push(message);
    if (message.type === 'reply') task.resolve(task.messages);
  });
});
after(() => {
  worker.disconnect();
  rmSync(folder, { recursive: true });
});

async function run(task: EngineTask): Promise<{ reply: EngineReply; progress: EngineMessage[] }> {
  const id = ++lastId;
  const messages = await new Promise<EngineMessage[]>((resolve) => {
    waiting.set(id, { messages: [], resolve });
    worker.send({ id, task });
  });
  const last = messages.at(-1)!;
  assert.equal(last.type, 'reply');
  return { reply: (last as Extract<EngineMessage, { type: 'reply' }>).reply, progress: messages.slice(0, -1) };
}

function file(name: string, bytes: Uint8Array): { kind: 'plain'; path: string } {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return { kind: 'plain', path };
}

test('a worker identifies a real APK', async () => {
  const { reply } = await run({ kind: 'identify', file: { kind: 'plain', path: realApks.unlock } });
  assert.ok(reply.status === 'done');
  assert.equal((reply.result as Identity).packageName, 'io.appium.unlock');
});

test('a worker analyses a real APK and tells its progress', async () => {
  const task: EngineTask = { kind: 'static', file: { kind: 'plain', path: realApks.unlock }, fileName: 'unlock.apk' };
  const { reply, progress } = await run(task);
  assert.equal(reply.status, 'done');
  assert.ok(progress.length > 0);
  assert.ok(progress.every((message) => message.type === 'progress' && message.done >= 0 && message.done <= 1));
});

for (const [title, bytes] of [
  ['a text', Buffer.from('hello')],
  ['an empty file', Buffer.alloc(0)],
  ['an archive without a manifest', buildZip({ entries: [{ name: 'a.txt', content: 'x' }] })],
] as const) {
  test(`${title} is no APK`, async () => {
    const { reply } = await run({ kind: 'identify', file: file('sample', bytes) });
    assert.ok(reply.status === 'failed');
    assert.equal(reply.code, 'not-an-apk');
  });
}

test('a missing file, and one outside the worker’s reach, are unreadable, and their paths stay untold', async () => {
  for (const path of [join(folder, 'missing.apk'), '/etc/hostname']) {
    for (const reference of [
      { kind: 'plain', path },
      { kind: 'sealed', path, key: 'AAAA' },
    ] as const) {
      const { reply } = await run({ kind: 'identify', file: reference });
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
