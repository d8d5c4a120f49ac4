// APKs by different signers whose code is the same. Knows nothing of code.
import { sql } from 'kysely';
import type { RepackagingsTable } from '../schema/families.ts';
import { isOneOf, type ReadHandle, Repository, type WriteHandle } from './repository-context.ts';
import type { RecordOf } from './table-record.ts';

/** What was found when others like an APK were looked for. */
export type FoundRepackaging = RecordOf<RepackagingsTable>;

/** The other APK, and how many methods of the one that was looked at it has. */
export type Repackaging = Omit<FoundRepackaging, 'apkId'>;

export class RepackagingRepository<Handle extends ReadHandle = ReadHandle> extends Repository<Handle> {
  /** The signers of those of some APKs that somebody else signed, by the APK. */
  async otherSigners(apkIds: readonly number[], signerId: number): Promise<Map<number, number>> {
    const { rows } = await sql<{ id: number; signerId: number }>`
      select id, signer_id as "signerId" from apks where ${isOneOf('id', apkIds)} and signer_id <> ${signerId}`.execute(
      this.rowReader,
    );
    return new Map(rows.map(({ id, signerId: other }) => [id, other]));
  }

  /** Puts what was found for an APK in the place of what had been found for it. @returns the others whose part in it changed */
  async replace(
    this: RepackagingRepository<WriteHandle>,
    apkId: number,
    found: readonly FoundRepackaging[],
  ): Promise<number[]> {
    const before = await this.database.selectFrom('repackagings').selectAll().where('apk_id', '=', apkId).execute();
    const held = new Map(before.map((row) => [row.other_id, row]));
    const added = found.filter(({ otherId, shared, methods }) => {
      const row = held.get(otherId);
      return row === undefined || row.shared !== shared || row.methods !== methods;
    });
    const gone = [...held.keys()].filter((id) => !found.some(({ otherId }) => otherId === id));
    const changed = [...gone, ...added.map(({ otherId }) => otherId)];
    if (changed.length === 0) return [];
    await this.database
      .deleteFrom('repackagings')
      .where('apk_id', '=', apkId)
      .where(isOneOf('other_id', changed))
      .execute();
    for (const { otherId, shared, methods } of added)
      await this.database
        .insertInto('repackagings')
        .values({ apk_id: apkId, other_id: otherId, shared, methods })
        .execute();
    return changed;
  }

  /** What is known of an APK, the oldest of the others first. */
  async of(apkId: number, limit: number): Promise<Repackaging[]> {
    const { rows } = await sql<Repackaging>`
      select other_id as "otherId", shared, methods from repackagings where apk_id = ${apkId}
      union all
      select r.apk_id, r.shared, r.methods from repackagings r where r.other_id = ${apkId}
        and not exists (select 1 from repackagings o where o.apk_id = ${apkId} and o.other_id = r.apk_id)
      order by 1 limit ${limit}`.execute(this.database);
    return rows;
  }

  /** Has the others of some APKs looked at again. @returns whether there are any */
  async lookAgain(this: RepackagingRepository<WriteHandle>, apkIds: readonly number[]): Promise<boolean> {
    const { numAffectedRows } = await sql`
      insert or ignore into family_waiting (apk_id)
      select other_id from repackagings where ${isOneOf('apk_id', apkIds)}
      union select apk_id from repackagings where ${isOneOf('other_id', apkIds)}`.execute(this.database);
    return Number(numAffectedRows) > 0;
  }

  /** Has APKs of these signers looked at again that were taken for somebody else's. */
  async doubt(this: RepackagingRepository<WriteHandle>, signerIds: readonly number[]): Promise<void> {
    await sql`
      insert or ignore into family_waiting (apk_id)
      select r.apk_id from repackagings r join apks a on a.id = r.apk_id join apks o on o.id = r.other_id
      where ${isOneOf('a.signer_id', signerIds)} and ${isOneOf('o.signer_id', signerIds)}`.execute(this.database);
  }
}
