// Matches of rulesets on APKs, one per pair. Knows nothing of YARA; who may see one is part of its queries.
import { type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import { onceOfApk, type RuleMatch } from '../../../contract/engine/yara.ts';
import type { Database } from '../../schema/database.ts';
import type { MatchesTable } from '../../schema/rules.ts';
import { countOf, type KeysetPage, type KeysetRequest, pageOf } from '../../sqlite/keyset-page.ts';
import { isOneOf, type ReadHandle, Repository, type WriteHandle } from '../repository-context.ts';
import { type RecordOf, recordOf } from '../table-record.ts';

/** A rule that matched, as the API shows it. */
export type MatchedRule = RuleMatch;

export type MatchRecord = Omit<RecordOf<MatchesTable>, 'rules'> & { rules: MatchedRule[] };

/** Matches on an APK as far as `readerId` may see their rulesets, or those of a ruleset. */
export type MatchFilter = { apkId: number; readerId: number; rulesetId?: undefined } | { rulesetId: number };

/** Absent in older matches: in how many files the rule matched. */
type StoredRule = Omit<MatchedRule, 'files_count'> & Partial<Pick<MatchedRule, 'files_count'>>;

function withFilesCounted(rules: readonly StoredRule[]): MatchedRule[] {
  const files = new Map<string, number>();
  for (const { name } of rules) files.set(name, (files.get(name) ?? 0) + 1);
  return rules.map((rule) => ({ ...rule, files_count: rule.files_count ?? files.get(rule.name)! }));
}

/** The rules without that number, and those of the APK once, so that neither's arrival counts as a new match. */
const comparable = (rules: readonly StoredRule[]): string =>
  JSON.stringify(onceOfApk(rules).map(({ files_count: _files, is_of_apk: _isOfApk, ...rule }) => rule));

const toRecord = (row: Selectable<MatchesTable>): MatchRecord => ({
  ...recordOf(row),
  rules: withFilesCounted(JSON.parse(row.rules) as StoredRule[]),
});

/** Distinct names of rules. */
export const ruleNames = (rules: readonly MatchedRule[]): string[] => [...new Set(rules.map(({ name }) => name))];

export class MatchRepository<Handle extends ReadHandle = ReadHandle> extends Repository<Handle> {
  /** Inserts or updates the match of an APK and a ruleset. */
  async save(
    this: MatchRepository<WriteHandle>,
    apkId: number,
    rulesetId: number,
    rules: readonly MatchedRule[],
    rulesCount = rules.length,
  ): Promise<{ match: MatchRecord; isNew: boolean; isChanged: boolean }> {
    const now = this.clock();
    const changes = { rules: JSON.stringify(rules), rules_count: rulesCount, updated_at: now };
    const known = await this.database
      .selectFrom('matches')
      .select(['id', 'rules'])
      .where('apk_id', '=', apkId)
      .where('ruleset_id', '=', rulesetId)
      .executeTakeFirst();
    const row =
      known === undefined
        ? await this.database
            .insertInto('matches')
            .values({ apk_id: apkId, ruleset_id: rulesetId, ...changes, created_at: now })
            .returningAll()
            .executeTakeFirstOrThrow()
        : await this.database
            .updateTable('matches')
            .set(changes)
            .where('id', '=', known.id)
            .returningAll()
            .executeTakeFirstOrThrow();
    const isChanged = known !== undefined && comparable(JSON.parse(known.rules) as StoredRule[]) !== comparable(rules);
    if (known === undefined || isChanged) await this.#saveNames(row.id, rules);
    return { match: toRecord(row), isNew: known === undefined, isChanged };
  }

  async #saveNames(this: MatchRepository<WriteHandle>, matchId: number, rules: readonly MatchedRule[]): Promise<void> {
    await this.database.deleteFrom('match_rules').where('match_id', '=', matchId).execute();
    for (const name of ruleNames(rules)) {
      await this.database
        .insertInto('match_rules')
        .values({ match_id: matchId, name })
        // Names are case-sensitive in YARA, but not in the index of names.
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
  }

  /** Those of these rulesets that match an APK. */
  async rulesetsOn(apkId: number, rulesetIds: readonly number[]): Promise<number[]> {
    const rows = await this.database
      .selectFrom('matches')
      .select('ruleset_id')
      .where('apk_id', '=', apkId)
      .where(isOneOf('ruleset_id', rulesetIds))
      .execute();
    return rows.map((row) => row.ruleset_id);
  }

  /** Those of some APKs that any of these rulesets matches. */
  async apksWith(rulesetIds: readonly number[], apkIds: readonly number[]): Promise<Set<number>> {
    const rows = await this.database
      .selectFrom('matches')
      .select('apk_id')
      .distinct()
      .where(isOneOf('apk_id', apkIds))
      .where(isOneOf('ruleset_id', rulesetIds))
      .execute();
    return new Set(rows.map((row) => row.apk_id));
  }

  /** Deletes the match of an APK and a ruleset. */
  async remove(this: MatchRepository<WriteHandle>, apkId: number, rulesetId: number): Promise<void> {
    await this.database.deleteFrom('matches').where('apk_id', '=', apkId).where('ruleset_id', '=', rulesetId).execute();
  }

  /** The match, null where there is none. */
  async findById(id: number): Promise<MatchRecord | null> {
    const row = await this.database.selectFrom('matches').selectAll().where('id', '=', id).executeTakeFirst();
    return row === undefined ? null : toRecord(row);
  }

  /** Those of these matches that exist, by id. */
  async findByIds(ids: readonly number[]): Promise<Map<number, MatchRecord>> {
    if (ids.length === 0) return new Map();
    const rows = await this.database.selectFrom('matches').selectAll().where(isOneOf('id', ids)).execute();
    return new Map(rows.map((row) => [row.id, toRecord(row)]));
  }

  /** How many distinct rules each of these matches has, by id. */
  async countRules(ids: readonly number[]): Promise<Map<number, number>> {
    if (ids.length === 0) return new Map();
    const { rows } = await sql<{ id: number; count: number }>`select id,
      (select count(distinct value ->> 'name') from json_each(matches.rules)) as count
      from matches where ${isOneOf('id', ids)}`.execute(this.database);
    return new Map(rows.map(({ id, count }) => [id, count]));
  }

  /** Matches that the filter lets through, newest first. */
  async page({ filter, ...request }: { filter: MatchFilter } & KeysetRequest): Promise<KeysetPage<MatchRecord>> {
    return pageOf(this.#filtered(filter).selectAll('matches'), request, 'matches.id', toRecord);
  }

  /** How many matches the filter lets through. */
  async count(filter: MatchFilter): Promise<number> {
    return countOf(this.#filtered(filter));
  }

  /** Matches of an account's own private rulesets by APK, which `matches_count` leaves out. */
  async countPrivate(accountId: number, apkIds: readonly number[]): Promise<Map<number, number>> {
    if (apkIds.length === 0) return new Map();
    const rows = await this.database
      .selectFrom('matches')
      .innerJoin('rulesets', 'rulesets.id', 'matches.ruleset_id')
      .select((all) => ['matches.apk_id', all.fn.countAll<number>().as('count')])
      .where(isOneOf('matches.apk_id', apkIds))
      .where('rulesets.author_id', '=', accountId)
      .where('rulesets.is_public', '=', 0)
      .groupBy('matches.apk_id')
      .execute();
    return new Map(rows.map((row) => [row.apk_id, row.count]));
  }

  /** The first matches of public rulesets on an APK. */
  async ofPublicRulesets(apkId: number, limit: number) {
    const rows = await this.database
      .selectFrom('matches')
      .innerJoin('rulesets', 'rulesets.id', 'matches.ruleset_id')
      .selectAll('matches')
      .select(['rulesets.name as ruleset_name', 'rulesets.social_status'])
      .where('matches.apk_id', '=', apkId)
      .where('rulesets.is_public', '=', 1)
      .orderBy('matches.id')
      .limit(limit)
      .execute();
    return rows.map(({ ruleset_name: ruleset, social_status: social, ...row }) => ({
      ...toRecord(row),
      ruleset,
      isSocial: social === 'accepted',
    }));
  }

  #filtered(filter: MatchFilter): SelectQueryBuilder<Database, 'matches', object> {
    const query = this.database.selectFrom('matches');
    if (filter.rulesetId !== undefined) return query.where('matches.ruleset_id', '=', filter.rulesetId);
    return query.where('matches.apk_id', '=', filter.apkId).where(
      sql<boolean>`exists (
        select 1 from rulesets
        where rulesets.id = matches.ruleset_id and (rulesets.is_public = 1 or rulesets.author_id = ${filter.readerId})
      )`,
    );
  }
}
