// Lets passwords and codes be guessed ever more slowly. From one network on one account the waits grow to an hour;
// on one account from everywhere they stay short, and networks from which it was entered before do not feel them, so that
// a stranger keeps nobody out. Counts outlive a restart. Knows neither passwords nor codes.
import type { GuessRecord } from '../../store/repositories/people/guess-repository.ts';
import type { Store } from '../../store/store.ts';
import { storageFaultOf } from '../../store/store-errors.ts';
import { Failure } from '../failure.ts';
import { networkOf } from '../sharing/network-address.ts';

const second = 1_000_000;
const day = 86_400 * second;

interface Slowness {
  /** Wrong guesses that cost no wait. */
  free: number;
  /** The wait after one more, in seconds; each further one doubles it. */
  first: number;
  longest: number;
}

export type GuessKind = 'password' | 'second factor';

/** `here`: from one network or session; `everywhere`: from all networks that the account was never entered from. */
const slowness: Record<GuessKind, Record<'here' | 'everywhere', Slowness>> = {
  password: { here: { free: 10, first: 30, longest: 3600 }, everywhere: { free: 50, first: 5, longest: 60 } },
  // Six digits: a hundred guesses a day find them in none of thirty years.
  'second factor': { here: { free: 5, first: 30, longest: 3600 }, everywhere: { free: 10, first: 60, longest: 900 } },
};

/** Microseconds after which wrong guesses are forgotten, and a network is a strange one again. */
const memory = { failures: day, known: 90 * day };
/**
 * Counters that are kept at most, more than a laboratory ever needs; those with the fewest failures are dropped first.
 */
const maxRecords = 20_000;

/** Where a guess comes from: an address, or the token of somebody who is signed in, whom strangers do not slow down. */
export type Guesser = { address: string; tokenId?: undefined } | { tokenId: number };

export interface Attempt {
  /** The guess was right: it is not counted, and its network counts as known from now on. */
  succeeded(): Promise<void>;
}

const waitOf = ({ free, first, longest }: Slowness, failures: number): number =>
  failures < free ? 0 : Math.min(longest, first * 2 ** Math.min(30, failures - free)) * second;

export class Guesses {
  readonly #store: Store;
  #records: Promise<Map<string, GuessRecord>> | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  #read(): Promise<Map<string, GuessRecord>> {
    this.#records ??= this.#store.guesses
      .all()
      .then((rows) => new Map(rows.map((row) => [JSON.stringify([row.name, row.origin]), row])))
      .catch((error: unknown) => {
        this.#records = undefined;
        throw error;
      });
    return this.#records;
  }

  /**
   * Counts a guess before its answer is known: of a thousand that are sent at once no more are looked at than of as many
   * in a row.
   * @throws Failure `throttled`
   */
  async attempt(kind: GuessKind, username: string, guesser: Guesser): Promise<Attempt> {
    const records = await this.#read();
    const now = this.#store.clock();
    const name = `${kind} ${username.toLowerCase()}`;
    const recordOf = (origin: string): GuessRecord => {
      const key = JSON.stringify([name, origin]);
      const known = records.get(key) ?? { name, origin, failures: 0, last_at: now, known_at: null };
      records.set(key, known);
      // A clock that was put back must keep nobody waiting for it.
      known.last_at = Math.min(known.last_at, now);
      if (now - known.last_at > memory.failures) known.failures = 0;
      if (known.known_at !== null && now - known.known_at > memory.known) known.known_at = null;
      return known;
    };
    const isSignedIn = guesser.tokenId !== undefined;
    const here = recordOf(isSignedIn ? `token ${guesser.tokenId}` : networkOf(guesser.address));
    const everywhere = isSignedIn || here.known_at !== null ? null : recordOf('');
    const { here: ofOne, everywhere: ofAll } = slowness[kind];
    const waits = [here.last_at + waitOf(ofOne, here.failures) - now];
    if (everywhere !== null) waits.push(everywhere.last_at + waitOf(ofAll, everywhere.failures) - now);
    const seconds = Math.ceil(Math.max(...waits) / second);
    if (seconds > 0) throw new Failure('throttled', { seconds }, seconds);
    const counted = everywhere === null ? [here] : [here, everywhere];
    for (const record of counted) {
      record.failures += 1;
      record.last_at = now;
    }
    await this.#save(counted);
    await this.#forgetSome(records);
    if (everywhere?.failures === ofAll.free) await this.#tell(kind, username);
    return {
      succeeded: async () => {
        if (everywhere !== null) everywhere.failures = Math.max(0, everywhere.failures - here.failures);
        here.failures = 0;
        if (!isSignedIn) here.known_at = now;
        await this.#save(counted);
      },
    };
  }

  /** Where nothing can be written, what is counted holds until the next start. */
  async #save(records: readonly GuessRecord[]): Promise<void> {
    await this.#store
      .transaction(({ guesses }) => guesses.save(records))
      .catch((error: unknown) => {
        if (storageFaultOf(error) === null) throw error;
      });
  }

  async #forgetSome(records: Map<string, GuessRecord>): Promise<void> {
    if (records.size <= maxRecords) return;
    const least = [...records].toSorted(
      ([, one], [, other]) =>
        Number(one.known_at !== null) - Number(other.known_at !== null) ||
        one.failures - other.failures ||
        one.last_at - other.last_at,
    );
    for (const [key, record] of least.slice(0, maxRecords / 10)) {
      records.delete(key);
      await this.#store.transaction(({ guesses }) => guesses.remove(record));
    }
  }

  /** Says in the audit log that an account is guessed at from many places; once, until it has been quiet for a day. */
  async #tell(kind: GuessKind, username: string): Promise<void> {
    const account = await this.#store.accounts.findByUsername(username);
    if (account === null) return;
    const record = { username: '', address: '', action: `guesses of a ${kind} slowed down`, subject: account.username };
    await this.#store
      .transaction(({ audit }) => audit.insert({ ...record, status: 429 }))
      .catch((error: unknown) => {
        if (storageFaultOf(error) === null) throw error;
      });
  }

  /** Forgets what counts no more. */
  async forgetOld(): Promise<void> {
    const records = await this.#read();
    const now = this.#store.clock();
    for (const [key, record] of records) {
      const isKnown = record.known_at !== null && now - record.known_at <= memory.known;
      if (isKnown || now - record.last_at <= memory.failures) continue;
      records.delete(key);
      await this.#store.transaction(({ guesses }) => guesses.remove(record));
    }
  }
}
