// What it takes to find the family of an APK: where it is, who is near it, what people said. Knows nothing of code.
import { sql } from 'kysely';
import { isOneOf, type ReadHandle, Repository } from './repository-context.ts';

/** An APK whose code was read. */
export interface PlacedApk {
  id: number;
  familyId: number | null;
  packageName: string;
  signerId: number | null;
  /** Its family was looked for. */
  isPlaced: boolean;
}

const columns = sql`a.id, a.code_family_id as "familyId", a.package_name as "packageName", a.signer_id as "signerId",
  not exists (select 1 from family_waiting w where w.apk_id = a.id) as "isPlaced"`;
type Row = Omit<PlacedApk, 'isPlaced'> & { isPlaced: number };
const toPlaced = (row: Row): PlacedApk => ({ ...row, isPlaced: row.isPlaced === 1 });

export class FamilyPlaceRepository<Handle extends ReadHandle = ReadHandle> extends Repository<Handle> {
  /** Those of these APKs whose code was read, by id. */
  async find(apkIds: readonly number[]): Promise<Map<number, PlacedApk>> {
    const { rows } = await sql<Row>`
      select ${columns} from apks a join code_sketches s on s.apk_id = a.id where ${isOneOf('a.id', apkIds)}`.execute(
      this.rowReader,
    );
    return new Map(rows.map((row) => [row.id, toPlaced(row)]));
  }

  /** Other APKs of the same package by the same signer, the newest first. */
  async sameApp({ id, packageName, signerId }: PlacedApk, limit: number): Promise<PlacedApk[]> {
    if (packageName === '' || signerId === null) return [];
    const { rows } = await sql<Row>`
      select ${columns} from apks a join code_sketches s on s.apk_id = a.id
      where a.package_name = ${packageName} and a.signer_id = ${signerId} and a.id <> ${id}
      order by a.id desc limit ${limit}`.execute(this.rowReader);
    return rows.map(toPlaced);
  }

  /** Whether people took an APK of one of two families out of the other. */
  async areApart(one: number, other: number): Promise<boolean> {
    const { rows } = await sql`
      select 1 from family_ties t join apks a on a.id = t.apk_id where t.is_member = 0 and (
        (t.family_id = ${one} and a.code_family_id = ${other}) or (t.family_id = ${other} and a.code_family_id = ${one})
      ) limit 1`.execute(this.rowReader);
    return rows.length > 0;
  }
}
