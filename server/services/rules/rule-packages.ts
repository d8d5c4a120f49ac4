// Packages of rulesets: sent, imported by jobs, shown, switched, removed. Knows nothing of what rules say.
import type { FileReference } from '../../contract/engine/analysis-results.ts';
import { type JobPayload, payloadOf } from '../../contract/jobs/job-kinds.ts';
import { exactSize } from '../../contract/quantity.ts';
import { type JobOutcome, type JobQueue, jobPriorities } from '../../jobs/job-queue.ts';
import type { JobHandler } from '../../jobs/job-runner.ts';
import { ReceiveError } from '../../store/files/file-store.ts';
import type { JobRecord } from '../../store/repositories/job-repository.ts';
import type { AccountRecord } from '../../store/repositories/people/account-repository.ts';
import type { RulePackageRecord } from '../../store/repositories/rules/rule-package-repository.ts';
import type { Writes } from '../../store/store.ts';
import type { DiskRoom } from '../disk-room.ts';
import { Failure } from '../failure.ts';
import type { Matches } from './matches.ts';
import {
  type ImportCourse,
  type ImportParts,
  importRulePackage,
  PackageError,
  type PackagePreview,
  type PackageWish,
  previewRulePackage,
} from './rule-package-import.ts';

export type { PackagePreview, RulePackageRecord };

/** Imports that are remembered, so that people learn what became of them. */
const maxRemembered = 200;
/** Previews that wait for a decision; the oldest is discarded for one more. */
const maxPreviews = 20;
/** Rulesets that are deleted in one transaction. */
const removedAtOnce = 25;

interface RulePackageParts extends ImportParts {
  queue: JobQueue;
  room: DiskRoom;
  matches: Matches;
}

export class RulePackages {
  readonly #parts: RulePackageParts;
  /** Jobs of imports since the start, the newest first. */
  #asked: number[] = [];
  /** What previews found, by their jobs: those that nobody has imported or discarded yet. Their files are kept so long. */
  readonly #previews = new Map<number, PackagePreview>();

  constructor(parts: RulePackageParts) {
    this.#parts = parts;
  }

  /** By name. */
  all = (): Promise<RulePackageRecord[]> => this.#parts.store.rulePackages.all();

  /** @throws Failure `not-found` */
  async get(name: string): Promise<RulePackageRecord> {
    const found = await this.#parts.store.rulePackages.find(name);
    if (found === null) throw new Failure('not-found');
    return found;
  }

  /** Keeps the file, sealed, and queues its import. @throws Failure `upload-too-large`, `upload-truncated`, `upload-without-file` */
  async requestImport(
    account: AccountRecord,
    { isPreview, ...wish }: PackageWish & { isPreview: boolean },
    bytes: AsyncIterable<Uint8Array>,
    maxBytes: number,
  ): Promise<JobRecord> {
    const { store, room } = this.#parts;
    const received = await store.files.receive(room.guard(bytes), { maxBytes }).catch((error: unknown) => {
      if (!(error instanceof ReceiveError)) throw error;
      if (error.code === 'too-large') throw new Failure('upload-too-large', { limit: exactSize(maxBytes) });
      throw new Failure(error.code === 'empty' ? 'upload-without-file' : 'upload-truncated');
    });
    try {
      return await this.#enqueue(account, { ...wish, accountId: account.id, file: received.name, isPreview });
    } catch (error) {
      await received.discard();
      throw error;
    }
  }

  async #enqueue({ id }: AccountRecord, payload: JobPayload<'rule_packages'>): Promise<JobRecord> {
    const wanted = { kind: 'rule_packages', apkId: null, priority: jobPriorities.request } as const;
    const { job } = await this.#parts.queue.enqueue({ ...wanted, requestedBy: id, payload });
    this.#asked = [job.id, ...this.#asked].slice(0, maxRemembered);
    return job;
  }

  /** Imports since the start that are under way or failed, and previews that wait for a decision, the newest first. */
  async imports(): Promise<{ source: string; isPreview: boolean; job: JobRecord }[]> {
    const jobs = await Promise.all(this.#asked.map((id) => this.#parts.queue.find(id)));
    return jobs.flatMap((job) => {
      const payload = job === null ? null : payloadOf('rule_packages', job);
      const isTold =
        job !== null && (['queued', 'running', 'failed'].includes(job.status) || this.#previews.has(job.id));
      return isTold && payload !== null ? [{ source: payload.fileName, isPreview: payload.isPreview, job }] : [];
    });
  }

  /** Imports a file or folder at once. @throws PackageError where there is nothing to import */
  import = (account: AccountRecord, file: FileReference, wish: PackageWish, course: ImportCourse) =>
    importRulePackage(this.#parts, account, file, wish, course);

  /** What that would do. @throws PackageError where there is nothing to import */
  preview = (account: AccountRecord, file: FileReference, wish: PackageWish, course: ImportCourse) =>
    previewRulePackage(this.#parts, account, file, wish, course);

  /** What the import of a job would change. @throws Failure `not-found` */
  previewed(jobId: number | null): PackagePreview {
    const preview = jobId === null ? undefined : this.#previews.get(jobId);
    if (preview === undefined) throw new Failure('not-found');
    return preview;
  }

  /** Imports what was previewed. @throws Failure `not-found` */
  async importPreviewed(account: AccountRecord, jobId: number | null): Promise<JobRecord> {
    const payload = await this.#takePreview(jobId);
    return this.#enqueue(account, { ...payload, accountId: account.id, isPreview: false });
  }

  /** @throws Failure `not-found` */
  async discardPreviewed(jobId: number | null): Promise<void> {
    const { file } = await this.#takePreview(jobId);
    await this.#parts.store.files.discardReceived(file);
  }

  /** Nobody else decides about it afterwards. @throws Failure `not-found` */
  async #takePreview(jobId: number | null): Promise<JobPayload<'rule_packages'>> {
    if (jobId === null || !this.#previews.delete(jobId)) throw new Failure('not-found');
    const job = await this.#parts.queue.find(jobId);
    const payload = job === null ? null : payloadOf('rule_packages', job);
    if (payload === null) throw new Failure('not-found');
    return payload;
  }

  async #keepPreview(jobId: number, preview: PackagePreview): Promise<void> {
    const [oldest] = this.#previews.keys();
    if (oldest !== undefined && this.#previews.size >= maxPreviews) await this.discardPreviewed(oldest);
    this.#previews.set(jobId, preview);
  }

  /** Enables or disables all rulesets of a package, and those that an update adds. @throws Failure `not-found` */
  async enable(name: string, isEnabled: boolean): Promise<RulePackageRecord> {
    const { store, active } = this.#parts;
    const { id } = await this.get(name);
    await store.transaction(async (inside) => {
      await inside.rulePackages.update(id, { isEnabled });
      if (isEnabled) await inside.rulePackages.enable(id, await active.activationOf(store.clock(), inside));
      else await inside.rulePackages.disable(id);
    });
    active.invalidate();
    return this.get(name);
  }

  /** Deletes a package with its rulesets and their matches, for good: it can be imported again. @throws Failure `not-found` */
  async remove(name: string): Promise<void> {
    const { store, active, matches } = this.#parts;
    const { id } = await this.get(name);
    // Disabled first: an analysis that runs meanwhile must not add to them.
    await store.transaction(({ rulePackages }) => rulePackages.disable(id));
    active.invalidate();
    const ids = (await store.rulePackages.rulesets(id)).map(({ rulesetId }) => rulesetId);
    for (let from = 0; from < ids.length; from += removedAtOnce) {
      const some = ids.slice(from, from + removedAtOnce);
      const rulesets = await store.rulesets.findByIds(some);
      for (const ruleset of rulesets.values()) if (ruleset.matchesCount > 0) await matches.removeAll(ruleset.id, null);
      await store.transaction(async (inside) => {
        for (const ruleset of some) await inside.rulesets.remove(ruleset);
      });
    }
    await store.transaction(({ rulePackages }) => rulePackages.remove(id));
    active.invalidate();
  }

  /** Deletes the file of an import that has ended; that of a preview waits for a decision. */
  readonly followEnd = async (job: JobRecord, inside: Writes): Promise<void> => {
    const payload = payloadOf('rule_packages', job);
    if (job.status !== 'done') this.#previews.delete(job.id);
    if (payload !== null && !this.#previews.has(job.id))
      inside.afterCommit(() => void this.#parts.store.files.discardReceived(payload.file));
  };

  /** The handler of jobs of the kind `rule_packages`. */
  readonly perform: JobHandler<'rule_packages'> = async (
    { id, payload },
    { signal, progress },
  ): Promise<JobOutcome> => {
    const { store } = this.#parts;
    const { file, accountId, isPreview, ...wish } = payload;
    progress(`reading ${wish.fileName}`, 0);
    try {
      const account = await store.accounts.findById(accountId);
      const reference = store.files.receivedReference(file);
      if (account === null || reference === null) throw new PackageError('Its file is gone: send it again.');
      const course = { signal, onProgress: progress };
      if (isPreview) await this.#keepPreview(id, await this.preview(account, reference, wish, course));
      else await this.import(account, reference, wish, course);
    } catch (error) {
      if (error instanceof PackageError) return { status: 'failed', code: 'no-rules', message: error.message };
      // Whoever cancelled it hears of it already.
      if (!signal.aborted) throw error;
    }
    return { status: 'done' };
  };
}
