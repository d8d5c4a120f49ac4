// Comments on APKs, rulesets and profiles. Knows nothing of what their text sets off.
import { type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import type { CommentsTable, Database } from '../schema.ts';
import { type KeysetPage, type KeysetRequest, keysetPage } from '../sqlite/keyset-page.ts';
import { isOneOf, type ReadHandle, Repository, type WriteHandle } from './repository-context.ts';

/** What a comment is about. */
export type CommentSubject =
  | { apkId: number; rulesetId?: undefined; profileId?: undefined }
  | { apkId?: undefined; rulesetId: number; profileId?: undefined }
  | { apkId?: undefined; rulesetId?: undefined; profileId: number };

export interface CommentRecord {
  id: number;
  authorId: number;
  /** Exactly one of the three is given. */
  apkId: number | null;
  rulesetId: number | null;
  profileId: number | null;
  text: string;
  createdAt: number;
  updatedAt: number;
}

/** Comments about something, or by one author or anybody as far as `readerId` may see what they are about. */
export type CommentFilter =
  | CommentSubject
  | { apkId?: undefined; rulesetId?: undefined; profileId?: undefined; authorId?: number; readerId: number };

function toRecord(row: Selectable<CommentsTable>): CommentRecord {
  return {
    id: row.id,
    authorId: row.author_id,
    apkId: row.apk_id,
    rulesetId: row.ruleset_id,
    profileId: row.profile_id,
    text: row.text,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export class CommentRepository<Handle extends ReadHandle = ReadHandle> extends Repository<Handle> {
  /** Stores a comment on an APK, a ruleset or a profile. */
  async insert(
    this: CommentRepository<WriteHandle>,
    authorId: number,
    subject: CommentSubject,
    text: string,
  ): Promise<CommentRecord> {
    const now = this.clock();
    const row = await this.database
      .insertInto('comments')
      .values({
        author_id: authorId,
        apk_id: subject.apkId ?? null,
        ruleset_id: subject.rulesetId ?? null,
        profile_id: subject.profileId ?? null,
        text,
        created_at: now,
        updated_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    return toRecord(row);
  }

  /** The comment, null where there is none. */
  async findById(id: number): Promise<CommentRecord | null> {
    const row = await this.database.selectFrom('comments').selectAll().where('id', '=', id).executeTakeFirst();
    return row === undefined ? null : toRecord(row);
  }

  /** Those of these comments that exist, by id. */
  async findByIds(ids: readonly number[]): Promise<Map<number, CommentRecord>> {
    if (ids.length === 0) return new Map();
    const rows = await this.database.selectFrom('comments').selectAll().where(isOneOf('id', ids)).execute();
    return new Map(rows.map((row) => [row.id, toRecord(row)]));
  }

  /** Comments that the filter lets through, newest first. */
  async page({ filter, ...request }: { filter: CommentFilter } & KeysetRequest): Promise<KeysetPage<CommentRecord>> {
    const { rows, ...ends } = await keysetPage(request, ({ direction, beyond, limit }) => {
      let query = this.#filtered(filter).selectAll('comments').orderBy('comments.id', direction).limit(limit);
      if (beyond !== null) query = query.where('comments.id', direction === 'asc' ? '>' : '<', beyond);
      return query.execute();
    });
    return { ...ends, rows: rows.map(toRecord) };
  }

  /** A page by its number. Newest first. */
  async list({ filter, offset, limit }: { filter: CommentFilter; offset: number; limit: number }) {
    const query = this.#filtered(filter).selectAll('comments').orderBy('comments.id', 'desc');
    return (await query.limit(limit).offset(offset).execute()).map(toRecord);
  }

  /** How many comments the filter lets through. */
  async count(filter: CommentFilter): Promise<number> {
    const { count } = await this.#filtered(filter)
      .select((all) => all.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return count;
  }

  /** @returns the changed record, null where there is none */
  async update(this: CommentRepository<WriteHandle>, id: number, text: string): Promise<CommentRecord | null> {
    const row = await this.database
      .updateTable('comments')
      .set({ text, updated_at: this.clock() })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst();
    return row === undefined ? null : toRecord(row);
  }

  /** @returns whether it was there */
  async remove(this: CommentRepository<WriteHandle>, id: number): Promise<boolean> {
    const result = await this.database.deleteFrom('comments').where('id', '=', id).executeTakeFirst();
    return result.numDeletedRows > 0n;
  }

  #filtered(filter: CommentFilter): SelectQueryBuilder<Database, 'comments', object> {
    const query = this.database.selectFrom('comments');
    if (filter.apkId !== undefined) return query.where('comments.apk_id', '=', filter.apkId);
    if (filter.rulesetId !== undefined) return query.where('comments.ruleset_id', '=', filter.rulesetId);
    if (filter.profileId !== undefined) return query.where('comments.profile_id', '=', filter.profileId);
    const { authorId } = filter;
    return (authorId === undefined ? query : query.where('comments.author_id', '=', authorId)).where(
      sql<boolean>`(comments.ruleset_id is null or exists (
        select 1 from rulesets
        where rulesets.id = comments.ruleset_id and (rulesets.is_public = 1 or rulesets.author_id = ${filter.readerId})
      ))`,
    );
  }
}
