// Asks the thread that finds families. Knows no code.
import type { FoundRepackaging } from '../../store/repositories/repackaging-repository.ts';
import { AnsweringThread } from '../../store/sqlite/answering-thread.ts';
import type { Placements } from './family-placing.ts';

const program = new URL(`./family-worker.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url);

/** What is known of methods: how many packages tell how common they are, and which libraries people imported. */
export interface MethodKnowledge {
  packages: number;
  libraries: string;
}

export type FamilyQuestion =
  | { name: 'place'; apkIds: readonly number[] }
  /** Which of these members of a family are no longer like the others. */
  | { name: 'strangers'; familyId: number; apkIds: readonly number[] };
export type PlaceAnswer = Placements & { repackagings: readonly FoundRepackaging[]; knowledge: MethodKnowledge };

export class FamilyThread {
  readonly #thread: AnsweringThread;

  constructor(dataDir: string) {
    this.#thread = new AnsweringThread(program, dataDir);
  }

  /** Finds the family of each of these APKs, and who else signed its code. @throws the signal's reason where it ends the work */
  place(apkIds: readonly number[], signal: AbortSignal): Promise<PlaceAnswer> {
    return this.#thread.ask({ name: 'place', apkIds } satisfies FamilyQuestion, signal);
  }

  /** Which of a family's members have too little in common with the others to stay. */
  strangers(familyId: number, apkIds: readonly number[], signal: AbortSignal): Promise<number[]> {
    return this.#thread.ask({ name: 'strangers', familyId, apkIds } satisfies FamilyQuestion, signal);
  }

  /** Ends the thread. */
  close(): Promise<void> {
    return this.#thread.close();
  }
}
