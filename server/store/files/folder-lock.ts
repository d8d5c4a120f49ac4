// Keeps a second workstation off a data folder that one is running on. Knows nothing of what is in it.
import {
  closeSync,
  existsSync,
  fstatSync,
  futimesSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import SqliteDatabase from 'better-sqlite3';
import { DataFolderError, whereRoom } from '../store-errors.ts';

/** Stands in a folder whose data was moved elsewhere: `{"to": "/the/new/folder"}`. */
export const movedNote = 'moved.json';

/** Where a workstation runs. A boot is told apart from every other, also of a copy of the same machine. */
export interface Machine {
  host: string;
  boot: string;
}

export interface FolderLock {
  /** What tells, also in another thread, whether this process holds the folder still. */
  readonly holder: Holder;
  /**
   * Cheap enough to be asked before every write: it looks at the disk only where that was not done for some seconds, be
   * it that this process, or the whole machine, stood still.
   * @throws DataFolderError `lost`
   */
  confirm(): void;
  release(): void;
}

/** The note of whoever holds a folder, and what it said when it was written. */
export interface Holder {
  path: string;
  text: string;
}

export interface LockOptions {
  machine?: Machine;
  /** The database whose lock is taken; machines that do not see each other's locks have, as it were, each its own. */
  lockName?: string;
  /** Another workstation has taken the folder over. Nothing may be written any more; by default this process ends at once. */
  onLost?: (error: DataFolderError) => void;
}

/** Milliseconds between two signs of life of whoever holds a folder. */
const beat = 2_000;
/** Milliseconds without a sign after which a holder that cannot be asked otherwise counts as gone. */
const patience = 10_000;

function thisMachine(): Machine {
  try {
    return { host: hostname(), boot: readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim() };
  } catch {
    // Elsewhere the name has to do: locks of one machine are seen by all that runs on it.
    return { host: hostname(), boot: hostname() };
  }
}

/** Nothing is closed in order: closing a database would still write into it. */
function endAtOnce({ message }: DataFolderError): void {
  process.stderr.write(`apk-workstation: ${message}\n`);
  process.kill(process.pid, 'SIGKILL');
}

/**
 * Holds the operating system's lock on a file for as long as the answer is open and its process lives, so that no crash
 * leaves one behind: an exclusive transaction on a tiny database that is never written.
 * @returns null where somebody else holds it
 */
export function holdLock(path: string): SqliteDatabase.Database | null {
  const database = new SqliteDatabase(path, { timeout: 0 });
  try {
    // Nothing is ever written: a journal would only be one more file to leave behind.
    database.pragma('journal_mode = memory');
    database.exec('begin exclusive');
    return database;
  } catch (error) {
    database.close();
    if ((error as { code?: string }).code === 'SQLITE_BUSY') return null;
    throw error;
  }
}

/**
 * Locks a data folder until released or until this process ends, however it ends. A note beside the lock says who holds
 * it. Network file systems may keep locks from other machines, which is why the note's time of change moves for as long
 * as its holder lives: a note of another machine is watched before it counts as left behind.
 * @throws DataFolderError `in-use` naming the holder; `damaged` where the data was moved away meanwhile
 */
export async function lockFolder(folder: string, options: LockOptions = {}): Promise<FolderLock> {
  const { machine = thisMachine(), lockName = 'lock.db', onLost = endAtOnce } = options;
  if (existsSync(join(folder, movedNote))) {
    throw new DataFolderError('damaged', `The data of ${folder} was moved away; its ${movedNote} tells where to.`);
  }
  const path = join(folder, 'lock.json');
  const lock = holdLock(join(folder, lockName));
  if (lock === null) throw inUse(folder, path);
  try {
    const text = JSON.stringify({ pid: process.pid, since: new Date().toISOString(), ...machine });
    await removeLeftBehind(folder, path, machine);
    return new HeldFolder(path, text, lock, onLost);
  } catch (error) {
    lock.close();
    throw (error as { code?: string }).code === 'EEXIST' ? inUse(folder, path) : error;
  }
}

/**
 * Refuses a folder to those who visit it while a workstation may be running on it, where that is on another machine: two
 * machines do not see what the other is writing.
 * @throws DataFolderError `in-use` naming the holder
 */
export async function refuseFarHolder(folder: string, { machine = thisMachine() }: LockOptions = {}): Promise<void> {
  const path = join(folder, 'lock.json');
  const { host, boot } = readNote(path) ?? {};
  const isFar = host !== undefined && (host !== machine.host || boot !== machine.boot);
  if (isFar && (await lives(path))) throw inUse(folder, path);
}

/** Whether a note's time moves, or the note itself. Takes as long as it takes to be certain that they do not. */
async function lives(path: string): Promise<boolean> {
  const found = signOfLife(path);
  for (let waited = 0; waited < patience; waited += beat / 4) {
    await sleep(beat / 4);
    const sign = signOfLife(path);
    if (sign !== found) return sign !== null;
  }
  return false;
}

/** Takes the note of a former holder away once it is certain that nobody lives there any more. */
async function removeLeftBehind(folder: string, path: string, machine: Machine): Promise<void> {
  if (signOfLife(path) === null) return;
  if (!isGone(path, machine) && (await lives(path))) throw inUse(folder, path);
  const found = signOfLife(path);
  if (found === null) return;
  // Of several that waited one moves the note away, and the others find none or a new one.
  const aside = `${path}.${process.pid}.tmp`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return;
  }
  const isAnother = signOfLife(aside) !== found;
  if (isAnother) renameSync(aside, path);
  else rmSync(aside, { force: true });
  if (isAnother) throw inUse(folder, path);
}

/** What changes for as long as a holder lives; null where there is no note. */
function signOfLife(path: string): string | null {
  let descriptor: number;
  try {
    // Opened anew each time: network file systems answer from memory otherwise.
    descriptor = openSync(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  try {
    return `${fstatSync(descriptor).mtimeMs} ${readFileSync(descriptor, 'utf8')}`;
  } finally {
    closeSync(descriptor);
  }
}

interface Note extends Partial<Machine> {
  pid?: unknown;
  since?: unknown;
}

function readNote(path: string): Note | null {
  try {
    const note: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return typeof note === 'object' ? note : null;
  } catch {
    return null;
  }
}

/** Whether a holder on this very machine has ended; of others nothing can be said. */
function isGone(path: string, machine: Machine): boolean {
  const { pid, host, boot } = readNote(path) ?? {};
  if (host !== machine.host || boot !== machine.boot || typeof pid !== 'number') return false;
  try {
    process.kill(pid, 0);
    return pid === process.pid;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

function inUse(folder: string, path: string): DataFolderError {
  return new DataFolderError(
    'in-use',
    `A workstation is already running on ${folder} (${describeHolder(path)}). Use it, stop it first, or choose another data folder.`,
  );
}

function describeHolder(path: string): string {
  const note = readNote(path);
  if (note === null) return 'its process id is not known';
  const { pid, since, host } = note;
  const machine = host === undefined || host === hostname() ? '' : ` on ${host}`;
  return `process ${pid}${machine}, since ${since}`;
}

/** @throws DataFolderError `lost` where a note says that somebody else holds the folder */
export function confirmHolder({ path, text }: Holder): void {
  let found: string;
  try {
    found = readFileSync(path, 'utf8');
  } catch {
    // A disk that is away for a while takes no writes either, and a note that was deleted is nobody else's.
    return;
  }
  if (found === text) return;
  throw new DataFolderError(
    'lost',
    `This workstation stood still, and another one (${describeHolder(path)}) has taken its data folder over: it ends without writing anything more.`,
  );
}

class HeldFolder implements FolderLock {
  readonly holder: Holder;
  readonly #database: SqliteDatabase.Database;
  readonly #timer: NodeJS.Timeout;
  readonly #onLost: (error: DataFolderError) => void;
  /** null where a full disk takes not even a name. */
  readonly #descriptor: number | null;
  /** By the process's own timer, which stands still while a computer sleeps, and by the clock, which may be set. */
  #confirmed = { process: performance.now(), clock: Date.now() };

  constructor(path: string, text: string, database: SqliteDatabase.Database, onLost: LockOptions['onLost'] & {}) {
    this.#database = database;
    this.#onLost = onLost;
    // Made by one alone, on network file systems too.
    this.#descriptor = whereRoom(() => openSync(path, 'wx', 0o600));
    const wrote = this.#descriptor !== null && whereRoom(() => writeSync(this.#descriptor!, text)) !== null;
    this.holder = { path, text: wrote ? text : '' };
    this.#timer = setInterval(() => this.#beat(), beat).unref();
  }

  confirm(): void {
    const byProcess = performance.now() - this.#confirmed.process;
    const byClock = Math.abs(Date.now() - this.#confirmed.clock);
    if (Math.max(byProcess, byClock) < 2 * beat) return;
    try {
      confirmHolder(this.holder);
    } catch (error) {
      this.#onLost(error as DataFolderError);
      throw error;
    }
    this.#noteConfirmed();
  }

  #noteConfirmed(): void {
    this.#confirmed = { process: performance.now(), clock: Date.now() };
  }

  #beat(): void {
    try {
      confirmHolder(this.holder);
      const now = new Date();
      if (this.#descriptor !== null) futimesSync(this.#descriptor, now, now);
      this.#noteConfirmed();
    } catch (error) {
      if (error instanceof DataFolderError) this.#onLost(error);
      // A disk that is away for a while: the next beat may reach it.
    }
  }

  release(): void {
    clearInterval(this.#timer);
    if (this.#descriptor !== null) closeSync(this.#descriptor);
    try {
      confirmHolder(this.holder);
      rmSync(this.holder.path, { force: true });
    } catch {
      // Another's note stays, and one that cannot be removed is found to be left behind.
    }
    this.#database.close();
  }
}
