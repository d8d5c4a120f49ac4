// Checks the pages of the catalogue and the master key for damage, periodically and in a thread of its own.
import { readFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { keyDigest } from '../vault/master-key.ts';
import { isDatabaseDamage } from './store-errors.ts';

export type PagesState = 'unchecked' | 'ok' | 'damaged';
export type KeysState = 'ok' | 'unreadable' | 'foreign';

/** Milliseconds from the start to the first look through all pages, and between two of them. */
const firstCheck = 60_000;
const checkInterval = 86_400_000;
/** Milliseconds for which an answer about the key holds. */
const keyInterval = 30_000;
const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';

export interface StoreConditionOptions {
  databasePath: string;
  keyPath: string;
  masterKey: Uint8Array;
  warn(details: object, message: string): void;
}

export class StoreCondition {
  readonly #options: StoreConditionOptions;
  #timer: NodeJS.Timeout;
  #worker: Worker | null = null;
  #pages: PagesState = 'unchecked';
  #keys: { state: Promise<KeysState>; at: number } | null = null;

  constructor(options: StoreConditionOptions) {
    this.#options = options;
    this.#timer = this.#checkIn(firstCheck);
  }

  /** Damage that was noticed. */
  get pages(): PagesState {
    return this.#pages;
  }

  /** Damage is reported until the next start, on a repaired or restored folder. */
  noteError(error: unknown): void {
    if (this.#pages === 'damaged' || !isDatabaseDamage(error)) return;
    this.#pages = 'damaged';
    this.#options.warn({ err: error }, 'pages of the catalogue are damaged');
  }

  /** Reads every page of the database, table by table, in a thread that pauses between tables. */
  checkPages(): Promise<PagesState> {
    const { databasePath } = this.#options;
    const worker = new Worker(new URL(`./sqlite/page-check-worker.${extension}`, import.meta.url), {
      workerData: databasePath,
    });
    worker.unref();
    this.#worker = worker;
    return new Promise((resolve) => {
      worker.once('message', (damage: string | null) => {
        if (damage !== null) this.noteError(Object.assign(new Error(damage), { code: 'SQLITE_CORRUPT' }));
        else if (this.#pages === 'unchecked') this.#pages = 'ok';
      });
      worker.once('error', (error) => this.noteError(error));
      worker.once('exit', () => {
        this.#worker = null;
        resolve(this.#pages);
      });
    });
  }

  #checkIn(milliseconds: number): NodeJS.Timeout {
    return setTimeout(() => {
      void this.checkPages();
      this.#timer = this.#checkIn(checkInterval);
    }, milliseconds).unref();
  }

  /** Whether the key that seals the files is there and the one that this process reads them with. */
  keys(): Promise<KeysState> {
    const now = performance.now();
    if (this.#keys === null || now - this.#keys.at > keyInterval) this.#keys = { state: this.#readKeys(), at: now };
    return this.#keys.state;
  }

  async #readKeys(): Promise<KeysState> {
    try {
      const key = await readFile(this.#options.keyPath);
      return keyDigest(key) === keyDigest(this.#options.masterKey) ? 'ok' : 'foreign';
    } catch {
      return 'unreadable';
    }
  }

  /** Stops a check of the pages that is under way. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#worker?.terminate();
  }
}
