// Rulesets in their current shape.
import type { Ruleset, RulesetDetail } from '../../../contract/rules/ruleset.ts';
import type { AccountRecord } from '../../../services/people/accounts.ts';
import type { RulesetRecord, ScanError } from '../../../services/rules/rulesets.ts';
import { type Presenting, timestamp, timestampOrNull } from '../presenting.ts';

const presentScanError = ({ code, message, at }: ScanError) => ({ code, message, at: timestamp(at) });

export const rulesetUrl = ({ baseUrl }: Presenting, id: string): string => `${baseUrl}/rulesets/${id}/`;

export function presentRuleset(presenting: Presenting, ruleset: RulesetRecord, author: AccountRecord): Ruleset {
  const id = presenting.ids.encode('ruleset', ruleset.id);
  return {
    id,
    url: rulesetUrl(presenting, id),
    name: ruleset.name,
    status: ruleset.isEnabled ? 'enabled' : 'disabled',
    is_public: ruleset.isPublic,
    is_notifier: ruleset.isNotifier,
    is_social: ruleset.socialStatus === 'accepted',
    social_status: ruleset.socialStatus,
    author: author.username,
    rules_count: ruleset.rulesCount,
    matches_count: ruleset.matchesCount,
    comments_count: ruleset.commentsCount,
    created_at: timestamp(ruleset.createdAt),
    updated_at: timestamp(ruleset.updatedAt),
    active_since: timestampOrNull(ruleset.activeSince),
    version: ruleset.version,
    scan_state: ruleset.scanState,
    last_scan_error: ruleset.scanError === null ? null : presentScanError(ruleset.scanError),
  };
}

export function presentRulesetDetail(
  presenting: Presenting,
  ruleset: RulesetRecord,
  author: AccountRecord,
  rules: string,
): RulesetDetail {
  return { ...presentRuleset(presenting, ruleset, author), rules };
}
