// Rulesets. Knows neither YARA nor who may change one; who may see one is part of its queries.
import { type Selectable, type SelectQueryBuilder, sql, type Updateable } from 'kysely';
import type { Database } from '../../schema/database.ts';
import type { RulesetsTable } from '../../schema/rules.ts';
import { countOf, type KeysetPage, type KeysetRequest, pageOf } from '../../sqlite/keyset-page.ts';
import { isOneOf, type ReadHandle, Repository, type WriteHandle } from '../repository-context.ts';
import { columnsOf, type RecordOf, recordOf } from '../table-record.ts';

export type SocialStatus = RulesetsTable['social_status'];

/** The latest error, kept after the state is `ok` again. */
export interface ScanError {
  code: string;
  message: string;
  /** Microseconds. */
  at: number;
}

/** A ruleset without its text, which may be large and is read separately. */
export type RulesetRecord = UncountedRuleset & { matchesCount: number; commentsCount: number };

export type UncountedRuleset = Omit<RecordOf<PlainColumns>, 'scanError'> & { scanError: ScanError | null };

export type RulesetFields = Pick<
  RecordOf<RulesetsTable>,
  'name' | 'rules' | 'rulesCount' | 'isEnabled' | 'isPublic' | 'isNotifier' | 'socialStatus' | 'activeSince' | 'version'
>;

/** Its state in analyses. */
export type ScanCondition = Pick<RulesetRecord, 'scanState' | 'scanError' | 'trouble'>;

export interface RulesetFilter {
  /** Public rulesets and this account's own; null: public ones alone. */
  readerId: number | null;
  authorId?: number | undefined;
  /** Only this account's, in addition to `authorId`. */
  ownerId?: number | undefined;
  isEnabled?: boolean | undefined;
  isPublic?: boolean | undefined;
  socialStatus?: SocialStatus | undefined;
  /** Both case-insensitive. */
  name?: string | undefined;
  namePart?: string | undefined;
  /** Of the name or the text; in the text letters beyond ASCII have their case. */
  part?: string | undefined;
  /** Name of the package that it came in. */
  packageName?: string | undefined;
}

const plainColumns = [
  'rulesets.id',
  'rulesets.author_id',
  'rulesets.name',
  'rulesets.rules_count',
  'rulesets.is_enabled',
  'rulesets.is_public',
  'rulesets.is_notifier',
  'rulesets.social_status',
  'rulesets.active_since',
  'rulesets.version',
  'rulesets.scan_state',
  'rulesets.scan_error',
  'rulesets.trouble',
  'rulesets.created_at',
  'rulesets.updated_at',
] as const;

type PlainColumns = Omit<RulesetsTable, 'rules' | 'folded_name'>;
type Row = Selectable<PlainColumns> & { matches_count: number; comments_count: number };

const fold = (name: string): string => name.toLowerCase();

const withScanError = <Record extends { scanError: string | null }>(record: Record) => ({
  ...record,
  scanError: record.scanError === null ? null : (JSON.parse(record.scanError) as ScanError),
});
const toRecord = (row: Row): RulesetRecord => withScanError(recordOf(row));

const toColumns = (fields: Partial<RulesetFields>): Updateable<RulesetsTable> => ({
  ...columnsOf<RulesetsTable>(fields),
  ...(fields.name === undefined ? {} : { folded_name: fold(fields.name) }),
});

export class RulesetRepository<Handle extends ReadHandle = ReadHandle> extends Repository<Handle> {
  /** @returns its id */
  async insert(
    this: RulesetRepository<WriteHandle>,
    authorId: number,
    fields: Omit<RulesetFields, 'version'>,
  ): Promise<number> {
    const now = this.clock();
    const { id } = await this.database
      .insertInto('rulesets')
      .values({ author_id: authorId, ...toColumns(fields), created_at: now, updated_at: now } as never)
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  /** The ruleset, null where there is none. */
  async findById(id: number): Promise<RulesetRecord | null> {
    return (await this.findByIds([id])).get(id) ?? null;
  }

  /** Those of these rulesets that exist, by id. */
  async findByIds(ids: readonly number[]): Promise<Map<number, RulesetRecord>> {
    if (ids.length === 0) return new Map();
    const found = this.database.selectFrom('rulesets').where(isOneOf('rulesets.id', ids));
    const rows = await this.#selected(found).execute();
    return new Map(rows.map((row) => [row.id, toRecord(row)]));
  }

  /** Records without their counts, which need a query of the matches of each. */
  async findUncounted(ids: readonly number[]): Promise<Map<number, UncountedRuleset>> {
    if (ids.length === 0) return new Map();
    const rows = await this.database
      .selectFrom('rulesets')
      .select(plainColumns)
      .where(isOneOf('rulesets.id', ids))
      .execute();
    return new Map(rows.map((row) => [row.id, withScanError(recordOf(row))]));
  }

  /** The latest text of a ruleset. */
  async readRules(id: number): Promise<string> {
    const row = await this.database.selectFrom('rulesets').select('rules').where('id', '=', id).executeTakeFirst();
    return row?.rules ?? '';
  }

  /** Rulesets that the filter lets through, newest first. */
  async page({ filter, ...request }: { filter: RulesetFilter } & KeysetRequest): Promise<KeysetPage<RulesetRecord>> {
    return pageOf(this.#selected(this.#filtered(filter)), request, 'rulesets.id', toRecord);
  }

  /** A page by its number. Newest first. */
  async list({ filter, offset, limit }: { filter: RulesetFilter; offset: number; limit: number }) {
    const query = this.#filtered(filter).orderBy('rulesets.id', 'desc').limit(limit).offset(offset);
    return (await this.#selected(query).execute()).map(toRecord);
  }

  /** How many rulesets the filter lets through. */
  async count(filter: RulesetFilter): Promise<number> {
    return countOf(this.#filtered(filter));
  }

  /** How many enabled rulesets an account has, and how many characters of rules they have together. */
  async activeTotals(authorId: number): Promise<{ count: number; length: number }> {
    const { count, length } = await this.database
      .selectFrom('rulesets')
      .innerJoin('ruleset_versions', (join) =>
        join
          .onRef('ruleset_versions.ruleset_id', '=', 'rulesets.id')
          .onRef('ruleset_versions.version', '=', 'rulesets.version'),
      )
      .where('rulesets.author_id', '=', authorId)
      .where('rulesets.is_enabled', '=', 1)
      .select(({ fn }) => [fn.countAll<number>().as('count'), fn.sum<number | null>('length').as('length')])
      .executeTakeFirstOrThrow();
    return { count, length: length ?? 0 };
  }

  /** Changes the given fields. */
  async update(this: RulesetRepository<WriteHandle>, id: number, changes: Partial<RulesetFields>): Promise<void> {
    await this.database
      .updateTable('rulesets')
      .set({ ...toColumns(changes), updated_at: this.clock() })
      .where('id', '=', id)
      .execute();
  }

  /** Updates its state in analyses; does not count as a change of the ruleset. */
  async noteCondition(
    this: RulesetRepository<WriteHandle>,
    id: number,
    { scanState, scanError, trouble }: ScanCondition,
  ): Promise<void> {
    const error = scanError === null ? null : JSON.stringify(scanError);
    await this.database
      .updateTable('rulesets')
      .set({ scan_state: scanState, scan_error: error, trouble })
      .where('id', '=', id)
      .execute();
  }

  /** Deletes it with its comments, matches and detections. @returns whether it was there */
  async remove(this: RulesetRepository<WriteHandle>, id: number): Promise<boolean> {
    const result = await this.database.deleteFrom('rulesets').where('id', '=', id).executeTakeFirst();
    return result.numDeletedRows > 0n;
  }

  #selected(query: SelectQueryBuilder<Database, 'rulesets', object>) {
    return query
      .select(plainColumns)
      .select([
        sql<number>`(select count(*) from matches where matches.ruleset_id = rulesets.id)`.as('matches_count'),
        sql<number>`(select count(*) from comments where comments.ruleset_id = rulesets.id)`.as('comments_count'),
      ]);
  }

  #filtered(filter: RulesetFilter): SelectQueryBuilder<Database, 'rulesets', object> {
    const { readerId, authorId, ownerId, isEnabled, isPublic, socialStatus, name, namePart, part, packageName } =
      filter;
    let query = this.database
      .selectFrom('rulesets')
      .where(({ or, eb }) => or([eb('rulesets.is_public', '=', 1), eb('rulesets.author_id', '=', readerId ?? 0)]));
    if (authorId !== undefined) query = query.where('rulesets.author_id', '=', authorId);
    if (ownerId !== undefined) query = query.where('rulesets.author_id', '=', ownerId);
    if (isEnabled !== undefined) query = query.where('rulesets.is_enabled', '=', Number(isEnabled));
    if (isPublic !== undefined) query = query.where('rulesets.is_public', '=', Number(isPublic));
    if (socialStatus !== undefined) query = query.where('rulesets.social_status', '=', socialStatus);
    if (name !== undefined) query = query.where('rulesets.folded_name', '=', fold(name));
    if (packageName !== undefined) {
      query = query.where(
        'rulesets.id',
        'in',
        this.database
          .selectFrom('packaged_rulesets')
          .innerJoin('rule_packages', 'rule_packages.id', 'packaged_rulesets.package_id')
          .where('rule_packages.name', '=', packageName)
          .select('packaged_rulesets.ruleset_id'),
      );
    }
    if (namePart !== undefined) {
      query = query.where(sql<boolean>`instr(rulesets.folded_name, ${fold(namePart)}) > 0`);
    }
    if (part !== undefined) {
      const folded = fold(part);
      query = query.where(
        sql<boolean>`(instr(rulesets.folded_name, ${folded}) > 0 or instr(lower(rulesets.rules), ${folded}) > 0)`,
      );
    }
    return query;
  }
}
