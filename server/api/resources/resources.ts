// Every resource of the API, in the order in which addresses are matched.
import type { Resource } from '../operation.ts';
import { aboutResources } from './about.ts';
import { accountResources } from './account.ts';
import { analystResources, analystWorkResources } from './analysts.ts';
import { apkContentResources } from './apk-contents.ts';
import { apkResources } from './apks.ts';
import { auditResources } from './audit.ts';
import { catalogueToolResources } from './catalogue-tools.ts';
import { commentResources } from './comments.ts';
import { deviceResources } from './devices.ts';
import { dryRunResources } from './dry-runs.ts';
import { entranceResources } from './entrance.ts';
import { eventResources } from './events.ts';
import { feedResources } from './feed.ts';
import { fileResources } from './files.ts';
import { isolationResources } from './isolation.ts';
import { jobResources } from './jobs.ts';
import { legacyActivityResources } from './legacy-activity.ts';
import { legacyAnalystResources } from './legacy-analysts.ts';
import { legacyApkResources } from './legacy-apks.ts';
import { legacyCommentResources } from './legacy-comments.ts';
import { legacyFeedResources } from './legacy-feed.ts';
import { legacyNotificationResources } from './legacy-notifications.ts';
import { legacyRulesetResources } from './legacy-rulesets.ts';
import { legacyVoteResources } from './legacy-votes.ts';
import { matchResources } from './matches.ts';
import { notificationResources } from './notifications.ts';
import { retrohuntResources } from './retrohunts.ts';
import { rulesetEditingResources } from './ruleset-editing.ts';
import { rulesetResources } from './rulesets.ts';
import { secondFactorResources } from './second-factor.ts';
import { settingsResources } from './settings.ts';
import { sharingResources } from './sharing.ts';
import { signerResources } from './signers.ts';
import { storageResources } from './storage.ts';
import { tagResources } from './tags.ts';
import { voteResources } from './votes.ts';

export const resources: readonly Resource[] = [
  ...entranceResources,
  ...aboutResources,
  ...catalogueToolResources,
  ...apkResources,
  ...apkContentResources,
  ...voteResources,
  ...tagResources,
  ...deviceResources,
  ...dryRunResources,
  ...retrohuntResources,
  ...rulesetEditingResources,
  ...rulesetResources,
  ...matchResources,
  ...commentResources,
  ...feedResources,
  ...fileResources,
  ...jobResources,
  ...accountResources,
  ...secondFactorResources,
  ...legacyApkResources,
  ...legacyVoteResources,
  ...legacyCommentResources,
  ...legacyRulesetResources,
  ...legacyFeedResources,
  ...legacyNotificationResources,
  ...legacyActivityResources,
  ...legacyAnalystResources,
  ...analystResources,
  ...analystWorkResources,
  ...eventResources,
  ...settingsResources,
  ...sharingResources,
  ...auditResources,
  ...isolationResources,
  ...storageResources,
  ...signerResources,
  ...notificationResources,
];
