// Everything the workstation does, put together on an open store. Knows nothing of HTTP.
import { readFileSync } from 'node:fs';
import { engineVersion } from '../contract/engine.ts';
import type { Health } from '../contract/health.ts';
import type { JobQueue } from '../jobs/job-queue.ts';
import type { WorkerPool } from '../jobs/worker-pool.ts';
import type { Store } from '../store/store.ts';
import { Accounts } from './accounts.ts';
import { Analyses } from './analyses.ts';
import { Catalogue } from './catalogue.ts';
import { ContentLocks } from './content-locks.ts';
import { Detections } from './detections.ts';
import { EventBus } from './event-bus.ts';
import { Intake } from './intake.ts';
import { PublicIds } from './public-ids.ts';
import { Sessions } from './sessions.ts';
import { Settings } from './settings.ts';
import { SignedLinks } from './signed-links.ts';
import { UsageLimits } from './usage-limits.ts';
import { Votes } from './votes.ts';

export interface Services {
  readonly version: string;
  readonly accounts: Accounts;
  readonly analyses: Analyses;
  readonly catalogue: Catalogue;
  readonly detections: Detections;
  readonly events: EventBus;
  readonly ids: PublicIds;
  readonly intake: Intake;
  readonly limits: UsageLimits;
  readonly links: SignedLinks;
  readonly sessions: Sessions;
  readonly votes: Votes;
  readonly settings: Settings;
  health(): Promise<Health>;
}

export interface ServiceParts {
  store: Store;
  queue: JobQueue;
  pool: WorkerPool;
  /** Analyses at a time. */
  workers: number;
  log: { error(details: object, message: string): void };
}

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

export async function createServices({ store, queue, pool, workers, log }: ServiceParts): Promise<Services> {
  const { idSalt, signingSecret } = await store.settings.installation();
  const events = new EventBus(store, queue, log);
  const locks = new ContentLocks();
  const limits = new UsageLimits(store, log);
  const analyses = new Analyses(store, queue, pool, events, limits);
  const kinds = (['static', 'yara', 'dynamic'] as const).filter((kind) => analyses.handlers[kind] !== undefined);

  async function health(): Promise<Health> {
    const fixed = { version, engine_version: engineVersion, workers, analyses: [...kinds] };
    try {
      const queued = await queue.count({ statuses: ['queued'] });
      const running = await queue.count({ statuses: ['running'] });
      return { status: 'ok', ...fixed, database: 'ok', jobs: { queued, running } };
    } catch (error) {
      log.error({ err: error }, 'the database does not answer');
      return { status: 'degraded', ...fixed, database: 'failed', jobs: { queued: 0, running: 0 } };
    }
  }

  return {
    version,
    accounts: new Accounts(store),
    analyses,
    catalogue: new Catalogue(store, queue, events, locks),
    detections: new Detections(store, events),
    events,
    ids: new PublicIds(idSalt),
    intake: new Intake(store, queue, pool, events, locks, kinds),
    limits,
    links: new SignedLinks(signingSecret),
    sessions: new Sessions(store),
    votes: new Votes(store, events),
    settings: new Settings(store),
    health,
  };
}
