// A workstation of its own that runs one endless job, until it is killed.
import { createJobQueue } from '../../../server/jobs/job-queue.ts';
import { createJobRunner, type JobHandler } from '../../../server/jobs/job-runner.ts';
import { openStore } from '../../../server/store/store.ts';

const log = { info: () => undefined, warn: () => undefined, error: console.error };
const store = await openStore(process.argv[2]!, { log });
const queue = createJobQueue(store);
const endless: JobHandler = async () => {
  process.send!('running');
  await new Promise((resolve) => setTimeout(resolve, 600_000));
  return { status: 'done' };
};
if ((await queue.count({})) === 0) await queue.enqueue({ kind: 'endless', apkId: null, priority: 1 });
await createJobRunner({ queue, handlers: { endless }, concurrency: 1, log }).start();
