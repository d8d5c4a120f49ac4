// Saved versions of rulesets in their current shape.
import type { RulesetVersion } from '../../../contract/rules/ruleset-version.ts';
import type { AccountRecord } from '../../../services/people/accounts.ts';
import type { RulesetRecord, RulesetVersionRecord } from '../../../services/rules/rulesets.ts';
import { type Presenting, timestamp, timestampOrNull } from '../presenting.ts';
import { rulesetUrl } from './ruleset.ts';

export function presentRulesetVersion(
  presenting: Presenting,
  ruleset: RulesetRecord,
  version: RulesetVersionRecord,
  author: AccountRecord,
): RulesetVersion {
  const id = presenting.ids.encode('ruleset', ruleset.id);
  return {
    version: version.version,
    url: `${rulesetUrl(presenting, id)}versions/${version.version}/`,
    ruleset: id,
    author: author.username,
    rules_count: version.rulesCount,
    length: version.length,
    created_at: timestamp(version.createdAt),
    is_current: version.version === ruleset.version,
    active_since: timestampOrNull(version.activeSince),
  };
}
