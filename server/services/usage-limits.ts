// Counts what accounts use and refuses what goes over the limits of their group. Knows nothing of requests.
import { type LimitName, limitNames } from '../contract/account.ts';
import type { AccountRecord } from '../store/account-repository.ts';
import type { Store } from '../store/store.ts';
import { Failure } from './failure.ts';

interface Limit {
  amount: number;
  unit: 'day' | 'min';
}

const microseconds = { day: 86_400_000_000, min: 60_000_000 } as const;

/** A day is a UTC day, a minute a clock minute: both begin at multiples of their length since 1970. */
const windowStart = (unit: Limit['unit'], now: number) =>
  Math.floor((now * 1000) / microseconds[unit]) * microseconds[unit];

export class UsageLimits {
  readonly #store: Pick<Store, 'limits'>;
  /** The table, by group and name. Read once: only this process writes it. */
  #table: Promise<Map<string, Limit>> | undefined;

  constructor(store: Pick<Store, 'limits'>) {
    this.#store = store;
  }

  async #limit(group: string, name: LimitName): Promise<Limit> {
    this.#table ??= this.#store.limits
      .groupLimits()
      .then(
        (rows) => new Map(rows.map((row) => [`${row.apiGroup} ${row.name}`, { amount: row.amount, unit: row.unit }])),
      );
    const table = await this.#table;
    const limit = table.get(`${group} ${name}`) ?? table.get(`basic ${name}`);
    if (limit === undefined) throw new Error(`the table of limits has no ${name}`);
    return limit;
  }

  /**
   * Counts one use. A refused one is not counted.
   * @throws Failure `throttled`
   */
  async use(account: AccountRecord, name: LimitName, now = Date.now()): Promise<void> {
    const { amount, unit } = await this.#limit(account.apiGroup, name);
    const start = windowStart(unit, now);
    const used = await this.#store.limits.consume(account.id, name, start, 1);
    if (used <= amount) return;
    await this.#store.limits.consume(account.id, name, start, -1);
    const seconds = Math.max(1, Math.ceil((start + microseconds[unit]) / 1_000_000 - now / 1000));
    throw new Failure('throttled', { seconds }, seconds);
  }

  /** Takes a counted use back: what it was for cost nothing. */
  async giveBack(account: AccountRecord, name: LimitName, now = Date.now()): Promise<void> {
    const { unit } = await this.#limit(account.apiGroup, name);
    await this.#store.limits.consume(account.id, name, windowStart(unit, now), -1);
  }

  /** Limit and use of every name, in the table's order. */
  async statistics(
    account: AccountRecord,
    now = Date.now(),
  ): Promise<{ name: LimitName; limit: Limit; used: number }[]> {
    return Promise.all(
      limitNames.map(async (name) => {
        const limit = await this.#limit(account.apiGroup, name);
        return { name, limit, used: await this.#store.limits.used(account.id, name, windowStart(limit.unit, now)) };
      }),
    );
  }

  /** Forgets the use of windows that are over for good. */
  async forgetOld(now = Date.now()): Promise<void> {
    await this.#store.limits.removeBefore(windowStart('day', now) - microseconds.day);
  }
}
