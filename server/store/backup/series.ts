// Adds a state of a data folder to a series of backups, while a server may be writing to it: only what is new is copied.
import { existsSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { syncFolder } from '../../vault/durable-file.ts';
import { keyDigest, readMasterKey } from '../../vault/master-key.ts';
import { holdLock, refuseFarHolder } from '../files/folder-lock.ts';
import { allHeld } from '../held-files.ts';
import { databaseName, keyPath, refuseLostCatalogue } from '../lost-catalogue.ts';
import { DataFolderError, storageFaultOf } from '../store-errors.ts';
import { apkName, type BackupProgress, forgetDeleted, isOfSharing, otherFiles, pagesSnapshot } from './backup.ts';
import { BackupError } from './backup-file.ts';
import {
  addList,
  DamagedPieceError,
  databasePieceBytes,
  filesOfList,
  isSeries,
  isSound,
  type ListedFile,
  readState,
  SeriesPieces,
  type SeriesState,
  statesOf,
  writeState,
} from './series-folder.ts';

export interface SeriesOptions {
  progress: BackupProgress;
  now: Date;
  /** Includes the certificate authority of sharing. */
  withAuthority?: boolean;
}

/** What adding a state has done. */
export interface Added {
  state: string;
  created_at: string;
  apks: number;
  apks_without_file: string[];
  /** Bytes that were written for it. */
  copied: number;
  /** Bytes of the whole series. */
  size: number;
  states: number;
  /** Pieces that were found altered and were taken away; what the data folder still has of them was copied anew. */
  damaged: string[];
  /** Those of them that only older states need: these can no longer be restored whole. */
  lost: string[];
}

/**
 * Adds a state, and takes away those that are too old. An interrupted run leaves all earlier states as they were.
 * @param target an empty folder, or one that holds a series of this installation
 * @throws DataFolderError where there is no data folder; BackupError where nothing can be added
 */
export async function addToSeries(dataDir: string, target: string, options: SeriesOptions): Promise<Added> {
  const folder = resolve(dataDir);
  refuseLostCatalogue(folder);
  await refuseFarHolder(folder);
  if (!existsSync(join(folder, databaseName)))
    throw new DataFolderError('damaged', `${folder} is not a data folder: it has no ${databaseName}.`);
  const installation = keyDigest(readMasterKey(keyPath(folder)));
  const place = checkedPlace(folder, target);
  try {
    const lock = holdLock(join(place, 'lock.db'));
    if (lock === null) throw new BackupError(`Another backup is being written to ${place}.`);
    try {
      return await new SeriesRun(folder, place, installation, options).add();
    } finally {
      lock.close();
    }
  } catch (error) {
    const fault = storageFaultOf(error);
    throw fault === null ? error : new BackupError(`${place} cannot be written: ${fault}.`);
  }
}

/** @throws BackupError where backups must not lie there */
function checkedPlace(folder: string, target: string): string {
  if (!statSync(target, { throwIfNoEntry: false })?.isDirectory())
    throw new BackupError(`${target} is no folder. Is its drive mounted?`);
  const place = realpathSync(target);
  const own = realpathSync(folder);
  if (place === own || place.startsWith(own + sep) || own.startsWith(place + sep))
    throw new BackupError(`${place} must be another place than the data folder, ${own}.`);
  const others = readdirSync(place).filter((name) => !/^(?:states|pieces|lock\.db.*)$/.test(name));
  if (!isSeries(place) && others.length > 0)
    throw new BackupError(`${place} is not empty and holds no backups: name an empty folder.`);
  return place;
}

/** The last seven states stay, and of each of the last twelve months that have any the newest. @returns the others */
export function statesToForget(states: readonly string[]): string[] {
  const newestFirst = states.toSorted().reverse();
  const ofMonth = new Map<string, string>();
  for (const name of newestFirst) {
    const month = name.slice(0, 6);
    if (!ofMonth.has(month)) ofMonth.set(month, name);
  }
  const kept = new Set([...newestFirst.slice(0, 7), ...[...ofMonth.values()].slice(0, 12)]);
  return states.filter((name) => !kept.has(name));
}

function latestState(place: string): SeriesState | null {
  for (const name of statesOf(place).reverse()) {
    try {
      return readState(join(place, 'states', name));
    } catch (error) {
      if (!(error instanceof BackupError)) throw error;
    }
  }
  return null;
}

class SeriesRun {
  readonly #folder: string;
  readonly #place: string;
  readonly #installation: string;
  readonly #options: SeriesOptions;
  /** The newest state that can be read. */
  readonly #latest: SeriesState | null;
  readonly #pieces: SeriesPieces;
  readonly #listed: ListedFile[] = [];
  readonly #earlier = new Map<string, ListedFile>();

  /** @throws BackupError where the newest state is another installation's */
  constructor(folder: string, place: string, installation: string, options: SeriesOptions) {
    this.#folder = folder;
    this.#place = place;
    this.#installation = installation;
    this.#options = options;
    this.#latest = latestState(place);
    if (this.#latest !== null && this.#latest.installation !== installation)
      throw new BackupError(`${place} holds the backups of another workstation.`);
    this.#pieces = new SeriesPieces(place);
  }

  async add(): Promise<Added> {
    const { progress, now, withAuthority = false } = this.#options;
    const latest = this.#latest;
    const checked = ((latest?.checked ?? 15) + 1) % 16;
    const damaged = await this.#removeDamaged(checked);
    for (const piece of latest?.list ?? []) await this.#remember(piece);
    const live = join(this.#folder, databaseName);
    const { database: snapshot, path, remove } = await pagesSnapshot(live);
    try {
      const apks: string[] = [];
      let bytes = statSync(path).size;
      for (const [sha256, size] of allHeld(snapshot)) {
        apks.push(sha256);
        bytes += size;
      }
      const others = otherFiles(realpathSync(this.#folder)).filter(({ name }) => withAuthority || !isOfSharing(name));
      progress.total(bytes + others.reduce((sum, { size }) => sum + size, 0));
      for (const { name } of others) await this.#addFile(name);
      const absent = await this.#addApks(apks);
      const listed = forgetDeleted(snapshot, live, absent);
      // An APK that was deleted and uploaded again meanwhile has its file again.
      const withoutFile = await this.#addApks(listed);
      snapshot.close();
      await this.#addDatabase(path);
      const state = await this.#finish({
        created_at: now.toISOString(),
        apks: apks.length - absent.length + listed.length,
        apks_without_file: withoutFile,
        checked,
      });
      await this.#forgetOld();
      const lost = damaged.filter((piece) => !this.#pieces.has([piece]));
      const { written: copied, size } = this.#pieces;
      return { ...state, copied, size, states: statesOf(this.#place).length, damaged, lost };
    } finally {
      snapshot.close();
      remove();
    }
  }

  /** A sixteenth of all pieces is compared with each state: all of them in sixteen. @returns what was taken away */
  async #removeDamaged(digit: number): Promise<string[]> {
    const damaged: string[] = [];
    for (const piece of this.#pieces.all()) {
      if (Number.parseInt(piece[0]!, 16) === digit && !(await isSound(this.#place, piece))) damaged.push(piece);
    }
    for (const piece of damaged) await this.#pieces.remove(piece);
    return damaged;
  }

  /** Takes note of what the last state has of each file. */
  async #remember(piece: string): Promise<void> {
    try {
      for (const file of await filesOfList(this.#place, piece)) this.#earlier.set(file[0], file);
    } catch (error) {
      // What it listed is read and copied anew.
      if (!(error instanceof DamagedPieceError)) throw error;
      await this.#pieces.remove(piece);
    }
  }

  /** @returns those whose file is not there */
  async #addApks(hashes: readonly string[]): Promise<string[]> {
    const absent: string[] = [];
    for (const sha256 of hashes) {
      if (!(await this.#addFile(apkName(sha256)))) absent.push(sha256);
    }
    return absent;
  }

  /** @returns false where it is no longer there */
  async #addFile(name: string): Promise<boolean> {
    const path = join(this.#folder, name);
    const status = statSync(path, { throwIfNoEntry: false });
    if (status === undefined) return false;
    const { progress } = this.#options;
    const known = this.#earlier.get(name);
    if (known?.[1] === status.size && known[2] === status.mtimeMs && this.#pieces.has(known[3])) {
      progress.advance(status.size);
      this.#listed.push(known);
      return true;
    }
    const added = await this.#pieces.addFile(path, progress.advance);
    if (added !== null) this.#listed.push([name, added.size, status.mtimeMs, [added.piece]]);
    return added !== null;
  }

  async #addDatabase(path: string): Promise<void> {
    const file = await open(path);
    try {
      const pieces: string[] = [];
      let size = 0;
      const buffer = Buffer.alloc(databasePieceBytes);
      for (;;) {
        const { bytesRead } = await file.read(buffer, 0, databasePieceBytes, size);
        if (bytesRead === 0) break;
        pieces.push(await this.#pieces.add(buffer.subarray(0, bytesRead)));
        size += bytesRead;
        this.#options.progress.advance(bytesRead);
      }
      this.#listed.push([databaseName, size, 0, pieces]);
    } finally {
      await file.close();
    }
  }

  async #finish(described: Pick<SeriesState, 'created_at' | 'apks' | 'apks_without_file' | 'checked'>) {
    const list = await addList(this.#pieces, this.#listed);
    await this.#pieces.sync();
    const size = this.#listed.reduce((sum, [, bytes]) => sum + bytes, 0);
    const identity = { format: 'apk-workstation-backup-series', version: 1, installation: this.#installation } as const;
    const state = writeState(this.#place, { ...identity, ...described, size, list });
    const { created_at, apks, apks_without_file } = described;
    return { state, created_at, apks, apks_without_file };
  }

  /** Takes away old states, then the pieces that no state needs. */
  async #forgetOld(): Promise<void> {
    const forgotten = statesToForget(statesOf(this.#place));
    if (forgotten.length === 0) return;
    for (const name of forgotten) rmSync(join(this.#place, 'states', name));
    await syncFolder(join(this.#place, 'states'));
    const needed = await this.#needed();
    if (needed === null) return;
    for (const piece of [...this.#pieces.all()]) if (!needed.has(piece)) await this.#pieces.remove(piece);
  }

  /** The pieces of all states; null where a list cannot be read, so that what it names is not known. */
  async #needed(): Promise<Set<string> | null> {
    const needed = new Set<string>();
    const seen = new Set<string>();
    try {
      for (const name of statesOf(this.#place)) {
        for (const piece of readState(join(this.#place, 'states', name)).list) {
          needed.add(piece);
          if (seen.has(piece)) continue;
          seen.add(piece);
          for (const [, , , pieces] of await filesOfList(this.#place, piece)) for (const one of pieces) needed.add(one);
        }
      }
      return needed;
    } catch (error) {
      if (error instanceof BackupError) return null;
      throw error;
    }
  }
}
