// Backups into a second place by schedule: when one is due, how the last ones ended, who is told of failures. Writes none itself.
import type { ErrorLog } from '../../jobs/error-log.ts';
import { isSeries } from '../../store/backup/series-folder.ts';
import type { ScheduledBackupRecord } from '../../store/repositories/scheduled-backup-repository.ts';
import type { Store } from '../../store/store.ts';
import type { EventBus } from '../event-bus.ts';
import { Failure } from '../failure.ts';
import { readSetting } from '../settings.ts';

/** What one run did. `damaged` pieces were found altered, of which `lost` ones are nowhere else. */
export type SeriesOutcome = Pick<ScheduledBackupRecord, 'apks' | 'copied' | 'size' | 'states' | 'damaged' | 'lost'>;

/** Adds a state to a folder in a process of its own; rejects with what to tell the owner. */
export type SeriesRunner = (
  folder: string,
  onProgress: (share: number) => void,
  signal: AbortSignal,
) => Promise<SeriesOutcome>;

export interface BackupSchedule {
  /** Empty: none. */
  folder: string;
  hours: number;
  /** 0 to 1; null: none is under way. */
  progress: number | null;
  last: ScheduledBackupRecord | null;
  lastGood: ScheduledBackupRecord | null;
  /** Microseconds since 1970 UTC; null: never. */
  dueAt: number | null;
}

const hour = 3_600_000_000;
const nothing = { apks: 0, copied: 0, size: 0, states: 0, damaged: 0, lost: 0 };

export class ScheduledBackups {
  readonly #store: Store;
  readonly #events: EventBus;
  readonly #log: ErrorLog;
  readonly #stopping = new AbortController();
  #runner: SeriesRunner | null = null;
  #progress: number | null = null;
  #ended: Promise<void> = Promise.resolve();

  constructor({ store, events, log }: { store: Store; events: EventBus; log: ErrorLog }) {
    this.#store = store;
    this.#events = events;
    this.#log = log;
  }

  /** What makes backups from now on. */
  use(runner: SeriesRunner): void {
    this.#runner = runner;
  }

  /** What is set, how the last ones ended, and when the next one is due. */
  async schedule(): Promise<BackupSchedule> {
    const folder = await readSetting(this.#store, 'backup_folder');
    const hours = await readSetting(this.#store, 'backup_hours');
    const { scheduledBackups } = this.#store;
    const last = await scheduledBackups.last(folder);
    // After a failure it is tried again within the hour.
    const wait = last === null ? 0 : (last.error === null ? hours : Math.min(1, hours)) * hour;
    const dueAt = folder === '' ? null : (last?.startedAt ?? this.#store.clock()) + wait;
    return {
      folder,
      hours,
      progress: this.#progress,
      last,
      lastGood: await scheduledBackups.last(folder, true),
      dueAt,
    };
  }

  /** Starts one where it is due. */
  async lookAtClock(): Promise<void> {
    const { dueAt } = await this.schedule();
    if (dueAt !== null && dueAt <= this.#store.clock() && this.#runner !== null) await this.start();
  }

  /** Starts one, or joins the one under way. @throws Failure `no-backup-folder`, `stopping` */
  async start(): Promise<void> {
    const before = await this.schedule();
    if (before.folder === '') throw new Failure('no-backup-folder');
    if (this.#progress !== null) return;
    if (this.#runner === null || this.#stopping.signal.aborted) throw new Failure('stopping');
    this.#progress = 0;
    this.#ended = this.#run(this.#runner, before)
      .catch((err: unknown) => this.#log.error({ err }, 'how a backup by schedule ended could not be kept'))
      .finally(() => {
        this.#progress = null;
      });
  }

  async #run(runner: SeriesRunner, { folder, last, lastGood }: BackupSchedule): Promise<void> {
    const startedAt = this.#store.clock();
    let outcome: SeriesOutcome = nothing;
    let error: string | null = null;
    try {
      // An empty folder stands where a drive was mounted: it is no place for another first backup.
      if (lastGood !== null && !isSeries(folder))
        throw new Error(`${folder} holds no backups any more. Is its drive mounted?`);
      const onProgress = (share: number) => {
        this.#progress = share;
      };
      outcome = await runner(folder, onProgress, this.#stopping.signal);
    } catch (cause) {
      // One that the workstation's end has cut off is made after the next start.
      if (this.#stopping.signal.aborted) return;
      error = (cause as Error).message;
      this.#log.error({ folder, error }, 'the backup by schedule failed');
    }
    // Who was told of a failure is not told of it every hour.
    const isNews = error === null ? outcome.damaged > 0 : last === null || last.error === null;
    await this.#store.transaction(async (inside) => {
      const endedAt = this.#store.clock();
      await inside.scheduledBackups.insert({ folder, startedAt, endedAt, error, ...outcome });
      if (isNews) await this.#events.happened({ name: 'backup_failed' }, inside);
    });
  }

  /** Waits for the run under way. */
  ended = (): Promise<void> => this.#ended;

  /** Ends the run under way. */
  async close(): Promise<void> {
    this.#stopping.abort();
    await this.#ended;
  }
}
