// Has workers read the stored files of APKs, and notes where a file is at fault. Knows nothing of what they find in it.

import type { FileReference } from '../../contract/engine/analysis-results.ts';
import type { EngineReply } from '../../contract/process-line/messages.ts';
import type { EngineTask, EngineTaskKind } from '../../contract/process-line/tasks.ts';
import type { JobOutcome } from '../../jobs/job-queue.ts';
import type { JobHandler } from '../../jobs/job-runner.ts';
import type { RunOptions, WorkerPool } from '../../jobs/worker-pool.ts';
import type { ApkRecord } from '../../store/repositories/apk-repository.ts';
import type { JobRecord } from '../../store/repositories/job-repository.ts';
import type { Store } from '../../store/store.ts';
import type { DiskRoom } from '../disk-room.ts';
import type { EventBus } from '../event-bus.ts';

export type FinishedReply<K extends EngineTaskKind> = Extract<EngineReply<K>, { status: 'done' | 'partial' }>;
type TaskOrSoon<K extends EngineTaskKind> =
  | Extract<EngineTask, { kind: K }>
  | Promise<Extract<EngineTask, { kind: K }>>;
/** Besides the engine's codes: `file-missing`, `file-altered`. */
export type FailedReply = Extract<JobOutcome, { status: 'failed' }>;

const noFile: FileReference = { kind: 'plain', path: '' };

export class StoredFileTasks {
  readonly #store: Store;
  readonly #pool: WorkerPool;
  readonly #events: EventBus;
  readonly #room: DiskRoom;

  constructor(store: Store, pool: WorkerPool, events: EventBus, room: DiskRoom) {
    this.#store = store;
    this.#pool = pool;
    this.#events = events;
    this.#room = room;
  }

  /** Runs one task on the file of an APK. @param options `readsNothing`: the task needs no byte of it; it may be gone */
  async run<K extends EngineTaskKind>(
    apk: ApkRecord,
    taskOn: (file: FileReference) => TaskOrSoon<K>,
    { readsNothing = false, ...options }: RunOptions & { readsNothing?: boolean } = {},
  ): Promise<FinishedReply<K> | FailedReply> {
    const { files } = this.#store;
    const state = readsNothing ? 'ok' : files.inspect(apk.sha256);
    if (state !== 'ok') return this.#fault(apk, state);
    const file = readsNothing ? noFile : files.fileReference(apk.sha256);
    const reply: EngineReply<K> = await this.#pool.run(await taskOn(file), options);
    if (reply.status !== 'failed' || reply.code !== 'unreadable-file') return reply;
    const found = await files.verify(apk.sha256);
    return found === 'ok' ? reply : this.#fault(apk, found);
  }

  /** The handler of jobs that are one such task; `keep` stores what it found. They wait while there is no room for it. */
  handler<K extends EngineTaskKind>(
    taskOn: (file: FileReference, apk: ApkRecord) => TaskOrSoon<K>,
    keep: (apk: ApkRecord, reply: FinishedReply<K>, signal: AbortSignal, job: JobRecord) => Promise<JobOutcome>,
  ): JobHandler<'static' | 'dynamic'> {
    return async (job, { signal, progress, noteMachine }) => {
      const apk = job.apkId === null ? null : await this.#store.apks.findById(job.apkId);
      if (apk === null) return { status: 'failed', code: 'apk-gone', message: 'The APK was deleted.' };
      await this.#room.check();
      const reply = await this.run(apk, (file) => taskOn(file, apk), {
        account: job.accountId,
        signal,
        onProgress: progress,
        onMachine: noteMachine,
      });
      return reply.status === 'failed' ? reply : keep(apk, reply, signal, job);
    };
  }

  async #fault(apk: ApkRecord, fileState: 'missing' | 'altered'): Promise<FailedReply> {
    const isNew = apk.fileState !== fileState;
    const changed = isNew ? await this.#store.transaction(({ apks }) => apks.update(apk.id, { fileState })) : null;
    if (changed !== null) this.#events.publish({ name: 'apk_updated', apk: changed });
    return { status: 'failed', code: `file-${fileState}`, message: `The stored file is ${fileState}.` };
  }
}
