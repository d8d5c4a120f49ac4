// Detections: why APKs count as detected, by source. Knows nothing of what makes one.
import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import type { DetectionsTable } from '../schema/triage.ts';
import { isOneOf, type ReadHandle, Repository, type WriteHandle } from './repository-context.ts';

/** Who says so. */
export type DetectionSource =
  | { kind: 'community' }
  | { kind: 'ruleset'; rulesetId: number }
  | { kind: 'antivirus'; antivirus: string };

export interface DetectionRecord {
  id: number;
  apkId: number;
  kind: DetectionSource['kind'];
  /** With the kind `ruleset` alone. */
  ruleset: { id: number; name: string } | null;
  /** Its name with the kind `antivirus`, else empty. */
  antivirus: string;
  /** Details from the source, as they were saved. */
  information: Record<string, unknown>;
  createdAt: number;
  updatedAt: number;
}

const keyOf = (source: DetectionSource) => ({
  kind: source.kind,
  ruleset_id: source.kind === 'ruleset' ? source.rulesetId : null,
  antivirus: source.kind === 'antivirus' ? source.antivirus : '',
});

/** The expression of the unique index, so that SQLite uses it. */
function isFrom(apkId: number, source: DetectionSource): RawBuilder<SqlBool> {
  const { kind, ruleset_id, antivirus } = keyOf(source);
  return sql<SqlBool>`apk_id = ${apkId} and kind = ${kind} and antivirus = ${antivirus}
    and coalesce(ruleset_id, 0) = ${ruleset_id ?? 0}`;
}

export class DetectionRepository<Handle extends ReadHandle = ReadHandle> extends Repository<Handle> {
  /**
   * Stores a source's detection of an APK, or updates the one that there is; an equal one changes nothing. The APK's own
   * flag is updated by `apks.recount`.
   */
  async save(
    this: DetectionRepository<WriteHandle>,
    apkId: number,
    source: DetectionSource,
    said: object,
  ): Promise<void> {
    const now = this.clock();
    const information = JSON.stringify(said);
    const known = await this.database
      .selectFrom('detections')
      .select(['id', 'information', 'created_at'])
      .where(isFrom(apkId, source))
      .executeTakeFirst();
    if (known?.information === information) return;
    const record = { apk_id: apkId, ...keyOf(source), information, created_at: known?.created_at ?? now };
    if (known === undefined) {
      await this.database
        .insertInto('detections')
        .values({ ...record, updated_at: now })
        .execute();
    } else {
      const changes = { information, updated_at: now };
      await this.database.updateTable('detections').set(changes).where('id', '=', known.id).execute();
    }
    await this.database
      .insertInto('detection_changes')
      .values({ ...record, changed_at: now })
      .execute();
  }

  /** Withdraws a source's detection of an APK, and records that for the feeds. */
  async remove(this: DetectionRepository<WriteHandle>, apkId: number, source: DetectionSource): Promise<void> {
    const gone = await this.database
      .deleteFrom('detections')
      .where(isFrom(apkId, source))
      .returning('created_at')
      .executeTakeFirst();
    if (gone === undefined) return;
    const change = { ...keyOf(source), information: null, created_at: gone.created_at, changed_at: this.clock() };
    await this.database
      .insertInto('detection_changes')
      .values({ apk_id: apkId, ...change })
      .execute();
  }

  /** Detections of these APKs by a ruleset. */
  async idsOfRuleset(rulesetId: number, apkIds: readonly number[]): Promise<number[]> {
    const rows = await this.database
      .selectFrom('detections')
      .select('id')
      .where('ruleset_id', '=', rulesetId)
      .where(isOneOf('apk_id', apkIds))
      .execute();
    return rows.map(({ id }) => id);
  }

  /** Detections of these APKs, oldest first. */
  async ofApks(apkIds: readonly number[]): Promise<DetectionRecord[]> {
    const rows = await this.database
      .selectFrom('detections')
      .leftJoin('rulesets', 'rulesets.id', 'detections.ruleset_id')
      .selectAll('detections')
      .select('rulesets.name as ruleset_name')
      .where(isOneOf('detections.apk_id', apkIds))
      .orderBy('detections.id')
      .execute();
    return rows.map((row) => ({ ...toRecord(row, row.information), id: row.id, updatedAt: row.updated_at }));
  }

  /**
   * Detections created or updated in `[from, to)`, microseconds, as they were at the end of that time; without those
   * withdrawn in it.
   */
  async changedBetween(from: number, to: number): Promise<DetectionRecord[]> {
    const rows = await this.database
      .selectFrom('detection_changes')
      .leftJoin('rulesets', 'rulesets.id', 'detection_changes.ruleset_id')
      .selectAll('detection_changes')
      .select('rulesets.name as ruleset_name')
      .where('detection_changes.changed_at', '>=', from)
      .where('detection_changes.changed_at', '<', to)
      .orderBy('detection_changes.id')
      .execute();
    const latest = new Map<string, DetectionRecord | null>();
    for (const row of rows) {
      const { id, information } = row;
      const record = information === null ? null : { ...toRecord(row, information), id, updatedAt: row.changed_at };
      latest.set(`${row.apk_id} ${row.kind} ${row.ruleset_id} ${row.antivirus}`, record);
    }
    return [...latest.values()].filter((record) => record !== null);
  }

  /** Deletes former states of detections older than this time; current ones stay. */
  async forgetChangesBefore(this: DetectionRepository<WriteHandle>, time: number): Promise<void> {
    await this.database.deleteFrom('detection_changes').where('changed_at', '<', time).execute();
  }
}

function toRecord(
  row: Pick<Selectable<DetectionsTable>, 'apk_id' | 'kind' | 'ruleset_id' | 'antivirus' | 'created_at'> & {
    ruleset_name: string | null;
  },
  information: string,
) {
  return {
    apkId: row.apk_id,
    kind: row.kind,
    ruleset: row.ruleset_id === null ? null : { id: row.ruleset_id, name: row.ruleset_name ?? '' },
    antivirus: row.antivirus,
    information: JSON.parse(information) as Record<string, unknown>,
    createdAt: row.created_at,
  };
}
