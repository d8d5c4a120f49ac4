// Entry point of a worker process: takes tasks from the line, answers with results. Knows nothing of what a task is.
import { read, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import { encodeFrame, FrameReader } from '../contract/process-line/frames.ts';
import { inputDescriptor, outputDescriptor, replyLimits, requestLimits } from '../contract/process-line/limits.ts';
import type { LineMessage } from '../contract/process-line/messages.ts';
import type { LineRequest } from '../contract/process-line/tasks.ts';
import { failureOf, runTask } from './tasks.ts';

/** The line is read as a file is: a worker has no sockets. */
const readBytes = promisify(read);
const chunkLength = 65_536;

/** Blocks until the service side has taken it, also in the middle of an analysis. */
function send(message: LineMessage, kind: LineRequest['task']['kind']): void {
  for (const piece of encodeFrame(message, replyLimits[kind])) {
    for (let written = 0; written < piece.length; ) written += writeSync(outputDescriptor, piece, written);
  }
}

async function answer({ id, task }: LineRequest): Promise<void> {
  const reply = await runTask(task, (stage, done) => send({ id, type: 'progress', stage, done }, task.kind));
  try {
    send({ id, type: 'reply', reply }, task.kind);
  } catch (error) {
    send({ id, type: 'reply', reply: failureOf(error) }, task.kind);
  }
}

// Reading goes on beside an answer: the line's end, when the service side is gone, ends what is under way.
const reader = new FrameReader();
const chunk = Buffer.alloc(chunkLength);
for (;;) {
  const { bytesRead } = await readBytes(inputDescriptor, chunk, 0, chunkLength, null);
  if (bytesRead === 0) break;
  for (const { message } of reader.read(chunk.subarray(0, bytesRead), () => requestLimits)) {
    void answer(message as LineRequest);
  }
}
process.exit(0);
