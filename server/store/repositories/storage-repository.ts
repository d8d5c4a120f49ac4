// The size of the catalogue, and the APKs that a retention rule deletes. Knows no rule's reason.
import { sql } from 'kysely';
import { type ReadHandle, Repository } from './repository-context.ts';

export interface StoredTotals {
  apks: number;
  /** Bytes of the APKs themselves. */
  apkBytes: number;
  /** Bytes of reports as they are stored. */
  reportBytes: number;
}

export interface RetentionRule {
  /** APKs created before this are deleted, microseconds since 1970 UTC. */
  before: number;
  /** Whether this includes APKs with comments, votes, verdicts or matches. */
  includesEngaged: boolean;
}

export class StorageRepository<Handle extends ReadHandle = ReadHandle> extends Repository<Handle> {
  /** Bytes and numbers of what is stored. */
  async totals(): Promise<StoredTotals> {
    const reader = this.countReader;
    const apks = await sql<{ apks: number; bytes: number }>`
      select count(*) as apks, coalesce(sum(size), 0) as bytes from apks`.execute(reader);
    const reports = await sql<{ bytes: number }>`
      select coalesce(sum(length(content)), 0) as bytes from reports`.execute(reader);
    return { apks: apks.rows[0]!.apks, apkBytes: apks.rows[0]!.bytes, reportBytes: reports.rows[0]!.bytes };
  }

  /** How many APKs a rule deletes, and their bytes. */
  async countExpired(rule: RetentionRule): Promise<{ apks: number; bytes: number }> {
    const { rows } = await sql<{ apks: number; bytes: number }>`
      select count(*) as apks, coalesce(sum(size), 0) as bytes from apks where ${this.#expired(rule)}
    `.execute(this.countReader);
    return rows[0]!;
  }

  /** The oldest APKs that a rule deletes, as sha256 in lower-case hex. */
  async expired(rule: RetentionRule, limit: number): Promise<string[]> {
    const { rows } = await sql<{ sha256: string }>`
      select lower(hex(sha256)) as sha256 from apks where ${this.#expired(rule)} order by created_at limit ${limit}
    `.execute(this.database);
    return rows.map(({ sha256 }) => sha256);
  }

  #expired({ before, includesEngaged }: RetentionRule) {
    // Not by the record's own counts, which leave out private matches.
    const isEngaged = sql`(
      exists (select 1 from comments where comments.apk_id = apks.id)
      or exists (select 1 from votes where votes.apk_id = apks.id)
      or exists (select 1 from verdicts where verdicts.apk_id = apks.id)
      or exists (select 1 from matches where matches.apk_id = apks.id)
    )`;
    return includesEngaged ? sql`created_at < ${before}` : sql`created_at < ${before} and not ${isEngaged}`;
  }
}
