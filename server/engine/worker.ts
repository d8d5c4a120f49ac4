// Entry point of a worker process: takes tasks from the line, answers with results. Knows nothing of what a task is.
import { replyLimits, requestLimits } from '../contract/process-line/limits.ts';
import type { LineMessage } from '../contract/process-line/messages.ts';
import type { LineRequest } from '../contract/process-line/tasks.ts';
import { receivedMessages, sendMessage } from './line.ts';
import { failureOf, runTask } from './tasks.ts';

async function answer({ id, task }: LineRequest): Promise<void> {
  const send = (message: LineMessage) => sendMessage(message, replyLimits[task.kind]);
  const reply = await runTask(task, (stage, done) => send({ id, type: 'progress', stage, done }));
  try {
    send({ id, type: 'reply', reply });
  } catch (error) {
    send({ id, type: 'reply', reply: failureOf(error) });
  }
}

// Reading goes on beside an answer: the line's end, when the service side is gone, ends what is under way.
for await (const request of receivedMessages(requestLimits)) void answer(request as LineRequest);
process.exit(0);
