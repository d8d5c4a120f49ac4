// Files of code that came out of an APK, with what their analyses found. Knows nothing of how they are found.
import type { Selectable } from 'kysely';
import type { Child } from '../../contract/engine/child.ts';
import { type Severity, severities } from '../../contract/findings/finding.ts';
import type { PackedBytes } from '../../vault/packed-bytes.ts';
import type { ChildrenTable } from '../schema/analyses.ts';
import { type ReadHandle, Repository, type WriteHandle } from './repository-context.ts';

export type ChildStatus = ChildrenTable['status'];

/** A child with the state of its analysis. */
export interface ChildRecord {
  id: number;
  child: Child;
  status: ChildStatus;
  error: string | null;
  engineVersion: number;
  findings: number;
  severity: Severity | null;
  /** Weighed as an app's. */
  risk: number | null;
}

export interface ChildAnalysis extends Pick<ChildRecord, 'findings' | 'severity' | 'risk'> {
  report: PackedBytes;
  files: PackedBytes;
}

const describing = [
  ...(['id', 'described', 'status', 'error', 'engine_version'] as const),
  ...(['findings', 'severity', 'risk'] as const),
] as const;

const toRecord = (row: Pick<Selectable<ChildrenTable>, (typeof describing)[number]>): ChildRecord => ({
  id: row.id,
  child: JSON.parse(row.described) as Child,
  status: row.status,
  error: row.error,
  engineVersion: row.engine_version,
  findings: row.findings,
  severity: row.severity === null ? null : severities[row.severity]!,
  risk: row.risk,
});

const asBuffer = ({ compressed }: PackedBytes) =>
  Buffer.from(compressed.buffer, compressed.byteOffset, compressed.byteLength);

export class ChildRepository<Handle extends ReadHandle = ReadHandle> extends Repository<Handle> {
  /** All of an APK, as they were found. */
  async list(apkId: number): Promise<ChildRecord[]> {
    const rows = await this.database
      .selectFrom('children')
      .select(describing)
      .where('apk_id', '=', apkId)
      .orderBy('id')
      .execute();
    return rows.map(toRecord);
  }

  /** The child of an APK with this hash, null where there is none. */
  async find(apkId: number, sha256: string): Promise<ChildRecord | null> {
    const row = await this.database
      .selectFrom('children')
      .select(describing)
      .where('apk_id', '=', apkId)
      .where('sha256', '=', sha256)
      .executeTakeFirst();
    return row === undefined ? null : toRecord(row);
  }

  /** A stored report of a child, compressed; null where there is none. */
  async report(id: number, kind: 'report' | 'files'): Promise<PackedBytes | null> {
    const row = await this.database
      .selectFrom('children')
      .select([kind, `${kind}_size`])
      .where('id', '=', id)
      .executeTakeFirst();
    const compressed = row?.[kind] ?? null;
    return compressed === null ? null : { size: row![`${kind}_size`]!, compressed };
  }

  /** Puts these in the place of the APK's; analyses of the same content by this engine stay, all others wait. */
  async replace(
    this: ChildRepository<WriteHandle>,
    apkId: number,
    children: readonly Child[],
    engineVersion: number,
  ): Promise<void> {
    const known = new Map((await this.list(apkId)).map((record) => [record.child.sha256, record]));
    for (const child of children) {
      const { sha256 } = child;
      const before = known.get(sha256);
      known.delete(sha256);
      const described = JSON.stringify(child);
      const isKept = before?.status === 'done' && before.engineVersion === engineVersion;
      const waiting = { described, status: 'waiting' as const, error: null, engine_version: engineVersion };
      if (before === undefined) {
        await this.database
          .insertInto('children')
          .values({ apk_id: apkId, sha256, ...waiting })
          .execute();
      } else {
        const changes = isKept ? { described } : waiting;
        await this.database.updateTable('children').set(changes).where('id', '=', before.id).execute();
      }
    }
    for (const { id } of known.values()) await this.database.deleteFrom('children').where('id', '=', id).execute();
  }

  /** How far the analysis of a child is. */
  async setStatus(
    this: ChildRepository<WriteHandle>,
    id: number,
    status: ChildStatus,
    error: string | null = null,
  ): Promise<void> {
    await this.database.updateTable('children').set({ status, error }).where('id', '=', id).execute();
  }

  /** Stores the analysis of a child, which is done with it. */
  async save(
    this: ChildRepository<WriteHandle>,
    id: number,
    { report, files, findings, severity, risk }: ChildAnalysis,
  ): Promise<void> {
    await this.database
      .updateTable('children')
      .set({
        ...{ status: 'done', error: null, findings, risk },
        severity: severity === null ? null : severities.indexOf(severity),
        ...{ report: asBuffer(report), report_size: report.size, files: asBuffer(files), files_size: files.size },
      })
      .where('id', '=', id)
      .execute();
  }
}
