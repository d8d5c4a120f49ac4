// The time by which anything may be deleted for its age: a clock that leaps ahead is not believed at once.
import type BetterSqlite3 from 'better-sqlite3';
import type { Clock } from './clock.ts';
import { whereRoom } from './store-errors.ts';

const day = 86_400_000_000;
/** A workstation may have been off for so long, in microseconds; a clock that is further ahead may be wrong. */
const leap = 14 * day;
/** Of its own running, after which a workstation believes a clock that stayed ahead: it really was off for so long. */
const doubt = day;
/** How far its notes may lie behind, in microseconds. */
const noteInterval = 600_000_000;

export class LivedTime {
  readonly #connection: BetterSqlite3.Database;
  readonly #clock: Clock;
  /** Microseconds of this process, whatever the clock does. */
  readonly #uptime: () => number;
  /** The latest moment that is believed to have been. */
  #until: number;
  /** For how long this workstation has run with a clock that is ahead of that. */
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

  /** What is older than something may be deleted by this time: never later than the clock's, microseconds. */
  now(): number {
    const now = this.#look();
    return Math.min(now, this.#until);
  }

  /**
   * Whether a moment is one that is still to come by any account: noted while the clock was ahead of what it was before
   * and is now. Within a day nobody can tell.
   */
  isToCome(moment: number): boolean {
    return moment > this.latest;
  }

  /** Whatever is noted to be later is of a clock that was ahead, microseconds. */
  get latest(): number {
    return Math.max(this.#clock(), this.#until) + day;
  }

  /** Whether the clock is so far behind what was lived through that it must have been set back by mistake. */
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
    // What cannot be written now is noted later.
    if (whereRoom(() => statement.run(this.#until, Math.round(this.#aheadFor))) === null) return;
    this.#noted = { until: this.#until, aheadFor: this.#aheadFor };
  }
}
