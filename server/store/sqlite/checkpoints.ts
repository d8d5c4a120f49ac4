// Checkpoints the write-ahead log in a thread, so that no request waits for it. Knows no table.
import { statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { Holder } from '../files/folder-lock.ts';

export interface CheckpointData {
  path: string;
  /** Milliseconds. */
  interval: number;
  fromBytes: number;
  /** Of the folder; null where it was not locked. */
  holder: Holder | null;
}

/** Milliseconds. */
const interval = 1000;
/** SQLite's own default. */
const fromBytes = 4 * 2 ** 20;
const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';

/** Bytes of the log of a database. */
export const walSize = (path: string): number => statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;

/** Starts its thread when there is something to do for the first time: a short visit never needs it. */
export class Checkpoints {
  readonly #path: string;
  readonly #holder: Holder | null;
  readonly #timer: NodeJS.Timeout;
  #worker: Worker | null = null;

  /** @param path of the database */
  constructor(path: string, holder: Holder | null = null) {
    this.#path = path;
    this.#holder = holder;
    this.#timer = setInterval(() => this.#begin(), interval).unref();
  }

  /** Ends the thread; what is cut off is done by a later one. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#worker?.terminate();
  }

  #begin(): void {
    if (this.#worker !== null || walSize(this.#path) < fromBytes) return;
    const workerData: CheckpointData = { path: this.#path, interval, fromBytes, holder: this.#holder };
    const worker = new Worker(new URL(`./checkpoint-worker.${extension}`, import.meta.url), { workerData });
    worker.unref();
    this.#worker = worker;
    // Where it fails the log is emptied by whoever writes, as soon as it has grown large; and it is tried again.
    worker.once('error', () => {
      this.#worker = null;
    });
  }
}
