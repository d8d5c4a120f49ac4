// Names and notes that analysts give to code: one for each thing of an APK, the newest. Knows nothing of code.
import { type Insertable, type SelectQueryBuilder, sql } from 'kysely';
import type { CodeNamesTable } from '../schema/analyses.ts';
import type { Database } from '../schema/database.ts';
import { countOf, type KeysetPage, type KeysetRequest, pageOf } from '../sqlite/keyset-page.ts';
import { isOneOf, type ReadHandle, Repository, type WriteHandle } from './repository-context.ts';
import { columnsOf, type RecordOf, recordOf } from './table-record.ts';

export type CodeNameRecord = RecordOf<CodeNamesTable>;
export type NewCodeNameRecord = Omit<CodeNameRecord, 'id' | 'createdAt'>;
export type NamedThing = Pick<CodeNameRecord, 'kind' | 'symbol' | 'address'>;

export interface CodeNameFilter {
  apkId: number;
  /** A part of the text or of the symbol, in any case of ASCII's letters. */
  q?: string | undefined;
  symbol?: string | undefined;
  kind?: CodeNameRecord['kind'] | undefined;
}

export class CodeNameRepository<Handle extends ReadHandle = ReadHandle> extends Repository<Handle> {
  /** Puts a name or note in the place of the one that the thing had. */
  async put(this: CodeNameRepository<WriteHandle>, name: NewCodeNameRecord): Promise<CodeNameRecord> {
    await this.remove(name.apkId, name);
    const row = await this.database
      .insertInto('code_names')
      .values({ ...columnsOf<CodeNamesTable>(name), created_at: this.clock() } as Insertable<CodeNamesTable>)
      .returningAll()
      .executeTakeFirstOrThrow();
    return recordOf(row);
  }

  /** @returns whether there was one */
  async remove(
    this: CodeNameRepository<WriteHandle>,
    apkId: number,
    { kind, symbol, address }: NamedThing,
  ): Promise<boolean> {
    const { numDeletedRows } = await this.database
      .deleteFrom('code_names')
      .where('apk_id', '=', apkId)
      .where('kind', '=', kind)
      .where('symbol', '=', symbol)
      .where(sql<number>`coalesce(address, -1)`, '=', address ?? -1)
      .executeTakeFirst();
    return numDeletedRows > 0n;
  }

  /** Null where it was taken back. */
  async findById(id: number): Promise<CodeNameRecord | null> {
    const row = await this.database.selectFrom('code_names').selectAll().where('id', '=', id).executeTakeFirst();
    return row === undefined ? null : recordOf(row);
  }

  /** All of an APK, oldest first. */
  async of(apkId: number): Promise<CodeNameRecord[]> {
    const rows = await this.#filtered({ apkId }).selectAll().orderBy('id').execute();
    return rows.map(recordOf);
  }

  /** Newest first. */
  page({ filter, ...request }: { filter: CodeNameFilter } & KeysetRequest): Promise<KeysetPage<CodeNameRecord>> {
    return pageOf(this.#filtered(filter).selectAll(), request, 'id', recordOf);
  }

  /** How many names and notes a filter lets through. */
  count(filter: CodeNameFilter): Promise<number> {
    return countOf(this.#filtered(filter));
  }

  /** Names that equal classes of other APKs were given, newest first. */
  async ofEqualClasses(classHash: string, exceptApkId: number, limit: number): Promise<CodeNameRecord[]> {
    const rows = await this.database
      .selectFrom('code_names')
      .selectAll()
      .where('class_hash', '=', classHash)
      .where('class_hash', '<>', '')
      .where('place', 'is not', null)
      .where('kind', '=', 'name')
      .where('apk_id', '<>', exceptApkId)
      .orderBy('id', 'desc')
      .limit(limit)
      .execute();
    return rows.map(recordOf);
  }

  /** Hashes of classes of other APKs that have names, those named last first. */
  async namedHashes(exceptApkId: number, limit: number): Promise<string[]> {
    const rows = await this.database
      .selectFrom('code_names')
      .select('class_hash')
      .where('class_hash', '<>', '')
      .where('place', 'is not', null)
      .where('kind', '=', 'name')
      .where('apk_id', '<>', exceptApkId)
      .groupBy('class_hash')
      .orderBy(({ fn }) => fn.max('id'), 'desc')
      .limit(limit)
      .execute();
    return rows.map(({ class_hash }) => class_hash);
  }

  /** Whether the code of an APK is shown with readable names. */
  async isDeobfuscated(apkId: number): Promise<boolean> {
    const query = this.database.selectFrom('deobfuscated_apks').select('apk_id').where('apk_id', '=', apkId);
    return (await query.executeTakeFirst()) !== undefined;
  }

  /** Switches readable names for an APK's code on or off. */
  async setDeobfuscated(this: CodeNameRepository<WriteHandle>, apkId: number, isOn: boolean): Promise<void> {
    if (isOn) {
      const row = { apk_id: apkId };
      await this.database
        .insertInto('deobfuscated_apks')
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    } else await this.database.deleteFrom('deobfuscated_apks').where('apk_id', '=', apkId).execute();
  }

  /** SHA-256 of APKs by id. */
  async apksOf(ids: readonly number[]): Promise<Map<number, string>> {
    const rows = await this.database.selectFrom('apks').select(['id', 'sha256']).where(isOneOf('id', ids)).execute();
    return new Map(rows.map(({ id, sha256 }) => [id, Buffer.from(sha256).toString('hex')]));
  }

  #filtered({ apkId, q = '', symbol, kind }: CodeNameFilter): SelectQueryBuilder<Database, 'code_names', object> {
    let query = this.database.selectFrom('code_names').where('apk_id', '=', apkId);
    if (symbol !== undefined) query = query.where('symbol', '=', symbol);
    if (kind !== undefined) query = query.where('kind', '=', kind);
    if (q !== '')
      query = query.where(sql<boolean>`(instr(lower(text), lower(${q})) > 0 or instr(lower(symbol), lower(${q})) > 0)`);
    return query;
  }
}
