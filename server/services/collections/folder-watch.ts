// Watches one folder: a file that has stayed the same for a moment is taken in, once for each way it looks. Knows neither the
// catalogue nor HTTP.
import { lstat, stat } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type FSWatcher, watch } from 'chokidar';
import { isSplitName } from '../../contract/catalogue/split-names.ts';
import type { ErrorLog } from '../../jobs/error-log.ts';
import type { WatchedFileRecord, WatchedFolderRecord } from '../../store/repositories/watched-folder-repository.ts';
import type { Store } from '../../store/store.ts';
import { broughtFrom, type Carrier, hashOf } from './brought-file.ts';
import { noteSuffix, ownFolder, tellOutcome } from './file-outcome.ts';

export interface FolderWatchParts {
  store: Store;
  log: ErrorLog;
  /** Brings a file of the folder into the catalogue. @param path from the folder, with `/` */
  carrierFor(path: string, signal: AbortSignal): Carrier;
}

/** How a file looked when it was last seen. */
interface Sighting {
  size: number;
  modifiedAt: number;
  /** When it is looked at again, by `performance.now()`. */
  due: number;
  /** How often it could not be read, or its outcome not be told. */
  failures: number;
  /** Why, the last time. */
  reason: string;
}

export interface WatchState {
  state: 'starting' | 'watching' | 'unreachable';
  problem: string;
  waiting: number;
  unreadable: { path: string; reason: string }[];
}

/** Files that are taken in at a time. */
const places = 2;
/** Milliseconds between looks at what is due. */
const lookInterval = 250;
/** Milliseconds between looks whether the folder is there: its drive or share may come and go. */
const reachInterval = 10_000;
/** Milliseconds until a file that could not be read is tried again, doubled each time up to the last. */
const patience = { first: 2_000, last: 600_000 };
const maxDepth = 32;
const toldUnreadable = 20;
/** What programs call files that they have not finished. */
const unfinished = /\.(?:part|partial|crdownload|download|tmp|temp|filepart|!ut|swp)$|~$/i;

/** `a/b/` of `a/b/c.apk`. */
const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

const lookOf = ({ size, modifiedAt }: { size: number; modifiedAt: number }): string => `${size} ${modifiedAt}`;

async function seenAt(path: string): Promise<{ size: number; modifiedAt: number } | null> {
  try {
    const status = await lstat(path);
    return status.isFile() ? { size: status.size, modifiedAt: Math.trunc(status.mtimeMs * 1000) } : null;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (status) => status.isDirectory(),
    () => false,
  );

export class FolderWatch {
  readonly #folder: WatchedFolderRecord;
  readonly #parts: FolderWatchParts;
  readonly #closing = new AbortController();
  /** Files that wait, by their path from the folder. */
  readonly #waiting = new Map<string, Sighting>();
  readonly #underWay = new Map<string, Promise<void>>();
  /** How files looked that are done with. */
  readonly #known = new Map<string, string>();
  #state: WatchState['state'] = 'starting';
  #problem = '';
  #running: Promise<void> = Promise.resolve();

  constructor(folder: WatchedFolderRecord, parts: FolderWatchParts) {
    this.#folder = folder;
    this.#parts = parts;
  }

  get state(): WatchState {
    const failed = [...this.#waiting].filter(([, { failures }]) => failures > 0).slice(0, toldUnreadable);
    const unreadable = failed.map(([path, { reason }]) => ({ path, reason }));
    return { state: this.#state, problem: this.#problem, waiting: this.#waiting.size, unreadable };
  }

  /** Watches from now on. */
  start(): void {
    this.#running = this.#run().catch((error: unknown) => {
      if (this.#closing.signal.aborted) return;
      this.#problem = (error as Error).message;
      this.#parts.log.error({ err: error, folder: this.#folder.path }, 'a folder is watched no more');
    });
  }

  /** Ends the watch; a file that is on its way is left, and found again at the next start. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
    await Promise.all(this.#underWay.values());
  }

  /** Has files looked at that were done with. @param paths from the folder */
  async again(paths: readonly string[]): Promise<void> {
    for (const path of paths) {
      this.#known.delete(path);
      await this.#see(path, 0);
    }
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    for (const look of await this.#parts.store.watchedFolders.looks(this.#folder.id))
      this.#known.set(look.path, lookOf(look));
    let watcher: FSWatcher | null = null;
    let reachedAt = Number.NEGATIVE_INFINITY;
    try {
      while (!signal.aborted) {
        if (performance.now() - reachedAt > reachInterval) {
          reachedAt = performance.now();
          const isThere = await isFolder(this.#folder.path);
          if (isThere) watcher ??= this.#watch();
          else {
            await watcher?.close();
            watcher = null;
            this.#state = 'unreachable';
            this.#problem = 'It is not there now. It is looked for again and again.';
          }
        }
        if (watcher !== null) this.#takeDue();
        await pause(lookInterval, undefined, { signal }).catch(() => undefined);
      }
    } finally {
      await watcher?.close();
    }
  }

  #watch(): FSWatcher {
    const { path, usesPolling, settleSeconds } = this.#folder;
    const interval = Math.max(500, settleSeconds * 500);
    const watcher = watch(path, {
      alwaysStat: true,
      followSymlinks: false,
      ignorePermissionErrors: true,
      depth: maxDepth,
      usePolling: usesPolling,
      interval,
      binaryInterval: interval,
      ignored: (file, status) => this.#isIgnored(file, status),
    });
    this.#state = 'starting';
    this.#problem = '';
    const see = (file: string) => void this.#see(this.#within(file), 0);
    watcher.on('add', see).on('change', see);
    watcher.on('unlink', (file) => void this.#gone(this.#within(file)));
    watcher.on('ready', () => {
      this.#state = 'watching';
    });
    watcher.on('error', (error) => {
      const { code = '', message } = error as NodeJS.ErrnoException;
      const isFull = code === 'ENOSPC' || code === 'EMFILE';
      this.#problem = isFull
        ? 'The system watches no further files: raise its limit (fs.inotify.max_user_watches), or look through the folder again and again.'
        : message;
    });
    return watcher;
  }

  #within = (file: string): string => relative(this.#folder.path, file).split(sep).join('/');

  #isIgnored(file: string, status?: { isFile(): boolean; size: number; mtimeMs: number }): boolean {
    const path = this.#within(file);
    if (path === '') return false;
    const name = basename(file);
    if (name.startsWith('.') || name.endsWith(noteSuffix) || unfinished.test(name)) return true;
    if (path === ownFolder || path.startsWith(`${ownFolder}/`)) return true;
    if (status?.isFile() !== true) return false;
    const look = { size: status.size, modifiedAt: Math.trunc(status.mtimeMs * 1000) };
    return this.#known.get(path) === lookOf(look);
  }

  /** Notes how a file looks, and when it is to be looked at again. */
  async #see(path: string, failures: number, reason = ''): Promise<void> {
    if (this.#closing.signal.aborted) return;
    const look = await seenAt(join(this.#folder.path, path)).catch(() => null);
    const before = this.#waiting.get(path);
    if (look === null && failures === 0) {
      this.#waiting.delete(path);
      return;
    }
    const delay =
      failures === 0
        ? this.#folder.settleSeconds * 1000
        : Math.min(patience.last, patience.first * 2 ** Math.min(failures - 1, 20));
    const { size, modifiedAt } = look ?? before ?? { size: -1, modifiedAt: 0 };
    this.#waiting.set(path, { size, modifiedAt, due: performance.now() + delay, failures, reason });
  }

  async #gone(path: string): Promise<void> {
    this.#waiting.delete(path);
    // Where the whole folder is away its files come back with it.
    if (this.#closing.signal.aborted || !(await isFolder(this.#folder.path))) return;
    this.#known.delete(path);
    const { store } = this.#parts;
    const file = await store.watchedFolders.findFile(this.#folder.id, path);
    if (file === null) return;
    await store.transaction(({ watchedFolders }) => watchedFolders.updateFile(file.id, { isGone: true }));
  }

  #takeDue(): void {
    const now = performance.now();
    const withBases = this.#foldersWithBases();
    for (const [path, sighting] of this.#waiting) {
      if (this.#underWay.size >= places) return;
      // A split is taken in after what may be its base.
      const awaitsBase = isSplitName(path) && withBases.has(folderOf(path));
      if (sighting.due > now || this.#underWay.has(path) || awaitsBase) continue;
      const work = this.#look(path, sighting).finally(() => this.#underWay.delete(path));
      this.#underWay.set(path, work);
    }
  }

  /** Folders in which a file waits that may be the base of splits beside it. */
  #foldersWithBases(): Set<string> {
    const folders = new Set<string>();
    for (const [path, { failures }] of this.#waiting)
      if (failures === 0 && !isSplitName(path)) folders.add(folderOf(path));
    return folders;
  }

  /** Takes a file in if it looks as before. */
  async #look(path: string, before: Sighting): Promise<void> {
    try {
      const look = await seenAt(join(this.#folder.path, path));
      if (this.#waiting.get(path) !== before) return;
      if (look === null) this.#waiting.delete(path);
      else if (lookOf(look) !== lookOf(before)) await this.#see(path, 0);
      else if (await this.#take(path, look)) {
        // It may have been seen anew meanwhile.
        if (this.#waiting.get(path) === before) this.#waiting.delete(path);
      } else await this.#see(path, 0);
    } catch (error) {
      // Locked, on a share that fails, on a disk that is full: another time it may do.
      if (!this.#closing.signal.aborted) await this.#see(path, before.failures + 1, (error as Error).message);
    }
  }

  /** @returns false: it changed while it was read */
  async #take(path: string, look: { size: number; modifiedAt: number }): Promise<boolean> {
    const { store } = this.#parts;
    const { signal } = this.#closing;
    const absolute = join(this.#folder.path, path);
    const known = await store.watchedFolders.findFile(this.#folder.id, path);
    if (known !== null && lookOf(known) === lookOf(look)) return this.#tell(known);
    const sha256 = await hashOf(absolute);
    if (known?.sha256 === sha256) {
      await store.transaction(({ watchedFolders }) => watchedFolders.updateFile(known.id, look));
      return this.#tell({ ...known, ...look });
    }
    const apks: WatchedFileRecord['apks'] = [];
    const refusals: WatchedFileRecord['refusals'] = [];
    const given = { sha256, partOf: await this.#basesBeside(path) };
    for await (const { name, delivery } of broughtFrom(absolute, this.#parts.carrierFor(path, signal), given)) {
      if (delivery.outcome === 'refused') refusals.push({ name: basename(name), reason: delivery.reason });
      else apks.push({ sha256: delivery.sha256, isNew: delivery.outcome === 'added' });
    }
    signal.throwIfAborted();
    const after = await seenAt(absolute);
    if (after === null || lookOf(after) !== lookOf(look)) return false;
    if (apks.length + refusals.length === 0) refusals.push({ name: basename(path), reason: 'There is no app in it.' });
    const found = { path, ...look, sha256, apks, refusals, isRefused: refusals.length > 0, isTold: false };
    return this.#tell(
      await store.transaction(({ watchedFolders }) => watchedFolders.saveFile({ folderId: this.#folder.id, ...found })),
    );
  }

  /** APKs from the same folder, which a split may be a part of. */
  async #basesBeside(path: string): Promise<string[]> {
    if (!isSplitName(path)) return [];
    const folder = folderOf(path);
    return this.#parts.store.watchedFolders.apksBeside(this.#folder.id, [folder, `${ownFolder}/taken/${folder}`]);
  }

  /** Notes the outcome where people look for it, once. */
  async #tell(file: WatchedFileRecord): Promise<true> {
    const look = lookOf(file);
    if (!file.isTold) {
      const place = await tellOutcome(this.#folder, file);
      const changes = place === null ? { isGone: true } : { path: place };
      await this.#parts.store.transaction(({ watchedFolders }) =>
        watchedFolders.updateFile(file.id, { isTold: true, ...changes }),
      );
      if (place !== file.path) return true;
    }
    this.#known.set(file.path, look);
    return true;
  }
}
