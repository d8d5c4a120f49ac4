// Who uploads very many APKs lets those of others be analysed first. Knows neither APKs nor jobs.

/** Uploads of one account that are analysed as they come. */
const maxAtOnce = 20;
/** In which they count as uploaded at once, in microseconds. */
const period = 600_000_000;

export class UploadTurns {
  /** When each account uploaded last, in microseconds; null for what came without an account. */
  readonly #times = new Map<number | null, readonly number[]>();

  /**
   * Counts an upload.
   * @param now microseconds
   * @returns whether it is one of many of its account
   */
  isOneOfMany(accountId: number | null, now: number): boolean {
    const recent = (this.#times.get(accountId) ?? []).filter((at) => at <= now && at > now - period);
    this.#times.set(accountId, [...recent.slice(-maxAtOnce), now]);
    return recent.length >= maxAtOnce;
  }
}
