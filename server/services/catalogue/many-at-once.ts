// Who uploads or asks for very many things lets those of others go first. Knows neither APKs nor jobs.

/** Requests of one account in a row that keep their usual place in the queue. */
const maxAtOnce = 20;
/** Microseconds within which requests count as made in a row. */
const period = 600_000_000;

export class ManyAtOnce {
  /** When each account came last, in microseconds; null for who has none. */
  readonly #times = new Map<number | null, readonly number[]>();

  /**
   * Counts one.
   * @param now microseconds
   * @returns whether it is one of many of its account
   */
  isOneOfMany(accountId: number | null, now: number): boolean {
    const recent = (this.#times.get(accountId) ?? []).filter((at) => at <= now && at > now - period);
    this.#times.set(accountId, [...recent.slice(-maxAtOnce), now]);
    return recent.length >= maxAtOnce;
  }
}
