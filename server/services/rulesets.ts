// Rulesets: writing, publishing, making social, deleting. Knows nothing of HTTP, nor of how rules are run.
import type { RuleDiagnostic } from '../contract/yara.ts';
import type { AccountRecord } from '../store/account-repository.ts';
import type { KeysetPage, KeysetRequest } from '../store/keyset-page.ts';
import type { ActiveRuleset, RulesetFields, RulesetFilter, RulesetRecord } from '../store/ruleset-repository.ts';
import type { Repositories, Store } from '../store/store.ts';
import type { EventBus } from './event-bus.ts';
import { Failure, FieldFailure } from './failure.ts';
import type { Matches } from './matches.ts';
import { type Caller, isAllowed, mayEditRuleset, maySeeRuleset, privateRulesetQuota } from './policies.ts';
import type { RulesValidator } from './rules-validator.ts';
import { readSetting } from './settings.ts';

export type { RulesetFilter, RulesetRecord };

/** What an author decides. */
export type RulesetInput = Partial<Pick<RulesetFields, 'name' | 'rules' | 'isEnabled' | 'isPublic' | 'isNotifier'>>;

const inWords = ({ line, column, title }: RuleDiagnostic) => `line ${line}, column ${column}: ${title}`;

export class Rulesets {
  readonly #store: Store;
  readonly #events: EventBus;
  readonly #matches: Matches;
  readonly #validate: RulesValidator;

  constructor(store: Store, events: EventBus, matches: Matches, validate: RulesValidator) {
    this.#store = store;
    this.#events = events;
    this.#matches = matches;
    this.#validate = validate;
  }

  page = (filter: RulesetFilter, request: KeysetRequest): Promise<KeysetPage<RulesetRecord>> =>
    this.#store.rulesets.page({ ...request, filter });

  list = (filter: RulesetFilter, offset: number, limit: number): Promise<RulesetRecord[]> =>
    this.#store.rulesets.list({ filter, offset, limit });

  count = (filter: RulesetFilter): Promise<number> => this.#store.rulesets.count(filter);

  findByIds = (ids: readonly number[]): Promise<Map<number, RulesetRecord>> => this.#store.rulesets.findByIds(ids);

  readRules = (ruleset: RulesetRecord): Promise<string> => this.#store.rulesets.readRules(ruleset.id);

  /** @throws Failure `not-found`, also where the caller may not see it */
  async get(caller: Caller, id: number | null): Promise<RulesetRecord> {
    const ruleset = id === null ? null : await this.#store.rulesets.findById(id);
    if (ruleset === null || !maySeeRuleset(caller, ruleset)) throw new Failure('not-found');
    return ruleset;
  }

  /** @throws Failure `not-found`, `not-allowed` */
  async getForChange(account: AccountRecord, id: number | null): Promise<RulesetRecord> {
    const ruleset = await this.get(account, id);
    if (!mayEditRuleset(account, ruleset)) throw new Failure('not-allowed');
    return ruleset;
  }

  /** What analyses run now. */
  active = (now = Date.now()): Promise<ActiveRuleset[]> => this.#store.rulesets.listActive(now * 1000);

  /** @throws Failure `private-ruleset-quota`; FieldFailure where the rules do not compile */
  async create(account: AccountRecord, input: RulesetInput & { name: string }): Promise<RulesetRecord> {
    const { name, rules = '', isEnabled = true, isPublic = false, isNotifier = true } = input;
    const rulesCount = await this.#check(rules);
    const id = await this.#store.transaction(async (inside) => {
      if (!isPublic) await this.#checkQuota(inside, account);
      const activeSince = isEnabled ? await this.#activation(inside) : null;
      const fields = { name, rules, rulesCount, isEnabled, isPublic, isNotifier, activeSince };
      return inside.rulesets.insert(account.id, { ...fields, socialStatus: 'none' });
    });
    return this.get(account, id);
  }

  /** @throws Failure `private-ruleset-quota`, `not-found`; FieldFailure where the rules do not compile */
  async change(account: AccountRecord, { id }: RulesetRecord, input: RulesetInput): Promise<RulesetRecord> {
    const rulesCount = input.rules === undefined ? undefined : await this.#check(input.rules);
    const before = await this.#store.transaction(async (inside) => {
      const ruleset = await inside.rulesets.findById(id);
      if (ruleset === null) throw new Failure('not-found');
      const changes: Partial<RulesetFields> = { ...input };
      if (rulesCount !== undefined) changes.rulesCount = rulesCount;
      const { isEnabled = ruleset.isEnabled, isPublic = ruleset.isPublic } = input;
      const hasNewRules = input.rules !== undefined && input.rules !== (await inside.rulesets.readRules(id));
      if (!isEnabled) changes.activeSince = null;
      else if (hasNewRules || !ruleset.isEnabled) changes.activeSince = await this.#activation(inside);
      if (ruleset.isPublic && !isPublic) {
        await this.#checkQuota(inside, account);
        // What only its author can see cannot speak for everybody.
        changes.socialStatus = 'none';
      }
      await inside.rulesets.update(id, changes);
      return ruleset;
    });
    const changed = await this.get(account, id);
    if (changed.isPublic !== before.isPublic) await this.#matches.settle(changed);
    return changed;
  }

  /** Deletes it with its comments, matches and detections. */
  async remove(ruleset: RulesetRecord): Promise<void> {
    // Disabled first: an analysis that runs meanwhile must not add to it.
    await this.#store.rulesets.update(ruleset.id, { isEnabled: false, activeSince: null });
    await this.#matches.removeAll(ruleset.id);
    await this.#store.rulesets.remove(ruleset.id);
  }

  /** Asks for a ruleset to be social. Asking twice is asking once. @throws FieldFailure where it is private */
  async promote(account: AccountRecord, { id }: RulesetRecord): Promise<RulesetRecord> {
    await this.#store.transaction(async (inside) => {
      const ruleset = await inside.rulesets.findById(id);
      if (ruleset === null) throw new Failure('not-found');
      if (!ruleset.isPublic) throw new FieldFailure({ is_public: ['Only a public ruleset can become social.'] });
      if (ruleset.socialStatus !== 'none' && ruleset.socialStatus !== 'rejected') return;
      await inside.rulesets.update(id, { socialStatus: 'pending' });
    });
    return this.get(account, id);
  }

  /**
   * Answers the request for a ruleset to be social, or thinks better of an earlier answer.
   * @throws Failure `not-allowed`, `not-promoted`
   */
  async judge(account: AccountRecord, { id }: RulesetRecord, isAccepted: boolean): Promise<RulesetRecord> {
    if (!isAllowed(account, 'ruleset.judge')) throw new Failure('not-allowed');
    const socialStatus = isAccepted ? 'accepted' : 'rejected';
    const isChanged = await this.#store.transaction(async (inside) => {
      const ruleset = await inside.rulesets.findById(id);
      if (ruleset === null) throw new Failure('not-found');
      if (ruleset.socialStatus === 'none') throw new Failure('not-promoted');
      if (ruleset.socialStatus === socialStatus) return false;
      await inside.rulesets.update(id, { socialStatus });
      return true;
    });
    const judged = await this.get(account, id);
    if (isChanged) {
      await this.#matches.settle(judged);
      await this.#events.happened({ name: 'ruleset_judged', rulesetId: id, judgeId: account.id, isAccepted });
    }
    return judged;
  }

  /** @returns the number of rules */
  async #check(rules: string): Promise<number> {
    const verdict = await this.#validate(rules);
    if ('rulesCount' in verdict) return verdict.rulesCount;
    throw new FieldFailure({ rules: verdict.faults.map(inWords) }, { errors: verdict.faults });
  }

  async #checkQuota(inside: Repositories, account: AccountRecord): Promise<void> {
    const quota = privateRulesetQuota(account);
    const filter = { readerId: account.id, authorId: account.id, isPublic: false };
    if ((await inside.rulesets.count(filter)) >= quota) throw new Failure('private-ruleset-quota', { quota });
  }

  /** Microseconds from when on analyses use what is saved now. */
  async #activation(inside: Repositories): Promise<number> {
    return Date.now() * 1000 + (await readSetting(inside, 'ruleset_delay_minutes')) * 60_000_000;
  }
}
