// Starts and stops the whole workstation in this process: data folder, workers, services, HTTP.
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { createApplication } from '../api/application.ts';
import type { ApiLog } from '../api/errors.ts';
import { type HttpServer, listen } from '../api/http-server.ts';
import { feedPresenter } from '../api/presenters/feed.ts';
import { createJobQueue } from '../jobs/job-queue.ts';
import { createJobRunner, type JobRunner } from '../jobs/job-runner.ts';
import { startSchedule } from '../jobs/schedule.ts';
import { machineWall } from '../jobs/wall/wall.ts';
import { createWorkerPool, type WorkerPool } from '../jobs/worker-pool.ts';
import { Isolation } from '../services/analyses/isolation.ts';
import { indexStoredReports } from '../services/catalogue/search-indexing.ts';
import { tellStoredDamage } from '../services/catalogue/stored-damage.ts';
import type { PasswordCost } from '../services/people/passwords.ts';
import { compiledRulesPath } from '../services/rules/compiled-rules-folder.ts';
import { createServices, type Services } from '../services/services.ts';
import type { Clock } from '../store/clock.ts';
import { openStore, type Store } from '../store/store.ts';
import { backupProcess, seriesProcess } from './backup-process.ts';
import { serverLog } from './log.ts';
import { sharingHost } from './sharing-host.ts';

export type ServerLog = ApiLog;

export interface ServerOptions {
  dataDir: string;
  /** 127.0.0.1 by default. */
  host?: string;
  /** Any free one by default. */
  port?: number;
  log?: ServerLog;
  /** The system's by default. */
  clock?: Clock;
  /** Whether analyses run only when nobody else wants the processor, which they do by default. */
  analysesGiveWay?: boolean;
  /** The module that workers run, the engine by default. */
  workerEntry?: URL;
  /** Whether the start has it tried what workers can reach, which it does by default. */
  triesIsolation?: boolean;
  /** What a hash of a password takes, as much as is recommended by default. */
  passwordCost?: PasswordCost;
}

export interface RunningServer {
  /** `http://host:port`, without a slash at its end. */
  readonly url: string;
  readonly port: number;
  readonly services: Services;
  readonly store: Store;
  /** The address of the user interface that logs the owner in, once, within half an hour of the start. */
  readonly loginUrl: string;
  /** A further such address, for a window that was closed and opened again. */
  newLoginUrl(): string;
  /** Makes the feed packages that are due by the clock, which the schedule does of itself every 5 minutes. */
  makeFeeds(): Promise<void>;
  /** Resolves when no job is queued or running. */
  idle(): Promise<void>;
  /** Ends connections, jobs, workers and the database in this order. Jobs under way run again at the next start. */
  close(): Promise<void>;
}

const maintenanceInterval = 3_600_000;
/** APKs from which on the search thread starts with the server. */
const searchesWarmFrom = 20_000;
/** Microseconds between looks at whether a backup is due. */
const backupLook = 60_000_000;
/** Microseconds: packages are made as soon as their 5 minutes are over. */
const feedInterval = 300_000_000;
/** The built interface lies in `dist`, where the built server lies too. */
const userInterfaceFolder = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../dist/renderer' : '../../renderer', import.meta.url),
);

/** What the server is made of before it serves; what is deferred on `closing` ends in the opposite order. */
interface Parts {
  store: Store;
  pool: WorkerPool;
  isolation: Isolation;
  services: Services;
  runner: JobRunner;
  log: ServerLog;
  closing: AsyncDisposableStack;
}

async function openParts(options: ServerOptions, closing: AsyncDisposableStack): Promise<Parts> {
  const { dataDir, log = serverLog, clock, analysesGiveWay = true, workerEntry, passwordCost } = options;
  const store = await openStore(dataDir, { log, ...(clock === undefined ? {} : { clock }) });
  closing.defer(() => store.close());
  const workers = Math.max(1, availableParallelism() - 1);
  const wall = machineWall();
  const isolation = new Isolation(store, wall, log);
  const pool = createWorkerPool({
    wall,
    refusal: () => isolation.refusal(),
    readableFolders: [store.files.folder, compiledRulesPath(store.dataDir)],
    concurrency: workers,
    isBackground: analysesGiveWay,
    log,
    ...(workerEntry === undefined ? {} : { entry: workerEntry }),
  });
  closing.defer(() => pool.close());
  const queue = createJobQueue(store);
  const services = await createServices({ store, queue, pool, isolation, workers, log, passwordCost });
  closing.defer(() => services.lab.close());
  closing.defer(() => services.limits.close());
  closing.defer(() => services.outbox.close());
  closing.defer(() => services.familyUpkeep.close());
  closing.defer(() => services.contentIndexing.close());
  closing.defer(() => services.watchedFolders.close());
  closing.defer(() => services.imports.close());
  closing.defer(() => services.collections.close());
  const runner = createJobRunner({
    queue,
    handlers: services.jobHandlers,
    concurrency: () => services.lab.pool.places,
    log,
  });
  services.lab.onRoom = () => runner.wake();
  await services.lab.settingsChanged();
  return { store, pool, isolation, services, runner, log, closing };
}

/** Starts the jobs, first those that an earlier process left. */
async function startJobs({ store, services, runner, log, closing }: Parts): Promise<void> {
  const swept = services.deviceRuns
    .sweep()
    .catch((error: unknown) => log.error({ err: error }, 'apps that were left on devices could not be taken off'));
  closing.defer(() => swept);
  closing.defer(() => runner.stop());
  await broughtBack(store, log);
  await runner.start();
}

/** Serves HTTP on an address, and on the network where sharing is on. @throws the system's error where the port is taken */
async function serve({ store, services, log, closing }: Parts, host: string, port: number): Promise<HttpServer> {
  const application = createApplication({ services, log, userInterfaceFolder });
  closing.defer(() => services.audit.settled());
  const http = await listen(application, host, port);
  closing.defer(() => http.close());
  closing.defer(() => services.events.close());
  services.publicAddress.announce(http.url);
  services.backups.use(backupProcess(store.dataDir));
  closing.defer(() => services.backups.close());
  services.scheduledBackups.use(seriesProcess(store.dataDir));
  closing.defer(() => services.scheduledBackups.close());
  closing.defer(() => services.sharing.close());
  await services.sharing.start(sharingHost(application, store.dataDir));
  return http;
}

/** Starts what runs by itself: e-mails, feeds, deletion of what is old, the index. @returns what makes the feeds that are due */
async function startUpkeep({ store, pool, services, log, closing }: Parts): Promise<() => Promise<void>> {
  services.outbox.start();
  const makeFeeds = async () => {
    const baseUrl = await services.publicAddress.baseUrl(store);
    await services.feeds.makeDue(feedPresenter({ baseUrl, ids: services.ids, links: services.links }));
  };
  const feedSchedule = startSchedule({ interval: feedInterval, work: makeFeeds, clock: store.clock, log });
  closing.defer(() => feedSchedule.stop());
  closing.defer(() => services.feeds.close());
  const backups = startSchedule({
    interval: backupLook,
    work: () => services.scheduledBackups.lookAtClock(),
    clock: store.clock,
    log,
  });
  closing.defer(() => backups.stop());
  const maintenance = setInterval(
    () => void broughtBack(store, log).then(() => maintain(services, log)),
    maintenanceInterval,
  );
  closing.defer(() => clearInterval(maintenance));
  services.risks.start();
  services.familyUpkeep.wake();
  await services.contentIndexing.settingsChanged();
  await services.knownApks.start();
  await services.watchedFolders.start();
  await services.imports.start();
  closing.defer(() => services.knownApks.close());
  closing.defer(() => services.risks.close());
  const indexing = new AbortController();
  const indexed = Promise.all([
    indexStoredReports(store, pool, indexing.signal).catch((error: unknown) =>
      log.error({ err: error }, 'stored reports could not be put into the search index'),
    ),
    tellStoredDamage(store, indexing.signal).catch((error: unknown) =>
      log.error({ err: error }, 'what is wrong with corrupted APKs could not be told'),
    ),
  ]);
  closing.defer(async () => {
    indexing.abort();
    await indexed;
  });
  return makeFeeds;
}

/**
 * Opens the data folder and serves it.
 * @throws DataFolderError where the folder is in use or unusable; the system's error where the port is taken
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { host = '127.0.0.1', port = 0, triesIsolation = true } = options;
  const closing = new AsyncDisposableStack();
  try {
    const parts = await openParts(options, closing);
    const { store, pool, isolation, services, runner } = parts;
    await startJobs(parts);
    const http = await serve(parts, host, port);
    const makeFeeds = await startUpkeep(parts);
    pool.warm();
    if (triesIsolation) void isolation.measure();
    // The first search of a large catalogue would wait for seconds.
    if ((await store.apks.count()) > searchesWarmFrom) void services.catalogue.warmSearches();
    const newLoginUrl = () => `${http.url}/app/#/login?code=${services.sessions.createLoginCode(null)}`;
    return {
      url: http.url,
      port: http.port,
      services,
      store,
      loginUrl: newLoginUrl(),
      newLoginUrl,
      makeFeeds,
      idle: () => runner.idle(),
      close: () => closing.disposeAsync(),
    };
  } catch (error) {
    await closing.disposeAsync();
    throw error;
  }
}

/** Corrects creation times that lie in the future, as after a wrong clock: feeds would publish those APKs only then. */
async function broughtBack(store: Store, log: ServerLog): Promise<void> {
  try {
    const apks = await store.transaction(({ apks }) => apks.bringBack(store.trustedTime.latest));
    if (apks > 0) log.warn({ apks }, 'APKs that came while the clock was ahead count as come now');
  } catch (error) {
    log.error({ err: error }, 'APKs that came while the clock was ahead could not be brought back');
  }
}

/** Deletes expired records. */
async function maintain(
  { limits, audit, sessions, storage, trash, dryRuns: runs, ruleProposals: proposals, contentIndexing }: Services,
  log: ServerLog,
): Promise<void> {
  try {
    await sessions.forgetOld();
    await limits.forgetOld();
    await audit.forgetOld();
    await storage.enforceRetention();
    await trash.forgetOld();
    await runs.forgetOld();
    await proposals.forgetOld();
    contentIndexing.lookThrough();
  } catch (error) {
    log.error({ err: error }, 'what has lapsed could not be removed');
  }
}
