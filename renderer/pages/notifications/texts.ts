// English texts of this room. Knows nothing of where they are shown.

export const notificationsTexts = {
  title: 'Notifications',
  bell: (unread: number) => (unread === 0 ? 'Notifications' : `Notifications, ${unread} unread`),
  all: 'All notifications',
  markAll: 'Mark all as read',
  markRead: 'Mark as read',
  markUnread: 'Mark as unread',
  filter: 'Which notifications',
  choices: { all: 'All', unread: 'Unread' },
  type: 'Type',
  everyType: 'Every type',
  none: 'No notifications',
  noneText: 'What concerns you appears here: analyses that end, rulesets that match, comments, mentions, followers.',
  noneUnread: 'Everything is read',
  types: {
    analysis_completed: 'Analysis ended',
    ruleset_matched: 'Ruleset matches',
    ruleset_commented: 'Comment on a ruleset',
    user_new_follower: 'New follower',
    ruleset_social_accepted: 'Ruleset accepted as social',
    ruleset_social_rejected: 'Ruleset not accepted as social',
    mention_comment_sample: 'Mention at an APK',
    mention_comment_ruleset: 'Mention at a ruleset',
    profile_commented: 'Comment on your profile',
    ruleset_suspended: 'Ruleset suspended',
  },
} as const;
