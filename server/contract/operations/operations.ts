// Every operation of the API, in the order in which addresses are matched.
import { aboutOperations } from './about.ts';
import { accountOperations } from './account.ts';
import { analystOperations, analystWorkOperations } from './analysts.ts';
import { apkContentOperations } from './apk-contents.ts';
import { apkPageOperations } from './apk-pages.ts';
import { apkOperations } from './apks.ts';
import { auditOperations } from './audit.ts';
import { caseOperations } from './cases.ts';
import { catalogueToolOperations } from './catalogue-tools.ts';
import { codeNameOperations } from './code-names.ts';
import { collectionOperations } from './collections.ts';
import { commentOperations } from './comments.ts';
import { contentSearchOperations } from './content-searches.ts';
import { deviceOperations } from './devices.ts';
import { dismissalOperations } from './dismissals.ts';
import { dryRunOperations } from './dry-runs.ts';
import { entranceOperations } from './entrance.ts';
import { eventOperations } from './events.ts';
import { familyOperations } from './families.ts';
import { feedOperations } from './feed.ts';
import { fileOperations } from './files.ts';
import { importOperations } from './imports.ts';
import { indicatorOperations } from './indicators.ts';
import { isolationOperations } from './isolation.ts';
import { jobOperations } from './jobs.ts';
import { knownListOperations } from './known-lists.ts';
import { labOperations } from './lab.ts';
import { legacyActivityOperations } from './legacy/activity.ts';
import { legacyAnalystOperations } from './legacy/analysts.ts';
import { legacyApkOperations } from './legacy/apks.ts';
import { legacyCommentOperations } from './legacy/comments.ts';
import { legacyFeedOperations } from './legacy/feed.ts';
import { legacyNotificationOperations } from './legacy/notifications.ts';
import { legacyRulesetOperations } from './legacy/rulesets.ts';
import { legacyVoteOperations } from './legacy/votes.ts';
import { libraryOperations } from './libraries.ts';
import { matchOperations } from './matches.ts';
import { metricsOperations } from './metrics.ts';
import { notificationOperations } from './notifications.ts';
import type { ByMethod, Operations } from './operation.ts';
import { retrohuntOperations } from './retrohunts.ts';
import { rulePackageOperations } from './rule-packages.ts';
import { ruleProposalOperations } from './rule-proposals.ts';
import { rulesetEditingOperations } from './ruleset-editing.ts';
import { rulesetOperations } from './rulesets.ts';
import { secondFactorOperations } from './second-factor.ts';
import { settingsOperations } from './settings.ts';
import { sharingOperations } from './sharing.ts';
import { signerOperations } from './signers.ts';
import { storageOperations } from './storage.ts';
import { tagOperations } from './tags.ts';
import { trashOperations } from './trash.ts';
import { verdictOperations } from './verdicts.ts';
import { voteOperations } from './votes.ts';
import { watchedFolderOperations } from './watched-folders.ts';

export const operations = {
  ...entranceOperations,
  ...metricsOperations,
  ...aboutOperations,
  ...catalogueToolOperations,
  ...contentSearchOperations,
  ...apkOperations,
  ...apkContentOperations,
  ...codeNameOperations,
  ...verdictOperations,
  ...dismissalOperations,
  ...voteOperations,
  ...tagOperations,
  ...deviceOperations,
  ...dryRunOperations,
  ...ruleProposalOperations,
  ...rulePackageOperations,
  ...retrohuntOperations,
  ...rulesetEditingOperations,
  ...rulesetOperations,
  ...matchOperations,
  ...commentOperations,
  ...feedOperations,
  ...fileOperations,
  ...jobOperations,
  ...accountOperations,
  ...secondFactorOperations,
  ...legacyApkOperations,
  ...legacyVoteOperations,
  ...legacyCommentOperations,
  ...legacyRulesetOperations,
  ...legacyFeedOperations,
  ...legacyNotificationOperations,
  ...legacyActivityOperations,
  ...legacyAnalystOperations,
  ...analystOperations,
  ...analystWorkOperations,
  ...eventOperations,
  ...settingsOperations,
  ...sharingOperations,
  ...auditOperations,
  ...isolationOperations,
  ...labOperations,
  ...storageOperations,
  ...trashOperations,
  ...signerOperations,
  ...apkPageOperations,
  ...familyOperations,
  ...caseOperations,
  ...indicatorOperations,
  ...knownListOperations,
  ...libraryOperations,
  ...notificationOperations,
  ...watchedFolderOperations,
  ...importOperations,
  ...collectionOperations,
} satisfies Operations;

/** By one method each, as clients ask. */
export type ApiOperations = ByMethod<typeof operations>;
