// Comments on APKs, rulesets and profiles. Knows nothing of tags and notifications.
import { type SelectQueryBuilder, sql } from 'kysely';
import type { Database } from '../../schema/database.ts';
import type { CommentsTable } from '../../schema/people.ts';
import { countOf, type KeysetPage, type KeysetRequest, pageOf } from '../../sqlite/keyset-page.ts';
import { isOneOf, type ReadHandle, Repository, type WriteHandle } from '../repository-context.ts';
import { type RecordOf, recordOf } from '../table-record.ts';

/** What a comment is about. */
export type CommentSubject =
  | { apkId: number; rulesetId?: undefined; profileId?: undefined }
  | { apkId?: undefined; rulesetId: number; profileId?: undefined }
  | { apkId?: undefined; rulesetId?: undefined; profileId: number };

export type CommentRecord = RecordOf<CommentsTable>;

/** Comments about something, or by one author or anybody as far as `readerId` may see what they are about. */
export type CommentFilter =
  | CommentSubject
  | { apkId?: undefined; rulesetId?: undefined; profileId?: undefined; authorId?: number; readerId: number };

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
    return recordOf(row);
  }

  /** The comment, null where there is none. */
  async findById(id: number): Promise<CommentRecord | null> {
    const row = await this.database.selectFrom('comments').selectAll().where('id', '=', id).executeTakeFirst();
    return row === undefined ? null : recordOf(row);
  }

  /** Those of these comments that exist, by id. */
  async findByIds(ids: readonly number[]): Promise<Map<number, CommentRecord>> {
    if (ids.length === 0) return new Map();
    const rows = await this.database.selectFrom('comments').selectAll().where(isOneOf('id', ids)).execute();
    return new Map(rows.map((row) => [row.id, recordOf(row)]));
  }

  /** Comments that the filter lets through, newest first. */
  async page({ filter, ...request }: { filter: CommentFilter } & KeysetRequest): Promise<KeysetPage<CommentRecord>> {
    return pageOf(this.#filtered(filter).selectAll('comments'), request, 'comments.id', recordOf);
  }

  /** A page by its number. Newest first. */
  async list({ filter, offset, limit }: { filter: CommentFilter; offset: number; limit: number }) {
    const query = this.#filtered(filter).selectAll('comments').orderBy('comments.id', 'desc');
    return (await query.limit(limit).offset(offset).execute()).map(recordOf);
  }

  /** How many comments the filter lets through. */
  async count(filter: CommentFilter): Promise<number> {
    return countOf(this.#filtered(filter));
  }

  /** @returns the changed record, null where there is none */
  async update(this: CommentRepository<WriteHandle>, id: number, text: string): Promise<CommentRecord | null> {
    const row = await this.database
      .updateTable('comments')
      .set({ text, updated_at: this.clock() })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst();
    return row === undefined ? null : recordOf(row);
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
