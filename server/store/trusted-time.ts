// The time by which records are old enough to be deleted: a clock that jumps ahead is not trusted at once.
import type BetterSqlite3 from 'better-sqlite3';
import type { Clock } from './clock.ts';
import { whereRoom } from './store-errors.ts';

const day = 86_400_000_000;
/** Longest time, in microseconds, that a workstation was plausibly switched off; a larger jump may be a wrong clock. */
const leap = 14 * day;
/** Running time, in microseconds, after which a clock that stays ahead is trusted. */
const doubt = day;
/** Interval, in microseconds, at which the state is saved. */
const noteInterval = 600_000_000;

export class TrustedTime {
  readonly #connection: BetterSqlite3.Database;
  readonly #clock: Clock;
  /** Monotonic time of this process in microseconds. */
  readonly #uptime: () => number;
  /** The latest trusted time. */
  #until: number;
  /** How long this workstation has run with a clock ahead of the trusted time. */
  #aheadFor: number;
  #lookedAt: number;
  #noted: { until: number | null; aheadFor: number };

  constructor(connection: BetterSqlite3.Database, clock: Clock, uptime = () => performance.now() * 1000) {
    this.#connection = connection;
    this.#clock = clock;
    this.#uptime = uptime;
    const row = connection.prepare('select lived_until, ahead_for from installation').get() as {
      lived_until: number | null;
      ahead_for: number;
    };
    this.#noted = { until: row.lived_until, aheadFor: row.ahead_for };
    this.#until = row.lived_until ?? clock();
    this.#aheadFor = row.ahead_for;
    this.#lookedAt = uptime();
    this.#look();
  }

  /** The trusted time, microseconds: never later than the clock. Ages are counted from it. */
  now(): number {
    const now = this.#look();
    return Math.min(now, this.#until);
  }

  /**
   * Whether a stored time lies in the future, having been recorded while the clock was wrong. Up to a day ahead is
   * tolerated.
   */
  isInFuture(moment: number): boolean {
    return moment > this.latest;
  }

  /** Stored times beyond this one, microseconds, were recorded with a wrong clock. */
  get latest(): number {
    return Math.max(this.#clock(), this.#until) + day;
  }

  /** Whether the clock is so far behind the trusted time that it must have been set back by mistake. */
  get isSetBack(): boolean {
    return this.#until - this.#clock() > leap;
  }

  #look(): number {
    const now = this.#clock();
    const uptime = this.#uptime();
    const passed = uptime - this.#lookedAt;
    this.#lookedAt = uptime;
    if (now - this.#until <= leap) {
      this.#until = Math.max(this.#until, now);
      this.#aheadFor = 0;
    } else {
      this.#aheadFor += passed;
      if (this.#aheadFor >= doubt) {
        this.#until = now;
        this.#aheadFor = 0;
      }
    }
    this.#note();
    return now;
  }

  #note(): void {
    const { until, aheadFor } = this.#noted;
    const isFresh =
      until !== null && this.#until - until < noteInterval && Math.abs(this.#aheadFor - aheadFor) < noteInterval;
    if (isFresh || this.#connection.readonly || this.#connection.inTransaction) return;
    const statement = this.#connection.prepare('update installation set lived_until = ?, ahead_for = ?');
    // If it cannot be written now, a later call writes it.
    if (whereRoom(() => statement.run(this.#until, Math.round(this.#aheadFor))) === null) return;
    this.#noted = { until: this.#until, aheadFor: this.#aheadFor };
  }
}
