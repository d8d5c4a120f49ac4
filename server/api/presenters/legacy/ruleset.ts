// Rulesets in the shape of the older API.

import type { LegacyRuleset } from '../../../contract/legacy.ts';
import type { Analyst } from '../../../contract/people/analyst.ts';
import type { RulesetRecord } from '../../../services/rules/rulesets.ts';
import { unixSeconds } from '../presenting.ts';

/** What a ruleset's record does not hold itself. */
export interface LegacyRulesetParts {
  analyst: Analyst;
  rules: string;
  /** Positive minus negative votes. */
  rating: number;
}

export function presentLegacyRuleset(
  ruleset: RulesetRecord,
  { analyst, rules, rating }: LegacyRulesetParts,
): LegacyRuleset {
  return {
    id: ruleset.id,
    created_on: unixSeconds(ruleset.createdAt),
    modified_on: unixSeconds(ruleset.updatedAt),
    analyst,
    name: ruleset.name,
    rules,
    active: ruleset.isEnabled,
    privacy: ruleset.isPublic ? 'public' : 'private',
    social: ruleset.socialStatus === 'accepted',
    pending_social: ruleset.socialStatus === 'pending',
    deleted: false,
    send_notifications: ruleset.isNotifier,
    detections: ruleset.matchesCount,
    rating,
    parent: null,
  };
}
