// Dismissals: findings and matches of rules that analysts marked as irrelevant. Knows nothing of HTTP.

import type { ApkRecord } from '../../store/repositories/apk-repository.ts';
import type {
  DismissalFilter,
  DismissalRecord,
  NewDismissalRecord,
} from '../../store/repositories/dismissal-repository.ts';
import type { AccountRecord } from '../../store/repositories/people/account-repository.ts';
import type { KeysetPage, KeysetRequest } from '../../store/sqlite/keyset-page.ts';
import type { Store, Writes } from '../../store/store.ts';
import type { EventBus } from '../event-bus.ts';
import { Failure } from '../failure.ts';

export type { DismissalRecord };

/** What is dismissed, and where. */
export type DismissalOrder = Omit<NewDismissalRecord, 'accountId' | 'username'>;

export class Dismissals {
  readonly #store: Store;
  readonly #events: EventBus;

  constructor(store: Store, events: EventBus) {
    this.#store = store;
    this.#events = events;
  }

  /** Stores a dismissal. @throws Failure `not-found` where the APK was deleted meanwhile */
  async dismiss(account: AccountRecord, order: DismissalOrder): Promise<DismissalRecord> {
    const by = { accountId: account.id, username: account.username };
    const dismissal = await this.#store.transaction(async (inside) => {
      const { apks, dismissals } = inside;
      if (order.apkId !== null && (await apks.findById(order.apkId)) === null) throw new Failure('not-found');
      const made = await dismissals.insert({ ...order, ...by });
      await this.#happened(made, inside);
      return made;
    });
    await this.#tell(dismissal);
    return dismissal;
  }

  /** Undoes a dismissal; one that was undone already is left alone. */
  async undo(account: AccountRecord, dismissal: DismissalRecord): Promise<void> {
    const held = await this.#store.transaction(async (inside) => {
      const isUndone = await inside.dismissals.undo(dismissal.id, account.username);
      if (isUndone) await this.#happened(dismissal, inside);
      return isUndone;
    });
    if (held) await this.#tell(dismissal);
  }

  /** @throws Failure `not-found`, also of rulesets that the account may not see */
  async get(account: AccountRecord, id: number | null): Promise<DismissalRecord> {
    const dismissal = id === null ? null : await this.#store.dismissals.findById(id, account.id);
    if (dismissal === null) throw new Failure('not-found');
    return dismissal;
  }

  /** Newest first. */
  page = (filter: DismissalFilter, request: KeysetRequest): Promise<KeysetPage<DismissalRecord>> =>
    this.#store.dismissals.page({ ...request, filter });

  /** How many dismissals a filter lets through. */
  count = (filter: DismissalFilter): Promise<number> => this.#store.dismissals.count(filter);

  /** Dismissals in force for an APK, without those of rulesets that the account may not see. */
  holdingFor = (apk: ApkRecord, account: AccountRecord): Promise<DismissalRecord[]> =>
    this.#store.dismissals.holdingFor(apk, account.id);

  #happened({ apkId, signerId }: DismissalRecord, inside: Writes): Promise<void> {
    return this.#events.happened(
      apkId === null ? { name: 'dismissals_changed', signerId } : { name: 'evidence_changed', apkIds: [apkId] },
      inside,
    );
  }

  async #tell({ id, apkId }: DismissalRecord): Promise<void> {
    this.#events.publish({ name: 'dismissals_changed', id });
    const apk = apkId === null ? null : await this.#store.apks.findById(apkId);
    if (apk !== null) this.#events.publish({ name: 'apk_updated', apk });
  }
}
