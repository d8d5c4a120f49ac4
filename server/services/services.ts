// Everything the workstation does, put together on an open store. Knows nothing of HTTP.
import { readFileSync } from 'node:fs';
import { engineVersion } from '../contract/engine/engine-version.ts';
import type { Health } from '../contract/workstation/health.ts';
import type { ErrorLog } from '../jobs/error-log.ts';
import type { JobQueue } from '../jobs/job-queue.ts';
import type { JobHandlers } from '../jobs/job-runner.ts';
import type { WorkerPool } from '../jobs/worker-pool.ts';
import type { Store } from '../store/store.ts';
import { Analyses } from './analyses/analyses.ts';
import { AntivirusScans } from './analyses/antivirus-scans.ts';
import { BulkActions } from './analyses/bulk-actions.ts';
import { DeviceRuns } from './analyses/device-runs.ts';
import { Devices } from './analyses/devices.ts';
import { DynamicAnalyses } from './analyses/dynamic-analyses.ts';
import { Explorer } from './analyses/explorer.ts';
import type { Isolation } from './analyses/isolation.ts';
import { StoredFileTasks } from './analyses/stored-file-tasks.ts';
import { Audit } from './audit.ts';
import { Catalogue } from './catalogue/catalogue.ts';
import { CatalogueStatistics } from './catalogue/catalogue-statistics.ts';
import { SearchCompletions } from './catalogue/completions.ts';
import { ContentLocks } from './catalogue/content-locks.ts';
import { SearchFacets } from './catalogue/facets.ts';
import { Feeds } from './catalogue/feeds.ts';
import { Intake, uploadAnalyses } from './catalogue/intake.ts';
import { SavedSearches } from './catalogue/saved-searches.ts';
import { Signers } from './catalogue/signers.ts';
import { Storage } from './catalogue/storage.ts';
import { DiskRoom } from './disk-room.ts';
import { EventBus } from './event-bus.ts';
import { Failure } from './failure.ts';
import { faultsOf } from './faults.ts';
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
import { Matches } from './rules/matches.ts';
import { Retrohunts } from './rules/retrohunts.ts';
import { compilingValidator } from './rules/rules-validator.ts';
import { RulesetVotes } from './rules/ruleset-votes.ts';
import { Rulesets } from './rules/rulesets.ts';
import { YaraScans } from './rules/yara-scans.ts';
import { Settings } from './settings.ts';
import { Backups } from './sharing/backups.ts';
import { OwnHosts } from './sharing/own-hosts.ts';
import { PublicAddress } from './sharing/public-address.ts';
import { Sharing } from './sharing/sharing.ts';
import { TrustedProxies } from './sharing/trusted-proxies.ts';
import { SignedLinks } from './signed-links.ts';
import { Comments } from './triage/comments.ts';
import { Detections } from './triage/detections.ts';
import { Votes } from './triage/votes.ts';

/** What the server knows of its own state. */
export interface HealthState extends Omit<Health, 'authority' | 'engine_version' | 'jobs'> {
  engineVersion: number;
  jobs: { queued: number; running: number };
}

export interface Services {
  readonly version: string;
  readonly accounts: Accounts;
  readonly analyses: Analyses;
  readonly anonymousLimits: AnonymousLimits;
  readonly antivirus: AntivirusScans;
  readonly audit: Audit;
  readonly backups: Backups;
  readonly bulk: BulkActions;
  readonly catalogue: Catalogue;
  readonly comments: Comments;
  readonly completions: SearchCompletions;
  readonly detections: Detections;
  readonly deviceRuns: DeviceRuns;
  readonly devices: Devices;
  readonly dryRuns: DryRuns;
  readonly events: EventBus;
  readonly dynamicAnalyses: DynamicAnalyses;
  readonly explorer: Explorer;
  readonly facets: SearchFacets;
  readonly feeds: Feeds;
  readonly ids: PublicIds;
  readonly intake: Intake;
  readonly invitations: Invitations;
  readonly isolation: Isolation;
  /** What performs the jobs of each kind. */
  readonly jobHandlers: JobHandlers;
  readonly limits: UsageLimits;
  readonly links: SignedLinks;
  readonly matches: Matches;
  readonly retrohunts: Retrohunts;
  readonly rulesets: Rulesets;
  readonly rulesetVotes: RulesetVotes;
  readonly notifications: Notifications;
  readonly outbox: Outbox;
  readonly ownHosts: OwnHosts;
  readonly profiles: Profiles;
  readonly proxies: TrustedProxies;
  readonly publicAddress: PublicAddress;
  /** For requests under way. */
  readonly requestPlaces: Places;
  readonly savedSearches: SavedSearches;
  readonly secondFactors: SecondFactors;
  readonly sessions: Sessions;
  readonly statistics: CatalogueStatistics;
  readonly sharing: Sharing;
  readonly signers: Signers;
  readonly storage: Storage;
  readonly votes: Votes;
  readonly settings: Settings;
  /** All but what the sharing tells. */
  health(): Promise<HealthState>;
}

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

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** Puts the services together on an open store. Whoever opened store, queue and pool closes them. */
export async function createServices({
  store,
  queue,
  pool,
  isolation,
  workers,
  log,
  passwordCost,
}: ServiceParts): Promise<Services> {
  const { idSalt, signingSecret, createdAt: installedAt } = await store.settings.installation();
  const events = new EventBus(store, queue, log);
  const locks = new ContentLocks();
  const catalogue = new Catalogue(store, queue, events, locks, log);
  const activeRulesets = new ActiveRulesets(store);
  const matches = new Matches(store, events, activeRulesets);
  const compiledRules = new CompiledRulesFolder(compiledRulesPath(store.dataDir), pool, log);
  const room = new DiskRoom(store);
  const files = new StoredFileTasks(store, pool, events, room);
  const scanner = new ApkScanner(store, files, compiledRules.path);
  const limits = new UsageLimits(store, log);
  const rulesets = new Rulesets(store, events, matches, activeRulesets, compilingValidator(pool));
  const scans = new YaraScans({ store, queue, scanner, compiledRules, events, matches, active: activeRulesets });
  const dryRuns = new DryRuns({ store, queue, scanner, catalogue, rulesets, limits, workers });
  const retrohunts = new Retrohunts({
    store,
    queue,
    scanner,
    compiledRules,
    events,
    matches,
    catalogue,
    limits,
    workers,
    log,
  });
  const detections = new Detections(store, events);
  const antivirus = new AntivirusScans(store, queue, detections);
  const dynamic = new DynamicAnalyses(store, pool, files, events);
  const analyses = new Analyses({ store, queue, pool, files, events, limits });
  const intake = new Intake({ store, queue, pool, events, locks, room });
  const devices = new Devices(store, queue, events, intake);

  const outbox = new Outbox(store, log);
  const publicAddress = new PublicAddress();
  const sharing = new Sharing(store, events, log);
  const guesses = new Guesses(store);
  const secondFactors = new SecondFactors(store, guesses);
  const sessions = new Sessions(store, guesses, secondFactors, passwordCost);
  const ownHosts = new OwnHosts(store);
  await ownHosts.settingsChanged();
  await isolation.settingsChanged();
  const proxies = new TrustedProxies(store);
  await proxies.settingsChanged();

  const storage = new Storage(store, catalogue);
  const bulk = new BulkActions(store, queue, catalogue, analyses);
  const deviceRuns = new DeviceRuns(store, queue, limits, devices, dynamic);
  const notifications = new Notifications(store, events, outbox, publicAddress);

  const jobHandlers: JobHandlers = {
    static: analyses.performStatic,
    dynamic: dynamic.perform,
    yara: scans.perform,
    antivirus: antivirus.perform,
    retrohunt: retrohunts.perform,
    dry_run: dryRuns.perform,
    bulk: bulk.perform,
    device_import: devices.performImport,
    device_run: deviceRuns.perform,
  };
  // Who follows what, in this order; each within the transaction of what it follows.
  queue.followEnds([scans.followEnd, antivirus.followEnd, retrohunts.followEnd, notifications.followEnd]);
  events.followHappenings([notifications.followHappening]);

  async function health(): Promise<HealthState> {
    const { status: held, kind } = isolation.report;
    const fixed = { version, engineVersion, workers, isolation: { status: held, kind } };
    const parts = { storage: await storage.state(), pages: store.condition.pages, keys: await store.condition.keys() };
    const answered = (described: Pick<HealthState, 'database' | 'jobs' | 'analyses' | 'antivirus'>) => {
      const faults = faultsOf({ ...parts, database: described.database });
      const status: HealthState['status'] = faults.length === 0 ? 'ok' : 'degraded';
      return { status, ...fixed, ...parts, ...described, faults };
    };
    try {
      const scanner = await antivirus.state();
      const present = scanner.status === 'off' ? [...uploadAnalyses] : [...uploadAnalyses, 'antivirus'];
      const queued = await queue.count({ statuses: ['queued'] });
      const running = await queue.count({ statuses: ['running'] });
      return answered({ database: 'ok', jobs: { queued, running }, analyses: present, antivirus: scanner });
    } catch (error) {
      log.error({ err: error }, 'the database does not answer');
      const unknown = { jobs: { queued: 0, running: 0 }, antivirus: { status: 'failed', message: null } } as const;
      return answered({ database: 'failed', analyses: [...uploadAnalyses], ...unknown });
    }
  }

  return {
    version,
    accounts: new Accounts(store, passwordCost),
    analyses,
    anonymousLimits: new AnonymousLimits(),
    antivirus,
    audit: new Audit(store, log),
    backups: new Backups(store, room),
    bulk,
    catalogue,
    completions: new SearchCompletions(store),
    facets: new SearchFacets(store),
    savedSearches: new SavedSearches(store, catalogue),
    statistics: new CatalogueStatistics(store),
    comments: new Comments(store, events, catalogue),
    detections,
    deviceRuns,
    devices,
    dryRuns,
    events,
    dynamicAnalyses: dynamic,
    explorer: new Explorer(store, pool, catalogue),
    feeds: new Feeds(store, Math.min(installedAt, store.clock()), log, room),
    ids: new PublicIds(idSalt),
    intake,
    invitations: new Invitations(store),
    isolation,
    jobHandlers,
    limits,
    links: new SignedLinks(signingSecret, store.clock, (moment) => store.lived.isToCome(moment)),
    matches,
    retrohunts,
    rulesets,
    rulesetVotes: new RulesetVotes(store),
    notifications,
    outbox,
    ownHosts,
    profiles: new Profiles(store, events),
    proxies,
    publicAddress,
    requestPlaces: new Places(requestPlaces, () => new Failure('too-many-at-once', { seconds: 2 }, 2)),
    secondFactors,
    sessions,
    sharing,
    signers: new Signers(store),
    storage,
    votes: new Votes(store, events),
    settings: new Settings(store, async () => {
      antivirus.settingsChanged();
      sessions.settingsChanged();
      await isolation.settingsChanged();
      await ownHosts.settingsChanged();
      await proxies.settingsChanged();
      await sharing.settingsChanged();
    }),
    health,
  };
}
