// Retrohunts: their progress, matches and failures. Knows neither YARA nor permissions.
import { type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import type { Database } from '../../schema/database.ts';
import type {
  RetrohuntFailuresTable,
  RetrohuntMatchesTable,
  RetrohuntRulesetsTable,
  RetrohuntsTable,
} from '../../schema/rules.ts';
import { countOf, type KeysetPage, type KeysetRequest, pageOf } from '../../sqlite/keyset-page.ts';
import { type ReadHandle, Repository, type WriteHandle } from '../repository-context.ts';
import { type RecordOf, recordOf } from '../table-record.ts';

export type RetrohuntRecord = Omit<RecordOf<RetrohuntsTable>, 'jobId' | 'ahead'> & {
  jobId: number;
  ahead: readonly number[];
};

export type HuntedRulesetStatus = RetrohuntRulesetsTable['status'];

/** A ruleset of a hunt. */
export type HuntedRulesetRecord = RecordOf<RetrohuntRulesetsTable>;

export interface NewRetrohunt {
  accountId: number;
  search: string;
  /** The hunt begins below this id. */
  place: number;
  apksCount: number;
  rulesets: readonly Pick<HuntedRulesetRecord, 'rulesetId' | 'version'>[];
}

export interface RetrohuntFilter {
  /** Only hunts of this account. */
  accountId: number;
  /** Only hunts with this ruleset. */
  rulesetId?: number | undefined;
}

/** How far a hunt has come. */
export interface HuntProgress {
  place: number;
  ahead: readonly number[];
  /** At the place and above. */
  passed: number;
}

/** Result of scanning one APK. */
export interface HuntStep extends HuntProgress {
  apkId: number;
  failure: { code: string; message: string } | null;
  matches: readonly { rulesetId: number; matchId: number; isNew: boolean; isChanged: boolean }[];
  /** Rulesets that did not run to their end. */
  unfinished: readonly number[];
}

export type HuntedMatch = RecordOf<Pick<RetrohuntMatchesTable, 'id' | 'match_id' | 'is_new'>>;

export type HuntFailure = RecordOf<RetrohuntFailuresTable>;

const toRecord = (row: Selectable<RetrohuntsTable>): RetrohuntRecord => ({
  ...recordOf(row),
  jobId: row.job_id ?? 0,
  ahead: JSON.parse(row.ahead) as number[],
});

const columnsOf = ({ place, ahead, passed }: HuntProgress) => ({
  place,
  ahead: JSON.stringify(ahead),
  passed_count: passed,
});

export class RetrohuntRepository<Handle extends ReadHandle = ReadHandle> extends Repository<Handle> {
  /** Call it in a transaction, which also sets its job. @returns its id */
  async insert(
    this: RetrohuntRepository<WriteHandle>,
    { accountId, search, place, apksCount, rulesets }: NewRetrohunt,
  ): Promise<number> {
    const { id } = await this.database
      .insertInto('retrohunts')
      .values({
        job_id: null,
        account_id: accountId,
        search,
        place,
        ahead: '[]',
        apks_count: apksCount,
        created_at: this.clock(),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    for (const { rulesetId, version } of rulesets) {
      await this.database
        .insertInto('retrohunt_rulesets')
        .values({ retrohunt_id: id, ruleset_id: rulesetId, version, status: 'hunting' })
        .execute();
    }
    return id;
  }

  /** Sets the job that performs a hunt. */
  async setJob(this: RetrohuntRepository<WriteHandle>, id: number, jobId: number): Promise<void> {
    await this.database.updateTable('retrohunts').set({ job_id: jobId }).where('id', '=', id).execute();
  }

  /** The hunt, null where there is none. */
  async find(id: number): Promise<RetrohuntRecord | null> {
    const row = await this.database.selectFrom('retrohunts').selectAll().where('id', '=', id).executeTakeFirst();
    return row === undefined ? null : toRecord(row);
  }

  /** Its rulesets, without deleted ones. */
  async rulesets(id: number): Promise<HuntedRulesetRecord[]> {
    const rows = await this.database
      .selectFrom('retrohunt_rulesets')
      .selectAll()
      .where('retrohunt_id', '=', id)
      .orderBy('ruleset_id')
      .execute();
    return rows.map(recordOf);
  }

  /** Newest first. */
  async page({
    filter,
    ...request
  }: { filter: RetrohuntFilter } & KeysetRequest): Promise<KeysetPage<RetrohuntRecord>> {
    return pageOf(this.#filtered(filter).selectAll(), request, 'id', toRecord);
  }

  /** How many hunts the filter lets through. */
  async count(filter: RetrohuntFilter): Promise<number> {
    return countOf(this.#filtered(filter));
  }

  #filtered({ accountId, rulesetId }: RetrohuntFilter): SelectQueryBuilder<Database, 'retrohunts', object> {
    const query = this.database.selectFrom('retrohunts').where('account_id', '=', accountId);
    if (rulesetId === undefined) return query;
    return query.where('id', 'in', ({ selectFrom }) =>
      selectFrom('retrohunt_rulesets').select('retrohunt_id').where('ruleset_id', '=', rulesetId),
    );
  }

  /** Records the result of one APK. Call it in the transaction that writes the matches. */
  async advance(
    this: RetrohuntRepository<WriteHandle>,
    id: number,
    { apkId, failure, matches, unfinished, ...progress }: HuntStep,
  ): Promise<void> {
    await this.database
      .updateTable('retrohunts')
      .set({
        ...columnsOf(progress),
        scanned_count: sql<number>`scanned_count + 1`,
        failed_count: sql<number>`failed_count + ${failure === null ? 0 : 1}`,
        unfinished_count: sql<number>`unfinished_count + ${unfinished.length === 0 ? 0 : 1}`,
      })
      .where('id', '=', id)
      .execute();
    if (failure !== null) {
      await this.database
        .insertInto('retrohunt_failures')
        .values({ retrohunt_id: id, apk_id: apkId, ...failure, created_at: this.clock() })
        .execute();
    }
    for (const { rulesetId, matchId, isNew, isChanged } of matches) {
      await this.database
        .insertInto('retrohunt_matches')
        .values({ retrohunt_id: id, match_id: matchId, is_new: Number(isNew) })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      await this.database
        .updateTable('retrohunt_rulesets')
        .set({
          matches_count: sql<number>`matches_count + 1`,
          new_matches_count: sql<number>`new_matches_count + ${Number(isNew)}`,
          changed_matches_count: sql<number>`changed_matches_count + ${Number(isChanged)}`,
        })
        .where('retrohunt_id', '=', id)
        .where('ruleset_id', '=', rulesetId)
        .execute();
    }
    for (const rulesetId of unfinished) {
      await this.database
        .updateTable('retrohunt_rulesets')
        .set({ unfinished_count: sql<number>`unfinished_count + 1` })
        .where('retrohunt_id', '=', id)
        .where('ruleset_id', '=', rulesetId)
        .execute();
    }
  }

  /** Records how far a hunt has come without scanning anything. */
  async moveOn(this: RetrohuntRepository<WriteHandle>, id: number, progress: HuntProgress): Promise<void> {
    await this.database.updateTable('retrohunts').set(columnsOf(progress)).where('id', '=', id).execute();
  }

  /** Ends the hunt for one ruleset, or for all of them. */
  async endRuleset(
    this: RetrohuntRepository<WriteHandle>,
    id: number,
    rulesetId: number | null,
    status: HuntedRulesetStatus,
  ): Promise<void> {
    let query = this.database
      .updateTable('retrohunt_rulesets')
      .set({ status })
      .where('retrohunt_id', '=', id)
      .where('status', '=', 'hunting');
    if (rulesetId !== null) query = query.where('ruleset_id', '=', rulesetId);
    await query.execute();
  }

  /** Matches of these rulesets that a hunt found, the latest first. */
  async matchesPage(
    id: number,
    rulesetIds: readonly number[],
    request: KeysetRequest,
  ): Promise<KeysetPage<HuntedMatch>> {
    const found = this.#matches(id, rulesetIds).select(['retrohunt_matches.id', 'match_id', 'is_new']);
    return pageOf(found, request, 'retrohunt_matches.id', recordOf);
  }

  /** How many matches of these rulesets a hunt found. */
  async matchesCount(id: number, rulesetIds: readonly number[]): Promise<number> {
    return countOf(this.#matches(id, rulesetIds));
  }

  #matches(id: number, rulesetIds: readonly number[]) {
    return this.database
      .selectFrom('retrohunt_matches')
      .innerJoin('matches', 'matches.id', 'retrohunt_matches.match_id')
      .where('retrohunt_matches.retrohunt_id', '=', id)
      .where(sql<boolean>`matches.ruleset_id in (select value from json_each(${JSON.stringify(rulesetIds)}))`);
  }

  /** APKs that a hunt could not scan, the latest first. */
  async failuresPage(id: number, request: KeysetRequest): Promise<KeysetPage<HuntFailure>> {
    const failures = this.database.selectFrom('retrohunt_failures').selectAll().where('retrohunt_id', '=', id);
    return pageOf(failures, request, 'id', recordOf);
  }

  /** How many APKs a hunt could not scan. */
  async failuresCount(id: number): Promise<number> {
    return countOf(this.database.selectFrom('retrohunt_failures').where('retrohunt_id', '=', id));
  }
}
