// Everything the workstation does, put together on an open store. Knows nothing of HTTP.
import type { IndicatorFormat } from '../contract/catalogue/indicator-export.ts';
import type { ErrorLog } from '../jobs/error-log.ts';
import type { JobQueue } from '../jobs/job-queue.ts';
import type { JobHandlers } from '../jobs/job-runner.ts';
import type { WorkerPool } from '../jobs/worker-pool.ts';
import type { Store } from '../store/store.ts';
import { Analyses } from './analyses/analyses.ts';
import { AntivirusScans } from './analyses/antivirus-scans.ts';
import { BulkActions } from './analyses/bulk-actions.ts';
import { Children } from './analyses/children.ts';
import { Comparisons } from './analyses/comparisons.ts';
import { ContentIndexing } from './analyses/content-indexing.ts';
import { ContentSearches } from './analyses/content-searches/content-searches.ts';
import { DeviceRuns } from './analyses/device-runs.ts';
import { Devices } from './analyses/devices.ts';
import { DynamicAnalyses } from './analyses/dynamic-analyses.ts';
import { Explorer } from './analyses/explorer.ts';
import type { Isolation } from './analyses/isolation.ts';
import { StoredFileTasks } from './analyses/stored-file-tasks.ts';
import { Audit } from './audit.ts';
import { CaseFiles } from './cases/case-files.ts';
import { Cases } from './cases/cases.ts';
import { Catalogue } from './catalogue/catalogue.ts';
import { CatalogueStatistics } from './catalogue/catalogue-statistics.ts';
import { SearchCompletions } from './catalogue/completions.ts';
import { ContentLocks } from './catalogue/content-locks.ts';
import { SearchFacets } from './catalogue/facets.ts';
import { Feeds } from './catalogue/feeds.ts';
import { Intake } from './catalogue/intake.ts';
import { KnownApks } from './catalogue/known-apks.ts';
import { Libraries } from './catalogue/libraries.ts';
import { Lineages } from './catalogue/lineages.ts';
import { MethodWeights } from './catalogue/method-weights.ts';
import { SavedSearches } from './catalogue/saved-searches.ts';
import { Signers } from './catalogue/signers.ts';
import { SimilarApks } from './catalogue/similar-apks.ts';
import { Storage } from './catalogue/storage.ts';
import { Trash } from './catalogue/trash.ts';
import { Imports } from './collections/imports.ts';
import { Collections } from './collections/sealed/collections.ts';
import { WatchedFolders } from './collections/watched-folders.ts';
import { DiskRoom } from './disk-room.ts';
import { EventBus } from './event-bus.ts';
import { ApkPages } from './exports/apk-page.ts';
import { type ApkSelection, ApkSelections } from './exports/apk-selections.ts';
import { installedChromium } from './exports/chromium.ts';
import { GroupPages } from './exports/group-page.ts';
import { Printing } from './exports/printing.ts';
import { writtenIndicators } from './exports/written-indicators.ts';
import { Failure } from './failure.ts';
import { Families } from './families/families.ts';
import { FamilyEdits } from './families/family-edits.ts';
import { FamilyJudgements } from './families/family-judgements.ts';
import { FamilyUpkeep } from './families/family-upkeep.ts';
import { Pivots } from './families/pivots.ts';
import { ServerHealth } from './health.ts';
import { Lab } from './lab/lab.ts';
import { Metrics } from './metrics.ts';
import { CodeNameService } from './names/code-names.ts';
import { Accounts } from './people/accounts.ts';
import { AnonymousLimits } from './people/anonymous-limits.ts';
import { Guesses } from './people/guesses.ts';
import { Invitations } from './people/invitations.ts';
import { Notifications } from './people/notifications.ts';
import { Outbox } from './people/outbox.ts';
import type { PasswordCost } from './people/passwords.ts';
import { Profiles } from './people/profiles.ts';
import { SecondFactors } from './people/second-factors.ts';
import { Sessions } from './people/sessions.ts';
import { UsageLimits } from './people/usage-limits.ts';
import { Places } from './places.ts';
import { PublicIds } from './public-ids.ts';
import { ActiveRulesets } from './rules/active-rulesets.ts';
import { ApkScanner } from './rules/apk-scanner.ts';
import { CompiledRulesFolder, compiledRulesPath } from './rules/compiled-rules-folder.ts';
import { DryRuns } from './rules/dry-runs.ts';
import { HuntPlanner } from './rules/hunt-candidates.ts';
import { Matches } from './rules/matches.ts';
import { OtherApkChoice } from './rules/proposals/other-apks.ts';
import { RuleProposals } from './rules/proposals/rule-proposals.ts';
import { Retrohunts } from './rules/retrohunts.ts';
import { ruleMemory } from './rules/rule-memory.ts';
import { RulePackages } from './rules/rule-packages.ts';
import { compilingValidator } from './rules/rules-validator.ts';
import { RulesetVotes } from './rules/ruleset-votes.ts';
import { Rulesets } from './rules/rulesets.ts';
import { YaraScans } from './rules/yara-scans.ts';
import { Settings } from './settings.ts';
import { Backups } from './sharing/backups.ts';
import { OwnHosts } from './sharing/own-hosts.ts';
import { PublicAddress } from './sharing/public-address.ts';
import { ScheduledBackups } from './sharing/scheduled-backups.ts';
import { Sharing } from './sharing/sharing.ts';
import { TrustedProxies } from './sharing/trusted-proxies.ts';
import { SignedLinks } from './signed-links.ts';
import { Comments } from './triage/comments.ts';
import { Detections } from './triage/detections.ts';
import { Dismissals } from './triage/dismissals.ts';
import { Risks } from './triage/risks.ts';
import { Verdicts } from './triage/verdicts.ts';
import { Votes } from './triage/votes.ts';
import { version } from './version.ts';

/**
 * Requests under way, with downloads and open streams of events. Links that need no token are followed by many at a time
 * from one address; the connections of the server end some way behind all of these.
 */
const requestPlaces = { all: 600, each: 250, kept: 200, few: 16, anonymous: 300, address: 100 };

export interface ServiceParts {
  store: Store;
  queue: JobQueue;
  pool: WorkerPool;
  isolation: Isolation;
  /** Analyses at a time. */
  workers: number;
  log: ErrorLog;
  /** What a hash of a password takes, as much as is recommended by default. */
  passwordCost?: PasswordCost | undefined;
}

/** The catalogue, what comes into it and what is asked of it. */
function catalogueServices({ store, queue, pool, workers, log }: ServiceParts, events: EventBus) {
  const locks = new ContentLocks();
  const trash = new Trash({ store, queue, pool, events, locks });
  const room = new DiskRoom(store, trash.makeRoom);
  const methodWeights = new MethodWeights(store);
  const similarApks = new SimilarApks(store, methodWeights);
  const files = new StoredFileTasks(store, pool, events, room);
  const contentIndexing = new ContentIndexing({ store, queue, files, room, log });
  const contentSearches = new ContentSearches({ store, pool, files, events, contentIndexing, similarApks, workers });
  const catalogue = new Catalogue({ store, queue, events, locks, trash, similarApks, contentSearches, log });
  const explorer = new Explorer(store, pool, catalogue);
  const knownApks = new KnownApks({ store, queue, events, room, log });
  return {
    room,
    files,
    contentIndexing,
    contentSearches,
    catalogue,
    intake: new Intake({ store, queue, pool, events, locks, room, knownApks }),
    completions: new SearchCompletions(store),
    facets: new SearchFacets(store),
    savedSearches: new SavedSearches(store, catalogue),
    statistics: new CatalogueStatistics(store),
    signers: new Signers(store, knownApks),
    knownApks,
    libraries: new Libraries({ store, queue, pool, room }),
    lineages: new Lineages(store, catalogue),
    methodWeights,
    similarApks,
    storage: new Storage(store, catalogue),
    trash,
    explorer,
    comparisons: new Comparisons({ store, pool, catalogue, explorer }),
  };
}

/** Accounts, how they log in, what they are told and how much they may ask. */
function peopleServices({ store, log, passwordCost }: ServiceParts, events: EventBus, publicAddress: PublicAddress) {
  const outbox = new Outbox(store, log);
  const guesses = new Guesses(store);
  const secondFactors = new SecondFactors(store, guesses);
  return {
    accounts: new Accounts(store, passwordCost),
    anonymousLimits: new AnonymousLimits(),
    invitations: new Invitations(store),
    limits: new UsageLimits(store, log),
    notifications: new Notifications(store, events, outbox, publicAddress),
    outbox,
    profiles: new Profiles(store, events),
    secondFactors,
    sessions: new Sessions(store, guesses, secondFactors, passwordCost),
  };
}

interface RuleNeeds {
  events: EventBus;
  files: StoredFileTasks;
  room: DiskRoom;
  catalogue: Catalogue;
  similarApks: SimilarApks;
  methodWeights: MethodWeights;
  limits: UsageLimits;
  contentIndexing: ContentIndexing;
}

/** Rulesets and all that runs them. */
function ruleServices(parts: ServiceParts, needs: RuleNeeds) {
  const { events, files, room, catalogue, similarApks, methodWeights, limits, contentIndexing } = needs;
  const { store, queue, pool, workers, log } = parts;
  const active = new ActiveRulesets(store);
  const matches = new Matches(store, events, active);
  const compiledRules = new CompiledRulesFolder(compiledRulesPath(store.dataDir), pool, log);
  const scanner = new ApkScanner(store, files, compiledRules);
  const rulesets = new Rulesets(store, events, matches, active, compilingValidator(pool));
  const planner = new HuntPlanner({ pool, contentIndexing });
  const hunting = { store, queue, scanner, planner, compiledRules, events, matches, catalogue, limits, workers, log };
  return {
    matches,
    rulesets,
    memoryOfRules: () => ruleMemory(active, pool),
    rulePackages: new RulePackages({ store, pool, queue, room, active, rulesets, matches }),
    rulesetVotes: new RulesetVotes(store),
    scans: new YaraScans({ store, queue, scanner, compiledRules, events, matches, active }),
    dryRuns: new DryRuns({ store, queue, scanner, catalogue, rulesets, limits, workers }),
    ruleProposals: new RuleProposals({
      ...{ store, queue, files, scanner, catalogue, rulesets, methodWeights, limits, workers },
      otherApks: new OtherApkChoice(store, catalogue, similarApks),
    }),
    retrohunts: new Retrohunts(hunting),
  };
}

/** Puts the services together on an open store. Whoever opened store, queue and pool closes them. */
export async function createServices({ pool: here, ...others }: ServiceParts) {
  const { store, queue, isolation, workers, log } = others;
  const installation = await store.settings.installation();
  const { idSalt, signingSecret, createdAt: installedAt } = installation;
  const lab = new Lab({ store, here, places: workers, installation, log });
  const pool: WorkerPool = lab.pool;
  const parts: ServiceParts = { ...others, pool };
  const events = new EventBus(store, queue, log);
  lab.onGone = (machine) => {
    log.error({ machine }, 'a machine of the lab does not answer: its tasks are done by others');
    store
      .transaction((inside) => events.happened({ name: 'machine_gone' }, inside))
      .catch((err: unknown) => log.error({ err }, 'the owners could not be told of a machine that is gone'));
  };
  const publicAddress = new PublicAddress();
  const { room, files, methodWeights, ...ofCatalogue } = catalogueServices(parts, events);
  const { catalogue, explorer, intake, knownApks, libraries, storage } = ofCatalogue;

  const people = peopleServices(parts, events, publicAddress);
  const { limits, notifications, sessions } = people;
  const { similarApks, contentIndexing, contentSearches } = ofCatalogue;
  const ruleNeeds = { events, files, room, catalogue, similarApks, methodWeights, limits, contentIndexing };
  const { scans, ...rules } = ruleServices(parts, ruleNeeds);

  const risks = new Risks(store, pool, log);
  const detections = new Detections(store, events);
  const antivirus = new AntivirusScans(store, queue, detections);
  const children = new Children({ store, queue, files, explorer, catalogue, events, room });
  const dynamicAnalyses = new DynamicAnalyses({ store, pool, files, events, children });
  const analyses = new Analyses({ store, queue, pool, files, events, limits, children, contentIndexing });
  const devices = new Devices(store, queue, events, intake);
  const deviceRuns = new DeviceRuns(store, queue, limits, devices, dynamicAnalyses);
  const verdicts = new Verdicts(store, events);
  const bulk = new BulkActions({ store, queue, catalogue, analyses, verdicts });
  const families = new Families(store);
  const apkSelections = new ApkSelections(store, catalogue, rules.retrohunts);
  const cases = new Cases(store, apkSelections);
  const familyUpkeep = new FamilyUpkeep({ store, queue, events, log });
  const judgements = new FamilyJudgements({ store, queue, families, verdicts, bulk });
  const jobHandlers: JobHandlers = {
    static: analyses.performStatic,
    dynamic: dynamicAnalyses.perform,
    children: children.perform,
    yara: scans.perform,
    antivirus: antivirus.perform,
    retrohunt: rules.retrohunts.perform,
    dry_run: rules.dryRuns.perform,
    rule_proposal: rules.ruleProposals.perform,
    bulk: bulk.perform,
    known_lists: knownApks.perform,
    libraries: libraries.perform,
    rule_packages: rules.rulePackages.perform,
    families: (job, context) => (job.payload === null ? familyUpkeep : judgements).perform(job, context),
    content_index: contentIndexing.perform,
    device_import: devices.performImport,
    device_run: deviceRuns.perform,
  };
  // Who follows what, in this order; each within the transaction of what it follows.
  queue.followEnds([
    knownApks.followEnd,
    libraries.followEnd,
    rules.rulePackages.followEnd,
    scans.followEnd,
    antivirus.followEnd,
    intake.followEnd,
    rules.retrohunts.followEnd,
    notifications.followEnd,
  ]);
  const watchedFolders = new WatchedFolders({ store, queue, intake, catalogue, events, log });
  const imports = new Imports({ store, intake, catalogue, log });
  const codeNames = new CodeNameService({ store, explorer, catalogue, events });
  const caseFiles = new CaseFiles(store, cases, verdicts);
  events.followHappenings([
    methodWeights.followHappening,
    risks.followHappening,
    codeNames.followHappening,
    familyUpkeep.followHappening,
    contentIndexing.followHappening,
    contentSearches.freshness.followHappening,
    watchedFolders.followHappening,
    notifications.followHappening,
  ]);

  const sharing = new Sharing(store, events, log);
  const ownHosts = new OwnHosts(store);
  const proxies = new TrustedProxies(store);
  for (const service of [ownHosts, isolation, proxies]) await service.settingsChanged();
  const settings = new Settings(store, async () => {
    for (const service of [antivirus, sessions, isolation, ownHosts, proxies, sharing, contentIndexing, lab])
      await service.settingsChanged();
  });

  const health = new ServerHealth({ version, store, queue, storage, antivirus, isolation, workers, log });

  return {
    version,
    ...ofCatalogue,
    ...people,
    ...rules,
    analyses,
    antivirus,
    audit: new Audit(store, log),
    backups: new Backups(store, room),
    scheduledBackups: new ScheduledBackups({ store, events, log }),
    bulk,
    cases,
    caseFiles,
    collections: new Collections({ store, intake, events, selections: apkSelections, caseFiles, codeNames, log }),
    children,
    codeNames,
    comments: new Comments(store, events, catalogue),
    detections,
    dismissals: new Dismissals(store, events),
    deviceRuns,
    devices,
    dynamicAnalyses,
    events,
    families,
    familyEdits: new FamilyEdits({ store, events, families, upkeep: familyUpkeep, judgements }),
    familyUpkeep,
    pivots: new Pivots(store, catalogue, families),
    feeds: new Feeds(store, Math.min(installedAt, store.clock()), log, room),
    health,
    ids: new PublicIds(idSalt),
    apkPages: new ApkPages(store, catalogue, risks),
    groupPages: new GroupPages(store),
    printing: new Printing(store, installedChromium),
    apkSelections,
    writtenIndicators: (selection: ApkSelection, format: IndicatorFormat, isDefanged: boolean) =>
      writtenIndicators(store, selection, format, isDefanged),
    isolation,
    lab,
    metrics: new Metrics({ store, queue, health, lab }),
    /** What performs the jobs of each kind. */
    jobHandlers,
    links: new SignedLinks(signingSecret, store.clock, (moment) => store.trustedTime.isInFuture(moment)),
    ownHosts,
    proxies,
    publicAddress,
    /** For requests under way. */
    requestPlaces: new Places(requestPlaces, () => new Failure('too-many-at-once', { seconds: 2 }, 2)),
    risks,
    settings,
    sharing,
    verdicts,
    votes: new Votes(store, events),
    watchedFolders,
    imports,
  };
}

export type Services = Readonly<Awaited<ReturnType<typeof createServices>>>;
