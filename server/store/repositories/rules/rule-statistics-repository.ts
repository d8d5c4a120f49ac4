// Rules that match APKs, with how many, and the dismissals that hold for each. Knows nothing of YARA.
import { sql } from 'kysely';
import { isOneOf, type ReadHandle, Repository } from '../repository-context.ts';

export interface RuleStatisticsRecord {
  name: string;
  rulesetId: number;
  rulesetName: string;
  /** Of the package that the ruleset came in; null: it is in none. */
  packageName: string | null;
  /** How many APKs it matches. */
  apks: number;
  /** Dismissals of its matches that hold for an APK, a signer or a library. */
  dismissals: number;
  /** The dismissal that holds for it everywhere. */
  quarantineId: number | null;
}

export type RuleStatisticsOrder = '-apks' | '-dismissals' | 'name';

export interface RuleStatisticsFilter {
  /** Rules of public rulesets and of this account's own. */
  readerId: number;
  /** Part of the name of the rule, its ruleset or its package, without regard to case; empty: any. */
  part: string;
  /** undefined: both. */
  isQuarantined: boolean | undefined;
}

export class RuleStatisticsRepository<Handle extends ReadHandle = ReadHandle> extends Repository<Handle> {
  /** The first rules in an order, and how many there are in all. */
  async list(
    filter: RuleStatisticsFilter,
    order: RuleStatisticsOrder,
    limit: number,
  ): Promise<{ count: number; rules: RuleStatisticsRecord[] }> {
    const { readerId, part, isQuarantined } = filter;
    const by = {
      '-apks': sql`counts.apks desc`,
      '-dismissals': sql`dismissals desc, counts.apks desc`,
      name: sql`counts.name`,
    };
    const wanted = part.toLowerCase();
    const { rows } = await sql<RuleStatisticsRecord & { count: number }>`
      with dismissed as (
        select ruleset_id, rule collate nocase as rule,
          sum(scope <> 'everywhere') as dismissals, max(iif(scope = 'everywhere', id, null)) as quarantine_id
        from dismissals where undone_at is null and ruleset_id is not null group by 1, 2
      )
      select counts.name, counts.ruleset_id as rulesetId, rulesets.name as rulesetName, rule_packages.name as packageName,
        counts.apks, coalesce(dismissed.dismissals, 0) as dismissals, dismissed.quarantine_id as quarantineId,
        count(*) over () as count
      from rule_counts as counts
      join rulesets on rulesets.id = counts.ruleset_id and (rulesets.is_public = 1 or rulesets.author_id = ${readerId})
      left join packaged_rulesets on packaged_rulesets.ruleset_id = counts.ruleset_id
      left join rule_packages on rule_packages.id = packaged_rulesets.package_id
      left join dismissed on dismissed.ruleset_id = counts.ruleset_id and dismissed.rule = counts.name
      where (${wanted} = '' or instr(lower(counts.name), ${wanted}) > 0 or instr(rulesets.folded_name, ${wanted}) > 0
          or instr(lower(rule_packages.name), ${wanted}) > 0)
        and (dismissed.quarantine_id is not null) = coalesce(${isQuarantined === undefined ? null : Number(isQuarantined)},
          dismissed.quarantine_id is not null)
      order by ${by[order]}, counts.name, counts.ruleset_id limit ${limit}`.execute(this.database);
    return { count: rows[0]?.count ?? 0, rules: rows.map(({ count: _, ...rule }) => rule) };
  }

  /** Those of these matches whose rules are all dismissed everywhere. */
  async quarantined(matchIds: readonly number[]): Promise<Set<number>> {
    const { rows } = await sql<{ id: number }>`select id from matches where ${isOneOf('matches.id', matchIds)}
      and not exists (select 1 from match_rules where match_id = matches.id and not exists (
        select 1 from dismissals where scope = 'everywhere' and undone_at is null
        and dismissals.ruleset_id = matches.ruleset_id and rule = match_rules.name))`.execute(this.database);
    return new Set(rows.map(({ id }) => id));
  }
}
