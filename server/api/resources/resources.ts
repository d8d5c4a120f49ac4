// Every resource of the API, in the order in which addresses are matched.
import type { Resource } from '../operation.ts';
import { accountResources } from './account.ts';
import { analystResources } from './analysts.ts';
import { apkResources } from './apks.ts';
import { commentResources } from './comments.ts';
import { entranceResources } from './entrance.ts';
import { eventResources } from './events.ts';
import { feedResources } from './feed.ts';
import { fileResources } from './files.ts';
import { jobResources } from './jobs.ts';
import { legacyAnalystResources } from './legacy-analysts.ts';
import { legacyApkResources } from './legacy-apks.ts';
import { legacyVoteResources } from './legacy-votes.ts';
import { rulesetResources } from './rulesets.ts';
import { settingsResources } from './settings.ts';
import { tagResources } from './tags.ts';
import { voteResources } from './votes.ts';

export const resources: readonly Resource[] = [
  ...entranceResources,
  ...apkResources,
  ...voteResources,
  ...tagResources,
  ...rulesetResources,
  ...commentResources,
  ...feedResources,
  ...fileResources,
  ...jobResources,
  ...accountResources,
  ...legacyApkResources,
  ...legacyVoteResources,
  ...legacyAnalystResources,
  ...analystResources,
  ...eventResources,
  ...settingsResources,
];
