// One search for contents: asks the index, then has workers look into what may hold them. What it finds is there at once.
import type { ContentTerm, FoundContent } from '../../../contract/engine/content-search.ts';
import type { WorkerPool } from '../../../jobs/worker-pool.ts';
import { contentKey, shownContent } from '../../../query/contents.ts';
import { type ContentAnswer, planSearch } from '../../../query/plan.ts';
import type { ApkRecord } from '../../../store/repositories/apk-repository.ts';
import type { AccountRecord } from '../../../store/repositories/people/account-repository.ts';
import { nothing, type SearchExpression } from '../../../store/search/search-expression.ts';
import type { Store } from '../../../store/store.ts';
import type { ContentIndexing } from '../content-indexing.ts';
import { leftFilesIfAny } from '../left-files.ts';
import type { StoredFileTasks } from '../stored-file-tasks.ts';
import { ContentCandidates } from './content-candidates.ts';
import type { IndexFreshness } from './index-freshness.ts';

export interface ContentRunParts {
  store: Store;
  pool: WorkerPool;
  files: StoredFileTasks;
  contentIndexing: ContentIndexing;
  freshness: IndexFreshness;
  /** APKs that are looked into at a time. */
  workers: number;
}

/** APKs that are looked up at a time. */
const pageSize = 64;
/** Of so many the places are kept. */
const maxWithPlaces = 2_000;
const anything: SearchExpression = { kind: 'all' };

export class ContentRun {
  readonly id: number;
  readonly account: AccountRecord;
  readonly search: string;
  readonly contents: readonly ContentTerm[];
  /** As the search could name them. */
  readonly shownContents: readonly string[];
  readonly startedAt = performance.now();
  status: 'running' | 'done' | 'cancelled' | 'failed' = 'running';
  endedAt: number | null = null;
  /** Why it failed. */
  error: string | null = null;
  /** By content, whether the index can tell where it may be; null: it was not asked yet. */
  told: readonly boolean[] | null = null;
  /** APKs that the search would find, if all of them held what it wants. */
  apksCount = 0;
  /** Those of them that may hold some of it, as far as they are known. */
  candidatesCount = 0;
  readCount = 0;
  /** Candidates that could not be read. */
  failedCount = 0;
  /** Rows of the APKs that the search finds, in the order in which they were found. */
  readonly found: number[] = [];
  /** Where the contents are, by row. */
  readonly places = new Map<number, readonly FoundContent[]>();
  readonly #parts: ContentRunParts;
  readonly #alike: ReadonlyMap<string, readonly string[]>;
  readonly #ending = new AbortController();
  readonly #changed: () => void;
  readonly ended: Promise<void>;

  constructor(
    parts: ContentRunParts,
    asked: Pick<ContentRun, 'id' | 'account' | 'search' | 'contents'> & {
      alike: ReadonlyMap<string, readonly string[]>;
    },
    changed: (run: ContentRun) => void,
  ) {
    this.#parts = parts;
    this.id = asked.id;
    this.account = asked.account;
    this.search = asked.search;
    this.contents = asked.contents;
    this.shownContents = asked.contents.map(shownContent);
    this.#alike = asked.alike;
    this.#changed = () => changed(this);
    this.ended = this.#perform().then(
      () => this.#end('done'),
      (error: Error) => {
        this.error = error.message;
        this.#end('failed');
      },
    );
  }

  /** What was found stays. */
  cancel(): void {
    this.#end('cancelled');
    this.#ending.abort();
  }

  #end(status: ContentRun['status']): void {
    if (this.status !== 'running') return;
    this.status = status;
    this.endedAt = performance.now();
    this.#changed();
  }

  async #perform(): Promise<void> {
    const { store, pool, contentIndexing, freshness } = this.#parts;
    const { signal } = this.#ending;
    const asked = await pool.run({ kind: 'content_needs', terms: [...this.contents] }, { signal });
    if (asked.status === 'failed') throw new Error(asked.message);
    const candidates = await ContentCandidates.ask(contentIndexing.index, asked.result.needs, signal);
    this.told = candidates.told;
    const most = await store.search.ask(
      'ids',
      { expression: this.#plan((_, not) => (not ? nothing : anything)) },
      signal,
    );
    this.apksCount = most.length;
    this.#changed();
    const without = new Set(await store.search.ask('ids', { expression: this.#plan(() => nothing) }, signal));
    const ids = (isWanted: (id: number) => boolean) => [...most.filter(isWanted)];
    await this.#lookInto(
      ids((id) => candidates.mayHoldAny(id)),
      candidates,
    );
    const isWithout = (id: number) => !candidates.mayHoldAny(id);
    // None where the index told nothing.
    const outdated = most.some(isWithout) ? await freshness.outdated(signal) : new Set<number>();
    if (outdated.size > 0)
      await this.#lookInto(
        ids((id) => isWithout(id) && outdated.has(id)),
        candidates,
      );
    // Of all others it is known that they hold nothing of it.
    if (without.size > 0)
      for (const id of ids((one) => isWithout(one) && !outdated.has(one) && without.has(one))) this.found.push(id);
  }

  #plan(contents: ContentAnswer): SearchExpression {
    return planSearch(this.search, this.account.id, { alike: this.#alike, contents })!;
  }

  /** @param ids newest first */
  async #lookInto(ids: readonly number[], candidates: ContentCandidates): Promise<void> {
    this.candidatesCount += ids.length;
    const next = this.#apks(ids);
    const work = async () => {
      for await (const { apk, tag } of next) {
        await this.#read(apk, tag, candidates);
        this.#changed();
      }
    };
    await Promise.all(Array.from({ length: this.#parts.workers }, work));
  }

  async *#apks(ids: readonly number[]): AsyncGenerator<{ apk: ApkRecord; tag: number }> {
    for (let at = 0; at < ids.length; at += pageSize) {
      const page = ids.slice(at, at + pageSize);
      const known = await this.#parts.store.apks.findByIds(page);
      const apks = page.flatMap((id) => known.get(id) ?? []);
      this.readCount += page.length - apks.length;
      const tags = await this.#parts.contentIndexing.tagsOf(apks);
      for (const [index, apk] of apks.entries()) {
        if (this.#ending.signal.aborted) return;
        yield { apk, tag: tags[index]! };
      }
    }
  }

  async #read(apk: ApkRecord, tag: number, candidates: ContentCandidates): Promise<void> {
    const { store, files } = this.#parts;
    const { signal } = this.#ending;
    const only = candidates.filesOf(apk.id, tag);
    const left = await leftFilesIfAny(store, apk);
    const given = {
      ...(left === undefined ? {} : { left }),
      ...(only === undefined ? {} : { only }),
    };
    const terms = [...this.contents];
    const options = { signal, account: this.account.id, isAwaited: true };
    const reply = await files.run(apk, (file) => ({ kind: 'find_content', file, terms, ...given }), options);
    if (signal.aborted) return;
    this.readCount += 1;
    if (reply.status === 'failed') {
      this.failedCount += 1;
      return;
    }
    const { found } = reply.result;
    const held = new Set(this.contents.filter((_, index) => found[index]!.count > 0).map(contentKey));
    const expression = this.#plan((content) => (held.has(contentKey(content)) ? anything : nothing));
    if ((await store.search.ask('among', { expression, ids: [apk.id] }, signal)).length === 0) return;
    this.found.push(apk.id);
    if (this.places.size < maxWithPlaces) this.places.set(apk.id, found);
  }
}
