// What keeps workers away from the rest of this machine: has it measured, and refuses analyses without it where the owner wants
// that. Knows nothing of how a wall is made.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { failures } from '../../contract/failure.ts';
import { escapes } from '../../contract/workstation/isolation.ts';
import type { ErrorLog } from '../../jobs/error-log.ts';
import { type MeasuredIsolation, measureIsolation } from '../../jobs/wall/probe.ts';
import type { Wall } from '../../jobs/wall/wall.ts';
import type { WorkerFailure } from '../../jobs/worker-process.ts';
import { databaseName } from '../../store/lost-catalogue.ts';
import type { Store } from '../../store/store.ts';
import { readSetting } from '../settings.ts';

export type { MeasuredIsolation };

/** Bytes of more than the probe writes. */
const leastRoom = 65_536;
const refused: WorkerFailure = { status: 'failed', code: 'not-isolated', message: failures['not-isolated'].message };

/** @returns false where the data folder takes nothing, which is looked after elsewhere */
function makeFolder(path: string): boolean {
  try {
    // This also removes what an earlier start left that was killed.
    rmSync(path, { recursive: true, force: true });
    mkdirSync(path, { recursive: true, mode: 0o700 });
    // Full disks still take folders, and files without a byte.
    writeFileSync(join(path, 'room'), Buffer.alloc(leastRoom));
    return true;
  } catch {
    return false;
  }
}

export interface IsolationLog extends ErrorLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

export class Isolation {
  readonly #store: Store;
  readonly #wall: Wall | null;
  readonly #log: IsolationLog;
  #measuring: Promise<void> | null = null;
  #isRequired = true;
  #report: MeasuredIsolation;

  constructor(store: Store, wall: Wall | null, log: IsolationLog) {
    this.#store = store;
    this.#wall = wall;
    this.#log = log;
    const untried = { isClosedBySystem: null, isClosedByRuntime: null };
    const kind = wall?.kind ?? null;
    this.#report = { status: 'pending', kind, escapes: escapes.map((name) => ({ name, ...untried })) };
  }

  get report(): MeasuredIsolation {
    return this.#report;
  }

  /** Reads anew whether analyses need a wall. */
  async settingsChanged(): Promise<void> {
    this.#isRequired = await readSetting(this.#store, 'require_isolation');
  }

  /** Tries, once, what gets out of a worker. Never rejects: what cannot be tried is told as unmeasured. */
  measure(): Promise<void> {
    this.#measuring ??= this.#measure();
    return this.#measuring;
  }

  async #measure(): Promise<void> {
    try {
      this.#report = await this.#tried();
    } catch (err) {
      this.#report = { ...this.#report, status: 'unmeasured' };
      this.#log.error({ err }, 'what workers can reach could not be measured');
    }
    const { status, kind } = this.#report;
    const open = this.#report.escapes.filter((way) => way.isClosedBySystem === false).map(({ name }) => name);
    if (status === 'enforced') this.#log.info({ kind }, 'workers reach nothing beyond their wall');
    else this.#log.warn({ status, kind, open }, 'no wall of the system that holds stands around workers');
  }

  async #tried(): Promise<MeasuredIsolation> {
    const { dataDir } = this.#store;
    const inside = join(dataDir, 'cache', 'probe');
    const folder = makeFolder(inside) ? inside : tmpdir();
    try {
      return await measureIsolation(this.#wall, { folder, database: join(dataDir, databaseName) });
    } finally {
      rmSync(inside, { recursive: true, force: true });
    }
  }

  /** Why a worker may do nothing now; null where it may. */
  async refusal(): Promise<WorkerFailure | null> {
    if (!this.#isRequired) return null;
    await this.measure();
    return this.#report.status === 'enforced' ? null : refused;
  }
}
