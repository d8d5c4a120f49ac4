// Counts what accounts use and refuses what goes over the limits of their group. Knows nothing of requests.
import { setImmediate } from 'node:timers/promises';
import { type LimitName, limitNames } from '../../contract/people/account.ts';
import { apiGroups } from '../../contract/people/analyst.ts';
import type { CountedLimitName, LimitChangesBody, LimitTable } from '../../contract/workstation/settings.ts';
import type { ErrorLog } from '../../jobs/error-log.ts';
import type { AccountRecord } from '../../store/repositories/people/account-repository.ts';
import type { Store } from '../../store/store.ts';
import { Failure } from '../failure.ts';

interface Limit {
  amount: number;
  unit: 'day' | 'min';
}

/** The use of one limit by one account in one window. */
interface Counter {
  accountId: number;
  name: CountedLimitName;
  /** Microseconds since 1970 UTC. */
  start: number;
  end: number;
  used: number;
  /** What of it is not written yet. */
  unwritten: number;
}

const microseconds = { day: 86_400_000_000, min: 60_000_000 } as const;

/** Use of a minute is written when so many milliseconds are over: a crash forgets no more of it. */
const writeDelay = 200;

/** A day is a UTC day, a minute a clock minute: both begin at multiples of their length since 1970. */
const windowStart = (unit: Limit['unit'], now: number) => Math.floor(now / microseconds[unit]) * microseconds[unit];

export class UsageLimits {
  readonly #store: Store;
  readonly #log: ErrorLog;
  /** The table, by group and name. Read once: only this process writes it. */
  #table: Promise<Map<string, Limit>> | undefined;
  readonly #counters = new Map<string, Promise<Counter>>();
  readonly #unwritten = new Set<Counter>();
  #timer: NodeJS.Timeout | undefined;
  /** The write that has not begun yet: what is counted until then goes with it. */
  #nextWrite: Promise<void> | undefined;
  #lastWrite: Promise<void> = Promise.resolve();

  constructor(store: Store, log: ErrorLog) {
    this.#store = store;
    this.#log = log;
  }

  async #limit(group: string, name: CountedLimitName): Promise<Limit> {
    this.#table ??= this.#readTable().catch((error: unknown) => {
      this.#table = undefined;
      throw error;
    });
    const table = await this.#table;
    const limit = table.get(`${group} ${name}`) ?? table.get(`basic ${name}`);
    if (limit === undefined) throw new Error(`the table of limits has no ${name}`);
    return limit;
  }

  async #readTable(): Promise<Map<string, Limit>> {
    const rows = await this.#store.limits.groupLimits();
    return new Map(rows.map(({ apiGroup, name, amount, unit }) => [`${apiGroup} ${name}`, { amount, unit }]));
  }

  /** The counter of the window of now, begun with what was written before. */
  #counter(accountId: number, name: CountedLimitName, unit: Limit['unit']): Promise<Counter> {
    const start = windowStart(unit, this.#store.clock());
    const key = `${accountId} ${name} ${start}`;
    let counter = this.#counters.get(key);
    if (counter === undefined) {
      const end = start + microseconds[unit];
      counter = this.#store.limits
        .used(accountId, name, start)
        .then((used) => ({ accountId, name, start, end, used, unwritten: 0 }));
      this.#counters.set(key, counter);
      counter.catch(() => this.#counters.delete(key));
    }
    return counter;
  }

  #add(counter: Counter, amount: number): void {
    counter.used += amount;
    counter.unwritten += amount;
    this.#unwritten.add(counter);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#write();
    }, writeDelay).unref();
  }

  /**
   * Counts one use. A refused one is not counted. The owner's machine refuses its owner nothing, and counts all the same. A use of a day is written when this resolves, so that no crash
   * gives it back.
   * @throws Failure `throttled`
   */
  async use(account: AccountRecord, name: CountedLimitName): Promise<void> {
    const { amount, unit } = await this.#limit(account.apiGroup, name);
    const counter = await this.#counter(account.id, name, unit);
    if (counter.used >= amount && account.role !== 'owner') {
      const seconds = Math.max(1, Math.ceil((counter.end - this.#store.clock()) / 1_000_000));
      throw new Failure('throttled', { seconds }, seconds);
    }
    this.#add(counter, 1);
    if (unit === 'day') await this.#write();
  }

  /** Takes a counted use back: what it was for cost nothing. */
  async giveBack(account: AccountRecord, name: CountedLimitName): Promise<void> {
    const { unit } = await this.#limit(account.apiGroup, name);
    const counter = await this.#counter(account.id, name, unit);
    if (counter.used > 0) this.#add(counter, -1);
  }

  /** Limit and use of every name, in the order of the contract. */
  async statistics(account: AccountRecord): Promise<{ name: LimitName; limit: Limit; used: number }[]> {
    return Promise.all(
      limitNames.map(async (name) => {
        const limit = await this.#limit(account.apiGroup, name);
        return { name, limit, used: (await this.#counter(account.id, name, limit.unit)).used };
      }),
    );
  }

  /** The limits of every group. */
  async table(): Promise<LimitTable> {
    const table = Object.fromEntries(apiGroups.map((group) => [group, {}])) as LimitTable;
    for (const { apiGroup, name, amount, unit } of await this.#store.limits.groupLimits()) {
      const group = apiGroups.find((known) => known === apiGroup);
      if (group !== undefined) table[group][name as CountedLimitName] = `${amount}/${unit}`;
    }
    return table;
  }

  /** Changes the limits that are given, from the next request on. */
  async changeTable(changes: LimitChangesBody): Promise<void> {
    await this.#store.transaction(async ({ limits }) => {
      for (const [apiGroup, group] of Object.entries(changes)) {
        for (const [name, limit] of Object.entries(group)) {
          const [amount, unit] = limit.split('/') as [string, Limit['unit']];
          await limits.setGroupLimit({ apiGroup, name, amount: Number(amount), unit });
        }
      }
    });
    this.#table = undefined;
  }

  /** Writes what was counted, with everything that is counted until the write before is over. What fails is tried again. */
  #write(): Promise<void> {
    this.#nextWrite ??= this.#lastWrite.then(async () => {
      // One write for all that this turn of the event loop lets in.
      await setImmediate();
      this.#nextWrite = undefined;
      await this.#writeNow().catch((err: unknown) =>
        this.#log.error({ err }, 'the use of limits could not be written'),
      );
    });
    this.#lastWrite = this.#nextWrite;
    return this.#nextWrite;
  }

  async #writeNow(): Promise<void> {
    const counters = [...this.#unwritten];
    this.#unwritten.clear();
    const uses = counters.flatMap(({ accountId, name, start, unwritten }) =>
      unwritten === 0 ? [] : [{ accountId, name, start, amount: unwritten }],
    );
    const amounts = counters.map((counter) => {
      const { unwritten } = counter;
      counter.unwritten = 0;
      return unwritten;
    });
    if (uses.length === 0) return;
    try {
      await this.#store.limits.consume(uses);
    } catch (error) {
      for (const [index, counter] of counters.entries()) {
        counter.unwritten += amounts[index]!;
        this.#unwritten.add(counter);
      }
      throw error;
    }
  }

  /** Forgets the use of windows that are over for good. */
  async forgetOld(): Promise<void> {
    const now = this.#store.clock();
    for (const [key, pending] of this.#counters) {
      const counter = await pending;
      if (counter.end < now && counter.unwritten === 0) this.#counters.delete(key);
    }
    await this.#store.transaction(({ limits }) =>
      limits.removeBefore(windowStart('day', this.#store.trustedTime.now()) - microseconds.day),
    );
  }

  /** Writes what is left. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#write();
  }
}
