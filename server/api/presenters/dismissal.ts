// Dismissals of findings and of rules' matches.
import type { Dismissal } from '../../contract/catalogue/dismissal.ts';
import type { ApkRecord } from '../../services/catalogue/catalogue.ts';
import type { RulesetRecord } from '../../services/rules/rulesets.ts';
import type { DismissalRecord } from '../../services/triage/dismissals.ts';
import { presentApkReference } from './apk.ts';
import { type Presenting, timestamp, timestampOrNull } from './presenting.ts';
import { rulesetUrl } from './rules/ruleset.ts';

/** What a dismissal names. */
export interface DismissalSubjects {
  apk: ApkRecord | null;
  ruleset: Pick<RulesetRecord, 'id' | 'name'> | null;
  signer: { sha256: string } | null;
}

export function presentDismissal(
  presenting: Presenting,
  dismissal: DismissalRecord,
  { apk, ruleset, signer }: DismissalSubjects,
): Dismissal {
  const id = presenting.ids.encode('dismissal', dismissal.id);
  const rulesetId = ruleset === null ? '' : presenting.ids.encode('ruleset', ruleset.id);
  return {
    id,
    url: `${presenting.baseUrl}/dismissals/${id}/`,
    finding: dismissal.finding,
    ruleset: ruleset === null ? null : { id: rulesetId, url: rulesetUrl(presenting, rulesetId), name: ruleset.name },
    rule: dismissal.rule,
    scope: dismissal.scope,
    apk: apk === null ? null : presentApkReference(presenting, apk),
    signer: signer === null ? null : { sha256: signer.sha256 },
    library: dismissal.library,
    where: dismissal.place,
    reason: dismissal.reason,
    analyst: dismissal.username,
    created_at: timestamp(dismissal.createdAt),
    undone_by: dismissal.undoneBy,
    undone_at: timestampOrNull(dismissal.undoneAt),
  };
}
