// Detections in the shape of the older API.
import type { LegacyDetection } from '../../../contract/legacy.ts';
import type { AccountRecord } from '../../../services/people/accounts.ts';
import type { PublicIds } from '../../../services/public-ids.ts';
import type { DetectionRecord } from '../../../services/triage/detections.ts';
import { presentDetection } from '../detection.ts';

/** @param author of the ruleset that detected it, where one did */
export function presentLegacyDetection(
  ids: PublicIds,
  detection: DetectionRecord,
  author: AccountRecord | null,
): LegacyDetection {
  const { source, information } = presentDetection(ids, detection);
  const { ruleset } = detection;
  const rulesets = ruleset === null ? [] : [{ id: ruleset.id, name: ruleset.name }];
  return { source, information, username: author?.username ?? source, detected: true, rulesets };
}
