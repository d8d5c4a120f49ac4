// The audit log: who did what, when, from where. Knows no route; what is worth a record is decided where it happens.
import type { ErrorLog } from '../jobs/error-log.ts';
import type { AuditRecord, NewAuditRecord } from '../store/audit-repository.ts';
import type { KeysetPage, KeysetRequest } from '../store/keyset-page.ts';
import type { Store } from '../store/store.ts';
import { readSetting } from './settings.ts';

export type { AuditRecord };

const dayMicroseconds = 86_400_000_000;
const maxText = 500;
/** Rows of one step of the export. */
const exportStep = 500;

export class Audit {
  readonly #store: Store;
  readonly #log: ErrorLog;
  /** Records under way. */
  readonly #writing = new Set<Promise<void>>();

  constructor(store: Store, log: ErrorLog) {
    this.#store = store;
    this.#log = log;
  }

  /** Writes a record without keeping anybody waiting; whoever reads the log afterwards finds it there. */
  note(record: NewAuditRecord): void {
    const writing: Promise<void> = this.#write(record)
      .catch((error: unknown) => this.#log.error({ err: error, record }, 'a record of the audit log could not be kept'))
      .finally(() => this.#writing.delete(writing));
    this.#writing.add(writing);
  }

  /** Resolves when everything noted so far is written. */
  async settled(): Promise<void> {
    await Promise.all(this.#writing);
  }

  async #write(record: NewAuditRecord): Promise<void> {
    const [username, address, action, subject] = [record.username, record.address, record.action, record.subject].map(
      (text) => text.slice(0, maxText),
    ) as [string, string, string, string];
    await this.#store.audit.insert({ username, address, action, subject, status: record.status });
  }

  async page(request: KeysetRequest, username: string | null): Promise<KeysetPage<AuditRecord>> {
    await this.settled();
    return this.#store.audit.page(request, username);
  }

  count = (username: string | null): Promise<number> => this.#store.audit.count(username);

  /** Every record, oldest first, as they are read. */
  async *all(): AsyncGenerator<AuditRecord> {
    await this.settled();
    let newerThan = 0;
    for (;;) {
      const { rows, hasNewer } = await this.#store.audit.page({ newerThan, limit: exportStep }, null);
      yield* rows.toReversed();
      if (!hasNewer || rows.length === 0) return;
      newerThan = rows[0]!.id;
    }
  }

  /** Cuts the log at the age that the settings give it. */
  async forgetOld(): Promise<void> {
    const days = await readSetting(this.#store, 'audit_days');
    await this.#store.audit.removeOlder(this.#store.clock() - days * dayMicroseconds);
  }
}
