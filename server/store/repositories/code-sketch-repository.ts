// Sketches of what APKs' own code does, and which of them may be alike. Knows nothing of code.
import { sql } from 'kysely';
import type { CodeSketch } from '../../contract/engine/code-sketch.ts';
import type { CodeSketchesTable } from '../schema/families.ts';
import { isOneOf, type ReadHandle, Repository, type WriteHandle } from './repository-context.ts';
import { type RecordOf, recordOf } from './table-record.ts';

export type CodeSketchRecord = RecordOf<CodeSketchesTable>;

/** A sketch as its row holds it. */
export const recordOfSketch = ({ methods, hashes, core }: CodeSketch): Omit<CodeSketchRecord, 'apkId'> => ({
  ...{ methods, hashes: Buffer.from(hashes) },
  ...{ coreMethods: core?.methods ?? null, coreHashes: Buffer.from(core?.hashes ?? []) },
});

/** Of APKs that share a group, the newest: thousands of an app's copies would say the same. */
const maxOfBand = 500;
/** The same where hundreds of APKs are looked at one after the other: the newest, and the oldest, among which the original is. */
const newestOfBand = 50;
const oldestOfBand = 10;

/** Another APK, and how many groups of code it shares. */
export interface SharingApk {
  id: number;
  groups: number;
}

/** Bytes that come from another thread are no Buffer. */
const asBuffer = ({ buffer, byteOffset, length }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, length);

export class CodeSketchRepository<Handle extends ReadHandle = ReadHandle> extends Repository<Handle> {
  /** Puts a sketch in the place of the one that the APK had, and has its family looked for. @param sketch null: its code was not read */
  async put(this: CodeSketchRepository<WriteHandle>, apkId: number, sketch: CodeSketch | null): Promise<void> {
    await this.database.deleteFrom('code_bands').where('apk_id', '=', apkId).execute();
    await this.database.deleteFrom('code_sketches').where('apk_id', '=', apkId).execute();
    if (sketch === null) return;
    await sql`insert or ignore into family_waiting (apk_id) values (${apkId})`.execute(this.database);
    const { methods, hashes, core, bands } = sketch;
    await this.database
      .insertInto('code_sketches')
      .values({
        apk_id: apkId,
        methods,
        hashes: Buffer.from(hashes),
        core_methods: core?.methods ?? null,
        core_hashes: Buffer.from(core?.hashes ?? []),
      })
      .execute();
    const rows = [...new Set(bands)].map((band) => ({ band, apk_id: apkId }));
    if (rows.length > 0) await this.database.insertInto('code_bands').values(rows).execute();
  }

  /** Null where the APK's code was not read. */
  async find(apkId: number): Promise<CodeSketchRecord | null> {
    return (await this.findAll([apkId]))[0] ?? null;
  }

  /** Those of these APKs whose code was read, in no order. */
  async findAll(apkIds: readonly number[]): Promise<CodeSketchRecord[]> {
    const rows = await this.rowReader
      .selectFrom('code_sketches')
      .selectAll()
      .where(isOneOf('apk_id', apkIds))
      .execute();
    return rows.map((row) => ({
      ...recordOf(row),
      hashes: asBuffer(row.hashes),
      coreHashes: asBuffer(row.core_hashes),
    }));
  }

  /** The last APK whose code was read, 0 where none was. */
  async lastApkId(): Promise<number> {
    const { last } = await this.database
      .selectFrom('code_sketches')
      .select(({ fn }) => fn.max('apk_id').as('last'))
      .executeTakeFirstOrThrow();
    return last ?? 0;
  }

  /** The hashes of those of these APKs whose code was read, each with its package, in no order. */
  async ofPackages(apkIds: readonly number[]): Promise<{ packageName: string; hashes: Buffer }[]> {
    const rows = await this.rowReader
      .selectFrom('code_sketches')
      .innerJoin('apks', 'apks.id', 'apk_id')
      .select(['package_name', 'hashes'])
      .where(isOneOf('apk_id', apkIds))
      .execute();
    return rows.map((row) => ({ packageName: row.package_name, hashes: asBuffer(row.hashes) }));
  }

  /** Other APKs that share a group with one, those that share most first, at most `limit`. */
  async candidates(apkId: number, limit: number): Promise<number[]> {
    const bands = await this.database.selectFrom('code_bands').select('band').where('apk_id', '=', apkId).execute();
    const rows = bands.map(({ band }) => band);
    return (await this.inBands(rows, limit + 1)).filter((id) => id !== apkId).slice(0, limit);
  }

  /** APKs that are in some of these groups, those in most first, at most `limit`. */
  async inBands(bands: readonly number[], limit: number): Promise<number[]> {
    if (bands.length === 0) return [];
    const { rows } = await sql<{ apk_id: number }>`
      select found.apk_id from (select distinct value as band from json_each(${JSON.stringify(bands)})) asked
      cross join code_bands found on found.band = asked.band and found.apk_id >= coalesce(
        (select apk_id from code_bands where band = asked.band order by apk_id desc limit 1 offset ${maxOfBand - 1}), 0)
      group by found.apk_id order by count(*) desc, found.apk_id desc limit ${limit}`.execute(this.rowReader);
    return rows.map((row) => row.apk_id);
  }

  /** Other APKs that share a group with one, those that share most first, of these the newest. */
  async sharing(apkId: number): Promise<SharingApk[]> {
    const newest = sql`coalesce(
      (select apk_id from code_bands where band = own.band order by apk_id desc limit 1 offset ${newestOfBand - 1}), 0)`;
    const oldest = sql`(select apk_id from code_bands where band = own.band order by apk_id limit 1 offset ${oldestOfBand - 1})`;
    const { rows } = await sql<SharingApk>`
      select id, count(*) as groups from (
        select found.apk_id as id from code_bands own
        cross join code_bands found on found.band = own.band and found.apk_id >= ${newest} where own.apk_id = ${apkId}
        union all select found.apk_id from code_bands own
        cross join code_bands found on found.band = own.band and found.apk_id <= ${oldest} and found.apk_id < ${newest}
        where own.apk_id = ${apkId}
      ) where id <> ${apkId} group by id order by groups desc, id desc`.execute(this.rowReader);
    return rows;
  }
}
