// What the server knows of its own state. Knows nothing of how it is shown.
import { engineVersion } from '../contract/engine/engine-version.ts';
import type { Health } from '../contract/workstation/health.ts';
import type { ErrorLog } from '../jobs/error-log.ts';
import type { JobQueue } from '../jobs/job-queue.ts';
import type { Store } from '../store/store.ts';
import type { AntivirusScans } from './analyses/antivirus-scans.ts';
import type { Isolation } from './analyses/isolation.ts';
import { uploadAnalyses } from './catalogue/intake.ts';
import type { Storage } from './catalogue/storage.ts';
import { faultsOf } from './faults.ts';

/** The state of the server, without what `Sharing` knows. */
export interface HealthState extends Omit<Health, 'authority' | 'engine_version' | 'jobs'> {
  engineVersion: number;
  jobs: { queued: number; running: number };
}

interface HealthParts {
  version: string;
  store: Store;
  queue: JobQueue;
  storage: Storage;
  antivirus: AntivirusScans;
  isolation: Isolation;
  workers: number;
  log: ErrorLog;
}

export class ServerHealth {
  readonly #parts: HealthParts;

  constructor(parts: HealthParts) {
    this.#parts = parts;
  }

  /** How the server is now; also where its database does not answer. */
  async state(): Promise<HealthState> {
    const { version, store, queue, storage, antivirus, isolation, workers, log } = this.#parts;
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
}
