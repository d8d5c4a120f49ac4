// Waits for analyses under way whose reports rules would see. Knows nothing of who waits.
import { type JobQueue, jobPriorities } from '../../jobs/job-queue.ts';
import type { ApkRecord } from '../../store/repositories/apk-repository.ts';
import type { Store } from '../../store/store.ts';
import { mayAskReports, mayAskRuns } from './apk-scanner.ts';

/** Analyses whose reports these rules may ask. */
export function analysesAsked(texts: readonly string[]): ('static' | 'dynamic')[] {
  if (!texts.some(mayAskReports)) return [];
  return texts.some(mayAskRuns) ? ['static', 'dynamic'] : ['static'];
}

export class AwaitedReports {
  readonly #store: Store;
  readonly #queue: JobQueue;

  constructor(store: Store, queue: JobQueue) {
    this.#store = store;
    this.#queue = queue;
  }

  /**
   * Resolves when none of these analyses of the APK waits or runs, or the signal is aborted. Imports give way to it.
   * @param accountId who waits
   */
  async of(
    { id }: ApkRecord,
    kinds: readonly ('static' | 'dynamic')[],
    accountId: number,
    signal: AbortSignal,
  ): Promise<void> {
    for (const kind of kinds) {
      if ((await this.#store.jobs.findOpen(id, kind)) === null) continue;
      const { promise: ended, resolve } = Promise.withResolvers<void>();
      const end = () => resolve();
      const stop = this.#queue.onChange((job) => {
        if (job.apkId === id && job.kind === kind && job.finishedAt !== null) end();
      });
      signal.addEventListener('abort', end);
      try {
        if (!signal.aborted && (await this.#hurry(id, kind, accountId))) await ended;
      } finally {
        signal.removeEventListener('abort', end);
        stop();
      }
    }
  }

  /** @returns whether such an analysis waits or runs */
  #hurry(apkId: number, kind: 'static' | 'dynamic', accountId: number): Promise<boolean> {
    return this.#store.transaction(async (inside) => {
      const open = await inside.jobs.findOpen(apkId, kind);
      if (open === null) return false;
      await inside.jobs.join(open.id, { priority: jobPriorities.upload, isAutomatic: false, accountId });
      return true;
    });
  }
}
