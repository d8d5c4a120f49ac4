// What lists of known files and signers say of the catalogue's APKs, noted when an APK comes and when a list comes or goes. A
// hint for people: no verdict follows from it. Knows no list's format and no HTTP.
import { randomUUID } from 'node:crypto';
import { createWriteStream, type FSWatcher, watch } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { type Known, type KnownKind, ownSigners } from '../../contract/catalogue/known.ts';
import type { JobPayload } from '../../contract/jobs/job-kinds.ts';
import type { ErrorLog } from '../../jobs/error-log.ts';
import { type JobOutcome, type JobQueue, jobPriorities } from '../../jobs/job-queue.ts';
import type { JobContext, JobHandler } from '../../jobs/job-runner.ts';
import type { ListDescription } from '../../store/files/known-list-file.ts';
import { KnownLists } from '../../store/files/known-lists.ts';
import { importList, ListError } from '../../store/files/list-import.ts';
import type { ApkRecord, ListedHashes } from '../../store/repositories/apk-repository.ts';
import type { JobRecord } from '../../store/repositories/job-repository.ts';
import type { SignerRecord } from '../../store/repositories/signer-repository.ts';
import type { Store, Writes } from '../../store/store.ts';
import type { DiskRoom } from '../disk-room.ts';
import type { EventBus } from '../event-bus.ts';
import { Failure } from '../failure.ts';
import type { AccountRecord } from '../people/accounts.ts';

/** APKs that are looked up at a time, in some milliseconds. */
const batchSize = 100;
/** Key in the settings: the lists that all APKs were last looked up in. */
const notedKey = 'known_lists_noted';
const uploadsFolder = '.uploads';

export type ShownList = { name: string } & (
  | ({ count: number } & Omit<ListDescription, 'names'>)
  /** Its file cannot be read. */
  | { count: null }
);

interface KnownApksParts {
  store: Store;
  queue: JobQueue;
  events: EventBus;
  room: DiskRoom;
  log: ErrorLog;
}

export class KnownApks {
  readonly #store: Store;
  readonly #queue: JobQueue;
  readonly #events: EventBus;
  readonly #room: DiskRoom;
  readonly #log: ErrorLog;
  readonly #lists: KnownLists;
  /** The lists that the catalogue was last looked up in, or is about to be. */
  #looked: unknown = '';
  #watcher: FSWatcher | undefined;
  /** The job of the import that was asked for last. */
  #lastImport: number | null = null;
  #work: Promise<void> = Promise.resolve();

  constructor({ store, queue, events, room, log }: KnownApksParts) {
    this.#store = store;
    this.#queue = queue;
    this.#events = events;
    this.#room = room;
    this.#log = log;
    this.#lists = new KnownLists(store.dataDir);
  }

  /** Every list by its name. */
  all(): ShownList[] {
    const read = [...this.#lists.all()].map(
      ([
        name,
        {
          count,
          description: { names: _, ...described },
        },
      ]) => ({
        ...{ name, count },
        ...described,
      }),
    );
    return [...read, ...this.#lists.damaged.map((name) => ({ name, count: null }))];
  }

  /** Notes what the lists say of an APK that comes in. */
  async note(inside: Writes, apk: ApkRecord): Promise<ApkRecord> {
    const signer = apk.signerId === null ? null : await inside.signers.findById(apk.signerId);
    const known = this.#say(apk, signer);
    return (await setKnown(inside, apk, known)) ? { ...apk, known } : apk;
  }

  /** Notes anew what is known of a signer's APKs: at once of a few, else by a job. */
  async noteSigner(inside: Writes, signerId: number): Promise<void> {
    if ((await inside.apks.hashesAfter(0, signerId, batchSize)).length < batchSize)
      await this.#noteBatch(inside, await inside.apks.hashesAfter(0, signerId, batchSize));
    else await this.#enqueue({ list: null, signerId }, null, inside);
  }

  /** Keeps a list's file and queues its import. */
  async requestImport(
    account: AccountRecord,
    list: { name: string; kind: KnownKind; source: string },
    bytes: AsyncIterable<Uint8Array>,
  ): Promise<JobRecord> {
    const file = randomUUID();
    await mkdir(this.#uploads, { recursive: true });
    try {
      await pipeline(this.#room.guard(bytes), createWriteStream(join(this.#uploads, file), { mode: 0o600 }));
      const job = await this.#enqueue({ list: { ...list, file }, signerId: null }, account);
      this.#lastImport = job.id;
      return job;
    } catch (error) {
      await rm(join(this.#uploads, file), { force: true });
      throw error;
    }
  }

  /** The import that was asked for last since the start; null: none. */
  async lastImport(): Promise<JobRecord | null> {
    return this.#lastImport === null ? null : this.#queue.find(this.#lastImport);
  }

  /** Deletes a list; what it said of APKs goes with it. @throws Failure `not-found` */
  async remove(account: AccountRecord, name: string): Promise<void> {
    if (!this.#lists.remove(name)) throw new Failure('not-found');
    this.#looked = this.#fingerprint();
    await this.#enqueue({ list: null, signerId: null }, account);
  }

  /** Deletes the file of a list when its import has ended. */
  readonly followEnd = async (job: JobRecord, inside: Writes): Promise<void> => {
    if (job.kind !== 'known_lists') return;
    const { list } = job.payload as JobPayload<'known_lists'>;
    if (list !== null) inside.afterCommit(() => void rm(join(this.#uploads, list.file), { force: true }));
  };

  /** The handler of jobs of the kind `known_lists`. */
  readonly perform: JobHandler<'known_lists'> = async ({ payload }, context): Promise<JobOutcome> => {
    const { list, signerId } = payload;
    try {
      if (list !== null) await this.#import(list, context);
      await this.#noteAll(context, signerId);
    } catch (error) {
      if (error instanceof ListError) return { status: 'failed', code: 'unreadable-list', message: error.message };
      // Whoever cancelled it hears of it already.
      if (!context.signal.aborted) throw error;
    }
    return { status: 'done' };
  };

  /**
   * Has the whole catalogue looked up where lists come or go behind the server's back: by the command line, now or while it
   * did not run.
   */
  async start(): Promise<void> {
    await mkdir(this.#uploads, { recursive: true });
    await this.#removeOrphans();
    this.#looked = (await this.#store.settings.read(notedKey)) ?? '';
    this.#watcher = watch(this.#lists.folder, () => this.#then(() => this.#catchUp()));
    // A folder of the network may not tell: what changed in it is seen at the next start.
    this.#watcher.on('error', () => this.#watcher?.close());
    this.#then(() => this.#catchUp());
  }

  /** Stops watching, and closes the lists' files. */
  async close(): Promise<void> {
    this.#watcher?.close();
    await this.#work;
    this.#lists.close();
  }

  #then(work: () => Promise<void>): void {
    this.#work = this.#work
      .then(work)
      .catch((err: unknown) => this.#log.error({ err }, 'APKs could not be looked up in the lists of known files'));
  }

  async #catchUp(): Promise<void> {
    const lists = this.#fingerprint();
    if (lists === this.#looked) return;
    this.#looked = lists;
    await this.#enqueue({ list: null, signerId: null }, null);
  }

  /**
   * Notes what the lists say of every APK, or of those of one signer.
   * @throws the signal's reason once it is aborted
   */
  async #noteAll({ signal, progress }: JobContext, signerId: number | null): Promise<void> {
    const looked = this.#fingerprint();
    if (signerId === null) this.#looked = looked;
    const count = await this.#store.apks.count();
    let seen = 0;
    for (let afterId = 0; ; ) {
      signal.throwIfAborted();
      const apks = await this.#store.apks.hashesAfter(afterId, signerId, batchSize);
      if (apks.length === 0) break;
      afterId = apks.at(-1)!.id;
      const changed = await this.#differing(apks);
      if (changed.length > 0) await this.#store.transaction((inside) => this.#noteBatch(inside, changed));
      seen += apks.length;
      progress(`looked up ${seen} of ${count} APKs`, Math.min(1, seen / Math.max(1, count)));
      await setImmediate();
    }
    if (signerId === null) await this.#store.transaction(({ settings }) => settings.write(notedKey, looked));
  }

  get #uploads(): string {
    return join(this.#lists.folder, uploadsFolder);
  }

  /** A text that changes whenever one of the lists does. */
  #fingerprint(): string {
    return [...this.#lists.all()]
      .map(
        ([
          name,
          {
            count,
            description: { kind, importedAt },
          },
        ]) => [name, kind, count, importedAt].join(' '),
      )
      .join('\n');
  }

  /** Every list that has the file or its signer, by the lists' names; what analysts say of the signer comes last. */
  #say({ sha256, sha1, md5, company }: Omit<ListedHashes, 'id' | 'signerId' | 'known'>, signer: SignerRecord | null) {
    const known: Known[] = this.#lists.find([sha256, sha1, md5], signer?.sha256 ?? null);
    const own: KnownKind | null = signer?.isBad ? 'bad' : signer?.isTrusted ? 'good' : null;
    return own === null ? known : [...known, { list: ownSigners, kind: own, by: 'signer' as const, name: company }];
  }

  /** The APKs of which the lists now say something else than what is stored. */
  async #differing(apks: readonly ListedHashes[]): Promise<ListedHashes[]> {
    const signers = await this.#signersOf(this.#store, apks);
    return apks.filter((apk) => isNew(apk, this.#say(apk, signers.get(apk.signerId ?? 0) ?? null)));
  }

  async #noteBatch(inside: Writes, apks: readonly ListedHashes[]): Promise<void> {
    const signers = await this.#signersOf(inside, apks);
    const changed: number[] = [];
    for (const apk of apks)
      if (await setKnown(inside, apk, this.#say(apk, signers.get(apk.signerId ?? 0) ?? null))) changed.push(apk.id);
    if (changed.length === 0) return;
    await this.#events.happened({ name: 'evidence_changed', apkIds: changed }, inside);
    await this.#events.happened({ name: 'standing_changed', apkIds: changed }, inside);
    const noted = await inside.apks.findByIds(changed);
    inside.afterCommit(() => {
      for (const apk of noted.values()) this.#events.publish({ name: 'apk_updated', apk });
    });
  }

  #signersOf({ signers }: Pick<Store, 'signers'>, apks: readonly ListedHashes[]): Promise<Map<number, SignerRecord>> {
    return signers.findByIds([...new Set(apks.flatMap(({ signerId }) => (signerId === null ? [] : [signerId])))]);
  }

  async #import(list: NonNullable<JobPayload<'known_lists'>['list']>, { signal, progress }: JobContext): Promise<void> {
    const { file, ...described } = list;
    await importList(
      { ...described, dataDir: this.#store.dataDir, path: join(this.#uploads, file), importedAt: Date.now() },
      { signal, onProgress: (lines, done) => progress(`read ${lines} lines`, done) },
    );
  }

  async #enqueue(payload: JobPayload<'known_lists'>, account: AccountRecord | null, inside?: Writes) {
    const asked = { apkId: null, priority: jobPriorities.request };
    const by = account === null ? {} : { requestedBy: account.id };
    return (await this.#queue.enqueue({ kind: 'known_lists', ...asked, ...by, payload }, inside)).job;
  }

  /** Files of imports that were cut off before they were queued. */
  async #removeOrphans(): Promise<void> {
    const files = await readdir(this.#uploads).catch(() => []);
    const open = await this.#store.statistics.openJobs();
    if (open.some(({ kind }) => kind === 'known_lists')) return;
    for (const file of files) await rm(join(this.#uploads, file), { force: true });
  }
}

const isNew = ({ known }: Pick<ListedHashes, 'known'>, said: readonly Known[]) =>
  JSON.stringify(known) !== JSON.stringify(said);

/** @returns whether it is something else than was noted */
async function setKnown(inside: Writes, apk: Pick<ListedHashes, 'id' | 'known'>, said: readonly Known[]) {
  if (!isNew(apk, said)) return false;
  await inside.apks.setKnown(apk.id, said);
  await inside.marks.replace(apk.id, {
    known: [...new Set(said.map(({ kind }) => kind))],
    list: said.map(({ list }) => list),
  });
  return true;
}
