// How backups by schedule ended. Knows nothing of how they are made.
import type { ScheduledBackupsTable } from '../schema/workstation.ts';
import { type ReadHandle, Repository, type WriteHandle } from './repository-context.ts';
import { type RecordOf, recordOf } from './table-record.ts';

export type ScheduledBackupRecord = RecordOf<ScheduledBackupsTable>;

/** So many are kept. */
const kept = 100;

export class ScheduledBackupRepository<Handle extends ReadHandle = ReadHandle> extends Repository<Handle> {
  /** The last run into a folder. @param isWell the last one that ended well; null where there is none */
  async last(folder: string, isWell = false): Promise<ScheduledBackupRecord | null> {
    const row = await this.database
      .selectFrom('scheduled_backups')
      .selectAll()
      .where('folder', '=', folder)
      .$if(isWell, (query) => query.where('error', 'is', null))
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row === undefined ? null : recordOf(row);
  }

  /** Keeps a run that ended, and forgets those of long ago but the last that ended well. */
  async insert(
    this: ScheduledBackupRepository<WriteHandle>,
    { folder, startedAt, endedAt, ...told }: Omit<ScheduledBackupRecord, 'id'>,
  ): Promise<void> {
    const { id } = await this.database
      .insertInto('scheduled_backups')
      .values({ folder, started_at: startedAt, ended_at: endedAt, ...told })
      .returning('id')
      .executeTakeFirstOrThrow();
    await this.database
      .deleteFrom('scheduled_backups')
      .where('id', '<=', id - kept)
      .where('id', 'not in', (nested) =>
        nested
          .selectFrom('scheduled_backups')
          .where('error', 'is', null)
          .groupBy('folder')
          .select((one) => one.fn.max('id').as('id')),
      )
      .execute();
  }
}
