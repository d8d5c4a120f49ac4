// Who may do what, as one list to be read. Knows no records beyond what a rule looks at.
import { type Action, actions } from '../contract/policy.ts';
import { accountShare } from '../contract/rules/ruleset-limits.ts';
import type { CaseRecord } from '../store/repositories/case-repository.ts';
import type { AccountRecord } from '../store/repositories/people/account-repository.ts';
import type { CommentRecord } from '../store/repositories/people/comment-repository.ts';
import type { RulesetRecord } from '../store/repositories/rules/ruleset-repository.ts';

/** Whoever asks: an account, or null without a token. */
export type Caller = AccountRecord | null;

const isOwner = (account: AccountRecord) => account.role === 'owner';
const isOwnerOrExpert = (account: AccountRecord) => isOwner(account) || account.isExpert;

/** The groups that may fetch the feed. */
const feedGroups: readonly string[] = ['gold', 'workstation'];

/** Who may do what is named in the contract; everything else is open to whoever has a token. */
const policies: Readonly<Record<Action, (account: AccountRecord) => boolean>> = {
  'apk.trust': isOwnerOrExpert,
  'apk.delete': isOwner,
  'ruleset.judge': isOwnerOrExpert,
  'comments.moderate': isOwner,
  'analyses.renew': isOwner,
  'jobs.all': isOwner,
  'analysts.create': isOwner,
  'lists.manage': isOwner,
  'libraries.manage': isOwner,
  'rule-packages.manage': isOwner,
  'account.rename': isOwner,
  'analysts.administer': isOwner,
  'settings.manage': isOwner,
  'devices.use': isOwnerOrExpert,
  'folders.watch': isOwner,
  'sharing.manage': isOwner,
  'audit.read': isOwner,
  'storage.manage': isOwner,
  'feed.read': ({ apiGroup }) => feedGroups.includes(apiGroup),
};

export const isAllowed = (account: AccountRecord, action: Action): boolean => policies[action](account);

/** All that is named in the contract and that the account may do. */
export const allowedActions = (account: AccountRecord): Action[] =>
  actions.filter((action) => isAllowed(account, action));

/** A profile belongs to its analyst and to the owner. */
export const mayEditProfile = (account: AccountRecord, of: AccountRecord): boolean =>
  account.id === of.id || isOwner(account);

/** Fields of an account that are not its profile. */
const administered = ['role', 'apiGroup', 'isExpert', 'isDisabled'] as const;

/** Changes of a profile, and those of role, group, expert mark and being disabled by whoever administers accounts. */
export const mayChangeAccount = (
  account: AccountRecord,
  of: AccountRecord,
  changes: Partial<Pick<AccountRecord, (typeof administered)[number]>>,
): boolean =>
  mayEditProfile(account, of) &&
  (isAllowed(account, 'analysts.administer') ||
    administered.every((name) => !(name in changes) || changes[name] === of[name]));

/** A job is seen by those who asked for it and by the owner. */
export const maySeeJob = (account: AccountRecord, requesters: readonly number[]): boolean =>
  isOwner(account) || requesters.includes(account.id);

/** A private ruleset is its author's alone; not even the owner of the workstation sees it. */
export const maySeeRuleset = (caller: Caller, ruleset: Pick<RulesetRecord, 'isPublic' | 'authorId'>): boolean =>
  ruleset.isPublic || caller?.id === ruleset.authorId;

export const mayEditRuleset = (account: AccountRecord, ruleset: Pick<RulesetRecord, 'authorId'>): boolean =>
  account.id === ruleset.authorId;

/** Hunts cost hours of computing and write matches: the author's, and of public rulesets those who judge them. */
export const mayHunt = (account: AccountRecord, ruleset: Pick<RulesetRecord, 'isPublic' | 'authorId'>): boolean =>
  account.id === ruleset.authorId || (ruleset.isPublic && isOwnerOrExpert(account));

/** A comment belongs to its author; the owner keeps order. */
export const mayEditComment = (account: AccountRecord, comment: Pick<CommentRecord, 'authorId'>): boolean =>
  account.id === comment.authorId || isAllowed(account, 'comments.moderate');

/** Everybody works on every case; to delete one is for whoever made it, and the owner. */
export const mayDeleteCase = (account: AccountRecord, { accountId }: Pick<CaseRecord, 'accountId'>): boolean =>
  account.id === accountId || isOwner(account);

/** The owner of the machine, whatever group the account is in. */
const hasNoQuota = (account: AccountRecord) => isOwner(account) || account.apiGroup === 'workstation';

const privateRulesets: Readonly<Record<string, number>> = { basic: 5, bronze: 25, silver: 50, gold: 200 };

/** How many private rulesets an account may have. */
export const privateRulesetQuota = (account: AccountRecord): number =>
  hasNoQuota(account) ? Number.POSITIVE_INFINITY : (privateRulesets[account.apiGroup] ?? privateRulesets.basic!);

const activeRulesets: Readonly<Record<string, { count: number; length: number }>> = {
  basic: { count: 20, length: 2_000_000 },
  bronze: { count: 50, length: 5_000_000 },
  silver: { count: 100, length: 10_000_000 },
  gold: { count: 400, length: 20_000_000 },
};
const unbounded = { count: Number.POSITIVE_INFINITY, length: Number.POSITIVE_INFINITY };

/** How many enabled rulesets an account may have, and how many characters of rules they may have together. */
export const activeRulesetQuota = (account: AccountRecord): { count: number; length: number } =>
  hasNoQuota(account) ? unbounded : (activeRulesets[account.apiGroup] ?? activeRulesets.basic!);

/** Milliseconds of the processor that an account's enabled rulesets may take together for one APK. */
export const scanShare = (account: AccountRecord): number =>
  isOwner(account) ? Number.POSITIVE_INFINITY : accountShare;

/** Milliseconds of the processor in which an account's ruleset has to compile: every change has to be compiled again. */
export const compileTime = (account: AccountRecord): number => (isOwner(account) ? 30_000 : 15_000);
