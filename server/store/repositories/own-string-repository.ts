// Texts that the own code of APKs loads. Knows nothing of code.
import { sql } from 'kysely';
import type { OwnStrings } from '../../contract/engine/own-strings.ts';
import { isOneOf, type ReadHandle, Repository, type WriteHandle } from './repository-context.ts';

export class OwnStringRepository<Handle extends ReadHandle = ReadHandle> extends Repository<Handle> {
  /** Puts an APK's texts in the place of those that it had. */
  async put(
    this: OwnStringRepository<WriteHandle>,
    apkId: number,
    { isCut, keys, texts: { size, compressed } }: OwnStrings,
  ): Promise<void> {
    await sql`insert or replace into own_strings (apk_id, is_cut, keys, size, texts)
      values (${apkId}, ${Number(isCut)}, ${Buffer.from(keys)}, ${size}, ${Buffer.from(compressed)})`.execute(
      this.database,
    );
  }

  /** Those of these APKs whose texts were read, in this order. */
  async find(apkIds: readonly number[]): Promise<OwnStrings[]> {
    const { rows } = await sql<{ isCut: number; keys: Uint8Array; size: number; compressed: Uint8Array }>`
      select is_cut as "isCut", keys, size, texts as compressed
      from json_each(${JSON.stringify(apkIds)}) a cross join own_strings s on s.apk_id = a.value order by a.key
    `.execute(this.rowReader);
    return rows.map(({ isCut, keys, size, compressed }) => ({
      ...{ isCut: isCut === 1, keys },
      texts: { size, compressed },
    }));
  }

  /** The keys of the texts of other APKs than a family's, from all over the catalogue, of at most `most`. */
  async keysOutside(familyId: number, most: number): Promise<Uint8Array[]> {
    const { rows: ends } = await sql<{ last: number | null }>`select max(apk_id) as last from own_strings`.execute(
      this.rowReader,
    );
    const last = ends[0]?.last ?? 0;
    const stride = Math.max(1, last / most);
    const ids = Array.from({ length: Math.min(most, last) }, (_, place) => Math.floor((place + 1) * stride));
    const { rows } = await sql<{ keys: Uint8Array }>`
      select s.keys from own_strings s join apks a on a.id = s.apk_id
      where ${isOneOf('s.apk_id', ids)} and a.code_family_id is not ${familyId}`.execute(this.rowReader);
    return rows.map(({ keys }) => keys);
  }
}
