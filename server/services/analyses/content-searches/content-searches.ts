// Searches for texts and bytes in the files of all APKs: run in the background, kept for a while in memory. Knows nothing of HTTP.
import { setTimeout } from 'node:timers/promises';
import type { FoundContent } from '../../../contract/engine/content-search.ts';
import { namedContents, namedLikenesses } from '../../../query/plan.ts';
import { SearchError } from '../../../query/syntax.ts';
import type { ApkRecord } from '../../../store/repositories/apk-repository.ts';
import type { AccountRecord } from '../../../store/repositories/people/account-repository.ts';
import type { KeysetPage, KeysetRequest } from '../../../store/sqlite/keyset-page.ts';
import type { SimilarApks } from '../../catalogue/similar-apks.ts';
import type { EventBus } from '../../event-bus.ts';
import { Concealed, Failure, SearchFailure } from '../../failure.ts';
import { ContentRun, type ContentRunParts } from './content-run.ts';
import { IndexFreshness } from './index-freshness.ts';

/** Searches of one account that run at a time; the oldest makes room. */
const maxRunning = 3;
/** Searches of one account that are remembered. */
const maxKept = 10;
/** Milliseconds for which what was found answers the same search again. */
const lastingFor = 60_000;
/** Milliseconds that somebody waits who asks for what is found alone. */
const patience = 10_000;
/** Milliseconds between two events of a search. */
const eventInterval = 300;

interface ContentSearchesParts extends Omit<ContentRunParts, 'freshness'> {
  events: EventBus;
  similarApks: SimilarApks;
}

/** An APK that was found, and where its contents are; null: that is not kept, or it is found for what it does not hold. */
export interface ContentHit {
  /** Its place among all. */
  id: number;
  apk: ApkRecord;
  found: readonly FoundContent[] | null;
}

export class ContentSearches {
  readonly freshness: IndexFreshness;
  readonly #parts: ContentRunParts;
  readonly #events: EventBus;
  readonly #similarApks: SimilarApks;
  /** Older ones first. */
  readonly #runs = new Map<number, ContentRun>();
  readonly #lastEvents = new WeakMap<ContentRun, number>();
  /** No two processes give the same. */
  #lastId = Date.now();

  constructor({ events, similarApks, ...parts }: ContentSearchesParts) {
    this.#events = events;
    this.#similarApks = similarApks;
    this.freshness = new IndexFreshness(parts.store, parts.contentIndexing);
    this.#parts = { ...parts, freshness: this.freshness };
  }

  /** Begins a search that names contents; the same one of the account that runs already answers. @throws SearchFailure */
  async begin(account: AccountRecord, search: string): Promise<ContentRun> {
    const asked = await this.#asked(search);
    if (asked === null) throw new SearchFailure('This search names no content: write content:"text".', 0);
    return this.#same(account, search, 0) ?? this.#start(account, search, asked);
  }

  /** Whether a search names contents. @throws SearchError */
  namesContent = (search: string): boolean => namedContents(search).length > 0;

  /** @throws Failure `not-found`, also where another asked for it */
  get(account: AccountRecord, id: number | null): ContentRun {
    const run = id === null ? undefined : this.#runs.get(id);
    if (run === undefined) throw new Failure('not-found');
    if (run.account.id !== account.id) throw new Concealed();
    return run;
  }

  /** APKs that were found so far, in the order in which they were. */
  async hits(run: ContentRun, { olderThan, newerThan, limit }: KeysetRequest): Promise<KeysetPage<ContentHit>> {
    const count = run.found.length;
    const end = newerThan === undefined ? undefined : Math.min(count, newerThan - 1);
    const start = end === undefined ? (olderThan ?? 0) : Math.max(0, end - limit);
    const ids = run.found.slice(start, end ?? start + limit);
    const apks = await this.#parts.store.apks.findByIds(ids);
    const items = ids.flatMap((id, index) => {
      const apk = apks.get(id);
      return apk === undefined ? [] : [{ id: start + index + 1, apk, found: run.places.get(id) ?? null }];
    });
    return { items, hasOlder: start + ids.length < count, hasNewer: start > 0 };
  }

  /**
   * Rows of all APKs that a search finds which names contents; null: it names none.
   * @param isPatient waits for its end, however long that takes
   * @throws SearchFailure; Failure `content-unfinished`, and it goes on: who asks again may find it done; `content-ended`
   */
  async found(account: AccountRecord | null, search: string, isPatient: boolean): Promise<readonly number[] | null> {
    const asked = await this.#asked(search);
    if (asked === null) return null;
    if (account === null) throw new Failure('not-authenticated');
    const run = this.#same(account, search, lastingFor) ?? this.#start(account, search, asked);
    await Promise.race([run.ended, ...(isPatient ? [] : [setTimeout(patience, null, { ref: false })])]);
    if (run.status === 'done') return run.found;
    if (run.status !== 'running') throw new Failure('content-ended');
    throw new Failure('content-unfinished', { read: run.readCount, count: run.candidatesCount }, 5);
  }

  /** @throws SearchFailure */
  async #asked(search: string): Promise<Pick<ContentRunAsked, 'contents' | 'alike'> | null> {
    try {
      const contents = namedContents(search);
      if (contents.length === 0) return null;
      return { contents, alike: await this.#similarApks.likeEach(namedLikenesses(search)) };
    } catch (error) {
      if (error instanceof SearchError) throw new SearchFailure(error.message, error.position);
      throw error;
    }
  }

  /** The account's same search that runs, or has ended a moment ago. */
  #same(account: AccountRecord, search: string, within: number): ContentRun | undefined {
    const since = performance.now() - within;
    return this.#of(account).findLast(
      (run) => run.search === search && (run.status === 'running' || (run.status === 'done' && run.endedAt! > since)),
    );
  }

  #of = (account: AccountRecord): ContentRun[] =>
    [...this.#runs.values()].filter((run) => run.account.id === account.id);

  #start(account: AccountRecord, search: string, asked: Pick<ContentRunAsked, 'contents' | 'alike'>): ContentRun {
    const own = this.#of(account);
    const running = own.filter(({ status }) => status === 'running');
    for (const run of running.slice(0, Math.max(0, running.length - maxRunning + 1))) run.cancel();
    for (const { id } of own.slice(0, Math.max(0, own.length - maxKept + 1))) this.#runs.delete(id);
    this.#lastId += 1;
    const run = new ContentRun(this.#parts, { id: this.#lastId, account, search, ...asked }, (one) => this.#tell(one));
    this.#runs.set(run.id, run);
    return run;
  }

  #tell(run: ContentRun): void {
    const now = performance.now();
    if (run.status === 'running' && now - (this.#lastEvents.get(run) ?? Number.NEGATIVE_INFINITY) < eventInterval)
      return;
    this.#lastEvents.set(run, now);
    if (this.#events.hasListeners)
      this.#events.publish({ name: 'content_search', run }, (other) => other.id === run.account.id);
  }
}

type ContentRunAsked = ConstructorParameters<typeof ContentRun>[1];
