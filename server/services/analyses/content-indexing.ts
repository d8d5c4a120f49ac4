// Keeps the index of what is in the files of APKs up to date, in the background: newest first, giving way to analyses. What it
// has not come to yet is read by whoever asks. Knows no rule.
import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { ErrorLog } from '../../jobs/error-log.ts';
import { type JobOutcome, type JobQueue, jobPriorities } from '../../jobs/job-queue.ts';
import type { JobContext, JobHandler } from '../../jobs/job-runner.ts';
import { ContentIndex, type SentPrints } from '../../store/content-index/content-index.ts';
import type { ApkRecord } from '../../store/repositories/apk-repository.ts';
import type { Store } from '../../store/store.ts';
import type { DiskRoom } from '../disk-room.ts';
import type { HappeningFollower } from '../event-bus.ts';
import { readSetting } from '../settings.ts';
import { leftFilesKinds, leftFilesOf } from './left-files.ts';
import type { StoredFileTasks } from './stored-file-tasks.ts';

/** Milliseconds from what happened to the work that follows: analyses that come of it go first. */
const patience = 3_000;
/** APKs that are looked up at a time. */
const pageSize = 1_000;
/** Of APKs that were read, so many, or so many bytes of fingerprints, are written at once. */
const writtenAtOnce = 64;
const maxBytesAtOnce = 64 * 1024 ** 2;
/** APKs after which what was written is merged. */
const tidiedAfter = 2_000;
/** So many wait that people see how it gets on. */
const isJobFrom = 200;
const beyondAll = Number.MAX_SAFE_INTEGER;

type Identity = Pick<ApkRecord, 'id' | 'sha256'>;

interface ContentIndexingParts {
  store: Store;
  queue: JobQueue;
  files: StoredFileTasks;
  room: DiskRoom;
  log: ErrorLog;
}

export class ContentIndexing {
  readonly index: ContentIndex;
  readonly #parts: ContentIndexingParts;
  readonly #closing = new AbortController();
  /** APKs that may have changed since they were looked at. */
  readonly #changed = new Set<number>();
  /** APKs that could not be read as they are, by their tags. */
  readonly #unreadable = new Set<number>();
  /** Whether all APKs were looked at once. */
  #isComplete = false;
  #isOn = false;
  #timer: NodeJS.Timeout | undefined;
  #work: Promise<void> = Promise.resolve();

  constructor(parts: ContentIndexingParts) {
    this.#parts = parts;
    this.index = new ContentIndex(parts.store.dataDir);
  }

  readonly followHappening: HappeningFollower = async (happening, inside) => {
    if (happening.name !== 'code_read' && happening.name !== 'evidence_changed') return;
    inside.afterCommit(() => {
      if (!this.#isOn) return;
      for (const id of happening.apkIds) this.#changed.add(id);
      this.wake();
    });
  };

  /** Begins with what is set; the server calls it once it serves. */
  async settingsChanged(): Promise<void> {
    const isOn = await readSetting(this.#parts.store, 'content_index');
    if (isOn === this.#isOn) return;
    this.#isOn = isOn;
    if (isOn) return this.wake();
    this.#isComplete = false;
    await this.#work;
    await this.index.clear();
  }

  /** Has what is to be read be read soon. */
  wake(): void {
    if (this.#closing.signal.aborted || !this.#isOn) return;
    this.#timer ??= setTimeout(() => this.#begin(), patience).unref();
  }

  /** Has all APKs looked at again: some may have come without being analysed. */
  lookThrough(): void {
    this.#isComplete = false;
    this.wake();
  }

  /** Resolves when nothing is left to be read. */
  async settled(): Promise<void> {
    if (this.#timer !== undefined) this.#begin();
    await this.#work;
  }

  /** Stops the background work; the next start continues it. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#closing.abort();
    await this.#work;
    await this.index.close();
  }

  /** How much is indexed. */
  async state(): Promise<{ isOn: boolean; count: number; size: number }> {
    return this.#isOn ? { isOn: true, ...(await this.index.state()) } : { isOn: false, count: 0, size: 0 };
  }

  /** What tells APKs as they are now from themselves at another time, in their order. */
  async tagsOf(apks: readonly Identity[]): Promise<number[]> {
    const ids = apks.map(({ id }) => id);
    const made = await this.#parts.store.reports.versions(ids, [...Object.values(leftFilesKinds), 'androguard']);
    return apks.map(({ id, sha256 }) => {
      const digest = hash('sha256', `${sha256} ${made.get(id) ?? ''}`, 'buffer');
      return digest.readUIntBE(0, 6);
    });
  }

  /** The handler of jobs of the kind `content_index`. */
  readonly perform: JobHandler<'content_index'> = async (_job, context): Promise<JobOutcome> => {
    const signal = AbortSignal.any([context.signal, this.#closing.signal]);
    const working = this.#work.then(() => this.#workThrough(signal, context.progress));
    this.#work = working.catch(() => undefined);
    await working;
    return { status: 'done' };
  };

  #begin(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { signal } = this.#closing;
    this.#work = this.#work
      .then(() => this.#workThrough(signal, null))
      .catch((err: unknown) => {
        if (!signal.aborted) this.#parts.log.error({ err }, 'the content of APKs could not be indexed');
      });
  }

  /** @param progress null: work for minutes becomes a job */
  async #workThrough(signal: AbortSignal, progress: JobContext['progress'] | null): Promise<void> {
    const missing = await this.#missing(signal);
    if (missing.length === 0 || signal.aborted || !this.#isOn) return;
    if (missing.length >= isJobFrom && progress === null) return this.#becomeJob();
    for (let done = 0; done < missing.length && !signal.aborted && this.#isOn; ) {
      done += await this.#takeIn(missing.slice(done), signal);
      progress?.(`indexed ${done} of ${missing.length} APKs`, done / missing.length);
      if (done % tidiedAfter < writtenAtOnce) await this.#tidy();
    }
    if (signal.aborted || !this.#isOn) return;
    this.#isComplete = true;
    await this.#tidy();
  }

  async #becomeJob(): Promise<void> {
    this.#isComplete = false;
    const { store, queue } = this.#parts;
    const open = await store.statistics.openJobs();
    if (open.some(({ kind }) => kind === 'content_index')) return;
    await queue.enqueue({ kind: 'content_index', apkId: null, priority: jobPriorities.bulk, payload: null });
  }

  /** APKs that are not indexed as they are, newest first. */
  async #missing(signal: AbortSignal): Promise<(Identity & { tag: number })[]> {
    const { store } = this.#parts;
    const missing: (Identity & { tag: number })[] = [];
    const look = async (apks: readonly Identity[]) => {
      const tags = await this.tagsOf(apks);
      const tagged = apks.map(({ id, sha256 }, index) => ({ id, sha256, tag: tags[index]! }));
      const wanted = new Set((await this.index.missing(tagged)).map(({ id }) => id));
      missing.push(...tagged.filter(({ id, tag }) => wanted.has(id) && !this.#unreadable.has(tag)));
    };
    if (this.#isComplete) {
      const ids = [...this.#changed];
      this.#changed.clear();
      await look([...(await store.apks.findByIds(ids)).values()]);
      return missing;
    }
    this.#changed.clear();
    for await (const apks of this.#all()) {
      if (signal.aborted) break;
      await look(apks);
    }
    return missing;
  }

  async *#all(): AsyncGenerator<Identity[]> {
    for (let below = beyondAll; ; ) {
      const apks = await this.#parts.store.apks.identities(below, pageSize);
      if (apks.length > 0) yield apks;
      if (apks.length < pageSize) return;
      below = apks.at(-1)!.id;
      await setImmediate();
    }
  }

  /** Reads and writes the first of some APKs. @returns how many */
  async #takeIn(apks: readonly (Identity & { tag: number })[], signal: AbortSignal): Promise<number> {
    const read: SentPrints[] = [];
    let bytes = 0;
    let count = 0;
    for (const { id, tag } of apks) {
      if (signal.aborted || !this.#isOn || count >= writtenAtOnce || bytes >= maxBytesAtOnce) break;
      count += 1;
      const prints = await this.#read(id, tag, signal);
      if (prints === null) continue;
      read.push({ id, tag, prints });
      bytes += prints.length;
    }
    if (read.length === 0) return count;
    await this.#parts.room.check(bytes);
    for (const id of await this.index.add(read)) this.#unreadable.add(read.find((one) => one.id === id)!.tag);
    return count;
  }

  async #read(id: number, tag: number, signal: AbortSignal): Promise<Uint8Array | null> {
    const { store, files } = this.#parts;
    const apk = (await store.apks.findByIds([id])).get(id);
    if (apk === undefined || (await this.tagsOf([apk]))[0] !== tag) return null;
    const left = await leftFilesOf(store, id);
    const report = await store.reports.readCompressed(id, 'androguard');
    const androguard = report === null ? null : { size: report.size, compressed: report.compressed };
    const reply = await files.run(apk, (file) => ({ kind: 'prints', file, left, androguard }), {
      signal,
      isPatient: true,
    });
    if (reply.status !== 'failed') return reply.result.prints;
    if (!signal.aborted) this.#unreadable.add(tag);
    return null;
  }

  async #tidy(): Promise<void> {
    const living: number[] = [];
    for await (const apks of this.#all()) for (const { id } of apks) living.push(id);
    await this.index.tidy(Uint32Array.from(living));
  }
}
