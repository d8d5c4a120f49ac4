// Dry runs of rules: their tasks and results as JSON. Knows neither YARA nor the content of either.
import { type ReadHandle, Repository, type WriteHandle } from '../repository-context.ts';

export interface DryRunRecord<Task, Result> {
  id: number;
  jobId: number;
  accountId: number;
  task: Task;
  result: Result;
  createdAt: number;
}

export class DryRunRepository<Handle extends ReadHandle = ReadHandle> extends Repository<Handle> {
  /** Call it in a transaction, which also sets its job. @returns its id */
  async insert(this: DryRunRepository<WriteHandle>, accountId: number, task: object, result: object): Promise<number> {
    const { id } = await this.database
      .insertInto('dry_runs')
      .values({
        job_id: null,
        account_id: accountId,
        task: JSON.stringify(task),
        result: JSON.stringify(result),
        created_at: this.clock(),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  /** Sets the job that performs a dry run. */
  async setJob(this: DryRunRepository<WriteHandle>, id: number, jobId: number): Promise<void> {
    await this.database.updateTable('dry_runs').set({ job_id: jobId }).where('id', '=', id).execute();
  }

  /** The dry run, null where there is none; task and result as they were stored. */
  async find<Task, Result>(id: number): Promise<DryRunRecord<Task, Result> | null> {
    const row = await this.database.selectFrom('dry_runs').selectAll().where('id', '=', id).executeTakeFirst();
    if (row === undefined) return null;
    return {
      id: row.id,
      jobId: row.job_id ?? 0,
      accountId: row.account_id,
      task: JSON.parse(row.task) as Task,
      result: JSON.parse(row.result) as Result,
      createdAt: row.created_at,
    };
  }

  /** Stores the result so far, as JSON. */
  async saveResult(this: DryRunRepository<WriteHandle>, id: number, result: object): Promise<void> {
    await this.database
      .updateTable('dry_runs')
      .set({ result: JSON.stringify(result) })
      .where('id', '=', id)
      .execute();
  }

  /** Deletes dry runs older than this time, microseconds. */
  async removeBefore(this: DryRunRepository<WriteHandle>, time: number): Promise<void> {
    await this.database.deleteFrom('dry_runs').where('created_at', '<', time).execute();
  }
}
