// Which record of the audit log a refusal belongs to: those of one kind share one, so that nobody fills the log by being
// refused. Knows nothing of how records are kept.
import type { NewAuditRecord } from '../store/repositories/audit-repository.ts';
import { networkOf } from './sharing/network-address.ts';

/** Microseconds for which one record counts: the clock's hours. */
const window = 3_600_000_000;
/** Records of a window that tell subjects apart: of one network without a token, of one account. */
const maxOfNetwork = 20;
const maxOfAccount = 200;
/** Records of a window for callers without a token that tell networks apart. */
const maxOfStrangers = 500;

export class RefusalRecords<T> {
  #windowStart = 0;
  /** By what they tell. */
  readonly #records = new Map<string, T>();
  /** How many records tell of one network or account, and how many of all strangers. */
  readonly #used = new Map<string, number>();

  /**
   * The record that a refusal belongs to, made where there is none yet. In the log it stands with the network of an IPv6
   * address; where there are too many of one caller without its subject; where there are too many callers, without the
   * address too. So their number is bounded, whatever is sent from wherever.
   * @param now microseconds since 1970 UTC
   * @param make called with what the new record tells
   */
  recordOf(refusal: NewAuditRecord, now: number, make: (record: NewAuditRecord) => T): { record: T; isNew: boolean } {
    const start = Math.floor(now / window) * window;
    if (start !== this.#windowStart) {
      this.#windowStart = start;
      this.#records.clear();
      this.#used.clear();
    }
    const address = networkOf(refusal.address);
    const whole = { ...refusal, address };
    const candidates = [whole, { ...whole, subject: '' }, { ...whole, subject: '', address: '' }];
    for (const [at, candidate] of candidates.entries()) {
      const key = JSON.stringify([
        candidate.username,
        candidate.address,
        candidate.action,
        candidate.subject,
        candidate.status,
      ]);
      const known = this.#records.get(key);
      if (known !== undefined) return { record: known, isNew: false };
      if (at < 2 && !this.#hasRoom(candidate, at + 1)) continue;
      const record = make(candidate);
      this.#records.set(key, record);
      return { record, isNew: true };
    }
    throw new Error('the last candidate always has room');
  }

  /**
   * Reserves room for one more record.
   * @param share multiplies the bound of one caller: less detailed records may be more
   */
  #hasRoom({ username, address }: NewAuditRecord, share: number): boolean {
    const bounds: [string, number][] =
      username === ''
        ? [
            [address, maxOfNetwork * share],
            ['', maxOfStrangers],
          ]
        : [[`@${username}`, maxOfAccount * share]];
    if (bounds.some(([name, most]) => (this.#used.get(name) ?? 0) >= most)) return false;
    for (const [name] of bounds) this.#used.set(name, (this.#used.get(name) ?? 0) + 1);
    return true;
  }
}
