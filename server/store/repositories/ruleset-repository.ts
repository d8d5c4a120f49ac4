// Rulesets. Knows neither YARA nor who may change one; who may see one is part of its queries.
import { type Selectable, type SelectQueryBuilder, sql, type Updateable } from 'kysely';
import type { Database, RulesetsTable } from '../schema.ts';
import { type KeysetPage, type KeysetRequest, keysetPage } from '../sqlite/keyset-page.ts';
import { isOneOf, type ReadHandle, Repository, type WriteHandle } from './repository-context.ts';

export type SocialStatus = RulesetsTable['social_status'];
export type ScanState = Selectable<RulesetsTable>['scan_state'];

/** Why a ruleset's state is, or was, not `ok`. */
export interface ScanError {
  code: string;
  message: string;
  /** Microseconds. */
  at: number;
}

/** All of a ruleset but its text, which may be large and is read by itself. */
export interface RulesetRecord {
  id: number;
  authorId: number;
  name: string;
  rulesCount: number;
  isEnabled: boolean;
  isPublic: boolean;
  isNotifier: boolean;
  socialStatus: SocialStatus;
  /** From when on analyses use these rules, microseconds; null while it is disabled. */
  activeSince: number | null;
  /** Of its text, counted from 1. */
  version: number;
  scanState: ScanState;
  scanError: ScanError | null;
  /** How much trouble it made in the last analyses; falls with each that went well. */
  trouble: number;
  createdAt: number;
  updatedAt: number;
  matchesCount: number;
  commentsCount: number;
}

export type UncountedRuleset = Omit<RulesetRecord, 'matchesCount' | 'commentsCount'>;

export interface RulesetFields {
  name: string;
  rules: string;
  rulesCount: number;
  isEnabled: boolean;
  isPublic: boolean;
  isNotifier: boolean;
  socialStatus: SocialStatus;
  activeSince: number | null;
  version: number;
}

/** How it does in analyses. */
export type ScanCondition = Pick<RulesetRecord, 'scanState' | 'scanError' | 'trouble'>;

export interface RulesetFilter {
  /** Public ones and this account's own; null: public ones alone. */
  readerId: number | null;
  authorId?: number | undefined;
  /** Only this account's, where `authorId` asks for another's besides. */
  ownerId?: number | undefined;
  isEnabled?: boolean | undefined;
  isPublic?: boolean | undefined;
  socialStatus?: SocialStatus | undefined;
  /** Both without regard to case. */
  name?: string | undefined;
  namePart?: string | undefined;
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

type Row = Omit<Selectable<RulesetsTable>, 'rules' | 'folded_name'> & {
  matches_count: number;
  comments_count: number;
};

const fold = (name: string): string => name.toLowerCase();

const toRecord = (row: Row): RulesetRecord => ({
  ...toUncounted(row),
  matchesCount: row.matches_count,
  commentsCount: row.comments_count,
});

function toUncounted(row: Omit<Row, 'matches_count' | 'comments_count'>): UncountedRuleset {
  return {
    id: row.id,
    authorId: row.author_id,
    name: row.name,
    rulesCount: row.rules_count,
    isEnabled: row.is_enabled === 1,
    isPublic: row.is_public === 1,
    isNotifier: row.is_notifier === 1,
    socialStatus: row.social_status,
    activeSince: row.active_since,
    version: row.version,
    scanState: row.scan_state,
    scanError: row.scan_error === null ? null : (JSON.parse(row.scan_error) as ScanError),
    trouble: row.trouble,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

function toColumns(fields: Partial<RulesetFields>): Updateable<RulesetsTable> {
  const columns: Updateable<RulesetsTable> = {};
  if (fields.name !== undefined) Object.assign(columns, { name: fields.name, folded_name: fold(fields.name) });
  if (fields.rules !== undefined) columns.rules = fields.rules;
  if (fields.rulesCount !== undefined) columns.rules_count = fields.rulesCount;
  if (fields.isEnabled !== undefined) columns.is_enabled = Number(fields.isEnabled);
  if (fields.isPublic !== undefined) columns.is_public = Number(fields.isPublic);
  if (fields.isNotifier !== undefined) columns.is_notifier = Number(fields.isNotifier);
  if (fields.socialStatus !== undefined) columns.social_status = fields.socialStatus;
  if (fields.activeSince !== undefined) columns.active_since = fields.activeSince;
  if (fields.version !== undefined) columns.version = fields.version;
  return columns;
}

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
    const rows = await this.#selected(this.database.selectFrom('rulesets').where(isOneOf('rulesets.id', ids)));
    return new Map(rows.map((row) => [row.id, toRecord(row)]));
  }

  /** Records without their counts, which cost a look into the matches of each. */
  async findUncounted(ids: readonly number[]): Promise<Map<number, UncountedRuleset>> {
    if (ids.length === 0) return new Map();
    const rows = await this.database
      .selectFrom('rulesets')
      .select(plainColumns)
      .where(isOneOf('rulesets.id', ids))
      .execute();
    return new Map(rows.map((row) => [row.id, toUncounted(row)]));
  }

  /** The text of a ruleset as it was saved last. */
  async readRules(id: number): Promise<string> {
    const row = await this.database.selectFrom('rulesets').select('rules').where('id', '=', id).executeTakeFirst();
    return row?.rules ?? '';
  }

  /** Rulesets that the filter lets through, newest first. */
  async page({ filter, ...request }: { filter: RulesetFilter } & KeysetRequest): Promise<KeysetPage<RulesetRecord>> {
    const { rows, ...ends } = await keysetPage(request, ({ direction, beyond, limit }) => {
      let query = this.#filtered(filter).orderBy('rulesets.id', direction).limit(limit);
      if (beyond !== null) query = query.where('rulesets.id', direction === 'asc' ? '>' : '<', beyond);
      return this.#selected(query);
    });
    return { ...ends, rows: rows.map(toRecord) };
  }

  /** A page by its number. Newest first. */
  async list({ filter, offset, limit }: { filter: RulesetFilter; offset: number; limit: number }) {
    const query = this.#filtered(filter).orderBy('rulesets.id', 'desc').limit(limit).offset(offset);
    return (await this.#selected(query)).map(toRecord);
  }

  /** How many rulesets the filter lets through. */
  async count(filter: RulesetFilter): Promise<number> {
    const { count } = await this.#filtered(filter)
      .select((all) => all.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return count;
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

  /** Changes what is given. */
  async update(this: RulesetRepository<WriteHandle>, id: number, changes: Partial<RulesetFields>): Promise<void> {
    await this.database
      .updateTable('rulesets')
      .set({ ...toColumns(changes), updated_at: this.clock() })
      .where('id', '=', id)
      .execute();
  }

  /** Notes how it does in analyses; nobody has changed it. */
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

  #selected(query: SelectQueryBuilder<Database, 'rulesets', object>): Promise<Row[]> {
    return query
      .select(plainColumns)
      .select([
        sql<number>`(select count(*) from matches where matches.ruleset_id = rulesets.id)`.as('matches_count'),
        sql<number>`(select count(*) from comments where comments.ruleset_id = rulesets.id)`.as('comments_count'),
      ])
      .execute();
  }

  #filtered(filter: RulesetFilter): SelectQueryBuilder<Database, 'rulesets', object> {
    const { readerId, authorId, ownerId, isEnabled, isPublic, socialStatus, name, namePart } = filter;
    let query = this.database
      .selectFrom('rulesets')
      .where(({ or, eb }) => or([eb('rulesets.is_public', '=', 1), eb('rulesets.author_id', '=', readerId ?? 0)]));
    if (authorId !== undefined) query = query.where('rulesets.author_id', '=', authorId);
    if (ownerId !== undefined) query = query.where('rulesets.author_id', '=', ownerId);
    if (isEnabled !== undefined) query = query.where('rulesets.is_enabled', '=', Number(isEnabled));
    if (isPublic !== undefined) query = query.where('rulesets.is_public', '=', Number(isPublic));
    if (socialStatus !== undefined) query = query.where('rulesets.social_status', '=', socialStatus);
    if (name !== undefined) query = query.where('rulesets.folded_name', '=', fold(name));
    if (namePart !== undefined) {
      query = query.where(sql<boolean>`instr(rulesets.folded_name, ${fold(namePart)}) > 0`);
    }
    return query;
  }
}
