// Libraries whose methods tell nothing of an app: sent, read by jobs, shown, removed. Knows nothing of how they are read.

import { payloadOf } from '../../contract/jobs/job-kinds.ts';
import { exactSize } from '../../contract/quantity.ts';
import { type JobOutcome, type JobQueue, jobPriorities } from '../../jobs/job-queue.ts';
import type { JobHandler } from '../../jobs/job-runner.ts';
import type { WorkerPool } from '../../jobs/worker-pool.ts';
import { ReceiveError } from '../../store/files/file-store.ts';
import type { JobRecord } from '../../store/repositories/job-repository.ts';
import type { LibraryRecord } from '../../store/repositories/library-repository.ts';
import type { Store, Writes } from '../../store/store.ts';
import type { DiskRoom } from '../disk-room.ts';
import { Failure } from '../failure.ts';
import type { AccountRecord } from '../people/accounts.ts';
import { importLibrary, LibraryError } from './library-import.ts';

export type { LibraryRecord };

/** Imports that are remembered, so that people learn what became of them. */
const maxRemembered = 200;

interface LibraryParts {
  store: Store;
  queue: JobQueue;
  pool: WorkerPool;
  room: DiskRoom;
}

interface AskedImport {
  /** Empty: what the file says. */
  name: string;
  version: string;
  /** Name of the file. */
  source: string;
}

export class Libraries {
  readonly #store: Store;
  readonly #queue: JobQueue;
  readonly #pool: WorkerPool;
  readonly #room: DiskRoom;
  /** Jobs of imports since the start, the newest first. */
  #asked: number[] = [];

  constructor({ store, queue, pool, room }: LibraryParts) {
    this.#store = store;
    this.#queue = queue;
    this.#pool = pool;
    this.#room = room;
  }

  /** By name. */
  all = (): Promise<LibraryRecord[]> => this.#store.libraries.all();

  /** Keeps the file, sealed, and queues its import. @throws Failure `upload-too-large`, `upload-truncated`, `upload-empty` */
  async requestImport(
    account: AccountRecord,
    asked: AskedImport,
    bytes: AsyncIterable<Uint8Array>,
    maxBytes: number,
  ): Promise<JobRecord> {
    const received = await this.#store.files.receive(this.#room.guard(bytes), { maxBytes }).catch((error: unknown) => {
      if (!(error instanceof ReceiveError)) throw error;
      if (error.code === 'too-large') throw new Failure('upload-too-large', { limit: exactSize(maxBytes) });
      throw new Failure(error.code === 'empty' ? 'upload-without-file' : 'upload-truncated');
    });
    try {
      const wanted = { kind: 'libraries', apkId: null, priority: jobPriorities.request } as const;
      const payload = { ...asked, file: received.name };
      const { job } = await this.#queue.enqueue({ ...wanted, requestedBy: account.id, payload });
      this.#asked = [job.id, ...this.#asked].slice(0, maxRemembered);
      return job;
    } catch (error) {
      await received.discard();
      throw error;
    }
  }

  /** Imports since the start that are under way or failed, the newest first. */
  async imports(): Promise<{ source: string; job: JobRecord }[]> {
    const jobs = await Promise.all(this.#asked.map((id) => this.#queue.find(id)));
    return jobs.flatMap((job) => {
      const payload = job === null ? null : payloadOf('libraries', job);
      const isTold = job !== null && ['queued', 'running', 'failed'].includes(job.status);
      return isTold && payload !== null ? [{ source: payload.source, job }] : [];
    });
  }

  /** Removes all versions of a library. @throws Failure `not-found` */
  async remove(name: string): Promise<void> {
    const removed = await this.#store.transaction(({ libraries }) => libraries.remove(name));
    if (removed === 0) throw new Failure('not-found');
  }

  /** Deletes the file of an import that has ended. */
  readonly followEnd = async (job: JobRecord, inside: Writes): Promise<void> => {
    const payload = payloadOf('libraries', job);
    if (payload !== null) inside.afterCommit(() => void this.#store.files.discardReceived(payload.file));
  };

  /** The handler of jobs of the kind `libraries`. */
  readonly perform: JobHandler<'libraries'> = async ({ payload }, { signal, progress }): Promise<JobOutcome> => {
    const { file, source, name, version } = payload;
    progress(`reading ${source}`, 0);
    const names = { name: name || undefined, version: version || undefined };
    try {
      const reference = this.#store.files.receivedReference(file);
      if (reference === null) throw new LibraryError('Its file is gone: send it again.');
      await importLibrary({ store: this.#store, pool: this.#pool }, reference, source, names, { signal });
    } catch (error) {
      if (error instanceof LibraryError) return { status: 'failed', code: 'not-a-library', message: error.message };
      // Whoever cancelled it hears of it already.
      if (!signal.aborted) throw error;
    }
    return { status: 'done' };
  };
}
