// Rows of the job queue. Knows no policy: the queue in jobs/ decides what is enqueued, run again or failed.
import { type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import type { JobKind } from '../../contract/jobs/job-kinds.ts';
import type { JobsTable } from '../schema/analyses.ts';
import type { Database } from '../schema/database.ts';
import { countOf, type KeysetPage, type KeysetRequest, pageOf } from '../sqlite/keyset-page.ts';
import { isOneOf, type ReadHandle, Repository, type WriteHandle } from './repository-context.ts';
import { type RecordOf, recordOf } from './table-record.ts';

export const jobStatuses = ['queued', 'running', 'done', 'partial', 'failed', 'cancelled'] as const;
export type JobStatus = (typeof jobStatuses)[number];

export type JobRecord = Omit<RecordOf<JobsTable>, 'payload' | 'accountId'> & {
  /** JSON as it was stored, perhaps by an older version: `payloadOf` parses it. */
  payload: unknown;
  /** The account whose turn in the queue it takes; null: none. */
  accountId: number | null;
};

/** The first job of its kind, priority and account. */
export type WaitingJob = Pick<JobRecord, 'id' | 'kind' | 'priority' | 'accountId'>;

export interface JobFilter {
  /** Only jobs that this account asked for. */
  requestedBy?: number | undefined;
  apkId?: number | undefined;
  statuses?: readonly JobStatus[] | undefined;
}

export type JobPageRequest = JobFilter & KeysetRequest;

export interface NewJobRow {
  kind: JobKind;
  apkId: number | null;
  priority: number;
  isAutomatic: boolean;
  payload: unknown;
  accountId: number | null;
}

/** The state of a job after a run or an interruption. */
export interface JobEnd {
  status: Exclude<JobStatus, 'running'>;
  /** Unchanged if absent. */
  attempts?: number;
  errorCode: string | null;
  error: string | null;
  /** The other machine that did it, null for none; unchanged if absent. */
  machine?: string | null;
}

const toRecord = (row: Selectable<JobsTable>): JobRecord => ({
  ...recordOf(row),
  payload: JSON.parse(row.payload) as unknown,
  accountId: row.account_id || null,
});

/** Far more than accounts have waiting jobs; any beyond wait for the ones before. */
const maxTurns = 2000;

const openStatuses = ['queued', 'running'] as const;

export class JobRepository<Handle extends ReadHandle = ReadHandle> extends Repository<Handle> {
  /** Stores a job that waits. */
  async insert(
    this: JobRepository<WriteHandle>,
    { kind, apkId, priority, isAutomatic, payload, accountId }: NewJobRow,
  ): Promise<JobRecord> {
    const row = await this.database
      .insertInto('jobs')
      .values({
        kind,
        apk_id: apkId,
        priority,
        is_automatic: Number(isAutomatic),
        payload: JSON.stringify(payload),
        status: 'queued',
        progress: 0,
        stage: '',
        error_code: null,
        error: null,
        attempts: 0,
        created_at: this.clock(),
        started_at: null,
        finished_at: null,
        account_id: accountId ?? 0,
        machine: null,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    return toRecord(row);
  }

  /** The job, null where there is none. */
  async findById(id: number): Promise<JobRecord | null> {
    const row = await this.database.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirst();
    return row === undefined ? null : toRecord(row);
  }

  /** Those of these jobs that exist, by id. */
  async findByIds(ids: readonly number[]): Promise<Map<number, JobRecord>> {
    if (ids.length === 0) return new Map();
    const rows = await this.database.selectFrom('jobs').selectAll().where(isOneOf('id', ids)).execute();
    return new Map(rows.map((row) => [row.id, toRecord(row)]));
  }

  /** The job of this kind that is queued or running for an APK. */
  async findOpen(apkId: number, kind: JobKind): Promise<JobRecord | null> {
    const row = await this.database
      .selectFrom('jobs')
      .selectAll()
      .where('apk_id', '=', apkId)
      .where('kind', '=', kind)
      .where('status', 'in', openStatuses)
      .executeTakeFirst();
    return row === undefined ? null : toRecord(row);
  }

  /** Jobs in the state running, oldest first. */
  async listRunning(): Promise<JobRecord[]> {
    const rows = await this.database
      .selectFrom('jobs')
      .selectAll()
      .where('status', '=', 'running')
      .orderBy('id')
      .execute();
    return rows.map(toRecord);
  }

  /** Kinds of queued jobs, also those that this version does not know. */
  async queuedKinds(): Promise<string[]> {
    const rows = await this.database
      .selectFrom('jobs')
      .select('kind')
      .distinct()
      .where('status', '=', 'queued')
      .execute();
    return rows.map(({ kind }) => kind);
  }

  /**
   * The next job of each kind, priority and account, by priority, then age. Skips from one account to the next by the
   * index, so that the number of jobs does not matter.
   */
  async waiting(kinds: readonly JobKind[]): Promise<WaitingJob[]> {
    const { rows } = await sql<{ id: number; kind: JobKind; priority: number; account_id: number }>`
      with recursive turns (id, kind, priority, account_id) as (
        select jobs.id, jobs.kind, jobs.priority, jobs.account_id
        from json_each(${JSON.stringify(kinds)}) as wanted join jobs on jobs.id = (
          select id from jobs indexed by jobs_turns
          where status = 'queued' and kind = wanted.value
          order by priority, account_id, id limit 1
        )
        union all
        select jobs.id, jobs.kind, jobs.priority, jobs.account_id
        from turns join jobs on jobs.id = (
          select id from jobs indexed by jobs_turns
          where status = 'queued' and kind = turns.kind
            and (priority, account_id) > (turns.priority, turns.account_id)
          order by priority, account_id, id limit 1
        )
        limit ${maxTurns}
      )
      select id, kind, priority, account_id from turns order by priority, id
    `.execute(this.database);
    return rows.map(({ account_id, ...job }) => ({ ...job, accountId: account_id || null }));
  }

  /** Marks a job as running. @returns null where it no longer waits */
  async start(this: JobRepository<WriteHandle>, id: number): Promise<JobRecord | null> {
    const row = await this.database
      .updateTable('jobs')
      .set({ status: 'running', started_at: this.clock(), progress: 0, stage: '' })
      .where('id', '=', id)
      .where('status', '=', 'queued')
      .returningAll()
      .executeTakeFirst();
    return row === undefined ? null : toRecord(row);
  }

  /** Changes the state of a queued or running job. @returns null where it had ended already */
  async end(
    this: JobRepository<WriteHandle>,
    id: number,
    { status, attempts, errorCode, error, machine }: JobEnd,
  ): Promise<JobRecord | null> {
    const isOver = status !== 'queued';
    const row = await this.database
      .updateTable('jobs')
      .set({ status, error_code: errorCode, error, finished_at: isOver ? this.clock() : null })
      .set(machine === undefined ? {} : { machine })
      .set(attempts === undefined ? {} : { attempts })
      .set(isOver ? {} : { started_at: null, progress: 0, stage: '' })
      .set(status === 'done' || status === 'partial' ? { progress: 1, stage: '' } : {})
      .where('id', '=', id)
      .where('status', 'in', openStatuses)
      .returningAll()
      .executeTakeFirst();
    return row === undefined ? null : toRecord(row);
  }

  /** Adds a request to an open job: it may then run earlier, on the turn of the new requester, but never later. */
  async join(
    this: JobRepository<WriteHandle>,
    id: number,
    { priority, isAutomatic, accountId }: Pick<NewJobRow, 'priority' | 'isAutomatic' | 'accountId'>,
  ): Promise<JobRecord> {
    const row = await this.database
      .updateTable('jobs')
      .set({
        account_id: sql<number>`iif(priority > ${priority}, ${accountId ?? 0}, account_id)`,
        priority: sql<number>`min(priority, ${priority})`,
        is_automatic: sql<number>`max(is_automatic, ${Number(isAutomatic)})`,
      })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    return toRecord(row);
  }

  /** Resets the count of deaths of a job that has made progress since: it did not cause them. */
  async forgetDeaths(this: JobRepository<WriteHandle>, id: number): Promise<void> {
    await this.database.updateTable('jobs').set({ attempts: 0 }).where('id', '=', id).execute();
  }

  /** @param isByUpload whether the account only uploaded the APK; a request is never reduced to an upload */
  async addRequester(
    this: JobRepository<WriteHandle>,
    jobId: number,
    accountId: number,
    isByUpload: boolean,
  ): Promise<void> {
    await this.database
      .insertInto('job_requests')
      .values({ job_id: jobId, account_id: accountId, created_at: this.clock(), is_by_upload: Number(isByUpload) })
      .onConflict((conflict) =>
        conflict.doUpdateSet({ is_by_upload: sql<number>`min(job_requests.is_by_upload, excluded.is_by_upload)` }),
      )
      .execute();
  }

  /** @returns whether this account had asked for the job */
  async removeRequester(this: JobRepository<WriteHandle>, jobId: number, accountId: number): Promise<boolean> {
    const result = await this.database
      .deleteFrom('job_requests')
      .where('job_id', '=', jobId)
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    return result.numDeletedRows > 0n;
  }

  /** Accounts that requested the job or uploaded its APK, in that order of time. */
  requesters(jobId: number): Promise<number[]> {
    return this.#requesters(jobId, [0, 1]);
  }

  /** Accounts that requested the job, in the order of their requests. */
  askers(jobId: number): Promise<number[]> {
    return this.#requesters(jobId, [0]);
  }

  async #requesters(jobId: number, isByUpload: number[]): Promise<number[]> {
    const rows = await this.database
      .selectFrom('job_requests')
      .select('account_id')
      .where('job_id', '=', jobId)
      .where('is_by_upload', 'in', isByUpload)
      .orderBy('created_at')
      .orderBy('account_id')
      .execute();
    return rows.map((row) => row.account_id);
  }

  /** Jobs that the filter lets through, newest first. */
  async page({ requestedBy, apkId, statuses, ...request }: JobPageRequest): Promise<KeysetPage<JobRecord>> {
    return pageOf(this.#filtered({ requestedBy, apkId, statuses }).selectAll('jobs'), request, 'jobs.id', toRecord);
  }

  /** How many jobs the filter lets through. */
  async count(filter: JobFilter): Promise<number> {
    return countOf(this.#filtered(filter));
  }

  #filtered({ requestedBy, apkId, statuses }: JobFilter): SelectQueryBuilder<Database, 'jobs', object> {
    let query = this.database.selectFrom('jobs');
    if (apkId !== undefined) query = query.where('jobs.apk_id', '=', apkId);
    if (statuses !== undefined) query = query.where('jobs.status', 'in', statuses);
    if (requestedBy !== undefined) {
      query = query.where('jobs.id', 'in', ({ selectFrom }) =>
        selectFrom('job_requests').select('job_requests.job_id').where('job_requests.account_id', '=', requestedBy),
      );
    }
    return query;
  }
}
