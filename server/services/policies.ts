// Who may do what, as one list to be read. Knows no records beyond what a rule looks at.
import type { AccountRecord } from '../store/account-repository.ts';

/** Whoever asks: an account, or null without a token. */
export type Caller = AccountRecord | null;

const isOwner = (account: AccountRecord) => account.role === 'owner';
const isOwnerOrExpert = (account: AccountRecord) => isOwner(account) || account.isExpert;

/** Rules for callers with a token. What is not listed is open to each of them. */
export const policies = {
  /** Mark an APK as trusted or not. */
  'apk.trust': isOwnerOrExpert,
  'apk.delete': isOwner,
  /** Analyse everything again whose report an older engine wrote. */
  'analyses.renew': isOwner,
  /** See and cancel jobs that others asked for. */
  'jobs.all': isOwner,
  'analysts.create': isOwner,
  /** Group, expert mark, being disabled. */
  'analysts.administer': isOwner,
  /** Settings of the workstation, limits of the groups. */
  'settings.manage': isOwner,
} as const satisfies Record<string, (account: AccountRecord) => boolean>;

export type Action = keyof typeof policies;

export const isAllowed = (account: AccountRecord, action: Action): boolean => policies[action](account);

/** A profile belongs to its analyst and to the owner. */
export const mayEditProfile = (account: AccountRecord, of: AccountRecord): boolean =>
  account.id === of.id || isOwner(account);

/** A job is seen by those who asked for it and by the owner. */
export const maySeeJob = (account: AccountRecord, requesters: readonly number[]): boolean =>
  isOwner(account) || requesters.includes(account.id);

/** The groups that may fetch the feed. */
export const feedGroups: readonly string[] = ['gold', 'workstation'];
