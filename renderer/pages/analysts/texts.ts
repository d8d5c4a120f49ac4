// English texts of this room. Knows nothing of where they are shown.

export const analystsTexts = {
  title: 'Analysts',
  list: 'All analysts',
  columns: {
    name: 'Name',
    role: 'Role',
    rulesets: 'Public rulesets',
    followers: 'Followers',
    comments: 'Comments',
    joined: 'Joined',
  },
  roles: { owner: 'Owner', analyst: 'Analyst' },
  expert: 'Expert',
  expertText: 'May trust APKs, accept rulesets as social and use connected devices. The owner names experts.',
  disabled: 'Disabled',
  follow: 'Follow',
  unfollow: 'Unfollow',
  editProfile: 'Edit profile',
  tabs: {
    activity: 'Activity',
    rulesets: 'Rulesets',
    comments: 'Profile comments',
    followers: 'Followers',
    following: 'Following',
  },
  none: {
    activity: 'Nothing yet',
    rulesets: 'No public rulesets',
    followers: 'No followers',
    following: 'Follows nobody',
  },
  activity: {
    comment: 'commented',
    vote: 'voted',
    ruleset: 'published the ruleset',
    follow: 'follows',
    upload: 'uploaded',
  },
  voteKinds: { positive: 'that it is harmless', negative: 'that it is malicious' },
  joined: (date: string) => `Joined ${date}`,
} as const;
