// Notifications in their current shape.
import type { Notification, NotificationType } from '../../contract/people/notification.ts';
import type { NotificationView } from '../../services/people/notifications.ts';
import { presentApkReference } from './apk.ts';
import { avatarUrl } from './avatar.ts';
import { presentJob } from './job.ts';
import { type Presenting, timestamp } from './presenting.ts';
import { rulesetUrl } from './rules/ruleset.ts';

/** Where the comment is read: below what it is about. */
function commentReference(presenting: Presenting, { comment, apk, record }: NotificationView, accountUrl: string) {
  if (comment === null) return null;
  const id = presenting.ids.encode('comment', comment.id);
  const ruleset = record.rulesetId === null ? null : presenting.ids.encode('ruleset', record.rulesetId);
  const below =
    ruleset !== null
      ? `${rulesetUrl(presenting, ruleset)}comments/`
      : apk !== null
        ? `${presenting.baseUrl}/apks/${apk.sha256}/comments/`
        : `${accountUrl}profile_comments/`;
  return { id, url: `${below}${id}/`, text: comment.text };
}

function jobReference(presenting: Presenting, { job }: NotificationView) {
  if (job === null) return null;
  const { id, url, kind, status, result_url } = presentJob(presenting, job, null);
  return { id, url, kind, status, result_url };
}

/** @param username whom the notification tells */
export function presentNotification(presenting: Presenting, view: NotificationView, username: string): Notification {
  const { baseUrl, ids } = presenting;
  const { record, apk, ruleset, analyst } = view;
  const id = ids.encode('notification', record.id);
  const rulesetId = ruleset === null ? null : ids.encode('ruleset', ruleset.id);
  const matchId = record.matchId === null ? null : ids.encode('match', record.matchId);
  return {
    id,
    url: `${baseUrl}/notifications/${id}/`,
    type: record.type as NotificationType,
    is_read: record.isRead,
    created_at: timestamp(record.createdAt),
    apk: apk === null ? null : presentApkReference(presenting, apk),
    ruleset:
      ruleset === null || rulesetId === null
        ? null
        : { id: rulesetId, url: rulesetUrl(presenting, rulesetId), name: ruleset.name },
    match:
      matchId === null || rulesetId === null
        ? null
        : { id: matchId, url: `${rulesetUrl(presenting, rulesetId)}matches/${matchId}/` },
    analyst:
      analyst === null
        ? null
        : {
            username: analyst.username,
            url: `${baseUrl}/analysts/${analyst.username}/`,
            avatar_url: avatarUrl(presenting, analyst),
          },
    comment: commentReference(presenting, view, `${baseUrl}/analysts/${username}/`),
    job: jobReference(presenting, view),
    matches_count: view.matchesCount,
  };
}
