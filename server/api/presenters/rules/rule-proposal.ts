// Proposed rules in their current shape.
import { maxShownHits, type RuleProposal } from '../../../contract/rules/rule-proposal.ts';
import type { ProposalView } from '../../../services/rules/proposals/rule-proposals.ts';
import { presentApkReference } from '../apk.ts';
import { presentJob } from '../job.ts';
import { type Presenting, timestamp } from '../presenting.ts';

const countsOf = ({ chosen, good, other }: { chosen: number; good: number; other: number }) => ({
  chosen_count: chosen,
  known_good_count: good,
  others_count: other,
});

export function presentRuleProposal(presenting: Presenting, view: ProposalView): RuleProposal {
  const { proposal, job, shown, apks, expiresAt } = view;
  const { result, task } = proposal;
  const presented = presentJob(presenting, job, null);
  const { id, url, status, progress, stage, error, error_code, created_at, started_at, finished_at } = presented;
  const ownId = presenting.ids.encode('rule-proposal', proposal.id);
  // Deleted APKs are left out.
  const referring = <T>(apkId: number, more: T) => {
    const apk = apks.get(apkId);
    return apk === undefined ? [] : [{ apk: presentApkReference(presenting, apk), ...more }];
  };
  return {
    id: ownId,
    url: `${presenting.baseUrl}/rule_proposals/${ownId}/`,
    job: { id, url },
    ...{ status, progress, stage, error, error_code, created_at, started_at, finished_at },
    name: result.name,
    apks_count: task.apks.length,
    known_good_count: result.counts.good,
    others_count: result.counts.other,
    catalogue_count: result.catalogueSize,
    rules: shown.text,
    proposed: shown.rules.map(({ rule: { name, group, least, literals }, counts }) => ({
      ...{ name, group, least, literals_count: literals.length },
      ...countsOf(counts),
    })),
    literals: shown.literals.map(({ literal: { id, group, source, value, where }, isLeftOut, counts, ...why }) => ({
      ...{ id, group, source, value, where, is_left_out: isLeftOut },
      ...countsOf(counts),
      catalogue_count: why.catalogue,
      reason: why.reason,
    })),
    met_count: shown.chosen.filter(({ rules }) => rules.length > 0).length,
    chosen: shown.chosen.flatMap(({ apkId, rules }) => referring(apkId, { rules })),
    false_hits_count: shown.falseHits.length,
    known_good_hits_count: shown.falseHits.filter(({ isKnownGood }) => isKnownGood).length,
    false_hits: shown.falseHits
      .slice(0, maxShownHits)
      .flatMap(({ apkId, isKnownGood, rules }) => referring(apkId, { is_known_good: isKnownGood, rules })),
    failures: result.failures.flatMap(({ apkId, code, message }) => referring(apkId, { code, message })),
    expires_at: timestamp(expiresAt),
  };
}
