// Votes of analysts on rulesets, which the older API knows. Knows nothing of HTTP.
import type { AccountRecord } from '../../store/repositories/people/account-repository.ts';
import type { RulesetRecord } from '../../store/repositories/rules/ruleset-repository.ts';
import type { RulesetVoteRecord } from '../../store/repositories/rules/ruleset-vote-repository.ts';
import type { Store } from '../../store/store.ts';
import { DuplicateError } from '../../store/store-errors.ts';
import { Failure } from '../failure.ts';

export class RulesetVotes {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Votes once and for all. @throws Failure `ruleset-voted-already` */
  async cast(account: AccountRecord, { id: rulesetId }: RulesetRecord, kind: RulesetVoteRecord['kind']): Promise<void> {
    await this.#store
      .transaction(({ rulesetVotes }) => rulesetVotes.insert({ rulesetId, accountId: account.id, kind }))
      .catch((error: unknown) => {
        throw error instanceof DuplicateError ? new Failure('ruleset-voted-already') : error;
      });
  }

  /** @throws Failure `not-found` where the account has not voted on the ruleset */
  async get(account: AccountRecord, { id }: RulesetRecord): Promise<RulesetVoteRecord> {
    const vote = await this.#store.rulesetVotes.find(id, account.id);
    if (vote === null) throw new Failure('not-found');
    return vote;
  }

  /** Newest first. */
  list = ({ id }: RulesetRecord, page: { offset: number; limit: number }): Promise<RulesetVoteRecord[]> =>
    this.#store.rulesetVotes.list(id, page);

  /** How many accounts have voted on a ruleset. */
  count = ({ id }: RulesetRecord): Promise<number> => this.#store.rulesetVotes.count(id);

  /** Positive minus negative votes, by the id of the ruleset; one without votes is left out. */
  ratings = (rulesets: readonly RulesetRecord[]): Promise<Map<number, number>> =>
    this.#store.rulesetVotes.ratings(rulesets.map(({ id }) => id));
}
