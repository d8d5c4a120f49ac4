// The catalogue of APKs: finding, changing, deleting, reading reports and files. Knows nothing of HTTP.
import type { Readable } from 'node:stream';
import type { ErrorLog } from '../../jobs/error-log.ts';
import type { JobQueue } from '../../jobs/job-queue.ts';
import { namedLikenesses, planSearch } from '../../query/plan.ts';
import { SearchError } from '../../query/syntax.ts';
import { StoredFileError } from '../../store/files/file-store.ts';
import type { ApkRecord } from '../../store/repositories/apk-repository.ts';
import type { ContainerRecord, PartRecord } from '../../store/repositories/part-repository.ts';
import type { AccountRecord } from '../../store/repositories/people/account-repository.ts';
import type { ReportKind } from '../../store/repositories/report-repository.ts';
import {
  type OrderColumn,
  type Ordering,
  orderColumns,
  type SearchExpression,
} from '../../store/search/search-expression.ts';
import type { KeysetPage } from '../../store/sqlite/keyset-page.ts';
import type { Store } from '../../store/store.ts';
import { UnknownPlaceError } from '../../store/store-errors.ts';
import type { EventBus } from '../event-bus.ts';
import { Failure, SearchFailure } from '../failure.ts';
import type { ContentLocks } from './content-locks.ts';
import { releaseParts, removeStoredFile } from './parts.ts';
import type { SimilarApks } from './similar-apks.ts';
import type { Trash } from './trash.ts';

export type { ApkRecord, ContainerRecord, PartRecord };

/** A parsed search with what its analyst may see; undefined: all APKs. */
export type CatalogueSearch = SearchExpression | undefined;
export type { Ordering };

/** Such a search is sent as the rows that it finds. */
const maxFoundByContent = 100_000;

const worstFirst: Ordering = [{ column: 'risk', isDescending: true }];

export interface CataloguePageRequest {
  search: CatalogueSearch;
  /** Newest first by default. */
  ordering?: Ordering | undefined;
  /** How many of the first APKs are skipped; not used with `olderThan` and `newerThan`. */
  skip?: number | undefined;
  olderThan?: number | undefined;
  newerThan?: number | undefined;
  limit: number;
}

/** An icon as it is stored, in the report of kind `icon`. */
export interface StoredIcon {
  mediaType: string;
  base64: string;
}

/** The three reports as JSON text, null where that analysis was not performed. */
export interface AnalysisTexts {
  cuckoo: Buffer | null;
  androguard: Buffer | null;
  dynamic: Buffer | null;
}

/** Looks into files for searches that name contents. */
export interface FoundByContent {
  /** Rows of the APKs that a search finds; null: it names no content. */
  found(account: AccountRecord | null, search: string, isPatient: boolean): Promise<readonly number[] | null>;
}

export interface CatalogueParts {
  store: Store;
  queue: JobQueue;
  events: EventBus;
  locks: ContentLocks;
  trash: Trash;
  similarApks: SimilarApks;
  contentSearches: FoundByContent;
  log: ErrorLog;
}

export class Catalogue {
  readonly #store: Store;
  readonly #queue: JobQueue;
  readonly #events: EventBus;
  readonly #locks: ContentLocks;
  readonly #trash: Trash;
  readonly #similarApks: SimilarApks;
  readonly #contentSearches: FoundByContent;
  readonly #log: ErrorLog;

  constructor({ store, queue, events, locks, trash, similarApks, contentSearches, log }: CatalogueParts) {
    this.#similarApks = similarApks;
    this.#contentSearches = contentSearches;
    this.#trash = trash;
    this.#store = store;
    this.#queue = queue;
    this.#events = events;
    this.#locks = locks;
    this.#log = log;
  }

  /**
   * Parses a search for an analyst: others' private rulesets match nothing in it. One that names contents of files is
   * carried out first.
   * @param isPatient waits for that, however long it takes
   * @throws SearchFailure with the position of what is wrong; Failure `content-unfinished`, `content-ended`, `too-many-apks`
   */
  async search(text: string, viewer: AccountRecord | null, isPatient = false): Promise<CatalogueSearch> {
    const found = await this.#contentSearches.found(viewer, text, isPatient);
    if (found !== null && found.length > maxFoundByContent)
      throw new Failure('too-many-apks', { limit: maxFoundByContent });
    if (found !== null) return { kind: 'ids', ids: found };
    try {
      const alike = await this.#similarApks.likeEach(namedLikenesses(text));
      return planSearch(text, viewer?.id ?? null, { alike }) ?? undefined;
    } catch (error) {
      if (error instanceof SearchError) throw new SearchFailure(error.message, error.position);
      throw error;
    }
  }

  /** Only reads a search. @throws SearchFailure with the position of what is wrong */
  checkSearch(text: string): void {
    try {
      planSearch(text, null, { contents: () => ({ kind: 'all' }) });
    } catch (error) {
      if (error instanceof SearchError) throw new SearchFailure(error.message, error.position);
      throw error;
    }
  }

  /**
   * Reads an ordering: names of columns with commas between them, `-` before a descending one. Unknown names are ignored,
   * as the original ignored them: its clients send some.
   */
  ordering(text: string): Ordering {
    const keys = text.split(',').flatMap((part) => {
      const name = part.trim();
      if (name === '') return [];
      const isDescending = name.startsWith('-');
      const column = orderColumns.find((known) => known === (isDescending ? name.slice(1) : name));
      return column === undefined ? [] : [{ column, isDescending }];
    });
    // Columns after a repeated one, or after the time of creation, which no two APKs share, cannot change the order.
    const columns = new Set<OrderColumn>();
    const last = keys.findIndex(({ column }) => column === 'created_at');
    const kept = (last < 0 ? keys : keys.slice(0, last + 1)).filter(({ column }) => {
      const isNew = !columns.has(column);
      columns.add(column);
      return isNew;
    });
    return kept[0]?.column === 'created_at' && kept[0].isDescending ? [] : kept;
  }

  /** @throws Failure `invalid-cursor` where the neighbour that was named is gone */
  async page({ search, ordering = [], skip = 0, ...range }: CataloguePageRequest): Promise<KeysetPage<ApkRecord>> {
    const { olderThan, newerThan, limit } = range;
    const isFromStart = olderThan === undefined && newerThan === undefined;
    if (search === undefined && ordering.length === 0 && (skip === 0 || !isFromStart))
      return this.#store.apks.page(range);
    const isUpwards = olderThan === undefined && newerThan !== undefined;
    const question = {
      expression: search ?? ({ kind: 'all' } as const),
      ordering,
      direction: isUpwards ? ('newer' as const) : ('older' as const),
      place: (isUpwards ? newerThan : olderThan) ?? null,
      skip,
      limit,
    };
    const { ids, hasOlder, hasNewer } = await this.#store.search.ask('page', question).catch((error: unknown) => {
      throw error instanceof UnknownPlaceError ? new Failure('invalid-cursor') : error;
    });
    const records = await this.#store.apks.findByIds(ids);
    // One may have been deleted in between.
    return { items: ids.flatMap((id) => records.get(id) ?? []), hasOlder, hasNewer };
  }

  /**
   * The riskiest APK of a search that nobody has judged.
   * @param after SHA-256 of the one that was looked at last, judged or not: what comes behind it
   * @returns `left`: how many there are in all
   */
  async nextUnjudged(
    search: CatalogueSearch,
    after: string | null,
    signal: AbortSignal,
  ): Promise<{ left: number; apk: ApkRecord | null }> {
    const unjudged = { kind: 'not', part: { kind: 'judged' } } as const;
    const wanted: CatalogueSearch = search === undefined ? unjudged : { kind: 'and', parts: [search, unjudged] };
    const last = after === null ? null : await this.#store.apks.findBySha256(after);
    const [left, page] = await Promise.all([
      this.count(wanted, signal),
      this.page({ search: wanted, ordering: worstFirst, olderThan: last?.id, limit: 1 }),
    ]);
    return { left, apk: page.items[0] ?? null };
  }

  /** Has the search thread read what it keeps in memory. */
  async warmSearches(): Promise<void> {
    await this.#store.search.ask('warm', {}).catch(() => undefined);
  }

  /** @param signal aborted where nobody waits any more */
  count(search: CatalogueSearch, signal?: AbortSignal): Promise<number> {
    return search === undefined
      ? this.#store.apks.count()
      : this.#store.search.ask('count', { expression: search }, signal);
  }

  /** @throws Failure `not-found` */
  async get(sha256: string): Promise<ApkRecord> {
    const apk = await this.#store.apks.findBySha256(sha256);
    if (apk === null) throw new Failure('not-found');
    return apk;
  }

  /** Whether the catalogue has an APK. @param sha256 64 hex digits in any case */
  holds = async (sha256: string): Promise<boolean> => (await this.#store.apks.findBySha256(sha256)) !== null;

  /** Whether the record is in the cache, so that what is derived from it can be kept beside it. */
  isKept = (apk: ApkRecord): boolean => this.#store.apks.isKept(apk);

  /** Those of these APKs that exist, by id. */
  findByIds = (ids: readonly number[]): Promise<Map<number, ApkRecord>> => this.#store.apks.findByIds(ids);

  /** The split APKs that an APK is installed with, and the files that it came in with them. */
  async partsOf({ sha256 }: ApkRecord): Promise<{ parts: PartRecord[]; containers: ContainerRecord[] }> {
    const { parts } = this.#store;
    return { parts: await parts.of(sha256), containers: await parts.containersOf(sha256) };
  }

  /** @throws Failure `not-found` */
  async setTrusted(sha256: string, isTrusted: boolean): Promise<ApkRecord> {
    const { id } = await this.get(sha256);
    const apk = await this.#store.transaction(({ apks }) => apks.update(id, { isTrusted }));
    if (apk === null) throw new Failure('not-found');
    this.#events.publish({ name: 'apk_updated', apk });
    return apk;
  }

  /** Adds those tags that an APK does not have yet. @returns the APK with all its tags */
  async addTags(apk: ApkRecord, names: readonly string[]): Promise<ApkRecord> {
    const tagged = await this.#store.transaction(async (inside) => {
      let isChanged = false;
      for (const name of names) isChanged = (await inside.apks.addTag(apk.id, name)) || isChanged;
      return isChanged ? inside.apks.update(apk.id, {}) : null;
    });
    if (tagged !== null) this.#events.publish({ name: 'apk_updated', apk: tagged });
    return tagged ?? apk;
  }

  /** @throws Failure `not-found` where it has no such tag */
  async removeTag(apk: ApkRecord, name: string): Promise<void> {
    const untagged = await this.#store.transaction(async (inside) => {
      if (!(await inside.apks.removeTag(apk.id, name))) throw new Failure('not-found');
      return inside.apks.update(apk.id, {});
    });
    if (untagged !== null) this.#events.publish({ name: 'apk_updated', apk: untagged });
  }

  /**
   * Deletes an APK with its jobs, reports and file; it lies in the trash then, where there is one.
   * @param username who deletes it; null: it goes for good
   * @throws Failure `not-found`
   */
  async remove(sha256: string, username: string | null): Promise<void> {
    const apk = await this.get(sha256);
    const running = await this.#queue.page({ apkId: apk.id, statuses: ['queued', 'running'], limit: 100 });
    for (const job of running.items) await this.#queue.cancel(job.id);
    await this.#locks.exclusively(apk.sha256, async () => {
      if (username !== null && (await this.#trash.take(apk, username))) return;
      await removeStoredFile(this.#store, apk.sha256, () =>
        this.#store.transaction(async (inside) => {
          await this.#events.happened({ name: 'standing_changed', apkIds: [apk.id] }, inside);
          await inside.apks.remove(apk.id);
        }),
      );
      await releaseParts(this.#store, apk.sha256);
    });
    this.#events.publish({ name: 'apk_deleted', sha256: apk.sha256 });
  }

  /** @throws Failure `not-found`; `no-report` where no analysis was performed */
  async analysis(sha256: string): Promise<AnalysisTexts> {
    const { id } = await this.get(sha256);
    const text = async (kind: ReportKind) => (await this.#store.reports.read(id, kind))?.content ?? null;
    const [cuckoo, androguard, interpreted] = await Promise.all([text('cuckoo'), text('androguard'), text('dynamic')]);
    const dynamic = interpreted ?? (await text('device'));
    const texts = { cuckoo, androguard, dynamic };
    if (texts.cuckoo === null && texts.androguard === null && texts.dynamic === null) throw new Failure('no-report');
    return texts;
  }

  /**
   * A report, or a part of one, as JSON text; the dynamic one is a device's where the interpreter has made none.
   * @throws Failure `not-found`, `no-report`
   */
  async reportPart(
    sha256: string,
    kind: 'manifest' | 'files' | 'androguard' | 'cuckoo' | 'dynamic' | 'device',
  ): Promise<Buffer> {
    const { id } = await this.get(sha256);
    const { reports } = this.#store;
    const report = (await reports.read(id, kind)) ?? (kind === 'dynamic' ? await reports.read(id, 'device') : null);
    if (report === null) throw new Failure('no-report');
    return report.content;
  }

  /** @throws Failure `not-found` */
  async icon(sha256: string): Promise<{ mediaType: string; bytes: Buffer }> {
    const { id } = await this.get(sha256);
    const icon = await this.#store.reports.readJson<StoredIcon>(id, 'icon');
    if (icon === null) throw new Failure('not-found');
    return { mediaType: icon.mediaType, bytes: Buffer.from(icon.base64, 'base64') };
  }

  /**
   * Checks that the file of an APK can be handed out.
   * @throws Failure `not-found`, `file-missing`, `file-altered`
   */
  async checkFile(sha256: string): Promise<ApkRecord> {
    const apk = await this.get(sha256);
    await this.noteFileState(apk, this.#store.files.inspect(apk.sha256));
    return apk;
  }

  /** Bytes `[start, end)` of an APK's file. @throws Failure `file-missing`, `file-altered` */
  async stream(apk: ApkRecord, start: number, end: number): Promise<Readable> {
    try {
      const stream = this.#store.files.stream(apk.sha256, start, end);
      stream.once('error', (error) => {
        if (!(error instanceof StoredFileError)) return;
        this.#recordFileState(apk, error.code).catch((err: unknown) =>
          this.#log.error({ err, sha256: apk.sha256 }, 'the state of a file could not be written'),
        );
      });
      return stream;
    } catch (error) {
      if (!(error instanceof StoredFileError)) throw error;
      await this.noteFileState(apk, error.code);
      throw error;
    }
  }

  /** Keeps what an access to the file found. @throws Failure where the file cannot be used */
  async noteFileState(apk: ApkRecord, state: ApkRecord['fileState']): Promise<void> {
    await this.#recordFileState(apk, state);
    if (state !== 'ok') throw new Failure(state === 'missing' ? 'file-missing' : 'file-altered');
  }

  async #recordFileState(apk: ApkRecord, fileState: ApkRecord['fileState']): Promise<void> {
    if (apk.fileState === fileState) return;
    const changed = await this.#store.transaction(({ apks }) => apks.update(apk.id, { fileState }));
    if (changed !== null) this.#events.publish({ name: 'apk_updated', apk: changed });
  }
}
