// The history of the schema, oldest first. A migration is added at the end and never changed once released.
import type { Migration } from '../migrator.ts';
import { accountsSignInWithTokens } from './2026-11-21-accounts-sign-in-with-tokens.ts';
import { anInstallationHasSettingsAndSecrets } from './2026-11-21-an-installation-has-settings-and-secrets.ts';
import { analystsFollowAndAreNotified } from './2026-11-21-analysts-follow-and-are-notified.ts';
import { analystsJudgeApksTogether } from './2026-11-21-analysts-judge-apks-together.ts';
import { analystsKeepTheirSearches } from './2026-11-21-analysts-keep-their-searches.ts';
import { analystsShowAPicture } from './2026-11-21-analysts-show-a-picture.ts';
import { feedsComeInPackages } from './2026-11-21-feeds-come-in-packages.ts';
import { feedsTellOfEveryChange } from './2026-11-21-feeds-tell-of-every-change.ts';
import { importsWriteLess } from './2026-11-21-imports-write-less.ts';
import { jobsWaitInADurableQueue } from './2026-11-21-jobs-wait-in-a-durable-queue.ts';
import { matchesSayHowMuchMatched } from './2026-11-21-matches-say-how-much-matched.ts';
import { olderClientsVoteOnRulesets } from './2026-11-21-older-clients-vote-on-rulesets.ts';
import { rulesetsHuntThroughTheCatalogue } from './2026-11-21-rulesets-hunt-through-the-catalogue.ts';
import { searchesFollowWhatChanges } from './2026-11-21-searches-follow-what-changes.ts';
import { searchesReadAnIndex } from './2026-11-21-searches-read-an-index.ts';
import { tagsAreFoundInAnyCase } from './2026-11-21-tags-are-found-in-any-case.ts';
import { teammatesAreInvitedAndWatchedOver } from './2026-11-21-teammates-are-invited-and-watched-over.ts';
import { textsOfRulesetsAreKept } from './2026-11-21-texts-of-rulesets-are-kept.ts';
import { theCatalogueHoldsApksAndReports } from './2026-11-21-the-catalogue-holds-apks-and-reports.ts';
import { uploadsAreNoRequests } from './2026-11-21-uploads-are-no-requests.ts';
import { aCatalogueKnowsItsKey } from './2026-11-22-a-catalogue-knows-its-key.ts';
import { accountsHaveASecondFactor } from './2026-11-22-accounts-have-a-second-factor.ts';
import { accountsTakeTurnsInTheJobQueue } from './2026-11-22-accounts-take-turns-in-the-job-queue.ts';
import { guessesAreRemembered } from './2026-11-22-guesses-are-remembered.ts';
import { noAgeIsToldByAClockThatLeaps } from './2026-11-22-no-age-is-told-by-a-clock-that-leaps.ts';
import { refusalsAreCounted } from './2026-11-22-refusals-are-counted.ts';

export const migrations: readonly Migration[] = [
  anInstallationHasSettingsAndSecrets,
  accountsSignInWithTokens,
  theCatalogueHoldsApksAndReports,
  jobsWaitInADurableQueue,
  analystsJudgeApksTogether,
  analystsFollowAndAreNotified,
  olderClientsVoteOnRulesets,
  feedsComeInPackages,
  searchesReadAnIndex,
  textsOfRulesetsAreKept,
  teammatesAreInvitedAndWatchedOver,
  feedsTellOfEveryChange,
  searchesFollowWhatChanges,
  analystsKeepTheirSearches,
  rulesetsHuntThroughTheCatalogue,
  analystsShowAPicture,
  tagsAreFoundInAnyCase,
  importsWriteLess,
  matchesSayHowMuchMatched,
  uploadsAreNoRequests,
  accountsTakeTurnsInTheJobQueue,
  aCatalogueKnowsItsKey,
  refusalsAreCounted,
  guessesAreRemembered,
  accountsHaveASecondFactor,
  noAgeIsToldByAClockThatLeaps,
];
