// One notification in words, with where it leads. Knows no list.
import type { Notification } from '../../../server/contract/people/notification.ts';
import { apkName } from '../../components/place/named-link.tsx';
import { jobsTexts } from '../../components/status/texts.ts';
import { HostileText } from '../../components/text/hostile-text.tsx';
import { notificationsTexts } from './texts.ts';

/** The page that a notification is about. */
export function pageOf({ type, apk, ruleset, analyst, job }: Notification): string {
  if (apk !== null) return `/apks/${apk.sha256}`;
  if (ruleset !== null) return `/rulesets/${ruleset.id}`;
  if (job !== null) return '/jobs';
  if (analyst !== null) return `/analysts/${encodeURIComponent(analyst.username)}`;
  if (type === 'machine_gone') return '/administration/workers';
  if (type === 'backup_failed') return '/administration/storage';
  return type === 'authority_renewed' ? '/administration/sharing' : '/notifications';
}

export function NotificationWords({ notification }: { notification: Notification }) {
  const { type, apk, ruleset, analyst, comment, job, matches_count: matches } = notification;
  const names = [
    analyst?.username,
    ruleset?.name,
    apk === null ? undefined : apkName(apk),
    job === null || type !== 'analysis_completed'
      ? undefined
      : `${jobsTexts.kinds[job.kind] ?? job.kind}: ${jobsTexts.states[job.status]}`,
    matches === null ? undefined : notificationsTexts.matches(matches, apk !== null),
  ].filter((name) => name !== undefined && name !== '');
  return (
    <>
      <strong>{notificationsTexts.types[type]}</strong>
      {names.map((name) => (
        <span key={name}>
          {' · '}
          <HostileText value={name!} max={80} isFixed />
        </span>
      ))}
      {comment !== null && (
        <>
          {': '}
          <HostileText value={comment.text} max={160} isFixed />
        </>
      )}
    </>
  );
}
