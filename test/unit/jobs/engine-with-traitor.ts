// The engine's worker, which one app takes over in the middle of its static analysis.
import { runTask } from '../../../server/engine/tasks.ts';
import { sendMessage, serveRequests } from './worker-end.ts';

await serveRequests(async ({ id, task }) => {
  const reply = await runTask(task, (stage, done) => sendMessage({ id, type: 'progress', stage, done }));
  const isTakenOver =
    task.kind === 'static' &&
    reply.status !== 'failed' &&
    JSON.stringify(reply.result).includes('io.appium.android.ime');
  sendMessage(isTakenOver ? null : { id, type: 'reply', reply });
});
