// Takes an APK into the catalogue: bytes, identity, record and jobs, nothing acknowledged before it is on disk.

import { fileNameOf, maxFileNames } from '../../contract/catalogue/file-name.ts';
import type { Identity, PackedStatic } from '../../contract/engine/analysis-results.ts';
import type { Finding } from '../../contract/findings/finding.ts';
import { findingOf } from '../../contract/findings/finding-catalogue.ts';
import type { AnalysisKind } from '../../contract/jobs/job.ts';
import type { EngineReply } from '../../contract/process-line/messages.ts';
import { exactSize } from '../../contract/quantity.ts';
import { type JobQueue, jobPriorities } from '../../jobs/job-queue.ts';
import type { WorkerPool } from '../../jobs/worker-pool.ts';
import { type ReceivedFile, ReceiveError } from '../../store/files/file-store.ts';
import type { ApkRecord } from '../../store/repositories/apk-repository.ts';
import type { JobRecord } from '../../store/repositories/job-repository.ts';
import type { ContainerRecord, PartRecord } from '../../store/repositories/part-repository.ts';
import type { AccountRecord } from '../../store/repositories/people/account-repository.ts';
import type { Store, Writes } from '../../store/store.ts';
import { DuplicateError } from '../../store/store-errors.ts';
import type { DiskRoom } from '../disk-room.ts';
import type { EventBus } from '../event-bus.ts';
import { Failure } from '../failure.ts';
import { Places } from '../places.ts';
import { readSetting } from '../settings.ts';
import type { ContentLocks } from './content-locks.ts';
import { identifiedFields, identityReports } from './identification.ts';
import type { KnownApks } from './known-apks.ts';
import { ManyAtOnce } from './many-at-once.ts';
import { isPartOf } from './parts.ts';
import { restoreApk } from './trash.ts';

export interface IntakeOptions {
  uploader: AccountRecord | null;
  /** Where it comes from; none: from the workstation itself. */
  address?: string;
  /** Where its analysis stands among the others: after what people ask for, before imports unless it is one of many. */
  priority?: keyof typeof jobPriorities;
  /** Lower-case hex, where the sender said what he would send. */
  expectedSha256?: string | undefined;
  /** Of the file, as its sender calls it; folders before it count for nothing. */
  name?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Its sender may not learn whether it was held: the same is done with it either way. */
  isUntold?: boolean;
  /** SHA-256 of APKs that came with it: a split APK becomes a part of the one that it fits. */
  partOf?: readonly string[] | undefined;
  /** The file that it came in with its parts. */
  container?: ContainerRecord | undefined;
  /** Writes what else belongs to its coming, in the transaction that takes it in or, where it is held, after it. */
  also?: ((inside: Writes, apkId: number) => Promise<void>) | undefined;
}

export interface IntakeResult {
  apk: ApkRecord;
  /** false: the catalogue had it already. */
  created: boolean;
}

/** Each holds an open file and its worker's time; more only make all of them slower. */
const uploadPlaces = { all: 64, each: 32, kept: 32, few: 4, anonymous: 24, address: 8 };

/** Analyses of every new APK, in this order, where a setting does not forbid it. They need nothing but the workstation itself. */
export const uploadAnalyses = ['static', 'yara', 'dynamic'] as const;

interface Identification {
  status: 'done' | 'partial';
  identity: Identity;
}

/**
 * What is known of the app. A file that broke its worker is kept all the same, as corrupted and without a name: it is
 * just what an analyst wants to look into, and a later engine may read it.
 * @throws Failure `not-an-apk`, `not-identified`, `not-isolated`, `stopping`
 */
function identificationOf(reply: EngineReply<'identify'>): Identification {
  if (reply.status !== 'failed') return { status: reply.status, identity: reply.result };
  switch (reply.code) {
    case 'not-an-apk':
      throw new Failure('not-an-apk', { reason: reply.message });
    case 'cancelled':
      throw new Failure('stopping');
    case 'not-isolated':
      throw new Failure('not-isolated');
    case 'unreadable-file':
      throw new Failure('not-identified', { reason: 'the stored bytes cannot be read back' });
    default: {
      const finding = findingOf(`identity-${reply.code}`, '', reply.message);
      return { status: 'partial', identity: unknownIdentity(reply.code, finding) };
    }
  }
}

function unknownIdentity(code: string, finding: Finding): Identity {
  return {
    packageName: '',
    appName: '',
    versionName: '',
    versionCode: '',
    minSdkVersion: null,
    targetSdkVersion: null,
    permissions: [],
    company: '',
    signer: null,
    corruptions: [`the identity could not be read: ${code}`],
    icon: null,
    split: null,
    findings: [finding],
  };
}

export interface IntakeParts {
  store: Store;
  queue: JobQueue;
  pool: WorkerPool;
  events: EventBus;
  locks: ContentLocks;
  room: DiskRoom;
  knownApks: KnownApks;
}

/** The APK with this file name in front of its earlier ones. */
async function withName(inside: Writes, apk: ApkRecord, name: string): Promise<ApkRecord> {
  const known = (await inside.apks.findById(apk.id))?.fileNames ?? [];
  if (name === '' || known.includes(name)) return apk;
  await inside.search.addFileName(apk.id, name);
  const fileNames = [name, ...known.filter((other) => other !== name)].slice(0, maxFileNames);
  return (await inside.apks.update(apk.id, { fileNames })) ?? apk;
}

async function insertNew(
  inside: Writes,
  { sha256, sha1, md5, size }: ReceivedFile,
  { status, identity }: Identification,
  { uploaderId, name }: { uploaderId: number | null; name: string },
): Promise<ApkRecord> {
  const fields = await identifiedFields(inside, identity);
  const fileNames = name === '' ? [] : [name];
  const apk = await inside.apks.insert({ sha256, sha1, md5, size, uploaderId, fileNames, ...fields });
  if (name !== '') await inside.search.addFileName(apk.id, name);
  await inside.reports.save(identityReports(apk.id, status, identity));
  return apk;
}

export class Intake {
  readonly #store: Store;
  readonly #queue: JobQueue;
  readonly #pool: WorkerPool;
  readonly #events: EventBus;
  readonly #locks: ContentLocks;
  readonly #room: DiskRoom;
  readonly #knownApks: KnownApks;
  readonly #recent = new ManyAtOnce();
  readonly #places = new Places(uploadPlaces, () => new Failure('too-many-uploads', {}, 5));

  constructor({ store, queue, pool, events, locks, room, knownApks }: IntakeParts) {
    this.#store = store;
    this.#queue = queue;
    this.#pool = pool;
    this.#events = events;
    this.#locks = locks;
    this.#room = room;
    this.#knownApks = knownApks;
  }

  /** Bytes of the largest APK that is taken in. */
  maxBytes = (): Promise<number> => readSetting(this.#store, 'upload_max_bytes');

  /** Whether callers without a token may upload. */
  isOpenToAnybody = (): Promise<boolean> => readSetting(this.#store, 'anonymous_upload');

  /** Whether callers without a token may learn what is held. */
  tellsAnybody = (): Promise<boolean> => readSetting(this.#store, 'open_to_guests');

  /**
   * Streams an APK into the file store and, where it is new, into the catalogue with its analysis jobs; one that lies in the
   * trash comes back whole, and is analysed anew. When this resolves, everything is on disk.
   * @throws Failure `upload-truncated`, `upload-too-large`, `wrong-sha256`, `not-an-apk`, `not-identified`,
   *   `too-many-uploads`; then nothing is kept
   */
  async receiveApk(bytes: AsyncIterable<Uint8Array>, options: IntakeOptions): Promise<IntakeResult> {
    const leave = this.#places.take({ account: options.uploader, address: options.address ?? '' });
    try {
      const received = await this.#receive(bytes, options);
      try {
        // Two uploads of the same bytes decide one after the other: the second finds what the first inserted.
        const taken = await this.#locks.exclusively(received.sha256, () => this.#decide(received, options));
        await this.#noteContainer(taken.apk, options);
        return taken;
      } finally {
        await received.discard();
      }
    } finally {
      leave();
    }
  }

  /**
   * Has a file looked into that is not kept.
   * @throws Failure `upload-truncated`, `upload-too-large`, `not-an-apk`, `not-identified`, `too-many-uploads`
   */
  async lookInto(bytes: AsyncIterable<Uint8Array>, options: IntakeOptions): Promise<PackedStatic> {
    const leave = this.#places.take({ account: options.uploader, address: options.address ?? '' });
    try {
      const received = await this.#receive(bytes, options);
      try {
        const task = { kind: 'static', file: received.reference, fileName: `${received.sha256}.apk` } as const;
        const { signal, uploader } = options;
        const reply = await this.#pool.run(task, { signal, account: uploader?.id ?? null });
        if (reply.status !== 'failed') return reply.result;
        if (reply.code === 'not-an-apk') throw new Failure('not-an-apk', { reason: reply.message });
        if (reply.code === 'cancelled') throw new Failure('stopping');
        if (reply.code === 'not-isolated') throw new Failure('not-isolated');
        throw new Failure('not-identified', { reason: `its analysis ended: ${reply.code}` });
      } finally {
        await received.discard();
      }
    } finally {
      leave();
    }
  }

  async #receive(bytes: AsyncIterable<Uint8Array>, { expectedSha256, signal }: IntakeOptions): Promise<ReceivedFile> {
    const maxBytes = await this.maxBytes();
    try {
      return await this.#store.files.receive(this.#room.guard(bytes), { expectedSha256, maxBytes, signal });
    } catch (error) {
      if (!(error instanceof ReceiveError)) throw error;
      switch (error.code) {
        case 'too-large':
          throw new Failure('upload-too-large', { limit: exactSize(maxBytes) });
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

  /** Notes what an app came in, where it has parts. */
  async #noteContainer({ sha256 }: ApkRecord, { container }: IntakeOptions): Promise<void> {
    if (container === undefined || (await this.#store.parts.of(sha256)).length === 0) return;
    await this.#store.transaction(({ parts }) => parts.addContainer(sha256, container));
  }

  /** Takes a split APK in as a part of one of those that it came with; null where it is none. */
  async #takePart(received: ReceivedFile, options: IntakeOptions): Promise<IntakeResult | null> {
    const { partOf = [], uploader, signal, name = '' } = options;
    if (partOf.length === 0) return null;
    const task = { kind: 'identify', file: received.reference } as const;
    const reply = await this.#pool.run(task, { signal, account: uploader?.id ?? null });
    if (reply.status === 'failed' || reply.result.split === null) return null;
    const { split, ...identity } = reply.result;
    for (const sha256 of partOf) {
      const base = await this.#store.apks.findBySha256(sha256);
      if (base === null || !(await isPartOf(this.#store, base, { split, ...identity }))) continue;
      await received.commit();
      const { sha1, md5, size } = received;
      const part = {
        sha256: received.sha256,
        sha1,
        md5,
        size,
        name: fileNameOf(name) || `${split.name}.apk`,
        adds: split,
      };
      return this.#addPart(base, part, options);
    }
    return null;
  }

  async #addPart(
    base: ApkRecord,
    part: Omit<PartRecord, 'createdAt'>,
    { priority = 'upload', uploader, also }: IntakeOptions,
  ): Promise<IntakeResult> {
    const runs = await readSetting(this.#store, 'analyze_dynamic_on_upload');
    const changed = await this.#store.transaction(async (inside) => {
      await also?.(inside, base.id);
      if (!(await inside.parts.add(base.sha256, part))) return null;
      await this.#events.happened({ name: 'evidence_changed', apkIds: [base.id] }, inside);
      const job = { apkId: base.id, priority: jobPriorities[priority], uploadedBy: uploader?.id ?? null };
      // Before the static analysis has ended, what follows it sees the part.
      const isRead = (await inside.apks.findById(base.id))?.isStaticAnalyzed === true;
      if (isRead) await this.#queue.enqueue({ kind: 'children', ...job }, inside);
      if (runs) await this.#queue.enqueue({ kind: 'dynamic', ...job }, inside);
      return inside.apks.update(base.id, {});
    });
    if (changed !== null) this.#events.publish({ name: 'apk_updated', apk: changed });
    return { apk: changed ?? base, created: changed !== null };
  }

  /** Has done again what began before a part came. */
  readonly followEnd = async (
    { kind, apkId, status, startedAt, priority }: JobRecord,
    inside: Writes,
  ): Promise<void> => {
    if ((kind !== 'dynamic' && kind !== 'children') || apkId === null || status === 'cancelled') return;
    const apk = await inside.apks.findById(apkId);
    const parts = apk === null ? [] : await inside.parts.of(apk.sha256);
    if (parts.some(({ createdAt }) => createdAt > (startedAt ?? createdAt)))
      await this.#queue.enqueue({ kind, apkId, priority }, inside);
  };

  async #decide(received: ReceivedFile, options: IntakeOptions): Promise<IntakeResult> {
    const part = await this.#takePart(received, options);
    if (part !== null) return part;
    const held = await this.#store.apks.findBySha256(received.sha256);
    if (held !== null && options.isUntold !== true) {
      const repaired = await this.#repaired(held, received);
      if (options.also !== undefined) await this.#store.transaction((inside) => options.also!(inside, held.id));
      return { apk: await this.#named(repaired, fileNameOf(options.name ?? '')), created: false };
    }
    const reply = await this.#pool.run(
      { kind: 'identify', file: received.reference },
      {
        signal: options.signal,
        account: options.uploader?.id ?? null,
      },
    );
    const identified = identificationOf(reply);
    await received.commit();
    if (held !== null) return { apk: held, created: false };
    const apk = await this.#insert(received, identified, options);
    this.#events.publish({ name: 'apk_created', apk });
    return { apk, created: true };
  }

  /** An upload of a held APK brings its file back where that was lost or damaged. */
  async #repaired(apk: ApkRecord, received: ReceivedFile): Promise<ApkRecord> {
    if (apk.fileState === 'ok' && this.#store.files.inspect(apk.sha256) === 'ok') return apk;
    await received.commit();
    const changed = await this.#store.transaction(({ apks }) => apks.update(apk.id, { fileState: 'ok' }));
    if (changed === null) return apk;
    this.#events.publish({ name: 'apk_updated', apk: changed });
    return changed;
  }

  /** Keeps a further name of the file. */
  async #named(apk: ApkRecord, name: string): Promise<ApkRecord> {
    if (name === '' || apk.fileNames.includes(name)) return apk;
    const changed = await this.#store.transaction((inside) => withName(inside, apk, name));
    this.#events.publish({ name: 'apk_updated', apk: changed });
    return changed;
  }

  async #insert(
    received: ReceivedFile,
    identification: Identification,
    { uploader, priority = 'upload', name: given = '', also }: IntakeOptions,
  ): Promise<ApkRecord> {
    const { sha256 } = received;
    const uploadedBy = uploader?.id ?? null;
    const name = fileNameOf(given);
    const isOneOfMany = priority === 'upload' && this.#recent.isOneOfMany(uploadedBy, this.#store.clock());
    const place = isOneOfMany ? 'import' : priority;
    const wanted = new Set<AnalysisKind>();
    for (const kind of uploadAnalyses)
      if (await readSetting(this.#store, `analyze_${kind}_on_upload`)) wanted.add(kind);
    // Scans follow the static analysis, where there is one.
    if (wanted.has('static')) wanted.delete('yara');
    else if ((await readSetting(this.#store, 'antivirus')) !== 'off') wanted.add('antivirus');
    try {
      return await this.#store.transaction(async (inside) => {
        const deleted = await inside.trash.findBySha256(sha256);
        const apk =
          deleted === null
            ? await insertNew(inside, received, identification, { uploaderId: uploadedBy, name })
            : await withName(inside, await restoreApk(inside, this.#events, deleted), name);
        await also?.(inside, apk.id);
        for (const kind of wanted) {
          const job = { kind, apkId: apk.id, priority: jobPriorities[place], uploadedBy };
          await this.#queue.enqueue(job, inside);
        }
        return this.#knownApks.note(inside, apk);
      });
    } catch (error) {
      // Another process of this data folder was faster.
      const held = error instanceof DuplicateError ? await this.#store.apks.findBySha256(sha256) : null;
      if (held !== null) return held;
      if ((await this.#store.trash.findBySha256(sha256)) === null) await this.#store.files.remove(sha256);
      throw error;
    }
  }
}
