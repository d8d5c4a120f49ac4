// Rulesets: writing, publishing, making social, deleting. Knows nothing of HTTP, nor of how rules are run.

import type { CompiledRuleset, RuleDiagnostic } from '../../contract/engine/yara.ts';
import type { RulesetLimitName } from '../../contract/people/account.ts';
import type { AccountRecord } from '../../store/repositories/people/account-repository.ts';
import type {
  RulesetFields,
  RulesetFilter,
  RulesetRecord,
  ScanError,
} from '../../store/repositories/rules/ruleset-repository.ts';
import {
  prepareRulesText,
  type RulesetVersionFilter,
  type RulesetVersionRecord,
  type RulesetVersionText,
} from '../../store/repositories/rules/ruleset-version-repository.ts';
import type { KeysetPage, KeysetRequest } from '../../store/sqlite/keyset-page.ts';
import type { Store, Writes } from '../../store/store.ts';
import { storageFaultOf } from '../../store/store-errors.ts';
import { hasTrash, type TrashRecord } from '../catalogue/trash.ts';
import type { EventBus } from '../event-bus.ts';
import { Concealed, Failure, FieldFailure } from '../failure.ts';
import {
  activeRulesetQuota,
  type Caller,
  mayEditRuleset,
  maySeeRuleset,
  privateRulesetQuota,
  scanShare,
} from '../policies.ts';
import type { ActiveRulesets } from './active-rulesets.ts';
import { mayAskRuns } from './apk-scanner.ts';
import type { Matches } from './matches.ts';
import type { RulesValidator } from './rules-validator.ts';

export type { RulesetFilter, RulesetRecord, RulesetVersionRecord, ScanError };

/** What an author decides. */
export type RulesetInput = Partial<Pick<RulesetFields, 'name' | 'rules' | 'isEnabled' | 'isPublic' | 'isNotifier'>>;

const inWords = ({ line, column, title }: RuleDiagnostic) => `line ${line}, column ${column}: ${title}`;

const ownPrivate = ({ id }: AccountRecord) => ({ readerId: id, authorId: id, isPublic: false });

export interface RulesetUsage {
  limits: Record<RulesetLimitName, { limit: number; used: number }>;
  /** Milliseconds of the processor for one APK. */
  scanTime: number;
}

/** A ruleset as it was saved. */
export interface SavedRuleset {
  ruleset: RulesetRecord;
  /** What its author should know of the rules that were given. */
  warnings: RuleDiagnostic[];
}

export class Rulesets {
  readonly #store: Store;
  readonly #events: EventBus;
  readonly #matches: Matches;
  readonly #active: ActiveRulesets;
  /** What rules hold and what is wrong with them. @throws Failure `rules-not-checked` */
  readonly validate: RulesValidator;

  constructor(store: Store, events: EventBus, matches: Matches, active: ActiveRulesets, validate: RulesValidator) {
    this.#store = store;
    this.#events = events;
    this.#matches = matches;
    this.#active = active;
    this.validate = validate;
  }

  /** Rulesets that the filter lets through, newest first. */
  page = (filter: RulesetFilter, request: KeysetRequest): Promise<KeysetPage<RulesetRecord>> =>
    this.#store.rulesets.page({ ...request, filter });

  /** Rulesets that the filter lets through, by their place in the list. */
  list = (filter: RulesetFilter, offset: number, limit: number): Promise<RulesetRecord[]> =>
    this.#store.rulesets.list({ filter, offset, limit });

  /** How many rulesets the filter lets through. */
  count = (filter: RulesetFilter): Promise<number> => this.#store.rulesets.count(filter);

  /** Those of these rulesets that exist, by id. */
  findByIds = (ids: readonly number[]): Promise<Map<number, RulesetRecord>> => this.#store.rulesets.findByIds(ids);

  /** The text of a ruleset as it was saved last. */
  readRules = (ruleset: RulesetRecord): Promise<string> => this.#store.rulesets.readRules(ruleset.id);

  /** @throws Failure `not-found`, also where the caller may not see it */
  async get(caller: Caller, id: number | null): Promise<RulesetRecord> {
    const ruleset = id === null ? null : await this.#store.rulesets.findById(id);
    if (ruleset === null) throw new Failure('not-found');
    if (!maySeeRuleset(caller, ruleset)) throw new Concealed();
    return ruleset;
  }

  /** @throws Failure `not-found`, `not-allowed` */
  async getForChange(account: AccountRecord, id: number | null): Promise<RulesetRecord> {
    const ruleset = await this.get(account, id);
    if (!mayEditRuleset(account, ruleset)) throw new Failure('not-allowed');
    return ruleset;
  }

  /** Saved texts that an account may see, newest first. Those of a time when it was private are its author's alone. */
  async versions(account: AccountRecord | null, ruleset: RulesetRecord, request: KeysetRequest) {
    const filter = this.#versionFilter(account, ruleset);
    const page = await this.#store.rulesetVersions.page({ ...request, filter });
    return { ...page, count: await this.#store.rulesetVersions.count(filter) };
  }

  /** @throws Failure `not-found`, also where the account may not see it */
  async version(account: AccountRecord | null, ruleset: RulesetRecord, version: number) {
    const found = await this.#store.rulesetVersions.find(ruleset.id, version);
    const { publicOr } = this.#versionFilter(account, ruleset);
    const isHidden = publicOr !== undefined && found?.wasPublic === false && version !== publicOr;
    if (isHidden) throw new Concealed();
    const rules = await this.#store.rulesetVersions.readRules(ruleset.id, version);
    if (found === null || rules === null) throw new Failure('not-found');
    return { record: found, rules };
  }

  #versionFilter(account: AccountRecord | null, { id, authorId, version }: RulesetRecord): RulesetVersionFilter {
    return account?.id === authorId ? { rulesetId: id } : { rulesetId: id, publicOr: version };
  }

  /** @throws Failure `private-ruleset-quota`, `active-ruleset-quota`, `active-ruleset-size`; FieldFailure where the rules do not compile */
  async create(account: AccountRecord, input: RulesetInput & { name: string }): Promise<SavedRuleset> {
    const { name, rules = '', isEnabled = true, isPublic = false, isNotifier = true } = input;
    const checked = await this.checked(account, rules);
    const rulesCount = checked.rules.length;
    const text = await prepareRulesText(rules);
    const id = await this.#withinActiveQuota(account, async (inside) => {
      if (!isPublic) await this.#checkQuota(inside, account);
      const activeSince = isEnabled ? await this.#active.activationOf(this.#store.clock(), inside) : null;
      const fields = { name, rules, rulesCount, isEnabled, isPublic, isNotifier, activeSince };
      const rulesetId = await inside.rulesets.insert(account.id, { ...fields, socialStatus: 'none' });
      const saved = { rulesetId, version: 1, authorId: account.id, rulesCount, usesDynamic: mayAskRuns(rules) };
      await inside.rulesetVersions.insert({ ...saved, wasPublic: isPublic, activeSince, text });
      return rulesetId;
    });
    this.#active.invalidate();
    return { ruleset: await this.get(account, id), warnings: checked.warnings };
  }

  /**
   * @throws Failure `private-ruleset-quota`, `active-ruleset-quota`, `active-ruleset-size`, `not-found`; FieldFailure where
   *   the rules do not compile
   */
  async change(account: AccountRecord, { id }: RulesetRecord, input: RulesetInput): Promise<SavedRuleset> {
    const { rules } = input;
    const checked = rules === undefined ? null : await this.checked(account, rules);
    const saved = checked === null ? null : { rules: rules!, rulesCount: checked.rules.length };
    const text = rules === undefined ? null : await prepareRulesText(rules);
    const before = await this.#withinActiveQuota(account, async (inside) => {
      const ruleset = await inside.rulesets.findById(id);
      if (ruleset === null) throw new Failure('not-found');
      const changes: Partial<RulesetFields> = { ...input };
      if (saved !== null) changes.rulesCount = saved.rulesCount;
      const { isEnabled = ruleset.isEnabled, isPublic = ruleset.isPublic } = input;
      const hasNewRules = saved !== null && saved.rules !== (await inside.rulesets.readRules(id));
      const isNewlyEnabled = isEnabled && !ruleset.isEnabled;
      if (hasNewRules) changes.version = ruleset.version + 1;
      if (!isEnabled) changes.activeSince = null;
      else if (hasNewRules || isNewlyEnabled)
        changes.activeSince = await this.#active.activationOf(this.#store.clock(), inside);
      if (ruleset.isPublic && !isPublic) {
        await this.#checkQuota(inside, account);
        // A private ruleset cannot be social: what social ones match counts for everybody.
        changes.socialStatus = 'none';
      }
      await inside.rulesets.update(id, changes);
      if (!isEnabled) await inside.rulesetVersions.deactivate(id);
      if (hasNewRules) await this.#keep(inside, account, { ...ruleset, ...changes, isPublic }, saved.rules, text!);
      else if (isNewlyEnabled) await inside.rulesetVersions.activate(id, ruleset.version, changes.activeSince!);
      // A new ruleset, or one that gets another chance, begins without trouble on record.
      if (hasNewRules || isNewlyEnabled) {
        await inside.rulesets.noteCondition(id, { scanState: 'ok', scanError: null, trouble: 0 });
      }
      return ruleset;
    });
    this.#active.invalidate();
    const changed = await this.get(account, id);
    if (changed.isPublic !== before.isPublic) await this.#matches.settle(changed);
    return { ruleset: changed, warnings: checked?.warnings ?? [] };
  }

  async #keep(
    inside: Writes,
    { id: authorId }: AccountRecord,
    { id: rulesetId, version, rulesCount, isPublic: wasPublic, activeSince }: RulesetRecord,
    rules: string,
    text: RulesetVersionText,
  ): Promise<void> {
    const saved = { rulesetId, version, authorId, rulesCount, wasPublic, activeSince };
    await inside.rulesetVersions.insert({ ...saved, usesDynamic: mayAskRuns(rules), text });
  }

  /** Deletes it with its comments, matches and detections; it lies in the trash then, where there is one. */
  async remove(ruleset: RulesetRecord, { username }: AccountRecord): Promise<void> {
    // Disabled first: an analysis that runs meanwhile must not add to it; nor a hunt, which runs one version alone.
    await this.#store.transaction(async (inside) => {
      await inside.rulesets.update(ruleset.id, { isEnabled: false, activeSince: null, version: ruleset.version + 1 });
      await inside.rulesetVersions.deactivate(ruleset.id);
    });
    this.#active.invalidate();
    if (await this.#layInTrash(ruleset, username)) return;
    await this.#matches.removeAll(ruleset.id, null);
    await this.#store.transaction(({ rulesets }) => rulesets.remove(ruleset.id));
  }

  /** @returns whether there is a trash, and room in it */
  async #layInTrash({ id, authorId, name, version, isEnabled, isPublic }: RulesetRecord, username: string) {
    if (!(await hasTrash(this.#store))) return false;
    const size = (await this.#store.rulesets.readRules(id)).length;
    const item = { kind: 'ruleset', rowId: id, sha256: null, authorId, name, size, username } as const;
    const { id: trashId } = await this.#store.transaction(({ trash }) =>
      trash.begin({ ...item, state: { version, isEnabled, isPublic } }),
    );
    try {
      await this.#matches.removeAll(id, trashId);
      await this.#store.transaction(({ trash }) => trash.take(trashId, 'rulesets', [id]));
      return true;
    } catch (error) {
      // On a full disk something is deleted to make room.
      if (storageFaultOf(error) === null) throw error;
      await this.#store.transaction(({ trash }) => trash.remove(trashId));
      return false;
    }
  }

  /**
   * Brings a ruleset back from the trash with its versions, comments and matches, enabled where it was and may be. Goes on
   * where it was interrupted.
   * @throws Failure `private-ruleset-quota`
   */
  async restore(account: AccountRecord, { id: trashId, rowId, state }: TrashRecord): Promise<RulesetRecord> {
    await this.#store.transaction(async (inside) => {
      if ((await inside.rulesets.findById(rowId)) !== null) return;
      if (state.isPublic !== true) await this.#checkQuota(inside, account);
      await inside.trash.restorePiece(trashId);
      await inside.rulesets.update(rowId, { version: Number(state.version) });
    });
    const restorePiece = () =>
      this.#store.transaction(async (inside) => {
        const about = await inside.trash.restorePiece(trashId);
        if (about === null) await inside.trash.remove(trashId);
        else await this.#matches.recount(inside, about);
        return about !== null;
      });
    while (await restorePiece()) await new Promise(setImmediate);
    const ruleset = await this.get(account, rowId);
    if (state.isEnabled !== true) return ruleset;
    return this.change(account, ruleset, { isEnabled: true }).then(
      (saved) => saved.ruleset,
      (error: unknown) => {
        // With as many enabled ones as the account may have by now, it stays disabled.
        if (error instanceof Failure) return ruleset;
        throw error;
      },
    );
  }

  /** Asks for a ruleset to be social. Asking twice is asking once. @throws FieldFailure where it is private */
  async promote(account: AccountRecord, { id }: RulesetRecord): Promise<RulesetRecord> {
    await this.#store.transaction(async (inside) => {
      const ruleset = await inside.rulesets.findById(id);
      if (ruleset === null) throw new Failure('not-found');
      if (!ruleset.isPublic) throw new FieldFailure({ isPublic: ['Only a public ruleset can become social.'] });
      if (ruleset.socialStatus !== 'none' && ruleset.socialStatus !== 'rejected') return;
      await inside.rulesets.update(id, { socialStatus: 'pending' });
    });
    return this.get(account, id);
  }

  /**
   * Answers the request for a ruleset to be social, or thinks better of an earlier answer.
   * @throws Failure `not-promoted`
   */
  async judge(account: AccountRecord, { id }: RulesetRecord, isAccepted: boolean): Promise<RulesetRecord> {
    const socialStatus = isAccepted ? 'accepted' : 'rejected';
    const isChanged = await this.#store.transaction(async (inside) => {
      const ruleset = await inside.rulesets.findById(id);
      if (ruleset === null) throw new Failure('not-found');
      if (ruleset.socialStatus === 'none') throw new Failure('not-promoted');
      if (ruleset.socialStatus === socialStatus) return false;
      await inside.rulesets.update(id, { socialStatus });
      await this.#events.happened({ name: 'ruleset_judged', rulesetId: id, judgeId: account.id, isAccepted }, inside);
      return true;
    });
    const judged = await this.get(account, id);
    if (isChanged) await this.#matches.settle(judged);
    return judged;
  }

  /** What rules hold. @throws FieldFailure with the places where they do not compile; Failure `rules-not-checked` */
  async checked(account: AccountRecord, rules: string): Promise<CompiledRuleset> {
    const compiled = await this.validate(account, rules);
    const { errors } = compiled;
    if (errors.length > 0) throw new FieldFailure({ rules: errors.map(inWords) }, { errors });
    return compiled;
  }

  /** Undoes work that enables more than an account may. What it has already may stay, or become less. */
  #withinActiveQuota<T>(account: AccountRecord, work: (inside: Writes) => Promise<T>): Promise<T> {
    return this.#store.transaction(async (inside) => {
      const quota = activeRulesetQuota(account);
      const before = await inside.rulesets.activeTotals(account.id);
      const result = await work(inside);
      const { count, length } = await inside.rulesets.activeTotals(account.id);
      if (count > quota.count && count > before.count) {
        throw new Failure('active-ruleset-quota', { quota: quota.count });
      }
      if (length > quota.length && length > before.length) {
        throw new Failure('active-ruleset-size', { quota: quota.length, length });
      }
      return result;
    });
  }

  /** How many rulesets of an account there are of how many it may have; a limit of `Infinity` is none. */
  async usage(account: AccountRecord): Promise<RulesetUsage> {
    const active = activeRulesetQuota(account);
    const { count, length } = await this.#store.rulesets.activeTotals(account.id);
    return {
      limits: {
        enabled: { limit: active.count, used: count },
        enabled_characters: { limit: active.length, used: length },
        private: { limit: privateRulesetQuota(account), used: await this.#store.rulesets.count(ownPrivate(account)) },
      },
      scanTime: scanShare(account),
    };
  }

  async #checkQuota(inside: Writes, account: AccountRecord): Promise<void> {
    const quota = privateRulesetQuota(account);
    if ((await inside.rulesets.count(ownPrivate(account))) >= quota)
      throw new Failure('private-ruleset-quota', { quota });
  }
}
