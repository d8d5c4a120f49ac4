// Accounts in their current shape, tokens, and analysts in the legacy shape.
import {
  type Account,
  type CreatedToken,
  rulesetLimitNames,
  type Session,
  type SessionRecord,
  type Statistics,
  type Token,
} from '../../contract/people/account.ts';
import type { Analyst, CreatedAnalyst } from '../../contract/people/analyst.ts';
import type { TokenRecord } from '../../services/people/accounts.ts';
import type { Profile } from '../../services/people/profiles.ts';
import type { UsageLimits } from '../../services/people/usage-limits.ts';
import { allowedActions, isAllowed } from '../../services/policies.ts';
import type { RulesetUsage } from '../../services/rules/rulesets.ts';
import type { SignedLinks } from '../../services/signed-links.ts';
import { avatarPath, avatarUrl } from './avatar.ts';
import { type Presenting, timestamp, timestampOrNull, unixSeconds } from './presenting.ts';

export function presentAccount({ baseUrl, ids, links }: Presenting, { account, totals }: Profile): Account {
  const canGetFeed = isAllowed(account, 'feed.read');
  return {
    id: ids.encode('account', account.id),
    url: `${baseUrl}/analysts/${account.username}/`,
    username: account.username,
    first_name: account.firstName,
    last_name: account.lastName,
    last_login: timestamp(account.lastLoginAt ?? account.createdAt),
    profile: {
      avatar: avatarUrl({ baseUrl, links }, account),
      occupation: account.occupation,
      biography: account.biography,
      twitter: account.twitter,
      is_expert: account.isExpert,
    },
    settings: account.settings,
    api_group: account.apiGroup,
    can_get_apks_feed: canGetFeed,
    can_get_analyses_feed: canGetFeed,
    can_get_detected_feed: canGetFeed,
    followers_count: totals.followers,
    followed_count: totals.following,
    rulesets_count: totals.rulesets,
    created_at: timestamp(account.createdAt),
    role: account.role,
    email: account.email,
    has_password: account.passwordHash !== null,
    may: allowedActions(account),
  };
}

const finite = (limit: number) => (Number.isFinite(limit) ? limit : null);

export const presentStatistics = (
  rates: Awaited<ReturnType<UsageLimits['statistics']>>,
  { limits, scanTime }: RulesetUsage,
): Statistics => ({
  rate_limits: Object.fromEntries(
    rates.map(({ name, limit, used }) => [name, { limit: `${limit.amount}/${limit.unit}`, used }]),
  ) as Statistics['rate_limits'],
  ruleset_limits: Object.fromEntries(
    rulesetLimitNames.map((name) => [name, { limit: finite(limits[name].limit), used: limits[name].used }]),
  ) as Statistics['ruleset_limits'],
  ruleset_scan_seconds: finite(scanTime / 1000),
});

export function presentToken({ baseUrl, ids }: Presenting, token: TokenRecord): Token {
  const id = ids.encode('token', token.id);
  return {
    id,
    url: `${baseUrl}/account/tokens/${id}/`,
    name: token.name,
    created_at: timestamp(token.createdAt),
    expires_at: timestampOrNull(token.expiresAt),
    last_used_at: timestampOrNull(token.lastUsedAt),
  };
}

/** With its secret, which is shown this once. */
export const presentCreatedToken = (presenting: Presenting, token: TokenRecord, secret: string): CreatedToken => ({
  ...presentToken(presenting, token),
  token: secret,
});

export const presentSession = (
  { ids }: Presenting,
  session: TokenRecord,
  { endsAt, isCurrent }: { endsAt: number; isCurrent: boolean },
): SessionRecord => ({
  id: ids.encode('token', session.id),
  name: session.name,
  created_at: timestamp(session.createdAt),
  expires_at: timestampOrNull(session.expiresAt),
  ends_at: timestamp(endsAt),
  last_used_at: timestampOrNull(session.lastUsedAt),
  is_current: isCurrent,
});

/** A session that has just begun, with its secret. */
export const presentOpenedSession = (
  presenting: Presenting,
  opened: { secret: string; expiresAt: number; idleMinutes: number; profile: Profile },
): Session => ({
  token: opened.secret,
  expires_at: timestamp(opened.expiresAt),
  idle_minutes: opened.idleMinutes,
  account: presentAccount(presenting, opened.profile),
});

/** Integer times, the profile in one record: the shape that both generations of the API serve. */
export function presentAnalyst(links: SignedLinks, { account, totals }: Profile): Analyst {
  return {
    username: account.username,
    first_name: account.firstName,
    last_name: account.lastName,
    date_joined: unixSeconds(account.createdAt),
    last_login: unixSeconds(account.lastLoginAt ?? account.createdAt),
    total_public_rulesets: totals.publicRulesets,
    total_followers: totals.followers,
    total_following: totals.following,
    total_comments: totals.comments,
    avatar_url: avatarPath(links, account),
    occupation: account.occupation,
    bio: account.biography,
    twitter_user: account.twitter,
    role: account.role,
    api_group: account.apiGroup,
    is_expert: account.isExpert,
    is_disabled: account.isDisabled,
  };
}

/** With the password that opens one session, shown this once. */
export const presentCreatedAnalyst = (
  links: SignedLinks,
  profile: Profile,
  oneTimePassword: string,
): CreatedAnalyst => ({ ...presentAnalyst(links, profile), one_time_password: oneTimePassword });
