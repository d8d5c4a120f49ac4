// Every saved text of each ruleset, compressed, and which of them analyses use. Knows nothing of YARA.
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { type SelectQueryBuilder, sql } from 'kysely';
import type { Database } from '../../schema/database.ts';
import type { RulesetVersionsTable } from '../../schema/rules.ts';
import { countOf, type KeysetPage, type KeysetRequest, pageOf } from '../../sqlite/keyset-page.ts';
import { type ReadHandle, Repository, type WriteHandle } from '../repository-context.ts';
import { type RecordOf, recordOf } from '../table-record.ts';

/** A version without its text. */
export type RulesetVersionRecord = RecordOf<Omit<RulesetVersionsTable, 'rules'>>;

export interface NewRulesetVersion extends Omit<RulesetVersionRecord, 'id' | 'createdAt' | 'length'> {
  text: RulesetVersionText;
}

/** A compressed text. */
export interface RulesetVersionText {
  compressed: Uint8Array;
  length: number;
}

/** A version that analyses use. */
export interface VersionInUse {
  rulesetId: number;
  version: number;
  usesDynamic: boolean;
  /** The author whose share of scanning time it uses; null: the owner's ruleset, which is not limited. */
  sharer: number | null;
}

export interface RulesetVersionFilter {
  rulesetId: number;
  /** Only this version, and versions that were saved while the ruleset was public. */
  publicOr?: number | undefined;
}

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);
/** Bytes of UTF-8 for each UTF-16 code unit, at most. */
const maxBytesPerUnit = 3;

/** Compresses a text before the transaction that stores it. */
export const prepareRulesText = async (rules: string): Promise<RulesetVersionText> => ({
  compressed: await compress(rules),
  length: rules.length,
});

const plainColumns = [
  'id',
  'ruleset_id',
  'version',
  'author_id',
  'length',
  'rules_count',
  'uses_dynamic',
  'was_public',
  'active_since',
  'created_at',
] as const;

export class RulesetVersionRepository<Handle extends ReadHandle = ReadHandle> extends Repository<Handle> {
  /** Stores a further version of a ruleset with its text. */
  async insert(this: RulesetVersionRepository<WriteHandle>, { text, ...version }: NewRulesetVersion): Promise<void> {
    await this.database
      .insertInto('ruleset_versions')
      .values({
        ruleset_id: version.rulesetId,
        version: version.version,
        author_id: version.authorId,
        rules_count: version.rulesCount,
        uses_dynamic: Number(version.usesDynamic),
        was_public: Number(version.wasPublic),
        active_since: version.activeSince,
        rules: text.compressed,
        length: text.length,
        created_at: this.clock(),
      })
      .execute();
  }

  /** The version, null where there is none. */
  async find(rulesetId: number, version: number): Promise<RulesetVersionRecord | null> {
    const row = await this.database
      .selectFrom('ruleset_versions')
      .select(plainColumns)
      .where('ruleset_id', '=', rulesetId)
      .where('version', '=', version)
      .executeTakeFirst();
    return row === undefined ? null : recordOf(row);
  }

  /** The text of a version, null where there is none. */
  async readRules(rulesetId: number, version: number): Promise<string | null> {
    const row = await this.database
      .selectFrom('ruleset_versions')
      .select(['rules', 'length'])
      .where('ruleset_id', '=', rulesetId)
      .where('version', '=', version)
      .executeTakeFirst();
    if (row === undefined) return null;
    const maxOutputLength = Math.max(1, row.length * maxBytesPerUnit);
    return (await decompress(row.rules, { maxOutputLength })).toString();
  }

  /** Newest first. */
  async page({
    filter,
    ...request
  }: { filter: RulesetVersionFilter } & KeysetRequest): Promise<KeysetPage<RulesetVersionRecord>> {
    return pageOf(this.#filtered(filter).select(plainColumns), request, 'id', recordOf);
  }

  /** How many versions the filter lets through. */
  async count(filter: RulesetVersionFilter): Promise<number> {
    return countOf(this.#filtered(filter));
  }

  /** Sets the time from which a version is used; older ones are used until then. */
  async activate(
    this: RulesetVersionRepository<WriteHandle>,
    rulesetId: number,
    version: number,
    activeSince: number,
  ): Promise<void> {
    await this.database
      .updateTable('ruleset_versions')
      .set({ active_since: activeSince })
      .where('ruleset_id', '=', rulesetId)
      .where('version', '=', version)
      .execute();
  }

  /** Takes all versions of a ruleset out of use. */
  async deactivate(this: RulesetVersionRepository<WriteHandle>, rulesetId: number): Promise<void> {
    await this.database
      .updateTable('ruleset_versions')
      .set({ active_since: null })
      .where('ruleset_id', '=', rulesetId)
      .where('active_since', 'is not', null)
      .execute();
  }

  /**
   * The newest version in use of each enabled ruleset at a time, microseconds; without those that have no rules.
   * @param latest versions to be used later than this were saved while the clock was wrong, and count as in use
   */
  async inUse(now: number, latest: number): Promise<VersionInUse[]> {
    const { rows } = await sql<{
      ruleset_id: number;
      version: number;
      uses_dynamic: number;
      rules_count: number;
      sharer: number | null;
    }>`
      select ruleset_id, max(version) as version, uses_dynamic, rules_count,
        (select accounts.id from rulesets join accounts on accounts.id = rulesets.author_id
          where rulesets.id = ruleset_id and accounts.role <> 'owner') as sharer
      from ruleset_versions indexed by ruleset_versions_in_use
      where active_since is not null and (active_since <= ${now} or active_since > ${latest})
      group by ruleset_id order by ruleset_id
    `.execute(this.database);
    return rows.filter((row) => row.rules_count > 0).map(recordOf);
  }

  /** The present versions of rulesets, whether analyses use them or not, by id. */
  async present(rulesetIds: readonly number[]): Promise<VersionInUse[]> {
    const { rows } = await sql<{
      ruleset_id: number;
      version: number;
      uses_dynamic: number;
      rules_count: number;
      sharer: number | null;
    }>`
      select ruleset_id, versions.version, versions.uses_dynamic, versions.rules_count,
        (select accounts.id from accounts where accounts.id = rulesets.author_id and accounts.role <> 'owner') as sharer
      from rulesets join ruleset_versions versions on ruleset_id = rulesets.id and versions.version = rulesets.version
      where rulesets.id in (select value from json_each(${JSON.stringify(rulesetIds)})) order by ruleset_id
    `.execute(this.database);
    return rows.filter((row) => row.rules_count > 0).map(recordOf);
  }

  /** When the next version comes into use after a time and until `latest`; null where there is none. */
  async nextActivation(now: number, latest: number): Promise<number | null> {
    const { next } = await this.database
      .selectFrom('ruleset_versions')
      .select((all) => all.fn.min('active_since').as('next'))
      .where('active_since', '>', now)
      .where('active_since', '<=', latest)
      .executeTakeFirstOrThrow();
    return next;
  }

  #filtered({ rulesetId, publicOr }: RulesetVersionFilter): SelectQueryBuilder<Database, 'ruleset_versions', object> {
    const query = this.database.selectFrom('ruleset_versions').where('ruleset_id', '=', rulesetId);
    if (publicOr === undefined) return query;
    return query.where(({ or, eb }) => or([eb('was_public', '=', 1), eb('version', '=', publicOr)]));
  }
}
