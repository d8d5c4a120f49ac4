// Imports of files of this machine, which go on after a restart: begun, stopped, tried again. Knows nothing of HTTP.
import { stat } from 'node:fs/promises';
import { fileNameOf } from '../../contract/catalogue/file-name.ts';
import type { NewImport } from '../../contract/workstation/import.ts';
import type { ErrorLog } from '../../jobs/error-log.ts';
import type { ImportRecord, ImportRefusalRecord } from '../../store/repositories/import-repository.ts';
import type { AccountRecord } from '../../store/repositories/people/account-repository.ts';
import type { KeysetPage, KeysetRequest } from '../../store/sqlite/keyset-page.ts';
import type { Store } from '../../store/store.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Intake } from '../catalogue/intake.ts';
import { Failure, FieldFailure } from '../failure.ts';
import { ImportRun } from './import-run.ts';
import { intakeCarrier } from './intake-carrier.ts';
import { machinePath } from './machine-path.ts';

export type { ImportRecord, ImportRefusalRecord };

export interface ImportView {
  record: ImportRecord;
  refused: number;
  /** Null: it does not run. */
  pace: ImportRun['pace'] | null;
}

interface ImportParts {
  store: Store;
  intake: Intake;
  catalogue: Catalogue;
  log: ErrorLog;
}

interface Running {
  run: ImportRun;
  /** No further file is begun. */
  ending: AbortController;
  /** What is under way is cut off. */
  cutting: AbortController;
  work: Promise<void>;
}

/** Milliseconds for what is under way: cut off, a file that had come in already would be counted as held when it goes on. */
const patience = 5_000;

export class Imports {
  readonly #parts: ImportParts;
  /** By row number. */
  readonly #running = new Map<number, Running>();
  #isStarted = false;

  constructor(parts: ImportParts) {
    this.#parts = parts;
  }

  /** Goes on with what an earlier process left. */
  async start(): Promise<void> {
    this.#isStarted = true;
    for (const one of await this.#parts.store.imports.all()) if (one.state === 'running') this.#run(one);
  }

  /** Ends all for now; the next start goes on with them. */
  async close(): Promise<void> {
    this.#isStarted = false;
    await Promise.all([...this.#running.keys()].map((id) => this.#end(id)));
  }

  /** The newest first. */
  async all(): Promise<ImportView[]> {
    return this.#views(await this.#parts.store.imports.all());
  }

  /** @throws Failure `not-found` */
  async get(id: number | null): Promise<ImportView> {
    return (await this.#views([await this.#find(id)]))[0]!;
  }

  /** Begins an import. @throws FieldFailure where the path cannot be read */
  async add({ id: accountId }: AccountRecord, { path: given, tags, has_folder_tags }: NewImport): Promise<ImportView> {
    const path = machinePath(given);
    await stat(path).catch(({ message }: Error) => {
      throw new FieldFailure({ path: [message] });
    });
    const wish = { accountId, path, tags, hasFolderTags: has_folder_tags };
    const made = await this.#parts.store.transaction(({ imports }) => imports.insert(wish));
    this.#run(made);
    return this.get(made.id);
  }

  /** Ends an import where it is. @throws Failure `not-found` */
  async stop(id: number | null): Promise<ImportView> {
    const { id: row } = await this.#find(id);
    await this.#end(row);
    // It may have come to its end meanwhile.
    const { state } = await this.#find(row);
    if (state === 'running') await this.#update(row, { state: 'stopped', problem: '' });
    return this.get(row);
  }

  /** Goes on where it stopped. @throws Failure `not-found` */
  async goOn(id: number | null): Promise<ImportView> {
    const { id: row, state } = await this.#find(id);
    if (state === 'stopped') await this.#restart(row);
    return this.get(row);
  }

  /** Tries again what was refused. @throws Failure `not-found` */
  async retry(id: number | null): Promise<ImportView> {
    const { id: row } = await this.#find(id);
    await this.#end(row);
    await this.#parts.store.transaction(({ imports }) => imports.retry(row));
    await this.#restart(row);
    return this.get(row);
  }

  /** Ends and forgets an import. @throws Failure `not-found` */
  async remove(id: number | null): Promise<void> {
    const { id: row } = await this.#find(id);
    await this.#end(row);
    await this.#parts.store.transaction(({ imports }) => imports.remove(row));
  }

  /** @throws Failure `not-found` */
  async refusals(
    id: number | null,
    request: KeysetRequest,
  ): Promise<KeysetPage<ImportRefusalRecord> & { count: number }> {
    const { id: row } = await this.#find(id);
    const { imports } = this.#parts.store;
    return { ...(await imports.refusals(row, request)), count: (await imports.refusalCounts()).get(row) ?? 0 };
  }

  async #find(id: number | null): Promise<ImportRecord> {
    const found = id === null ? null : await this.#parts.store.imports.find(id);
    if (found === null) throw new Failure('not-found');
    return found;
  }

  #update(id: number, changes: { state: ImportRecord['state']; problem: string }): Promise<void> {
    return this.#parts.store.transaction(({ imports }) => imports.update(id, changes));
  }

  async #views(records: readonly ImportRecord[]): Promise<ImportView[]> {
    const counts = await this.#parts.store.imports.refusalCounts();
    return records.map((record) => ({
      record,
      refused: counts.get(record.id) ?? 0,
      pace: this.#running.get(record.id)?.run.pace ?? null,
    }));
  }

  async #restart(id: number): Promise<void> {
    await this.#update(id, { state: 'running', problem: '' });
    this.#run(await this.#find(id));
  }

  async #end(id: number): Promise<void> {
    const running = this.#running.get(id);
    if (running === undefined) return;
    running.ending.abort();
    const timer = setTimeout(() => running.cutting.abort(), patience);
    await running.work;
    clearTimeout(timer);
  }

  #run(record: ImportRecord): void {
    if (!this.#isStarted || this.#running.has(record.id)) return;
    const { store, catalogue, log } = this.#parts;
    const [ending, cutting] = [new AbortController(), new AbortController()];
    const carrier = intakeCarrier(this.#parts, {
      ...{ accountId: record.accountId, priority: 'import', signal: cutting.signal },
      async holds(sha256, name) {
        const apk = (await catalogue.holds(sha256)) ? await store.apks.findBySha256(sha256) : null;
        return apk?.fileNames.includes(fileNameOf(name)) === true;
      },
      onTaken: async () => undefined,
    });
    const run = new ImportRun(record, { store, catalogue, log, carrier }, ending.signal);
    const work = run
      .work()
      .catch((err: unknown) => log.error({ err }, 'how far an import is could not be noted'))
      .finally(() => this.#running.delete(record.id));
    this.#running.set(record.id, { run, ending, cutting, work });
  }
}
