// Keeps the index of what is in the files of APKs up to date, in the background: newest first, giving way to analyses. What it
// has not come to yet is read by whoever asks. Knows no rule.
import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { JobContext } from '../../jobs/job-runner.ts';
import { ContentIndex, type SentPrints } from '../../store/content-index/content-index.ts';
import type { ApkRecord } from '../../store/repositories/apk-repository.ts';
import type { Reads, Writes } from '../../store/store.ts';
import { BackgroundWork, type BackgroundWorkParts } from '../background-work.ts';
import type { DiskRoom } from '../disk-room.ts';
import type { HappeningFollower } from '../event-bus.ts';
import { readSetting } from '../settings.ts';
import { HeldPrints } from './held-prints.ts';
import { leftFilesKinds, leftFilesOf, leftFilesVersion } from './left-files.ts';
import type { StoredFileTasks } from './stored-file-tasks.ts';

/** Milliseconds from what happened to the work that follows: analyses that come of it go first. */
const patience = 3_000;
/** APKs that are looked up at a time. */
const pageSize = 1_000;
/** Of APKs that were read, so many, or so many bytes of fingerprints, are written at once. */
const writtenAtOnce = 64;
const maxBytesAtOnce = 64 * 1024 ** 2;
/** APKs after which what was written is merged. */
const mergedAfter = 2_000;
/** So many wait that people see how it gets on. */
const isJobFrom = 200;
const beyondAll = Number.MAX_SAFE_INTEGER;

type Identity = Pick<ApkRecord, 'id' | 'sha256'>;
/** With what tells it as it is now from itself at another time. */
type TaggedApk = Identity & { tag: number };

interface ContentIndexingParts extends BackgroundWorkParts {
  files: StoredFileTasks;
  room: DiskRoom;
}

export class ContentIndexing extends BackgroundWork {
  readonly index: ContentIndex;
  readonly #parts: ContentIndexingParts;
  /** APKs that may have changed since they were looked at. */
  readonly #changed = new Set<number>();
  /** APKs that could not be read as they are, by their tags. */
  readonly #unreadable = new Set<number>();
  /** That came with analyses. */
  readonly #held = new HeldPrints();
  /** Whether all APKs were looked at once. */
  #isComplete = false;
  #isOn = false;

  constructor(parts: ContentIndexingParts) {
    super(parts, { kind: 'content_index', patience, fault: 'the content of APKs could not be indexed' });
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
    this.#held.clear();
    await this.settled();
    await this.index.clear();
  }

  /** Starts the indexing of what has changed soon, where it is on. */
  override wake(): void {
    if (this.#isOn) super.wake();
  }

  /** Has all APKs looked at again: some may have come without being analysed. */
  lookThrough(): void {
    this.#isComplete = false;
    this.wake();
  }

  override async close(): Promise<void> {
    await super.close();
    await this.index.close();
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  /**
   * Takes the fingerprints that came with the analysis of an APK, in the transaction that has stored its reports, before what
   * else follows it: whoever looks for them then finds them. They are of no use where the APK has parts or runs left files,
   * which are not among them.
   */
  async offer(inside: Writes, apk: Identity, prints: Uint8Array): Promise<void> {
    if (!this.#isOn || (await leftFilesVersion(inside, apk)) !== '') return;
    const [tag] = await this.tagsOf([apk], inside);
    inside.afterCommit(() => this.#held.put({ id: apk.id, tag: tag!, prints }));
  }

  /** What tells APKs as they are now from themselves at another time, in their order. */
  async tagsOf(apks: readonly Identity[], inside: Reads = this.#parts.store): Promise<number[]> {
    const ids = apks.map(({ id }) => id);
    const made = await inside.reports.versions(ids, [...Object.values(leftFilesKinds), 'androguard']);
    const parts = await inside.parts.hashesOf(apks.map(({ sha256 }) => sha256));
    return apks.map(({ id, sha256 }) => {
      const digest = hash('sha256', `${sha256} ${made.get(id) ?? ''}${parts.get(sha256) ?? ''}`, 'buffer');
      return digest.readUIntBE(0, 6);
    });
  }

  protected async workThrough(signal: AbortSignal, progress: JobContext['progress'] | null): Promise<void> {
    const looksThrough = !this.#isComplete;
    this.#isComplete = true;
    const isDone = await this.#takeInMissing(looksThrough, signal, progress).catch((error: unknown) => {
      this.#isComplete = false;
      throw error;
    });
    if (!isDone) this.#isComplete = false;
    else if (looksThrough) await this.#tidy();
    else await this.index.merge();
  }

  /** @param looksThrough whether all APKs are looked at, or those that may have changed */
  async #takeInMissing(looksThrough: boolean, signal: AbortSignal, progress: JobContext['progress'] | null) {
    const isStopped = () => signal.aborted || !this.#isOn;
    if (isStopped()) return false;
    const missing = looksThrough ? await this.#missingOfAll(signal) : await this.#missingOfChanged();
    if (missing.length >= isJobFrom && progress === null) {
      await this.becomeJob();
      return false;
    }
    for (let done = 0; done < missing.length && !isStopped(); ) {
      done += await this.#takeIn(missing.slice(done, done + writtenAtOnce), signal);
      progress?.(`indexed ${done} of ${missing.length} APKs`, done / missing.length);
      if (done % mergedAfter < writtenAtOnce) await this.index.merge();
    }
    return !isStopped();
  }

  async #missingOfChanged(): Promise<TaggedApk[]> {
    const ids = [...this.#changed];
    this.#changed.clear();
    return this.#missing([...(await this.#parts.store.apks.findByIds(ids)).values()]);
  }

  async #missingOfAll(signal: AbortSignal): Promise<TaggedApk[]> {
    this.#changed.clear();
    const missing: TaggedApk[] = [];
    for await (const apks of this.#all()) {
      if (signal.aborted) break;
      missing.push(...(await this.#missing(apks)));
    }
    return missing;
  }

  /** Those of some APKs that are not indexed as they are. */
  async #missing(apks: readonly Identity[]): Promise<TaggedApk[]> {
    const tags = await this.tagsOf(apks);
    const tagged = apks.map(({ id, sha256 }, index) => ({ id, sha256, tag: tags[index]! }));
    const wanted = new Set((await this.index.missing(tagged)).map(({ id }) => id));
    return tagged.filter(({ id, tag }) => wanted.has(id) && !this.#unreadable.has(tag));
  }

  /** All APKs, newest first. */
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
  async #takeIn(apks: readonly TaggedApk[], signal: AbortSignal): Promise<number> {
    const read: SentPrints[] = [];
    let bytes = 0;
    let count = 0;
    for (const { id, tag } of apks) {
      if (signal.aborted || !this.#isOn || bytes >= maxBytesAtOnce) break;
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
    const held = this.#held.take(id, tag);
    if (held !== null) return held;
    const left = await leftFilesOf(store, apk);
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

  /** Drops APKs that are gone. */
  async #tidy(): Promise<void> {
    const living: number[] = [];
    for await (const apks of this.#all()) for (const { id } of apks) living.push(id);
    await this.index.tidy(Uint32Array.from(living));
  }
}
