import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { createJobQueue } from '../../../server/jobs/job-queue.ts';
import type { JobRecord } from '../../../server/store/repositories/job-repository.ts';
import { openScratch, scratchFolder } from '../store/scratch-store.ts';

/** Runs a workstation until its job is running, and kills it. */
async function runAndKill(folder: string): Promise<void> {
  const child = fork(join(import.meta.dirname, './job-process.ts'), [folder], { stdio: ['ignore', 2, 2, 'ipc'] });
  await once(child, 'message');
  child.kill('SIGKILL');
  await once(child, 'exit');
}

async function recoveredJob(folder: string): Promise<JobRecord> {
  const store = await openScratch(folder);
  const queue = createJobQueue(store);
  await queue.recover();
  const { items: jobs } = await queue.page({ limit: 10 });
  await store.close();
  assert.equal(jobs.length, 1);
  return jobs[0]!;
}

test('a job in the middle of which the workstation is killed runs again, also where that happens twice', async () => {
  const folder = scratchFolder();
  await runAndKill(folder);
  const first = await recoveredJob(folder);
  assert.deepEqual([first.status, first.attempts], ['queued', 1]);
  await runAndKill(folder);
  const second = await recoveredJob(folder);
  assert.deepEqual([second.status, second.attempts, second.errorCode], ['queued', 2, 'crashed']);
});
