// Wrong guesses by what was guessed and from where. Knows neither passwords nor how long anybody waits.
import type { Kysely, Selectable } from 'kysely';
import type { Database, GuessesTable } from '../schema.ts';
import type { RepositoryContext } from './repository-context.ts';

export type GuessRecord = Selectable<GuessesTable>;

export class GuessRepository {
  readonly #database: Kysely<Database>;

  constructor({ database }: RepositoryContext) {
    this.#database = database;
  }

  all = (): Promise<GuessRecord[]> => this.#database.selectFrom('guesses').selectAll().execute();

  async save(records: readonly GuessRecord[]): Promise<void> {
    await this.#database
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

  async remove({ name, origin }: Pick<GuessRecord, 'name' | 'origin'>): Promise<void> {
    await this.#database.deleteFrom('guesses').where('name', '=', name).where('origin', '=', origin).execute();
  }
}
