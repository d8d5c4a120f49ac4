// Parts of apps that are installed as several files, and the files that they came in. Knows no file.
import { sql } from 'kysely';
import type { Split } from '../../contract/engine/split.ts';
import { type ReadHandle, Repository, type WriteHandle } from './repository-context.ts';

export interface PartRecord {
  /** Lower-case hex. */
  sha256: string;
  sha1: string;
  md5: string;
  size: number;
  /** As its file was called. */
  name: string;
  adds: Split;
  createdAt: number;
}

/** A file that an app came in: an archive of its parts. */
export interface ContainerRecord {
  sha256: string;
  name: string;
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const bytesOf = (text: string): Buffer => Buffer.from(text, 'hex');

export class PartRepository<Handle extends ReadHandle = ReadHandle> extends Repository<Handle> {
  /** The parts of an app, as they came. @param whole SHA-256 of its base */
  async of(whole: string): Promise<PartRecord[]> {
    const rows = await this.database
      .selectFrom('apk_parts')
      .selectAll()
      .where('whole_sha256', '=', bytesOf(whole))
      .orderBy('id')
      .execute();
    return rows.map((row) => ({
      ...{ sha256: hex(row.sha256), sha1: hex(row.sha1), md5: hex(row.md5), size: row.size, name: row.name },
      ...{ adds: JSON.parse(row.adds) as Split, createdAt: row.created_at },
    }));
  }

  /** The parts of apps by their bases, each as one text. */
  async hashesOf(wholes: readonly string[]): Promise<Map<string, string>> {
    const { rows } = await sql<{ whole: Uint8Array; parts: string }>`
      select whole_sha256 as whole, group_concat(hex(sha256), ' ') as parts from (
        select whole_sha256, sha256 from apk_parts
        where whole_sha256 in (select unhex(value) from json_each(${JSON.stringify(wholes)})) order by id
      ) group by whole_sha256
    `.execute(this.database);
    return new Map(rows.map(({ whole, parts }) => [hex(whole), parts]));
  }

  /** The files that an app came in. */
  async containersOf(whole: string): Promise<ContainerRecord[]> {
    const rows = await this.database
      .selectFrom('apk_containers')
      .select(['sha256', 'name'])
      .where('whole_sha256', '=', bytesOf(whole))
      .orderBy('created_at')
      .execute();
    return rows.map(({ sha256, name }) => ({ sha256: hex(sha256), name }));
  }

  /** Adds a part that an app does not have yet. @returns whether it was added */
  async add(
    this: PartRepository<WriteHandle>,
    whole: string,
    { sha256, sha1, md5, size, name, adds }: Omit<PartRecord, 'createdAt'>,
  ): Promise<boolean> {
    const result = await this.database
      .insertInto('apk_parts')
      .values({
        ...{ whole_sha256: bytesOf(whole), sha256: bytesOf(sha256), sha1: bytesOf(sha1), md5: bytesOf(md5) },
        ...{ size, name, adds: JSON.stringify(adds), created_at: this.clock() },
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
  }

  /** Notes a file that an app came in. */
  async addContainer(this: PartRepository<WriteHandle>, whole: string, container: ContainerRecord): Promise<void> {
    await this.database
      .insertInto('apk_containers')
      .values({
        ...{ whole_sha256: bytesOf(whole), sha256: bytesOf(container.sha256) },
        ...{ name: container.name, created_at: this.clock() },
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  /** Forgets the parts of an app. @returns SHA-256 of those that no other app has */
  async forget(this: PartRepository<WriteHandle>, whole: string): Promise<string[]> {
    const { rows } = await sql<{ sha256: Uint8Array }>`
      select sha256 from apk_parts as part where whole_sha256 = ${bytesOf(whole)} and not exists (
        select 1 from apk_parts as other where other.sha256 = part.sha256 and other.whole_sha256 <> part.whole_sha256
      )
    `.execute(this.database);
    await this.database.deleteFrom('apk_parts').where('whole_sha256', '=', bytesOf(whole)).execute();
    await this.database.deleteFrom('apk_containers').where('whole_sha256', '=', bytesOf(whole)).execute();
    return rows.map(({ sha256 }) => hex(sha256));
  }

  /** Whether a file is a part of an app. */
  async has(sha256: string): Promise<boolean> {
    const row = await this.database
      .selectFrom('apk_parts')
      .select('id')
      .where('sha256', '=', bytesOf(sha256))
      .executeTakeFirst();
    return row !== undefined;
  }
}
