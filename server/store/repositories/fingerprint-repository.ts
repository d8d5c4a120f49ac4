// What APKs consist of besides their own code, and which of them may be alike by it. Knows nothing of how they are compared.
import { sql } from 'kysely';
import type { Fingerprint, FuzzyDigest } from '../../contract/engine/fingerprint.ts';
import type { FingerprintsTable } from '../schema/families.ts';
import { isOneOf, type ReadHandle, Repository, type WriteHandle } from './repository-context.ts';

export interface FingerprintRecord extends Fingerprint {
  apkId: number;
}

/** Of APKs that share a key, the newest: thousands of an app's copies would say the same. */
const maxOfKey = 300;
/** More say of a term that it is usual. */
const maxCounted = 100;

export class FingerprintRepository<Handle extends ReadHandle = ReadHandle> extends Repository<Handle> {
  /**
   * Puts a fingerprint in the place of the one that the APK had.
   * @param keys what it has in common with those that are like it
   */
  async put(
    this: FingerprintRepository<WriteHandle>,
    apkId: number,
    fingerprint: Fingerprint | null,
    keys: readonly number[],
  ): Promise<void> {
    await this.database.deleteFrom('likeness_keys').where('apk_id', '=', apkId).execute();
    await this.database.deleteFrom('fingerprints').where('apk_id', '=', apkId).execute();
    if (fingerprint === null) return;
    const { icon, digests, files, native } = fingerprint;
    await this.database
      .insertInto('fingerprints')
      .values({
        ...{ apk_id: apkId, icon: icon === null ? null : Buffer.from(icon), digests: JSON.stringify(digests) },
        ...{ files: files.count, file_hashes: Buffer.from(files.hashes) },
        ...{ symbols: native.count, symbol_hashes: Buffer.from(native.hashes) },
      })
      .execute();
    await sql`insert into likeness_keys (key, apk_id)
      select distinct value, ${apkId} from json_each(${JSON.stringify(keys)})`.execute(this.database);
  }

  /** Null where the APK was not looked into. */
  async find(apkId: number): Promise<FingerprintRecord | null> {
    return (await this.findAll([apkId]))[0] ?? null;
  }

  /** Those of these APKs that were looked into, in no order. */
  async findAll(apkIds: readonly number[]): Promise<FingerprintRecord[]> {
    const rows = await this.rowReader.selectFrom('fingerprints').selectAll().where(isOneOf('apk_id', apkIds)).execute();
    return rows.map(toRecord);
  }

  /** The last APK that was looked into, 0 where none was. */
  async lastApkId(): Promise<number> {
    const { last } = await this.database
      .selectFrom('fingerprints')
      .select(({ fn }) => fn.max('apk_id').as('last'))
      .executeTakeFirstOrThrow();
    return last ?? 0;
  }

  /** The hashes of files and symbols of those of these APKs that were looked into, each with its package, in no order. */
  async ofPackages(apkIds: readonly number[]): Promise<{ packageName: string; hashes: Buffer }[]> {
    const rows = await this.rowReader
      .selectFrom('fingerprints')
      .innerJoin('apks', 'apks.id', 'apk_id')
      .select(['package_name', 'file_hashes', 'symbol_hashes'])
      .where(isOneOf('apk_id', apkIds))
      .execute();
    return rows.map((row) => ({
      packageName: row.package_name,
      hashes: Buffer.concat([row.file_hashes, row.symbol_hashes]),
    }));
  }

  /** APKs that have some of these keys, those with most first, at most `limit`. */
  async candidates(keys: readonly number[], limit: number): Promise<number[]> {
    const { rows } = await sql<{ apk_id: number }>`
      select found.apk_id from json_each(${JSON.stringify(keys)}) asked
      join likeness_keys found on found.key = asked.value and found.apk_id >= coalesce(
        (select apk_id from likeness_keys where key = asked.value order by apk_id desc limit 1 offset ${maxOfKey - 1}), 0)
      group by found.apk_id order by count(*) desc, found.apk_id desc limit ${limit}`.execute(this.rowReader);
    return rows.map((row) => row.apk_id);
  }

  /** The newest APKs of a signer, and of a package, at most `limit` each. */
  async namesakes(signerId: number | null, packageName: string, limit: number): Promise<number[]> {
    const { rows } = await sql<{ id: number }>`
      select id from (select id from apks where signer_id = ${signerId} order by id desc limit ${limit}) union
      select id from (select id from apks where package_name = ${packageName} and ${packageName} <> ''
        order by id desc limit ${limit})`.execute(this.rowReader);
    return rows.map(({ id }) => id);
  }

  /** In how many packages a signer's certificate is, up to `most`. */
  async packagesOf(signerId: number, most: number): Promise<number> {
    const { rows } = await sql<{ packages: number }>`select count(*) as packages from (
      select distinct package_name from apks where signer_id = ${signerId} limit ${most})`.execute(this.rowReader);
    return rows[0]!.packages;
  }

  /** What each of these APKs does and did, by numbers of terms: findings, calls of the platform, and hosts. */
  async traits(apkIds: readonly number[]): Promise<Map<number, number[]>> {
    const { rows } = await sql<{ id: number; marks: Uint8Array | null; hosts: string | null }>`
      select value as id, (select terms from apk_marks where apk_id = asked.value) as marks,
        (select group_concat(s.id) from apk_terms t join search_terms s on s.id = t.term_id
          where t.apk_id = asked.value and s.field in ('domain', 'ip')) as hosts
      from json_each(${JSON.stringify(apkIds)}) asked`.execute(this.rowReader);
    const listed = rows.map(({ id, marks, hosts }) => ({
      id,
      // The bytes may be unaligned within their buffer.
      marks: [...new Uint32Array(Uint8Array.from(marks ?? []).buffer)],
      hosts: hosts === null ? [] : hosts.split(',').map(Number),
    }));
    const { rows: telling } = await sql<{ id: number }>`select id from search_terms
      where ${isOneOf('id', [...new Set(listed.flatMap(({ marks }) => marks))])} and field in ('finding', 'api')
    `.execute(this.rowReader);
    const isTelling = new Set(telling.map(({ id }) => id));
    return new Map(
      listed.map(({ id, marks, hosts }) => [id, [...marks.filter((term) => isTelling.has(term)), ...hosts]]),
    );
  }

  /** The numbers of terms that somebody's reports have. */
  async termNumbers(terms: readonly { field: string; text: string }[]): Promise<number[]> {
    const asked = JSON.stringify(terms.map(({ field, text }) => [field, text]));
    const { rows } = await sql<{ id: number }>`select distinct s.id from json_each(${asked}) asked
      join search_terms s on s.field = asked.value ->> 0 and s.text = asked.value ->> 1`.execute(this.rowReader);
    return rows.map(({ id }) => id);
  }

  /** How many APKs name each of these hosts, up to `maxCounted`; 0 of what is no host. */
  async countHosts(terms: readonly number[]): Promise<Map<number, number>> {
    const { rows } = await sql<{ term: number; apks: number }>`select value as term,
      (select count(*) from (select 1 from apk_terms where term_id = asked.value limit ${maxCounted})) as apks
      from json_each(${JSON.stringify(terms)}) asked`.execute(this.rowReader);
    return new Map(rows.map(({ term, apks }) => [term, apks]));
  }
}

function toRecord(row: FingerprintsTable): FingerprintRecord {
  return {
    apkId: row.apk_id,
    // Bytes that come from another thread are no Buffer.
    icon: row.icon === null ? null : Buffer.from(row.icon),
    digests: JSON.parse(row.digests) as FuzzyDigest[],
    files: { count: row.files, hashes: Buffer.from(row.file_hashes) },
    native: { count: row.symbols, hashes: Buffer.from(row.symbol_hashes) },
  };
}
