// Detections as the APK's detail and the feeds show them.
import type { Detection } from '../../contract/catalogue/apk.ts';
import type { PublicIds } from '../../services/public-ids.ts';
import type { DetectionRecord } from '../../services/triage/detections.ts';
import { timestamp } from './presenting.ts';

export function presentDetection(ids: PublicIds, detection: DetectionRecord): Detection {
  const { kind, ruleset, antivirus, information } = detection;
  if (ruleset !== null) {
    const id = ids.encode('ruleset', ruleset.id);
    return {
      source: `ruleset-${id}`,
      information: { ruleset_hashid: id, ruleset_name: ruleset.name, ...information },
    };
  }
  if (kind === 'community') return { source: 'community', information };
  return { source: antivirus, information: { ...information, first_detection_at: timestamp(detection.createdAt) } };
}
