// Backups that the owner makes from the interface: started, followed, listed, deleted. Writes none itself.
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Store } from '../../store/store.ts';
import type { DiskRoom } from '../disk-room.ts';
import { Failure } from '../failure.ts';

/** Writes one backup of the data folder in a process of its own; rejects with what to tell the owner. */
export type BackupRunner = (
  file: string,
  wanted: BackupWish,
  onProgress: (share: number) => void,
  signal: AbortSignal,
) => Promise<void>;

export interface BackupWish {
  /** Seals the backup; null: whoever has the file reads it. */
  passphrase: string | null;
  /** Takes the sharing's authority along. */
  withAuthority: boolean;
}

export interface BackupFile {
  name: string;
  isSealed: boolean;
  /** Bytes. */
  size: number;
  /** Microseconds since 1970 UTC. */
  createdAt: number;
}

export interface BackupRun {
  name: string;
  status: 'running' | 'done' | 'failed';
  /** 0 to 1. */
  progress: number;
  error: string | null;
}

const namePattern = /^apk-workstation-\d{8}T\d{6}Z\.(?:zip|sealed)$/;

export const isSealedName = (name: string): boolean => name.endsWith('.sealed');

export class Backups {
  readonly #store: Store;
  readonly #folder: string;
  readonly #room: DiskRoom;
  #runner: BackupRunner | null = null;
  #run: BackupRun | null = null;
  readonly #stopping = new AbortController();
  #ended: Promise<void> = Promise.resolve();

  constructor(store: Store, room: DiskRoom) {
    this.#store = store;
    this.#room = room;
    this.#folder = join(store.dataDir, 'backups');
  }

  /** Removes what is left of a backup that ended with the previous process. */
  use(runner: BackupRunner): void {
    this.#runner = runner;
    if (existsSync(this.#folder)) this.#removePartial();
  }

  /** The run under way, else the last one; null before the first. */
  get run(): BackupRun | null {
    return this.#run;
  }

  /** Newest first. */
  async list(): Promise<BackupFile[]> {
    if (!existsSync(this.#folder)) return [];
    const names = (await readdir(this.#folder)).filter((name) => namePattern.test(name)).sort();
    const files = names.reverse().map(async (name) => {
      const { size, mtimeMs } = await stat(join(this.#folder, name));
      return { name, isSealed: isSealedName(name), size, createdAt: Math.round(mtimeMs * 1000) };
    });
    return Promise.all(files);
  }

  /** Starts a backup, or joins the one under way. @throws Failure where this server cannot make any */
  start(wanted: BackupWish): BackupRun {
    if (this.#run?.status === 'running') return this.#run;
    if (this.#runner === null) throw new Failure('stopping');
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const stamp = new Date(this.#store.clock() / 1000).toISOString().replace(/[-:]|\.\d+/g, '');
    const name = `apk-workstation-${stamp}.${wanted.passphrase === null ? 'zip' : 'sealed'}`;
    const run: BackupRun = { name, status: 'running', progress: 0, error: null };
    this.#run = run;
    const onProgress = (share: number) => {
      run.progress = share;
    };
    this.#removePartial();
    const begin = this.#runner;
    this.#ended = this.#checkRoom()
      .then(() => begin(join(this.#folder, run.name), wanted, onProgress, this.#stopping.signal))
      .then(
        () => {
          run.status = 'done';
          run.progress = 1;
        },
        (error: unknown) => {
          run.status = 'failed';
          run.error = (error as Error).message;
          this.#removePartial();
        },
      );
    return run;
  }

  /** A backup is about as large as what it is of. @throws ReservedRoomError */
  async #checkRoom(): Promise<void> {
    const { apkBytes, reportBytes } = await this.#store.storage.totals();
    await this.#room.check(apkBytes + reportBytes);
  }

  /** Removes what a backup that was cut off has left: it may be as large as the catalogue. */
  #removePartial(): void {
    for (const name of readdirSync(this.#folder)) {
      if (name.includes('.partial')) rmSync(join(this.#folder, name), { force: true });
    }
  }

  /** Where a backup's file lies. @throws Failure `not-found` */
  path(name: string): string {
    const path = join(this.#folder, name);
    if (!namePattern.test(name) || !existsSync(path)) throw new Failure('not-found');
    return path;
  }

  /** @throws Failure `not-found` */
  async remove(name: string): Promise<void> {
    await rm(this.path(name));
  }

  /** Ends the run under way. */
  async close(): Promise<void> {
    this.#stopping.abort();
    await this.#ended;
  }
}
