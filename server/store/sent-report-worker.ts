// A thread that checks large reports of workers, off the main thread. Knows no worker.
import { parentPort } from 'node:worker_threads';
import { type SentReportQuestion, sentReportFault } from './sent-reports.ts';
import { failedReply, type ThreadReply } from './sqlite/answering-thread.ts';

parentPort?.on('message', ({ id, ...sent }: SentReportQuestion) => {
  let reply: ThreadReply;
  try {
    reply = { kind: 'answer', id, answer: sentReportFault(sent) };
  } catch (error) {
    reply = failedReply(id, error);
  }
  parentPort?.postMessage(reply);
});
