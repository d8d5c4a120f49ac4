// What is said of all members of a family at once, and taken back. Knows nothing of code or HTTP.
import { setImmediate } from 'node:timers/promises';
import type { NewVerdict } from '../../contract/catalogue/verdict.ts';
import { type JobOutcome, type JobQueue, jobPriorities } from '../../jobs/job-queue.ts';
import type { JobHandler } from '../../jobs/job-runner.ts';
import type { FamilyActionRecord } from '../../store/repositories/family-action-repository.ts';
import type { FamilyRecord } from '../../store/repositories/family-repository.ts';
import type { AccountRecord } from '../../store/repositories/people/account-repository.ts';
import type { Store } from '../../store/store.ts';
import type { BulkActions, BulkResult } from '../analyses/bulk-actions.ts';
import type { Verdicts } from '../triage/verdicts.ts';
import type { Families } from './families.ts';

/** Verdicts on up to this many members are taken back before the request is answered; on more, by a job. */
const atOnce = 50;

interface JudgementParts {
  store: Store;
  queue: JobQueue;
  families: Families;
  verdicts: Verdicts;
  bulk: BulkActions;
}

/** The verdict on each member; a malicious or suspicious one without a family name gets the family's own. */
export function wordOf(family: FamilyRecord, said: NewVerdict): NewVerdict {
  const isOfFamily = said.verdict === 'malicious' || said.verdict === 'suspicious';
  return { ...(isOfFamily && family.name !== '' && { family: family.name }), ...said };
}

export class FamilyJudgements {
  readonly #store: Store;
  readonly #queue: JobQueue;
  readonly #families: Families;
  readonly #verdicts: Verdicts;
  readonly #bulk: BulkActions;

  constructor({ store, queue, families, verdicts, bulk }: JudgementParts) {
    this.#store = store;
    this.#queue = queue;
    this.#families = families;
    this.#verdicts = verdicts;
    this.#bulk = bulk;
  }

  /** Records one verdict for all members. */
  async say(account: AccountRecord, { id, members }: FamilyRecord, verdict: NewVerdict): Promise<BulkResult> {
    const ids = await this.#store.families.members(id, { offset: 0, limit: members });
    return this.#bulk.onIds(account, { action: 'judge', tag: null, verdict }, ids);
  }

  /** Takes back the verdicts of an action, except on members that somebody has judged since. */
  async takeBack(account: AccountRecord, action: FamilyActionRecord): Promise<void> {
    const { members } = await this.#families.get(action.familyId);
    if (members <= atOnce) {
      await this.#takeBackAll(account, action, () => undefined);
      return;
    }
    const payload = { actionId: action.id, accountId: account.id };
    const asked = { apkId: null, priority: jobPriorities.request, requestedBy: account.id };
    await this.#queue.enqueue({ kind: 'families', ...asked, payload });
  }

  /** The handler of jobs of the kind `families` that take something back. */
  readonly perform: JobHandler<'families'> = async ({ payload }, { signal, progress }): Promise<JobOutcome> => {
    const action = payload === null ? null : await this.#store.familyActions.findById(payload.actionId);
    const account = payload === null ? null : await this.#store.accounts.findById(payload.accountId);
    if (action === null || account === null) return { status: 'done' };
    await this.#takeBackAll(account, action, (done, count) => {
      signal.throwIfAborted();
      progress(`${done} of ${count}`, done / Math.max(1, count));
    });
    return { status: 'done' };
  };

  async #takeBackAll(
    account: AccountRecord,
    action: FamilyActionRecord,
    onDone: (done: number, count: number) => void,
  ): Promise<void> {
    const { id, members } = await this.#families.get(action.familyId);
    const ids = await this.#store.families.members(id, { offset: 0, limit: members });
    for (const [done, apkId] of ids.entries()) {
      onDone(done, ids.length);
      const [said, before] = (await this.#verdicts.history(apkId, { limit: 2 })).items;
      const isThis =
        said !== undefined &&
        said.accountId === action.accountId &&
        said.createdAt >= action.createdAt &&
        said.verdict === action.detail.verdict;
      const { verdict, family, note } = before ?? { verdict: 'unknown', family: '', note: '' };
      if (isThis) await this.#verdicts.say(account, apkId, { verdict, family, note });
      await setImmediate();
    }
  }
}
