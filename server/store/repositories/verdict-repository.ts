// Verdicts of analysts on APKs: added and never changed. Knows nothing of their effects.
import type { VerdictsTable } from '../schema/triage.ts';
import { type KeysetPage, type KeysetRequest, pageOf } from '../sqlite/keyset-page.ts';
import { type ReadHandle, Repository, type WriteHandle } from './repository-context.ts';
import { type RecordOf, recordOf } from './table-record.ts';

export type VerdictRecord = RecordOf<VerdictsTable>;

export class VerdictRepository<Handle extends ReadHandle = ReadHandle> extends Repository<Handle> {
  /** Adds a verdict to the history of an APK. */
  async insert(
    this: VerdictRepository<WriteHandle>,
    { apkId, accountId, ...word }: Omit<VerdictRecord, 'id' | 'createdAt'>,
  ): Promise<VerdictRecord> {
    const row = await this.database
      .insertInto('verdicts')
      .values({ ...word, apk_id: apkId, account_id: accountId, created_at: this.clock() })
      .returningAll()
      .executeTakeFirstOrThrow();
    return recordOf(row);
  }

  /** The latest verdict on an APK, null where there is none. */
  async latest(apkId: number): Promise<VerdictRecord | null> {
    return (await this.page({ apkId, limit: 1 })).items[0] ?? null;
  }

  /** Verdicts on an APK, newest first. */
  page({ apkId, ...request }: { apkId: number } & KeysetRequest): Promise<KeysetPage<VerdictRecord>> {
    return pageOf(
      this.database.selectFrom('verdicts').selectAll().where('apk_id', '=', apkId),
      request,
      'id',
      recordOf,
    );
  }

  /** How many verdicts the history of an APK has. */
  async count(apkId: number): Promise<number> {
    const { count } = await this.database
      .selectFrom('verdicts')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('apk_id', '=', apkId)
      .executeTakeFirstOrThrow();
    return count;
  }
}
