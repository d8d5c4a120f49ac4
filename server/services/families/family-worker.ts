// A thread that finds the families of APKs, for comparing code takes long. Cannot write.
import { parentPort, workerData } from 'node:worker_threads';
import { openReadingStore } from '../../store/reading-store.ts';
import { type Cancellation, failedReply, type ThreadReply } from '../../store/sqlite/answering-thread.ts';
import { MethodWeights } from '../catalogue/method-weights.ts';
import { FamilyPlacing, SketchCache } from './family-placing.ts';
import type { FamilyQuestion, PlaceAnswer } from './family-thread.ts';

const { reads, atOnce } = openReadingStore(workerData as string);
const weights = new MethodWeights(reads);
const sketches = new SketchCache();

async function placed(apkIds: readonly number[]): Promise<PlaceAnswer> {
  await weights.followHappening({ name: 'evidence_changed', apkIds });
  const placing = new FamilyPlacing(reads, await weights.current(), sketches);
  for (const id of apkIds) await placing.place(id);
  return { ...placing.placements, knowledge: weights.knowledge };
}

async function answer(question: FamilyQuestion): Promise<PlaceAnswer | number[]> {
  if (question.name === 'place') return placed(question.apkIds);
  const placing = new FamilyPlacing(reads, await weights.current(), sketches);
  return placing.strangers(question.familyId, question.apkIds);
}

async function reply({ id, ...question }: FamilyQuestion & { id: number }): Promise<ThreadReply> {
  try {
    return { kind: 'answer', id, answer: await atOnce(() => answer(question)) };
  } catch (error) {
    return failedReply(id, error);
  }
}

// One after the other: all read by one connection.
let told = Promise.resolve();
parentPort?.on('message', (message: (FamilyQuestion & { id: number }) | Cancellation) => {
  if (message.name === 'cancel') return;
  told = told.then(async () => parentPort?.postMessage(await reply(message)));
});
