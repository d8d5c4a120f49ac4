// Wrong guesses by what was guessed and from where. Knows neither passwords nor how long anybody waits.
import type { Selectable } from 'kysely';
import type { GuessesTable } from '../schema.ts';
import { type ReadHandle, Repository, type WriteHandle } from './repository-context.ts';

export type GuessRecord = Selectable<GuessesTable>;

export class GuessRepository<Handle extends ReadHandle = ReadHandle> extends Repository<Handle> {
  /** Everything that is counted at present. */
  all = (): Promise<GuessRecord[]> => this.database.selectFrom('guesses').selectAll().execute();

  /** Stores counts, each in the place of the same name and origin's older one. */
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

  /** Forgets a count. */
  async remove(
    this: GuessRepository<WriteHandle>,
    { name, origin }: Pick<GuessRecord, 'name' | 'origin'>,
  ): Promise<void> {
    await this.database.deleteFrom('guesses').where('name', '=', name).where('origin', '=', origin).execute();
  }
}
