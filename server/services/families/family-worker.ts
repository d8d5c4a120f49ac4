// A thread that finds the families of APKs, and who else signed their code, for comparing code takes long. Cannot write.
import { parentPort, workerData } from 'node:worker_threads';
import { openReadingStore } from '../../store/reading-store.ts';
import type { FoundRepackaging } from '../../store/repositories/repackaging-repository.ts';
import { type Cancellation, failedReply, type ThreadReply } from '../../store/sqlite/answering-thread.ts';
import { MethodWeights } from '../catalogue/method-weights.ts';
import { CodeCache } from './code-cache.ts';
import { FamilyPlacing } from './family-placing.ts';
import type { FamilyQuestion, MethodKnowledge, PlaceAnswer } from './family-thread.ts';
import { RepackagingSearch } from './repackaging-search.ts';
import { WeighedCodes } from './weighed-codes.ts';

const { reads, atOnce } = openReadingStore(workerData as string);
const weights = new MethodWeights(reads);
const codes = new CodeCache();
/** The state of knowledge about methods that the cached code was weighed by. */
let known: MethodKnowledge = { packages: 0, libraries: '' };
/** Growth in packages, as a factor, after which methods are weighed again. */
const weighedFor = 1.05;

async function weighed(): Promise<WeighedCodes> {
  const weightOf = await weights.current();
  const { packages, libraries } = weights.knowledge;
  if (packages > known.packages * weighedFor || libraries !== known.libraries) {
    known = { packages, libraries };
    codes.clear();
  }
  return new WeighedCodes(reads, weightOf, codes);
}

async function placed(apkIds: readonly number[]): Promise<PlaceAnswer> {
  await weights.followHappening({ name: 'evidence_changed', apkIds });
  for (const id of apkIds) codes.forget(id);
  const all = await weighed();
  const places = new FamilyPlacing(reads, all);
  const search = new RepackagingSearch(reads, all);
  const repackagings: FoundRepackaging[] = [];
  for (const id of apkIds) {
    const sharing = await reads.codeSketches.sharing(id);
    await places.place(
      id,
      sharing.map((other) => other.id),
    );
    repackagings.push(...(await search.of(id, sharing)));
  }
  return { ...places.placements, repackagings, knowledge: weights.knowledge };
}

const answer = async (question: FamilyQuestion): Promise<PlaceAnswer | number[]> =>
  question.name === 'place'
    ? placed(question.apkIds)
    : new FamilyPlacing(reads, await weighed()).strangers(question.familyId, question.apkIds);

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
