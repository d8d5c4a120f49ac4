// Reports and other analysis results of an APK, compressed. Knows nothing of what they say.
import { promisify } from 'node:util';
import { zstdCompress } from 'node:zlib';
import { type Selectable, sql } from 'kysely';
import { DamagedReportError, type PackedBytes, packing, unpackBytes } from '../../vault/packed-bytes.ts';
import type { ReportsTable } from '../schema/analyses.ts';
import { type ReadHandle, Repository, type WriteHandle } from './repository-context.ts';
import { type RecordOf, recordOf } from './table-record.ts';

export const reportKinds = [
  'androguard',
  'cuckoo',
  'dynamic',
  'device',
  'manifest',
  'files',
  'icon',
  'identity',
  'artefacts',
  'device_artefacts',
  // What was left out of the APK's children, and what it means for the APK that they came out of it.
  'children',
  // Excerpts of the static, the dynamic and the device's report from which the risk is computed.
  'evidence',
  'behaviour',
  'device_behaviour',
] as const;
export type ReportKind = (typeof reportKinds)[number];

export type ReportRecord = Omit<RecordOf<ReportsTable>, 'id' | 'content' | 'kind'> & { kind: ReportKind };

export interface StoredReport extends ReportRecord {
  /** The bytes as they were saved. */
  content: Buffer;
}

export interface NewReport {
  apkId: number;
  kind: ReportKind;
  status: 'done' | 'partial';
  engineVersion: number;
  /** Bytes are stored as they are, text as UTF-8, anything else as JSON text. */
  content: Uint8Array | string | object;
  compressed?: undefined;
}

/** A compressed report. */
export interface PreparedReport extends Omit<NewReport, 'content' | 'compressed'>, PackedBytes {}

/** A report as it is stored, to be decompressed elsewhere. */
export interface CompressedReport extends ReportRecord, PackedBytes {}

/** Ids above `afterId`, at most `limit` of them. */
export interface OutdatedRequest {
  kind: ReportKind;
  engineVersion: number;
  afterId: number;
  limit: number;
}

const compress = promisify(zstdCompress);

/** Compresses a report, off the main thread, so that no transaction has to wait for it. */
export async function prepareReport(report: NewReport | PreparedReport): Promise<PreparedReport> {
  if (report.compressed !== undefined) return report;
  const { content, ...described } = report;
  const bytes =
    content instanceof Uint8Array
      ? content
      : Buffer.from(typeof content === 'string' ? content : JSON.stringify(content));
  return { ...described, size: bytes.length, compressed: await compress(bytes, packing) };
}

const toRecord = (row: Omit<Selectable<ReportsTable>, 'id' | 'content'>): ReportRecord => ({
  ...recordOf(row),
  kind: row.kind as ReportKind,
});

const describingColumns = ['apk_id', 'kind', 'status', 'engine_version', 'size', 'created_at'] as const;

export class ReportRepository<Handle extends ReadHandle = ReadHandle> extends Repository<Handle> {
  /**
   * Stores reports, each in the place of the same kind's older one. Within a transaction it keeps the database for as
   * long as compression takes (off the main thread, about 5 ms for a megabyte of JSON): prefer `prepare` before it.
   */
  async save(this: ReportRepository<WriteHandle>, reports: readonly (NewReport | PreparedReport)[]): Promise<void> {
    const prepared = await Promise.all(reports.map(prepareReport));
    const now = this.clock();
    for (const report of prepared) {
      const values = {
        status: report.status,
        engine_version: report.engineVersion,
        size: report.size,
        content: Buffer.from(report.compressed.buffer, report.compressed.byteOffset, report.compressed.byteLength),
        created_at: now,
      };
      await this.database
        .insertInto('reports')
        .values({ apk_id: report.apkId, kind: report.kind, ...values })
        .onConflict((conflict) => conflict.columns(['apk_id', 'kind']).doUpdateSet(values))
        .execute();
    }
  }

  /** @throws DamagedReportError */
  async read(apkId: number, kind: ReportKind): Promise<StoredReport | null> {
    const report = await this.readCompressed(apkId, kind);
    if (report === null) return null;
    const { compressed, ...described } = report;
    return { ...described, content: await unpackBytes({ size: report.size, compressed }) };
  }

  /** The stored report, still compressed, of any size. */
  async readCompressed(apkId: number, kind: ReportKind): Promise<CompressedReport | null> {
    const row = await this.database
      .selectFrom('reports')
      .select([...describingColumns, 'content'])
      .where('apk_id', '=', apkId)
      .where('kind', '=', kind)
      .executeTakeFirst();
    if (row === undefined) return null;
    const { content, ...described } = row;
    return { ...toRecord(described), compressed: content };
  }

  /**
   * The parsed JSON content, null where there is no such report. For small ones alone: reports of analyses can have many
   * megabytes, and are read in workers.
   * @throws DamagedReportError
   */
  async readJson<T>(apkId: number, kind: ReportKind): Promise<T | null> {
    const report = await this.read(apkId, kind);
    if (report === null) return null;
    try {
      return JSON.parse(report.content.toString()) as T;
    } catch (cause) {
      throw new DamagedReportError(cause);
    }
  }

  /** When reports of some kinds were stored, by those of some APKs that have any. */
  async versions(apkIds: readonly number[], kinds: readonly ReportKind[]): Promise<Map<number, string>> {
    const { rows } = await sql<{ apk_id: number; version: string }>`
      select apk_id, group_concat(kind || ' ' || created_at order by kind) as version from reports
      where apk_id in (select value from json_each(${JSON.stringify(apkIds)}))
        and kind in (select value from json_each(${JSON.stringify(kinds)}))
      group by apk_id`.execute(this.database);
    return new Map(rows.map(({ apk_id: id, version }) => [id, version]));
  }

  /** What reports an APK has, without their content. */
  async list(apkId: number): Promise<ReportRecord[]> {
    const rows = await this.database
      .selectFrom('reports')
      .select(describingColumns)
      .where('apk_id', '=', apkId)
      .orderBy('kind')
      .execute();
    return rows.map(toRecord);
  }

  /** Ids of APKs whose report of this kind is missing or was made by an older engine, upwards from `afterId`. */
  async outdated(request: OutdatedRequest): Promise<number[]> {
    const rows = await this.rowReader
      .selectFrom('apks')
      .select('apks.id')
      .where('apks.id', '>', request.afterId)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('reports')
              .select('reports.id')
              .whereRef('reports.apk_id', '=', 'apks.id')
              .where('reports.kind', '=', request.kind)
              .where('reports.engine_version', '>=', request.engineVersion),
          ),
        ),
      )
      .orderBy('apks.id')
      .limit(request.limit)
      .execute();
    return rows.map(({ id }) => id);
  }

  /** How many static reports an older engine made, up to `most`. */
  async countOutdated(engineVersion: number, most: number): Promise<number> {
    const outdated = this.rowReader
      .selectFrom('reports')
      .select('id')
      .where('kind', '=', 'androguard')
      .where('engine_version', '<', engineVersion)
      .limit(most)
      .as('outdated');
    const { count } = await this.rowReader
      .selectFrom(outdated)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return count;
  }

  /** Deletes a report. @returns whether it was there */
  async remove(this: ReportRepository<WriteHandle>, apkId: number, kind: ReportKind): Promise<boolean> {
    const result = await this.database
      .deleteFrom('reports')
      .where('apk_id', '=', apkId)
      .where('kind', '=', kind)
      .executeTakeFirst();
    return result.numDeletedRows > 0n;
  }
}
