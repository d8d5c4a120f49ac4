// Verdicts of analysts on APKs; the latest is in force. Knows nothing of HTTP, nor of votes and their effects.
import type { NewVerdict } from '../../contract/catalogue/verdict.ts';
import type { ApkRecord } from '../../store/repositories/apk-repository.ts';
import type { AccountRecord } from '../../store/repositories/people/account-repository.ts';
import type { VerdictRecord } from '../../store/repositories/verdict-repository.ts';
import type { KeysetPage, KeysetRequest } from '../../store/sqlite/keyset-page.ts';
import type { Store } from '../../store/store.ts';
import type { EventBus } from '../event-bus.ts';
import { Failure } from '../failure.ts';

export type { VerdictRecord };

type Word = Pick<VerdictRecord, 'verdict' | 'family' | 'note'>;

/** Defaults of absent fields. */
function wholeWord(said: NewVerdict, apk: ApkRecord): Word {
  const { verdict = apk.verdict, note = '' } = said;
  const isOfFamily = verdict === 'malicious' || verdict === 'suspicious';
  return { verdict, family: said.family ?? (isOfFamily ? apk.family : ''), note };
}

export class Verdicts {
  readonly #store: Store;
  readonly #events: EventBus;

  constructor(store: Store, events: EventBus) {
    this.#store = store;
    this.#events = events;
  }

  /**
   * Gives a verdict on an APK; repeating one's own latest verdict changes nothing.
   * @returns the verdict in force
   * @throws Failure `not-found` where the APK was deleted meanwhile
   */
  async say(account: AccountRecord, apkId: number, said: NewVerdict): Promise<VerdictRecord> {
    const { latest, apk } = await this.#store.transaction(async (inside) => {
      const before = await inside.apks.findById(apkId);
      if (before === null) throw new Failure('not-found');
      const word = wholeWord(said, before);
      const held = await inside.verdicts.latest(apkId);
      const { verdict, family, note } = word;
      const isSame = held?.verdict === verdict && held.family === family && held.note === note;
      if (isSame && held.accountId === account.id) return { latest: held, apk: null };
      const by = { apkId, accountId: account.id, username: account.username };
      const inserted = await inside.verdicts.insert({ ...by, ...word });
      const apk = await inside.apks.update(apkId, word);
      if (before.verdict !== verdict)
        await this.#events.happened({ name: 'standing_changed', apkIds: [apkId] }, inside);
      return { latest: inserted, apk };
    });
    if (apk !== null) this.#events.publish({ name: 'apk_updated', apk });
    return latest;
  }

  /** The verdict in force, null before the first. */
  latest = (apkId: number): Promise<VerdictRecord | null> => this.#store.verdicts.latest(apkId);

  /** All verdicts on an APK, newest first. */
  history = (apkId: number, request: KeysetRequest): Promise<KeysetPage<VerdictRecord>> =>
    this.#store.verdicts.page({ ...request, apkId });

  /** How many verdicts the history of an APK has. */
  count = (apkId: number): Promise<number> => this.#store.verdicts.count(apkId);
}
