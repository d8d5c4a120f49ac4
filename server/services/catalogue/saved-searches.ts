// Searches that analysts keep under a name, each their own. Knows nothing of HTTP.
import type { SavedSearchFields, SavedSearchRecord } from '../../store/repositories/saved-search-repository.ts';
import type { Store } from '../../store/store.ts';
import { DuplicateError } from '../../store/store-errors.ts';
import { Failure, FieldFailure } from '../failure.ts';
import type { AccountRecord } from '../people/accounts.ts';
import type { Catalogue } from './catalogue.ts';

export type { SavedSearchRecord };

/** More than anybody finds again. */
const maxSearches = 200;

export class SavedSearches {
  readonly #store: Store;
  readonly #catalogue: Catalogue;

  constructor(store: Store, catalogue: Catalogue) {
    this.#store = store;
    this.#catalogue = catalogue;
  }

  /** In the order of their names. */
  list = (account: AccountRecord): Promise<SavedSearchRecord[]> => this.#store.savedSearches.list(account.id);

  /** @throws Failure `not-found` */
  async get(account: AccountRecord, id: number | null): Promise<SavedSearchRecord> {
    const found = id === null ? null : await this.#store.savedSearches.find(account.id, id);
    if (found === null) throw new Failure('not-found');
    return found;
  }

  /** @throws SearchFailure; FieldFailure where the name is taken, or there are too many */
  async add(account: AccountRecord, fields: SavedSearchFields): Promise<SavedSearchRecord> {
    this.#check(fields);
    if ((await this.list(account)).length >= maxSearches)
      throw new FieldFailure({ name: [`You have ${maxSearches} searches. Delete one first.`] });
    return this.#unlessNamed(this.#store.transaction(({ savedSearches }) => savedSearches.insert(account.id, fields)));
  }

  /** @throws FieldFailure as `add` */
  async change({ id }: SavedSearchRecord, fields: Partial<SavedSearchFields>): Promise<SavedSearchRecord> {
    this.#check(fields);
    return this.#unlessNamed(this.#store.transaction(({ savedSearches }) => savedSearches.update(id, fields)));
  }

  /** Forgets a saved search. */
  remove = ({ id }: SavedSearchRecord): Promise<void> =>
    this.#store.transaction(({ savedSearches }) => savedSearches.remove(id));

  #check({ search }: Partial<SavedSearchFields>): void {
    if (search !== undefined) this.#catalogue.checkSearch(search);
  }

  async #unlessNamed(saved: Promise<SavedSearchRecord>): Promise<SavedSearchRecord> {
    try {
      return await saved;
    } catch (error) {
      if (error instanceof DuplicateError) throw new FieldFailure({ name: [error.message] });
      throw error;
    }
  }
}
