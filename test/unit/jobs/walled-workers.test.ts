// Workers behind a wall are watched, limited, ended and put last as others are, though what was started is the wall's launcher.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { EngineReply } from '../../../server/contract/process-line/messages.ts';
import {
  createWorkerPool,
  type RunOptions,
  type WorkerPool,
  type WorkerPoolOptions,
} from '../../../server/jobs/worker-pool.ts';
import { walls } from './walls.ts';

const entry = new URL('./misbehaving-worker.ts', import.meta.url);
const scratch = mkdtempSync(join(tmpdir(), 'apk-workstation-walled-'));
after(() => rmSync(scratch, { recursive: true }));

const analyze = (pool: WorkerPool, action: string, options?: RunOptions): Promise<EngineReply> =>
  pool.run({ kind: 'static', file: { kind: 'plain', path: '' }, fileName: action }, options);
const codeOf = (reply: EngineReply): string => (reply.status === 'failed' ? reply.code : reply.status);

/** Processes with this word in their command line; the last of them is the worker itself, the others launched it. */
function processesNaming(word: string): number[] {
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  const names = (id: string): boolean => {
    try {
      return readFileSync(`/proc/${id}/cmdline`, 'latin1').includes(word);
    } catch {
      return false;
    }
  };
  return ids.filter(names).map(Number);
}

async function gone(word: string): Promise<void> {
  while (processesNaming(word).length > 0) await wait(20);
}

const { skip: isElsewhere } = { skip: process.platform !== 'linux' && 'processes are looked for as Linux shows them' };
const canIdle = spawnSync('chrt', ['-i', '0', 'true']).status === 0;

for (const { name, wall, skip } of walls) {
  describe(`behind ${name}`, { skip: skip || isElsewhere }, () => {
    /** Its processes are known by a folder that they may read. */
    async function withPool(
      work: (pool: WorkerPool, folder: string) => Promise<void>,
      options: Partial<WorkerPoolOptions> = {},
    ): Promise<void> {
      const folder = mkdtempSync(join(scratch, 'folder '));
      const pool = createWorkerPool({
        readableFolders: [folder],
        concurrency: 1,
        entry,
        isBackground: false,
        wall,
        ...options,
      });
      try {
        await work(pool, folder);
      } finally {
        await pool.close();
      }
      assert.deepEqual(processesNaming(folder), []);
    }

    test('a worker serves many tasks, and its death fails its own alone', () =>
      withPool(async (pool) => {
        const codes = [await analyze(pool, 'pid'), await analyze(pool, 'crash'), await analyze(pool, 'pid')].map(
          codeOf,
        );
        assert.deepEqual(codes, ['done', 'crashed', 'done']);
      }));

    test('the watch sees what the worker itself uses of the processor', () =>
      withPool(async (pool) => {
        const reply = await analyze(pool, 'loop', { cpuMilliseconds: 500 });
        assert.match(JSON.stringify(reply), /used the processor for/);
      }));

    test('the watch sees what the worker itself holds of memory', () =>
      withPool(
        async (pool) => {
          const reply = await analyze(pool, 'buffers');
          assert.match(JSON.stringify(reply), /needed \d+ MiB of memory/);
        },
        { limits: { residentBytes: 300_000_000 } },
      ));

    test('a heap that is full is told as one of memory', () =>
      withPool(async (pool) => assert.equal(codeOf(await analyze(pool, 'heap')), 'memory')));

    test('a cancelled task ends its worker and all that launched it', () =>
      withPool(async (pool, folder) => {
        const abort = new AbortController();
        const running = analyze(pool, 'loop', { signal: abort.signal });
        while (processesNaming(folder).length < 2) await wait(20);
        abort.abort();
        assert.equal(codeOf(await running), 'cancelled');
        await gone(folder);
      }));

    test('closing while workers are being launched leaves no process', () =>
      withPool(async (pool) => {
        const running = analyze(pool, 'loop');
        await pool.close();
        assert.equal(codeOf(await running), 'cancelled');
      }));

    test('analyses in the background run only where a core is free, at the lowest priority', { skip: !canIdle }, () =>
      withPool(
        async (pool, folder) => {
          void analyze(pool, 'loop');
          const worker = async () => {
            for (;;) {
              const found = processesNaming(folder).find((id) => isWorker(id));
              if (found !== undefined) return found;
              await wait(20);
            }
          };
          const id = await worker();
          const { stdout } = spawnSync('ps', ['-o', 'class=', '-p', String(id)], { encoding: 'utf8' });
          assert.equal(stdout.trim(), 'IDL');
          while (getPriority(id) !== 19) await wait(20);
        },
        { isBackground: true },
      ),
    );

    test('what whoever started the server left open for it reaches no worker', () => {
      const secret = join(mkdtempSync(join(scratch, 'inherited ')), 'secret');
      writeFileSync(secret, 'left open');
      const stdio: (number | 'ignore' | 'pipe')[] = ['ignore', 'pipe', 2];
      stdio[99] = openSync(secret, 'r');
      const words = [join(import.meta.dirname, './pool-process.ts'), name, scratch, 'inherited'];
      const { stdout } = spawnSync(process.execPath, words, { stdio: Array.from(stdio, (each) => each ?? 'ignore') });
      assert.match(String(stdout), /"done"/);
      assert.doesNotMatch(String(stdout), /left open/);
    });

    test('a worker that hangs ends with a server that is killed', async () => {
      const folder = mkdtempSync(join(scratch, 'killed '));
      const server = spawn(process.execPath, [join(import.meta.dirname, './pool-process.ts'), name, folder], {
        stdio: ['ignore', 'inherit', 'inherit'],
      });
      while (processesNaming(folder).filter((id) => id !== server.pid && isWorker(id)).length === 0) await wait(20);
      server.kill('SIGKILL');
      await once(server, 'exit');
      await gone(folder);
    });
  });
}

/** It is Node already, which the launchers start last. */
function isWorker(id: number): boolean {
  try {
    return readFileSync(`/proc/${id}/cmdline`, 'latin1').split('\0')[0] === process.execPath;
  } catch {
    return false;
  }
}
