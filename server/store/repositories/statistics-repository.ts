// Figures of the dashboard that the search thread does not have. Reads in a thread of its own.
import { sql } from 'kysely';
import { type ReadHandle, Repository } from './repository-context.ts';

/** Microseconds. */
const dayLength = 86_400_000_000;

export interface DescribedSigner {
  id: number;
  sha1: string;
  sha256: string;
  isTrusted: boolean;
  /** Of one of its APKs. */
  company: string;
}

export class StatisticsRepository<Handle extends ReadHandle = ReadHandle> extends Repository<Handle> {
  /** APKs by the day of their detections, from `firstDay` on. */
  async detectedByDay(firstDay: number, days: number): Promise<number[]> {
    // Whatever was created since was also updated since, and `updated_at` has an index.
    const { rows } = await sql<{ day: number; count: number }>`
      select (created_at - ${firstDay}) / ${dayLength} as day, count(distinct apk_id) as count from detections
      where updated_at >= ${firstDay} and created_at >= ${firstDay} group by day`.execute(this.countReader);
    const counts = new Array<number>(days).fill(0);
    for (const { day, count } of rows) if (day < days) counts[day] = count;
    return counts;
  }

  /** Rulesets that an account may see, by how many APKs they match. */
  async rulesets(viewerId: number, limit: number): Promise<{ id: number; name: string; count: number }[]> {
    const { rows } = await sql<{ id: number; name: string; count: number }>`
      select r.id, r.name, count(*) as count from rulesets r join matches m on m.ruleset_id = r.id
      where r.is_public = 1 or r.author_id = ${viewerId}
      group by r.id order by count desc, r.name limit ${limit}`.execute(this.countReader);
    return rows;
  }

  /** How many jobs of each kind wait and run. */
  async openJobs(): Promise<{ kind: string; status: 'queued' | 'running'; count: number }[]> {
    const { rows } = await sql<{ kind: string; status: 'queued' | 'running'; count: number }>`
      select kind, status, count(*) as count from jobs where status in ('queued', 'running')
      group by kind, status order by kind`.execute(this.countReader);
    return rows;
  }

  /** Those of these signers that exist, by id. */
  async signers(ids: readonly number[]): Promise<Map<number, DescribedSigner>> {
    const { rows } = await sql<Omit<DescribedSigner, 'isTrusted'> & { isTrusted: number }>`
      select id, lower(hex(sha1)) as sha1, lower(hex(sha256)) as sha256, is_trusted as "isTrusted",
        coalesce((select company from apks where signer_id = signers.id limit 1), '') as company
      from signers where id in (select value from json_each(${JSON.stringify(ids)}))`.execute(this.countReader);
    return new Map(rows.map((row) => [row.id, { ...row, isTrusted: row.isTrusted === 1 }]));
  }

  /** Permissions of the newest APKs, by how many request each. */
  async newestPermissions(apks: number, limit: number): Promise<{ name: string; count: number }[]> {
    const { rows } = await sql<{ name: string; count: number }>`
      select s.text as name, count(*) as count from (select id from apks order by id desc limit ${apks}) a
      cross join apk_terms t on t.apk_id = a.id cross join search_terms s on s.id = t.term_id
      where s.field = 'permission' group by s.id order by count desc, name limit ${limit}`.execute(this.countReader);
    return rows;
  }

  /** Bytes of the database. */
  async databaseSize(): Promise<number> {
    const { rows } = await sql<{ size: number }>`
      select (select page_count from pragma_page_count) * (select page_size from pragma_page_size) as size
    `.execute(this.countReader);
    return rows[0]!.size;
  }
}
