// A worker that an APK has taken over: runs the intruder with the bait that is the path of its task's file, and tells what it
// said as stages of its progress.
import { intrude } from '../../../server/jobs/wall/intrusion.ts';
import type { Bait } from '../../../server/jobs/wall/trap.ts';
import { sendMessage, serveRequests } from './worker-end.ts';

await serveRequests(async ({ id, task }) => {
  const bait = JSON.parse('file' in task ? task.file.path : '') as Bait;
  await intrude(bait, (confession) => {
    // Of a whole file that was read, what shows that it was.
    const told =
      'told' in confession ? { told: confession.told.slice(0, confession.told.indexOf(bait.nonce) + 32) } : {};
    const { reason: _, ...shown } = { reason: '', ...confession, ...told };
    sendMessage({ id, type: 'progress', stage: JSON.stringify(shown), done: 0 });
  });
  sendMessage({ id, type: 'reply', reply: { status: 'failed', code: 'internal', message: 'over' } });
});
