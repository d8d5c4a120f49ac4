// Packages of rulesets, and which rulesets are in them. Knows neither archives nor YARA.
import { sql } from 'kysely';
import type { PackagedRulesetsTable, RulePackagesTable } from '../../schema/rules.ts';
import { type ReadHandle, Repository, type WriteHandle } from '../repository-context.ts';
import { columnsOf, type RecordOf, recordOf } from '../table-record.ts';

export type PlainRulePackage = RecordOf<RulePackagesTable>;
export type RulePackageRecord = PlainRulePackage & {
  rulesetsCount: number;
  enabledCount: number;
  rulesCount: number;
  matchesCount: number;
  duplicatesCount: number;
};
export type NewRulePackage = Omit<PlainRulePackage, 'id' | 'importedAt'>;
export type PackagedRuleset = RecordOf<PackagedRulesetsTable>;

export class RulePackageRepository<Handle extends ReadHandle = ReadHandle> extends Repository<Handle> {
  /** By name, with what is in them counted. */
  async all(): Promise<RulePackageRecord[]> {
    return (await this.#counted().orderBy('rule_packages.name').execute()).map(recordOf);
  }

  /** The package of that name, or null. */
  async find(name: string): Promise<RulePackageRecord | null> {
    const row = await this.#counted().where('rule_packages.name', '=', name).executeTakeFirst();
    return row === undefined ? null : recordOf(row);
  }

  /** @returns its id */
  async insert(this: RulePackageRepository<WriteHandle>, fields: NewRulePackage): Promise<number> {
    const { id } = await this.database
      .insertInto('rule_packages')
      .values({ ...columnsOf<RulePackagesTable>(fields), imported_at: this.clock() } as never)
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  /** Changes the given fields. @param isImport it comes with an import */
  async update(
    this: RulePackageRepository<WriteHandle>,
    id: number,
    changes: Partial<NewRulePackage>,
    isImport = false,
  ): Promise<void> {
    const imported = isImport ? { imported_at: this.clock() } : {};
    await this.database
      .updateTable('rule_packages')
      .set({ ...columnsOf<RulePackagesTable>(changes), ...imported })
      .where('id', '=', id)
      .execute();
  }

  /** Without its rulesets. */
  async remove(this: RulePackageRepository<WriteHandle>, id: number): Promise<void> {
    await this.database.deleteFrom('packaged_rulesets').where('package_id', '=', id).execute();
    await this.database.deleteFrom('rule_packages').where('id', '=', id).execute();
  }

  /** What is in a package, by path. */
  async rulesets(packageId: number): Promise<PackagedRuleset[]> {
    const rows = await this.database
      .selectFrom('packaged_rulesets')
      .selectAll()
      .where('package_id', '=', packageId)
      .orderBy('path')
      .execute();
    return rows.map(recordOf);
  }

  /** SHA-256 of all texts in packages, and a ruleset that has each. */
  async texts(): Promise<Map<string, number>> {
    const rows = await this.database
      .selectFrom('packaged_rulesets')
      .innerJoin('rulesets', (join) =>
        join
          .onRef('rulesets.id', '=', 'packaged_rulesets.ruleset_id')
          .onRef('rulesets.version', '=', 'packaged_rulesets.version'),
      )
      .select(['sha256', 'ruleset_id'])
      .execute();
    return new Map(rows.map(({ sha256, ruleset_id }) => [sha256, ruleset_id]));
  }

  /** Says that a ruleset is in a package, or with another text. */
  async put(this: RulePackageRepository<WriteHandle>, ruleset: PackagedRuleset): Promise<void> {
    const row = columnsOf<PackagedRulesetsTable>(ruleset) as PackagedRulesetsTable;
    await this.database
      .insertInto('packaged_rulesets')
      .values(row)
      .onConflict((conflict) => conflict.column('ruleset_id').doUpdateSet({ sha256: row.sha256, version: row.version }))
      .execute();
  }

  /** Enables those of its rulesets that are not, without trouble on record. @param since from when on, microseconds */
  async enable(this: RulePackageRepository<WriteHandle>, id: number, since: number): Promise<void> {
    await sql`update ruleset_versions set active_since = ${since} where id in (
      select ruleset_versions.id from packaged_rulesets
      join rulesets on rulesets.id = packaged_rulesets.ruleset_id
      join ruleset_versions on ruleset_versions.ruleset_id = rulesets.id and ruleset_versions.version = rulesets.version
      where package_id = ${id} and not rulesets.is_enabled)`.execute(this.database);
    await sql`update rulesets set is_enabled = 1, active_since = ${since}, updated_at = ${this.clock()},
      scan_state = 'ok', scan_error = null, trouble = 0
      where not is_enabled and id in (select ruleset_id from packaged_rulesets where package_id = ${id})`.execute(
      this.database,
    );
  }

  /** Takes the package's rulesets out of scans. */
  async disable(this: RulePackageRepository<WriteHandle>, id: number): Promise<void> {
    await sql`update ruleset_versions set active_since = null where active_since is not null
      and ruleset_id in (select ruleset_id from packaged_rulesets where package_id = ${id})`.execute(this.database);
    await sql`update rulesets set is_enabled = 0, active_since = null, updated_at = ${this.clock()}
      where is_enabled and id in (select ruleset_id from packaged_rulesets where package_id = ${id})`.execute(
      this.database,
    );
  }

  #counted() {
    const inside = sql`packaged_rulesets where packaged_rulesets.package_id = rule_packages.id`;
    const joined = sql`packaged_rulesets join rulesets on rulesets.id = packaged_rulesets.ruleset_id
      where packaged_rulesets.package_id = rule_packages.id`;
    return this.database
      .selectFrom('rule_packages')
      .selectAll('rule_packages')
      .select([
        sql<number>`(select count(*) from ${inside})`.as('rulesets_count'),
        sql<number>`(select count(*) from ${joined} and rulesets.is_enabled)`.as('enabled_count'),
        sql<number>`(select coalesce(sum(rulesets.rules_count), 0) from ${joined})`.as('rules_count'),
        sql<number>`(select count(*) from matches where matches.ruleset_id in (
          select ruleset_id from ${inside}))`.as('matches_count'),
        sql<number>`(select count(*) from ${inside} and exists (
          select 1 from packaged_rulesets as other where other.sha256 = packaged_rulesets.sha256
          and other.ruleset_id <> packaged_rulesets.ruleset_id))`.as('duplicates_count'),
      ]);
  }
}
