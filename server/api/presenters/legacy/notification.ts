// Notifications in the shape of the older API.

import type { LegacyNotification, LegacyRuleset, legacyNotificationTypes } from '../../../contract/legacy.ts';
import type { Analyst } from '../../../contract/people/analyst.ts';
import { type NotificationType, notificationTypes } from '../../../contract/people/notification.ts';
import type { NotificationView } from '../../../services/people/notifications.ts';
import { type Presenting, unixSeconds } from '../presenting.ts';
import { presentLegacyApk } from './apk.ts';

type OlderType = (typeof legacyNotificationTypes)[number];

/** null: the older API has no such type, and does not list it. */
const olderNames: Record<NotificationType, OlderType | null> = {
  ruleset_matched: 'ruleset',
  ruleset_commented: 'rulesetcomment',
  analysis_completed: 'analysis',
  user_new_follower: 'follow',
  ruleset_social_accepted: 'socialaccepted',
  ruleset_social_rejected: 'socialrejected',
  mention_comment_sample: 'apkmention',
  mention_comment_ruleset: 'rulesetmention',
  profile_commented: 'profilecomment',
  ruleset_suspended: 'ruleset',
  authority_renewed: null,
  machine_gone: null,
  backup_failed: null,
};

/** The types that the older API knows by this name, or by any. */
export const typesOfOlder = (name?: OlderType): NotificationType[] =>
  notificationTypes.filter((type) => (name === undefined ? olderNames[type] !== null : olderNames[type] === name));

export function presentLegacyNotification(
  presenting: Presenting,
  { record, apk }: NotificationView,
  embedded: { ruleset: LegacyRuleset | null; analyst: Analyst | null },
): LegacyNotification {
  return {
    id: record.id,
    type: olderNames[record.type as NotificationType] ?? 'analysis',
    created_on: unixSeconds(record.createdAt),
    read: record.isRead,
    apk: apk === null ? null : presentLegacyApk(presenting, apk),
    ruleset: embedded.ruleset,
    analyst_ref: embedded.analyst,
  };
}
