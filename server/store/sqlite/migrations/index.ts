// The history of the schema, oldest first. A migration is added at the end and never changed once released.
import type { Migration } from '../migrator.ts';
import { anInstallationHasSettingsAndSecrets } from './001-an-installation-has-settings-and-secrets.ts';
import { accountsSignInWithTokens } from './002-accounts-sign-in-with-tokens.ts';
import { theCatalogueHoldsApksAndReports } from './003-the-catalogue-holds-apks-and-reports.ts';
import { jobsWaitInADurableQueue } from './004-jobs-wait-in-a-durable-queue.ts';
import { analystsJudgeApksTogether } from './005-analysts-judge-apks-together.ts';
import { analystsFollowAndAreNotified } from './006-analysts-follow-and-are-notified.ts';
import { olderClientsVoteOnRulesets } from './007-older-clients-vote-on-rulesets.ts';
import { feedsComeInPackages } from './008-feeds-come-in-packages.ts';
import { searchesReadAnIndex } from './009-searches-read-an-index.ts';
import { textsOfRulesetsAreKept } from './010-texts-of-rulesets-are-kept.ts';
import { teammatesAreInvitedAndWatchedOver } from './011-teammates-are-invited-and-watched-over.ts';
import { feedsTellOfEveryChange } from './012-feeds-tell-of-every-change.ts';
import { searchesFollowWhatChanges } from './013-searches-follow-what-changes.ts';
import { analystsKeepTheirSearches } from './014-analysts-keep-their-searches.ts';
import { rulesetsHuntThroughTheCatalogue } from './015-rulesets-hunt-through-the-catalogue.ts';
import { analystsShowAPicture } from './016-analysts-show-a-picture.ts';
import { tagsAreFoundInAnyCase } from './017-tags-are-found-in-any-case.ts';
import { importsWriteLess } from './018-imports-write-less.ts';
import { matchesSayHowMuchMatched } from './019-matches-say-how-much-matched.ts';
import { uploadsAreNoRequests } from './020-uploads-are-no-requests.ts';
import { accountsTakeTurnsInTheJobQueue } from './021-accounts-take-turns-in-the-job-queue.ts';
import { aCatalogueKnowsItsKey } from './022-a-catalogue-knows-its-key.ts';
import { refusalsAreCounted } from './023-refusals-are-counted.ts';
import { guessesAreRemembered } from './024-guesses-are-remembered.ts';
import { accountsHaveASecondFactor } from './025-accounts-have-a-second-factor.ts';
import { noAgeIsToldByAClockThatLeaps } from './026-no-age-is-told-by-a-clock-that-leaps.ts';

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
