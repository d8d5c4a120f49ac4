// What analysts did, in its current shape.
import type { Activity } from '../../contract/people/activity.ts';
import type { AccountRecord } from '../../services/people/accounts.ts';
import type { Profiles } from '../../services/people/profiles.ts';
import { timestamp } from './presenting.ts';

export type Deed = Awaited<ReturnType<Profiles['activity']>>['records'][number];

/** @param about what it was done with, as far as that is still there */
export const presentActivity = (
  { type, kind, createdAt }: Deed,
  about: Pick<Activity, 'apk' | 'ruleset' | 'comment'> & { analyst: AccountRecord; other: AccountRecord | null },
): Activity => ({
  type,
  analyst: about.analyst.username,
  apk: about.apk,
  ruleset: about.ruleset,
  comment: about.comment,
  kind,
  created_at: timestamp(createdAt),
  profile: about.other?.username ?? null,
});
