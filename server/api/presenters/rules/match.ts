// Matches in their current shape, and what they tell of rules.
import type { Match } from '../../../contract/rules/match.ts';
import type { RuleStatistics } from '../../../contract/rules/rule-statistics.ts';
import type { ApkRecord } from '../../../services/catalogue/catalogue.ts';
import type { AccountRecord } from '../../../services/people/accounts.ts';
import type { MatchRecord, RuleStatisticsRecord } from '../../../services/rules/matches.ts';
import type { RulesetRecord } from '../../../services/rules/rulesets.ts';
import type { DismissalRecord } from '../../../services/triage/dismissals.ts';
import { presentApkReference } from '../apk.ts';
import { type Presenting, timestamp } from '../presenting.ts';
import { rulesetUrl } from './ruleset.ts';

/** A match with the records that its shape names. */
export interface MatchContext {
  match: MatchRecord;
  apk: ApkRecord;
  ruleset: Pick<RulesetRecord, 'id' | 'name'>;
  author: AccountRecord;
}

export function presentMatch(presenting: Presenting, { match, apk, ruleset, author }: MatchContext): Match {
  const id = presenting.ids.encode('match', match.id);
  const rulesetId = presenting.ids.encode('ruleset', ruleset.id);
  const url = rulesetUrl(presenting, rulesetId);
  return {
    id,
    url: `${url}matches/${id}/`,
    apk: presentApkReference(presenting, apk),
    ruleset: { id: rulesetId, url, name: ruleset.name, author: author.username },
    rules_count: match.rulesCount,
    rules_matched: match.rules,
    created_at: timestamp(match.createdAt),
    updated_at: timestamp(match.updatedAt),
  };
}

export function presentRuleStatistics(
  presenting: Presenting,
  rule: RuleStatisticsRecord,
  quarantine: DismissalRecord | null,
): RuleStatistics {
  const id = presenting.ids.encode('ruleset', rule.rulesetId);
  return {
    name: rule.name,
    ruleset: { id, url: rulesetUrl(presenting, id), name: rule.rulesetName },
    package: rule.packageName,
    apks_count: rule.apks,
    dismissals_count: rule.dismissals,
    quarantine:
      quarantine === null
        ? null
        : {
            id: presenting.ids.encode('dismissal', quarantine.id),
            reason: quarantine.reason,
            analyst: quarantine.username,
            created_at: timestamp(quarantine.createdAt),
          },
  };
}
