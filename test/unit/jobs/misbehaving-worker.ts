// A worker that does what the file name of its task says, most of it badly. Stands in for the engine's worker.
import { readFileSync } from 'node:fs';
import type { LineRequest } from '../../../server/contract/process-line/tasks.ts';
import { resultSaying, sendMessage, serveRequests } from './worker-end.ts';

const kept: Uint8Array[] = [];
const tries: Record<string, () => unknown> = {
  read: () => readFileSync('/etc/hostname'),
  write: async () => (await import('node:fs')).writeFileSync('/tmp/written-by-a-worker', ''),
  spawn: async () => (await import('node:child_process')).spawnSync('true'),
  net: async () => (await import('node:net')).connect(80),
  getBuiltin: () => process.getBuiltinModule('node:http'),
  fetch: () => fetch('http://127.0.0.1'),
  binding: () => (process as unknown as { binding(name: string): unknown }).binding('tcp_wrap'),
  kill: () => process.kill(process.ppid, 0),
  thread: async () => new (await import('node:worker_threads')).Worker('1', { eval: true }),
  eval: () => new Function('return 1')(),
};

async function outcomes(): Promise<Record<string, string>> {
  const result: Record<string, string> = {};
  for (const [name, attempt] of Object.entries(tries)) {
    try {
      await attempt();
      result[name] = 'allowed';
    } catch (error) {
      result[name] = (error as { code?: string }).code ?? (error as Error).name;
    }
  }
  return result;
}

const actions: Record<string, (request: LineRequest) => unknown> = {
  crash: () => process.exit(3),
  heap: () => {
    const numbers: number[][] = [];
    for (;;) numbers.push(new Array(1_000_000).fill(Math.random()));
  },
  // No more than a machine has that is slow to look.
  buffers: () => {
    while (kept.length < 50) kept.push(Buffer.alloc(16_000_000, 1));
    return new Promise(() => undefined);
  },
  loop: () => {
    for (;;) Math.random();
  },
  work: () => {
    const { user, system } = process.cpuUsage();
    for (let used = 0; used < 400_000; ) {
      const now = process.cpuUsage();
      used = now.user + now.system - user - system;
    }
    return process.pid;
  },
  hang: () => new Promise(() => undefined),
  grow: () => kept.push(Buffer.alloc(100_000_000, 1)) && 'grown',
  pid: () => process.pid,
  inherited: () => {
    try {
      return readFileSync(99, 'utf8');
    } catch (error) {
      return (error as { code: string }).code;
    }
  },
  tries: outcomes,
  environment: () => process.env,
  progress: ({ id }) => {
    sendMessage({ id, type: 'progress', stage: 'dex', done: 0.5 });
    return 'reported';
  },
};

await serveRequests(async (request) => {
  const { task } = request;
  const name = 'fileName' in task ? task.fileName : 'file' in task ? task.file.path : task.kind;
  const result = await (actions[name] ?? actions.pid!)(request);
  sendMessage({ id: request.id, type: 'reply', reply: { status: 'done', result: resultSaying(task, result) } });
});
