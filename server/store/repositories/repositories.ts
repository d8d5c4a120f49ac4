// One repository per aggregate, all on the same connection or within the same transaction. Knows no file.

import { ApkRepository } from './apk-repository.ts';
import { AuditRepository } from './audit-repository.ts';
import { CaseRepository } from './case-repository.ts';
import { ChildRepository } from './child-repository.ts';
import { CodeNameRepository } from './code-name-repository.ts';
import { CodeSketchRepository } from './code-sketch-repository.ts';
import { CompletionRepository } from './completion-repository.ts';
import { DetectionRepository } from './detection-repository.ts';
import { DismissalRepository } from './dismissal-repository.ts';
import { FamilyActionRepository } from './family-action-repository.ts';
import { FamilyEvidenceRepository } from './family-evidence-repository.ts';
import { FamilyPlaceRepository } from './family-place-repository.ts';
import { FamilyRepository } from './family-repository.ts';
import { FeedRepository } from './feed-repository.ts';
import { FingerprintRepository } from './fingerprint-repository.ts';
import { ImportRepository } from './import-repository.ts';
import { IndicatorRepository } from './indicator-repository.ts';
import { JobRepository } from './job-repository.ts';
import { LabMachineRepository } from './lab-machine-repository.ts';
import { LibraryRepository } from './library-repository.ts';
import { LineageRepository } from './lineage-repository.ts';
import { MarkRepository } from './mark-repository.ts';
import { OwnStringRepository } from './own-string-repository.ts';
import { PartRepository } from './part-repository.ts';
import { AccountRepository } from './people/account-repository.ts';
import { ActivityRepository } from './people/activity-repository.ts';
import { CommentRepository } from './people/comment-repository.ts';
import { EmailRepository } from './people/email-repository.ts';
import { FollowRepository } from './people/follow-repository.ts';
import { GuessRepository } from './people/guess-repository.ts';
import { InvitationRepository } from './people/invitation-repository.ts';
import { LimitRepository } from './people/limit-repository.ts';
import { NotificationRepository } from './people/notification-repository.ts';
import { SecondFactorRepository } from './people/second-factor-repository.ts';
import { TokenRepository } from './people/token-repository.ts';
import { PivotRepository } from './pivot-repository.ts';
import { RepackagingRepository } from './repackaging-repository.ts';
import { ReportRepository } from './report-repository.ts';
import type { ReadHandle, RepositoryContext, WriteHandle } from './repository-context.ts';
import { DryRunRepository } from './rules/dry-run-repository.ts';
import { MatchRepository } from './rules/match-repository.ts';
import { RetrohuntRepository } from './rules/retrohunt-repository.ts';
import { RulePackageRepository } from './rules/rule-package-repository.ts';
import { RuleProposalRepository } from './rules/rule-proposal-repository.ts';
import { RuleStatisticsRepository } from './rules/rule-statistics-repository.ts';
import { RulesetRepository } from './rules/ruleset-repository.ts';
import { RulesetVersionRepository } from './rules/ruleset-version-repository.ts';
import { RulesetVoteRepository } from './rules/ruleset-vote-repository.ts';
import { SavedSearchRepository } from './saved-search-repository.ts';
import { ScheduledBackupRepository } from './scheduled-backup-repository.ts';
import { SearchIndexRepository } from './search-index-repository.ts';
import { SettingsRepository } from './settings-repository.ts';
import { SignerRepository } from './signer-repository.ts';
import { StatisticsRepository } from './statistics-repository.ts';
import { StorageRepository } from './storage-repository.ts';
import { ToldRepository } from './told-repository.ts';
import { TrashRepository } from './trash-repository.ts';
import { VerdictRepository } from './verdict-repository.ts';
import { VoteRepository } from './vote-repository.ts';
import { WatchedFolderRepository } from './watched-folder-repository.ts';

/** All repositories, which read; within a transaction they write too. */
export function repositories<Handle extends ReadHandle>(context: RepositoryContext<Handle>) {
  return {
    accounts: new AccountRepository(context),
    activity: new ActivityRepository(context),
    apks: new ApkRepository(context),
    audit: new AuditRepository(context),
    cases: new CaseRepository(context),
    children: new ChildRepository(context),
    codeNames: new CodeNameRepository(context),
    codeSketches: new CodeSketchRepository(context),
    comments: new CommentRepository(context),
    completions: new CompletionRepository(context),
    detections: new DetectionRepository(context),
    dismissals: new DismissalRepository(context),
    dryRuns: new DryRunRepository(context),
    emails: new EmailRepository(context),
    families: new FamilyRepository(context),
    familyActions: new FamilyActionRepository(context),
    familyEvidence: new FamilyEvidenceRepository(context),
    familyPlaces: new FamilyPlaceRepository(context),
    feeds: new FeedRepository(context),
    fingerprints: new FingerprintRepository(context),
    follows: new FollowRepository(context),
    guesses: new GuessRepository(context),
    invitations: new InvitationRepository(context),
    jobs: new JobRepository(context),
    labMachines: new LabMachineRepository(context),
    scheduledBackups: new ScheduledBackupRepository(context),
    libraries: new LibraryRepository(context),
    limits: new LimitRepository(context),
    lineages: new LineageRepository(context),
    marks: new MarkRepository(context),
    matches: new MatchRepository(context),
    notifications: new NotificationRepository(context),
    ownStrings: new OwnStringRepository(context),
    parts: new PartRepository(context),
    pivots: new PivotRepository(context),
    indicators: new IndicatorRepository(context),
    repackagings: new RepackagingRepository(context),
    reports: new ReportRepository(context),
    retrohunts: new RetrohuntRepository(context),
    ruleProposals: new RuleProposalRepository(context),
    rulePackages: new RulePackageRepository(context),
    ruleStatistics: new RuleStatisticsRepository(context),
    rulesets: new RulesetRepository(context),
    rulesetVersions: new RulesetVersionRepository(context),
    rulesetVotes: new RulesetVoteRepository(context),
    savedSearches: new SavedSearchRepository(context),
    search: new SearchIndexRepository(context),
    secondFactors: new SecondFactorRepository(context),
    settings: new SettingsRepository(context),
    signers: new SignerRepository(context),
    statistics: new StatisticsRepository(context),
    storage: new StorageRepository(context),
    tokens: new TokenRepository(context),
    trash: new TrashRepository(context),
    verdicts: new VerdictRepository(context),
    votes: new VoteRepository(context),
    watchedFolders: new WatchedFolderRepository(context),
    imports: new ImportRepository(context),
    told: new ToldRepository(context),
  };
}

/** Repositories for reading. Outside of a transaction a query waits for the one that is open. */
export type Reads = Readonly<ReturnType<typeof repositories<ReadHandle>>>;
/** Repositories within a transaction, for reading and writing. */
export interface Writes extends Readonly<ReturnType<typeof repositories<WriteHandle>>> {
  /** Calls back after the commit. */
  afterCommit(callback: () => void): void;
}
