// A workstation of its own that runs one endless job, until it is killed.
import { createJobQueue } from '../../../server/jobs/job-queue.ts';
import { createJobRunner } from '../../../server/jobs/job-runner.ts';
import { openStore } from '../../../server/store/store.ts';
import { handlersWith } from './handlers.ts';

const log = { info: () => undefined, warn: () => undefined, error: console.error };
const store = await openStore(process.argv[2]!, { log });
const queue = createJobQueue(store);
const endless = async () => {
  process.send!('running');
  await new Promise((resolve) => setTimeout(resolve, 600_000));
  return { status: 'done' } as const;
};
if ((await queue.count({})) === 0) await queue.enqueue({ kind: 'static', apkId: null, priority: 1 });
await createJobRunner({ queue, handlers: handlersWith({ static: endless }), concurrency: () => 1, log }).start();
