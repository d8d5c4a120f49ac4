// Searches that analysts keep. Knows no syntax.
import type { Selectable } from 'kysely';
import type { SavedSearchesTable } from '../schema/catalogue.ts';
import { DuplicateError } from '../store-errors.ts';
import { isDuplicate, type ReadHandle, Repository, type WriteHandle } from './repository-context.ts';
import { type RecordOf, recordOf } from './table-record.ts';

export type SavedSearchRecord = RecordOf<SavedSearchesTable>;
export type SavedSearchFields = Pick<SavedSearchRecord, 'name' | 'search' | 'ordering'>;

export class SavedSearchRepository<Handle extends ReadHandle = ReadHandle> extends Repository<Handle> {
  /** In the order of their names. */
  async list(accountId: number): Promise<SavedSearchRecord[]> {
    const rows = await this.database
      .selectFrom('saved_searches')
      .selectAll()
      .where('account_id', '=', accountId)
      .orderBy('name')
      .execute();
    return rows.map(recordOf);
  }

  /** The saved search of this account, null where it has none of this id. */
  async find(accountId: number, id: number): Promise<SavedSearchRecord | null> {
    const row = await this.database
      .selectFrom('saved_searches')
      .selectAll()
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    return row === undefined ? null : recordOf(row);
  }

  /** @throws DuplicateError where the account has a search of this name */
  async insert(
    this: SavedSearchRepository<WriteHandle>,
    accountId: number,
    fields: SavedSearchFields,
  ): Promise<SavedSearchRecord> {
    const now = this.clock();
    return this.#unlessNamed(() =>
      this.database
        .insertInto('saved_searches')
        .values({ account_id: accountId, ...fields, created_at: now, updated_at: now })
        .returningAll()
        .executeTakeFirstOrThrow(),
    );
  }

  /** @throws DuplicateError where the account has another search of this name */
  async update(
    this: SavedSearchRepository<WriteHandle>,
    id: number,
    fields: Partial<SavedSearchFields>,
  ): Promise<SavedSearchRecord> {
    return this.#unlessNamed(() =>
      this.database
        .updateTable('saved_searches')
        .set({ ...fields, updated_at: this.clock() })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow(),
    );
  }

  /** Deletes a saved search. */
  async remove(this: SavedSearchRepository<WriteHandle>, id: number): Promise<void> {
    await this.database.deleteFrom('saved_searches').where('id', '=', id).execute();
  }

  async #unlessNamed(write: () => Promise<Selectable<SavedSearchesTable>>): Promise<SavedSearchRecord> {
    try {
      return recordOf(await write());
    } catch (error) {
      if (isDuplicate(error)) throw new DuplicateError('There is a search of this name already.');
      throw error;
    }
  }
}
