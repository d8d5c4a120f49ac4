// English texts of this room. Knows nothing of where they are shown.
import { counted, formatCount } from '../../components/text/counted.ts';

export const notificationsTexts = {
  title: 'Notifications',
  bell: (unread: number) => (unread === 0 ? 'Notifications' : `Notifications, ${formatCount(unread)} unread`),
  all: 'All notifications',
  markAll: 'Mark all as read',
  markRead: 'Mark as read',
  markUnread: 'Mark as unread',
  filter: 'Which notifications',
  choices: { all: 'All', unread: 'Unread' },
  type: 'Type',
  everyType: 'All types',
  none: 'No notifications',
  noneText: 'Finished analyses, ruleset matches, comments, mentions and new followers are listed here.',
  noneUnread: 'No unread notifications',
  matches: (count: number, isOfApk: boolean) =>
    isOfApk ? counted(count, 'rule', 'rules') : counted(count, 'APK', 'APKs'),
  types: {
    analysis_completed: 'Analysis finished',
    ruleset_matched: 'Ruleset match',
    ruleset_commented: 'Comment on a ruleset',
    user_new_follower: 'New follower',
    ruleset_social_accepted: 'Ruleset accepted as social',
    ruleset_social_rejected: 'Ruleset rejected as social',
    mention_comment_sample: 'Mention on an APK',
    mention_comment_ruleset: 'Mention on a ruleset',
    profile_commented: 'Comment on your profile',
    ruleset_suspended: 'Ruleset suspended',
    machine_gone: 'A machine that analyses for this workstation does not answer: its analyses are done by others',
    backup_failed: 'A backup by schedule failed, or found older ones damaged',
    authority_renewed: 'Certificate authority renewed: teammates must trust the new one before the old one expires',
  },
} as const;
