// The audit log: who did what, when, from where. Knows no route; what is worth a record is decided where it happens.
import type { ErrorLog } from '../jobs/error-log.ts';
import type { AuditFilter, AuditRecord, NewAuditRecord } from '../store/repositories/audit-repository.ts';
import type { KeysetPage, KeysetRequest } from '../store/sqlite/keyset-page.ts';
import type { Store } from '../store/store.ts';
import { RefusalRecords } from './refusal-records.ts';
import { readSetting } from './settings.ts';

export type { AuditFilter, AuditRecord };

const dayMicroseconds = 86_400_000_000;
const maxText = 500;
/** Rows of one step of the export. */
const exportStep = 500;
/** Milliseconds after which it is written how many refusals a record stands for: a crash forgets no more of them. */
const recountDelay = 1_000;

interface CountedRecord {
  /** null where it could not be kept. */
  id: Promise<number | null>;
  count: number;
  /** Microseconds since 1970 UTC. */
  lastAt: number;
}

export class Audit {
  readonly #store: Store;
  readonly #log: ErrorLog;
  /** Records under way. */
  readonly #writing = new Set<Promise<unknown>>();
  readonly #refusals = new RefusalRecords<CountedRecord>();
  /** Counts that are not written yet. */
  readonly #uncounted = new Set<CountedRecord>();
  #timer: NodeJS.Timeout | undefined;

  constructor(store: Store, log: ErrorLog) {
    this.#store = store;
    this.#log = log;
  }

  /**
   * Writes a record without keeping anybody waiting; whoever reads the log afterwards finds it there. Refusals of one
   * kind within an hour are one record that counts them.
   */
  note({ username, address, action, subject, status }: NewAuditRecord): void {
    const cut = (text: string) => text.slice(0, maxText);
    const record = {
      username: cut(username),
      address: cut(address),
      action: cut(action),
      subject: cut(subject),
      status,
    };
    if (status < 400) void this.#write(record);
    else this.#count(record);
  }

  #count(refusal: NewAuditRecord): void {
    const now = this.#store.clock();
    const make = (made: NewAuditRecord) => ({ id: this.#write(made), count: 0, lastAt: now });
    const { record, isNew } = this.#refusals.recordOf(refusal, now, make);
    record.count += 1;
    record.lastAt = now;
    if (isNew) return;
    this.#uncounted.add(record);
    this.#timer ??= setTimeout(() => this.#recount(), recountDelay).unref();
  }

  #recount(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const records = [...this.#uncounted];
    this.#uncounted.clear();
    if (records.length === 0) return;
    const write = async () => {
      const ids = await Promise.all(records.map(({ id }) => id));
      await this.#store.transaction(async ({ audit }) => {
        for (const [at, { count, lastAt }] of records.entries()) {
          if (ids[at] !== null) await audit.recount(ids[at]!, count, lastAt);
        }
      });
    };
    void this.#keep(write(), { records: records.length });
  }

  #write = (record: NewAuditRecord): Promise<number | null> =>
    this.#keep(
      this.#store.transaction(({ audit }) => audit.insert(record)),
      { record },
    );

  /** @returns null where it failed, which the server's log tells */
  #keep<T>(work: Promise<T>, details: object): Promise<T | null> {
    const writing = work
      .catch((error: unknown) => {
        this.#log.error({ err: error, ...details }, 'a record of the audit log could not be kept');
        return null;
      })
      .finally(() => this.#writing.delete(writing));
    this.#writing.add(writing);
    return writing;
  }

  /** Resolves when everything noted so far is written. */
  async settled(): Promise<void> {
    this.#recount();
    await Promise.all(this.#writing);
  }

  /** Records that the filter lets through, newest first. */
  async page(request: KeysetRequest, filter: AuditFilter): Promise<KeysetPage<AuditRecord>> {
    await this.settled();
    return this.#store.audit.page(request, filter);
  }

  /** How many records the filter lets through; all of them where it is null. */
  count = (filter: AuditFilter | null): Promise<number> => this.#store.audit.count(filter);

  /** Every record that the filter lets through, oldest first, as they are read. */
  async *all(filter: AuditFilter): AsyncGenerator<AuditRecord> {
    await this.settled();
    let newerThan = 0;
    for (;;) {
      const { items, hasNewer } = await this.#store.audit.page({ newerThan, limit: exportStep }, filter);
      yield* items.toReversed();
      if (!hasNewer || items.length === 0) return;
      newerThan = items[0]!.id;
    }
  }

  /** Cuts the log at the age that the settings give it. */
  async forgetOld(): Promise<void> {
    const days = await readSetting(this.#store, 'audit_days');
    await this.#store.transaction(({ audit }) =>
      audit.removeOlder(this.#store.trustedTime.now() - days * dayMicroseconds),
    );
  }
}
