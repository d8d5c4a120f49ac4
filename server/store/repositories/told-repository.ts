// What other workstations told of APKs, each once, and the cases that came from there. Knows nothing of what it says.
import type { Saying } from '../../contract/workstation/collection.ts';
import { type ReadHandle, Repository, type WriteHandle } from './repository-context.ts';

export interface ToldRecord {
  saying: Saying;
  /** Username. */
  broughtBy: string;
  createdAt: number;
}

export class ToldRepository<Handle extends ReadHandle = ReadHandle> extends Repository<Handle> {
  /** @param mark SHA-256 of what is said @returns whether it is new */
  async add(
    this: ToldRepository<WriteHandle>,
    apkId: number,
    mark: Uint8Array,
    { saying, broughtBy }: Pick<ToldRecord, 'saying' | 'broughtBy'>,
  ): Promise<boolean> {
    const { numInsertedOrUpdatedRows: rows } = await this.database
      .insertInto('told_sayings')
      .values({
        ...{ apk_id: apkId, mark, content: JSON.stringify(saying) },
        ...{ brought_by: broughtBy, created_at: this.clock() },
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    return (rows ?? 0n) > 0n;
  }

  /** The newest first. */
  async of(apkId: number): Promise<ToldRecord[]> {
    const rows = await this.database
      .selectFrom('told_sayings')
      .selectAll()
      .where('apk_id', '=', apkId)
      .orderBy('id', 'desc')
      .execute();
    return rows.map(({ content, brought_by: broughtBy, created_at: createdAt }) => ({
      ...{ saying: JSON.parse(content) as Saying, broughtBy, createdAt },
    }));
  }

  /** The case that was made of a file, null where none was or it is gone. */
  async caseOf(mark: Uint8Array): Promise<number | null> {
    const query = this.database.selectFrom('told_cases').select('case_id').where('mark', '=', mark);
    return (await query.executeTakeFirst())?.case_id ?? null;
  }

  /** Notes which case was made of a file. */
  async noteCase(this: ToldRepository<WriteHandle>, mark: Uint8Array, caseId: number): Promise<void> {
    await this.database.insertInto('told_cases').values({ mark, case_id: caseId }).execute();
  }
}
