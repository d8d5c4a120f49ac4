// The state of the server in its current shape.
import type { Health } from '../../contract/workstation/health.ts';
import type { HealthState } from '../../services/health.ts';
import type { Sharing } from '../../services/sharing/sharing.ts';
import { timestamp, timestampOrNull } from './presenting.ts';

/** @param withJobs whether the length of the queue is told */
export function presentHealth(
  { engineVersion, jobs, ...state }: HealthState,
  authority: Sharing['servingAuthority'],
  withJobs: boolean,
): Health {
  return {
    ...state,
    engine_version: engineVersion,
    ...(withJobs ? { jobs } : {}),
    authority:
      authority === null
        ? null
        : {
            fingerprint: authority.fingerprint,
            expires_at: timestamp(authority.expires * 1000),
            former_expires_at: timestampOrNull(authority.former === null ? null : authority.former.expires * 1000),
          },
  };
}
