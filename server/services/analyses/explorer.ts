// Looks into an APK for an analyst: contents of its files, resources, code. Knows nothing of formats or HTTP.
import type { CodeNames } from '../../contract/engine/code-names.ts';
import type { Exploration, ExplorationAnswers, ExplorationKind } from '../../contract/engine/exploration.ts';
import type { WorkerPool } from '../../jobs/worker-pool.ts';
import type { AccountRecord } from '../../store/repositories/people/account-repository.ts';
import type { Store } from '../../store/store.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { Failure, FieldFailure } from '../failure.ts';
import { leftFilesIfAny } from './left-files.ts';

/**
 * Milliseconds of the processor; the worker ends a search by itself long before, unless reading the code already takes
 * as long.
 */
const searchMilliseconds = 8000;

export class Explorer {
  readonly #store: Store;
  readonly #pool: WorkerPool;
  readonly #catalogue: Catalogue;

  constructor(store: Store, pool: WorkerPool, catalogue: Catalogue) {
    this.#store = store;
    this.#pool = pool;
    this.#catalogue = catalogue;
  }

  /**
   * Asks a worker, which alone reads bytes of APKs.
   * @param names what analysts call its code; without them it is called as it is
   * @throws Failure `not-found`, `file-missing`, `file-altered`, `content-unreadable`, `exploration-failed`
   * @throws FieldFailure where a part of the question is at fault
   */
  async ask<K extends ExplorationKind>(
    account: AccountRecord,
    sha256: string,
    question: Extract<Exploration, { ask: K }>,
    names?: CodeNames,
  ): Promise<ExplorationAnswers[K]> {
    const apk = await this.#catalogue.checkFile(sha256);
    const file = this.#store.files.fileReference(apk.sha256);
    const left = (await leftFilesIfAny(this.#store, apk)) ?? [];
    const limit = question.ask === 'code-search' ? { cpuMilliseconds: searchMilliseconds } : {};
    const reply = await this.#pool.run(
      { kind: 'explore', file, left, question, ...(names === undefined ? {} : { names }) },
      { account: account.id, ...limit },
    );
    if (reply.status === 'failed') {
      if (reply.code === 'unreadable-file') {
        await this.#catalogue.noteFileState(apk, await this.#store.files.verify(apk.sha256));
      }
      if (reply.code === 'timeout' && question.ask === 'code-search') {
        throw new FieldFailure({ q: ['This pattern takes too long. Make it simpler.'] });
      }
      if (reply.code === 'not-isolated') throw new Failure('not-isolated');
      throw new Failure('exploration-failed', { reason: reply.message });
    }
    const { result } = reply;
    // The pool has checked that the question is the one that was asked.
    if (result.status === 'answered') return result.answer as ExplorationAnswers[K];
    if (result.fault === 'not-found') throw new Failure('not-found');
    if (result.fault === 'bad-question') throw new FieldFailure({ [result.field]: [result.reason] });
    throw new Failure('content-unreadable', { reason: result.reason });
  }
}
