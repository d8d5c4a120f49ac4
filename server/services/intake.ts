// Takes an APK into the catalogue: bytes, identity, record and jobs, nothing acknowledged before it is on disk.
import type { EngineReply } from '../contract/engine.ts';
import { type JobQueue, jobPriorities } from '../jobs/job-queue.ts';
import type { WorkerPool } from '../jobs/worker-pool.ts';
import type { AccountRecord } from '../store/account-repository.ts';
import type { ApkRecord } from '../store/apk-repository.ts';
import { type ReceivedFile, ReceiveError } from '../store/file-store.ts';
import type { Store } from '../store/store.ts';
import { DuplicateError } from '../store/store-errors.ts';
import type { EventBus } from './event-bus.ts';
import { Failure } from './failure.ts';
import { identifiedFields, identityReports } from './identification.ts';
import { readSetting } from './settings.ts';

export interface IntakeOptions {
  uploader: AccountRecord | null;
  /** Where its analysis stands among the others: after what people ask for, before or after an import. */
  priority?: keyof typeof jobPriorities;
  /** Lower-case hex, where the sender said what he would send. */
  expectedSha256?: string | undefined;
  signal?: AbortSignal | undefined;
}

export interface IntakeResult {
  apk: ApkRecord;
  /** false: the catalogue had it already. */
  created: boolean;
}

/** Each holds an open file and its worker's time; more only make all of them slower. */
const maxUploadsAtOnce = 64;

export class Intake {
  readonly #store: Store;
  readonly #queue: JobQueue;
  readonly #pool: WorkerPool;
  readonly #events: EventBus;
  /** Kinds of analysis that every new APK gets, in this order, where a setting does not forbid it. */
  readonly #kinds: readonly ('static' | 'yara' | 'dynamic')[];
  /** By SHA-256: the intake that is deciding about these bytes. */
  readonly #deciding = new Map<string, Promise<unknown>>();
  #uploads = 0;

  constructor(
    store: Store,
    queue: JobQueue,
    pool: WorkerPool,
    events: EventBus,
    kinds: readonly ('static' | 'yara' | 'dynamic')[],
  ) {
    this.#store = store;
    this.#queue = queue;
    this.#pool = pool;
    this.#events = events;
    this.#kinds = kinds;
  }

  maxBytes = (): Promise<number> => readSetting(this.#store, 'upload_max_bytes');

  isOpenToAnybody = (): Promise<boolean> => readSetting(this.#store, 'anonymous_upload');

  /**
   * Streams an APK into the file store and, where it is new, into the catalogue with its analysis jobs. When this
   * resolves, everything is on disk.
   * @throws Failure `upload-truncated`, `upload-too-large`, `wrong-sha256`, `not-an-apk`, `not-identified`,
   *   `too-many-uploads`; then nothing is kept
   */
  async receiveApk(bytes: AsyncIterable<Uint8Array>, options: IntakeOptions): Promise<IntakeResult> {
    if (this.#uploads >= maxUploadsAtOnce) throw new Failure('too-many-uploads', {}, 5);
    this.#uploads += 1;
    try {
      const received = await this.#receive(bytes, options);
      try {
        return await this.#exclusively(received.sha256, () => this.#decide(received, options));
      } finally {
        await received.discard();
      }
    } finally {
      this.#uploads -= 1;
    }
  }

  async #receive(bytes: AsyncIterable<Uint8Array>, { expectedSha256, signal }: IntakeOptions): Promise<ReceivedFile> {
    const maxBytes = await this.maxBytes();
    try {
      return await this.#store.files.receive(bytes, { expectedSha256, maxBytes, signal });
    } catch (error) {
      if (!(error instanceof ReceiveError)) throw error;
      switch (error.code) {
        case 'too-large':
          throw new Failure('upload-too-large', { limit: maxBytes });
        case 'wrong-sha256':
          throw new Failure('wrong-sha256');
        case 'aborted':
          throw new Failure('upload-truncated');
        case 'empty':
          throw expectedSha256 === undefined
            ? new Failure('not-an-apk', { reason: 'it is empty' })
            : new Failure('wrong-sha256');
      }
    }
  }

  /** Two uploads of the same bytes decide one after the other, so that the second finds what the first inserted. */
  async #exclusively<T>(sha256: string, work: () => Promise<T>): Promise<T> {
    const before = this.#deciding.get(sha256) ?? Promise.resolve();
    const mine = before.then(work, work);
    this.#deciding.set(sha256, mine);
    try {
      return await mine;
    } finally {
      if (this.#deciding.get(sha256) === mine) this.#deciding.delete(sha256);
    }
  }

  async #decide(received: ReceivedFile, options: IntakeOptions): Promise<IntakeResult> {
    const held = await this.#store.apks.findBySha256(received.sha256);
    if (held !== null) return { apk: await this.#repaired(held, received), created: false };
    const reply = await this.#pool.run({ kind: 'identify', file: received.reference }, { signal: options.signal });
    if (reply.status === 'failed') {
      throw reply.code === 'not-an-apk'
        ? new Failure('not-an-apk', { reason: reply.message })
        : new Failure('not-identified', { reason: reply.code });
    }
    await received.commit();
    const apk = await this.#insert(received, reply, options);
    this.#events.publish({ name: 'apk_created', apk });
    return { apk, created: true };
  }

  /** An upload of a held APK brings its file back where that was lost or damaged. */
  async #repaired(apk: ApkRecord, received: ReceivedFile): Promise<ApkRecord> {
    if (apk.fileState === 'ok' && this.#store.files.inspect(apk.sha256) === 'ok') return apk;
    await received.commit();
    const changed = await this.#store.apks.update(apk.id, { fileState: 'ok' });
    if (changed === null) return apk;
    this.#events.publish({ name: 'apk_updated', apk: changed });
    return changed;
  }

  async #insert(
    { sha256, sha1, md5, size }: ReceivedFile,
    { status, result: identity }: Extract<EngineReply<'identify'>, { status: 'done' | 'partial' }>,
    { uploader, priority = 'upload' }: IntakeOptions,
  ): Promise<ApkRecord> {
    const wanted = new Set<string>();
    for (const kind of this.#kinds) if (await readSetting(this.#store, `analyze_${kind}_on_upload`)) wanted.add(kind);
    try {
      return await this.#store.transaction(async (inside) => {
        const fields = await identifiedFields(inside, identity);
        const apk = await inside.apks.insert({ sha256, sha1, md5, size, uploaderId: uploader?.id ?? null, ...fields });
        await inside.reports.save(identityReports(apk.id, status, identity));
        for (const kind of wanted) {
          const job = { kind, apkId: apk.id, priority: jobPriorities[priority], requestedBy: uploader?.id ?? null };
          await this.#queue.enqueue(job, inside);
        }
        return apk;
      });
    } catch (error) {
      // Another process of this data folder was faster.
      const held = error instanceof DuplicateError ? await this.#store.apks.findBySha256(sha256) : null;
      if (held === null) throw error;
      return held;
    }
  }
}
