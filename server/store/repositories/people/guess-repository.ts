// Counts of failed log-ins by subject and origin. Knows neither passwords nor delays.
import type { Selectable } from 'kysely';
import type { GuessesTable } from '../../schema/people.ts';
import { type ReadHandle, Repository, type WriteHandle } from '../repository-context.ts';

export type GuessRecord = Selectable<GuessesTable>;

export class GuessRepository<Handle extends ReadHandle = ReadHandle> extends Repository<Handle> {
  /** All counts. */
  all = (): Promise<GuessRecord[]> => this.database.selectFrom('guesses').selectAll().execute();

  /** Stores counts, replacing those of the same subject and origin. */
  async save(this: GuessRepository<WriteHandle>, records: readonly GuessRecord[]): Promise<void> {
    await this.database
      .insertInto('guesses')
      .values([...records])
      .onConflict((conflict) =>
        conflict.columns(['name', 'origin']).doUpdateSet(({ ref }) => ({
          failures: ref('excluded.failures'),
          last_at: ref('excluded.last_at'),
          known_at: ref('excluded.known_at'),
        })),
      )
      .execute();
  }

  /** Deletes a count. */
  async remove(
    this: GuessRepository<WriteHandle>,
    { name, origin }: Pick<GuessRecord, 'name' | 'origin'>,
  ): Promise<void> {
    await this.database.deleteFrom('guesses').where('name', '=', name).where('origin', '=', origin).execute();
  }
}
