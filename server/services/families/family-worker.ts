// A thread that finds the families of APKs, for comparing code takes long. Cannot write.
import { parentPort, workerData } from 'node:worker_threads';
import { openReadingStore } from '../../store/reading-store.ts';
import { type Cancellation, failedReply, type ThreadReply } from '../../store/sqlite/answering-thread.ts';
import { MethodWeights } from '../catalogue/method-weights.ts';
import { CodeCache } from './code-cache.ts';
import { FamilyPlacing } from './family-placing.ts';
import type { FamilyQuestion, MethodKnowledge, PlaceAnswer } from './family-thread.ts';

const { reads, atOnce } = openReadingStore(workerData as string);
const weights = new MethodWeights(reads);
const codes = new CodeCache();
/** By which the code that is kept has its weights. */
let known: MethodKnowledge = { packages: 0, libraries: '' };
/** Share of packages that may come before methods are weighed anew. */
const weighedFor = 1.05;

async function placing(): Promise<FamilyPlacing> {
  const weightOf = await weights.current();
  const { packages, libraries } = weights.knowledge;
  if (packages > known.packages * weighedFor || libraries !== known.libraries) {
    known = { packages, libraries };
    codes.clear();
  }
  return new FamilyPlacing(reads, weightOf, codes);
}

async function placed(apkIds: readonly number[]): Promise<PlaceAnswer> {
  await weights.followHappening({ name: 'evidence_changed', apkIds });
  const places = await placing();
  for (const id of apkIds) await places.place(id);
  return { ...places.placements, knowledge: weights.knowledge };
}

const answer = async (question: FamilyQuestion): Promise<PlaceAnswer | number[]> =>
  question.name === 'place' ? placed(question.apkIds) : (await placing()).strangers(question.familyId, question.apkIds);

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
