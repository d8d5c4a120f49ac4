// Detections: why APKs count as detected, by source. Knows nothing of what makes one.
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Clock } from './clock.ts';
import { isOneOf, type RepositoryContext } from './repository-context.ts';
import type { Database } from './schema.ts';

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
  /** As it was saved. */
  information: Record<string, unknown>;
  createdAt: number;
  updatedAt: number;
}

const keyOf = (source: DetectionSource) => ({
  kind: source.kind,
  ruleset_id: source.kind === 'ruleset' ? source.rulesetId : null,
  antivirus: source.kind === 'antivirus' ? source.antivirus : '',
});

/** In the words of the unique index, so that it is found by it. */
function isFrom(apkId: number, source: DetectionSource): RawBuilder<SqlBool> {
  const { kind, ruleset_id, antivirus } = keyOf(source);
  return sql<SqlBool>`apk_id = ${apkId} and kind = ${kind} and antivirus = ${antivirus}
    and coalesce(ruleset_id, 0) = ${ruleset_id ?? 0}`;
}

export class DetectionRepository {
  readonly #database: Kysely<Database>;
  readonly #clock: Clock;

  constructor({ database, clock }: RepositoryContext) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Writes what a source says of an APK; what it said before is updated. The APK's own flag is `apks.recount`'s. */
  async save(apkId: number, source: DetectionSource, information: object): Promise<void> {
    const now = this.#clock();
    const changes = { information: JSON.stringify(information), updated_at: now };
    const { numUpdatedRows } = await this.#database
      .updateTable('detections')
      .set(changes)
      .where(isFrom(apkId, source))
      .executeTakeFirstOrThrow();
    if (numUpdatedRows > 0n) return;
    await this.#database
      .insertInto('detections')
      .values({ apk_id: apkId, ...keyOf(source), ...changes, created_at: now })
      .execute();
  }

  async remove(apkId: number, source: DetectionSource): Promise<void> {
    await this.#database.deleteFrom('detections').where(isFrom(apkId, source)).execute();
  }

  /** Of these APKs, in the order in which they were made. */
  ofApks(apkIds: readonly number[]): Promise<DetectionRecord[]> {
    return this.#list(isOneOf('detections.apk_id', apkIds));
  }

  /** Created or updated in `[from, to)`, microseconds. */
  changedBetween(from: number, to: number): Promise<DetectionRecord[]> {
    return this.#list(sql<SqlBool>`detections.updated_at >= ${from} and detections.updated_at < ${to}`);
  }

  async #list(condition: RawBuilder<SqlBool>): Promise<DetectionRecord[]> {
    const rows = await this.#database
      .selectFrom('detections')
      .leftJoin('rulesets', 'rulesets.id', 'detections.ruleset_id')
      .selectAll('detections')
      .select('rulesets.name as ruleset_name')
      .where(condition)
      .orderBy('detections.id')
      .execute();
    return rows.map((row) => ({
      id: row.id,
      apkId: row.apk_id,
      kind: row.kind,
      ruleset: row.ruleset_id === null ? null : { id: row.ruleset_id, name: row.ruleset_name ?? '' },
      antivirus: row.antivirus,
      information: JSON.parse(row.information) as Record<string, unknown>,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
    }));
  }
}
