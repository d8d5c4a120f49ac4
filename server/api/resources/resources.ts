// The handlers of all operations.
import type { operations } from '../../contract/operations/operations.ts';
import type { Handlers } from '../operation.ts';
import { aboutHandlers } from './about.ts';
import { accountHandlers } from './account.ts';
import { analystHandlers, analystWorkHandlers } from './analysts.ts';
import { apkContentHandlers } from './apk-contents.ts';
import { apkPageHandlers } from './apk-pages.ts';
import { apkHandlers } from './apks.ts';
import { auditHandlers } from './audit.ts';
import { caseHandlers } from './cases.ts';
import { catalogueToolHandlers } from './catalogue-tools.ts';
import { codeNameHandlers } from './code-names.ts';
import { collectionHandlers } from './collections.ts';
import { commentHandlers } from './comments.ts';
import { contentSearchHandlers } from './content-searches.ts';
import { deviceHandlers } from './devices.ts';
import { dismissalHandlers } from './dismissals.ts';
import { dryRunHandlers } from './dry-runs.ts';
import { entranceHandlers } from './entrance.ts';
import { eventHandlers } from './events.ts';
import { familyHandlers } from './families.ts';
import { feedHandlers } from './feed.ts';
import { fileHandlers } from './files.ts';
import { importHandlers } from './imports.ts';
import { indicatorHandlers } from './indicators.ts';
import { isolationHandlers } from './isolation.ts';
import { jobHandlers } from './jobs.ts';
import { knownListHandlers } from './known-lists.ts';
import { labHandlers } from './lab.ts';
import { legacyActivityHandlers } from './legacy/activity.ts';
import { legacyAnalystHandlers } from './legacy/analysts.ts';
import { legacyApkHandlers } from './legacy/apks.ts';
import { legacyCommentHandlers } from './legacy/comments.ts';
import { legacyFeedHandlers } from './legacy/feed.ts';
import { legacyNotificationHandlers } from './legacy/notifications.ts';
import { legacyRulesetHandlers } from './legacy/rulesets.ts';
import { legacyVoteHandlers } from './legacy/votes.ts';
import { libraryHandlers } from './libraries.ts';
import { matchHandlers } from './matches.ts';
import { metricsHandlers } from './metrics.ts';
import { notificationHandlers } from './notifications.ts';
import { retrohuntHandlers } from './retrohunts.ts';
import { rulePackageHandlers } from './rule-packages.ts';
import { ruleProposalHandlers } from './rule-proposals.ts';
import { rulesetEditingHandlers } from './ruleset-editing.ts';
import { rulesetHandlers } from './rulesets.ts';
import { secondFactorHandlers } from './second-factor.ts';
import { settingsHandlers } from './settings.ts';
import { sharingHandlers } from './sharing.ts';
import { signerHandlers } from './signers.ts';
import { storageHandlers } from './storage.ts';
import { tagHandlers } from './tags.ts';
import { trashHandlers } from './trash.ts';
import { verdictHandlers } from './verdicts.ts';
import { voteHandlers } from './votes.ts';
import { watchedFolderHandlers } from './watched-folders.ts';

export const handlers: Handlers<typeof operations> = {
  ...entranceHandlers,
  ...aboutHandlers,
  ...metricsHandlers,
  ...catalogueToolHandlers,
  ...contentSearchHandlers,
  ...apkHandlers,
  ...apkContentHandlers,
  ...codeNameHandlers,
  ...verdictHandlers,
  ...dismissalHandlers,
  ...voteHandlers,
  ...tagHandlers,
  ...deviceHandlers,
  ...dryRunHandlers,
  ...ruleProposalHandlers,
  ...rulePackageHandlers,
  ...retrohuntHandlers,
  ...rulesetEditingHandlers,
  ...rulesetHandlers,
  ...matchHandlers,
  ...commentHandlers,
  ...feedHandlers,
  ...fileHandlers,
  ...jobHandlers,
  ...accountHandlers,
  ...secondFactorHandlers,
  ...legacyApkHandlers,
  ...legacyVoteHandlers,
  ...legacyCommentHandlers,
  ...legacyRulesetHandlers,
  ...legacyFeedHandlers,
  ...legacyNotificationHandlers,
  ...legacyActivityHandlers,
  ...legacyAnalystHandlers,
  ...analystHandlers,
  ...analystWorkHandlers,
  ...eventHandlers,
  ...settingsHandlers,
  ...sharingHandlers,
  ...auditHandlers,
  ...isolationHandlers,
  ...labHandlers,
  ...storageHandlers,
  ...trashHandlers,
  ...signerHandlers,
  ...apkPageHandlers,
  ...familyHandlers,
  ...caseHandlers,
  ...indicatorHandlers,
  ...knownListHandlers,
  ...libraryHandlers,
  ...notificationHandlers,
  ...watchedFolderHandlers,
  ...importHandlers,
  ...collectionHandlers,
};
