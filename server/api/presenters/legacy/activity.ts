// What analysts did, in the shape of the older API.
import type { LegacyActivity } from '../../../contract/legacy.ts';
import type { Deed } from '../activity.ts';
import { unixSeconds } from '../presenting.ts';

function olderType({ type, kind, apkId, rulesetId }: Deed): LegacyActivity['type'] {
  if (type === 'vote') return kind === 'negative' ? 'votedown' : 'voteup';
  if (type !== 'comment') return type;
  return apkId !== null ? 'apkcomment' : rulesetId !== null ? 'rulesetcomment' : 'profilecomment';
}

/** @param about who did it, and what with, as far as that is still there */
export const presentLegacyActivity = (
  deed: Deed,
  about: Pick<LegacyActivity, 'analyst' | 'apk' | 'ruleset' | 'comment'>,
): LegacyActivity => ({ type: olderType(deed), created_on: unixSeconds(deed.createdAt), ...about });
