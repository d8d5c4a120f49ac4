// Locks a data folder, so that only one workstation runs on it. Knows nothing of what is in it.
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

/** Left in a folder whose data was moved: `{"to": "/the/new/folder"}`. */
export const movedNote = 'moved.json';

/** Identifies the machine and its boot, also among copies of the same machine. */
export interface Machine {
  host: string;
  boot: string;
}

export interface FolderLock {
  /** Checks, in any thread, whether this process still holds the folder. */
  readonly holder: Holder;
  /**
   * Cheap enough to be called before every write: it reads the disk only where that was not done for some seconds, as
   * after this process or the whole machine was suspended.
   * @throws DataFolderError `lost`
   */
  confirm(): void;
  release(): void;
}

/** The lock note of this process, with the content that it wrote. */
export interface Holder {
  path: string;
  text: string;
}

export interface LockOptions {
  machine?: Machine;
  /** The database that is locked. Machines on a network folder may not see each other's locks. */
  lockName?: string;
  /** Called when another workstation has taken over the folder: nothing may be written. By default the process ends. */
  onLost?: (error: DataFolderError) => void;
}

/** Milliseconds between two updates of the note's modification time. */
const beat = 2_000;
/** Milliseconds without an update after which a holder on another machine counts as gone. */
const patience = 10_000;

function thisMachine(): Machine {
  try {
    return { host: hostname(), boot: readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim() };
  } catch {
    // Other systems have no boot id: the host name is enough, since file locks hold within a machine.
    return { host: hostname(), boot: hostname() };
  }
}

/** Ends the process without closing anything: closing a database would still write into it. */
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
    // Nothing is ever written: no journal is needed.
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
 * Locks a data folder until released or until this process ends, however it ends. A note beside the lock names the
 * holder. Network file systems may not share locks between machines: the holder therefore keeps updating the note's
 * modification time, and a note of another machine is watched for a while before it counts as abandoned.
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
 * Refuses a folder to short commands while a workstation on another machine may be running on it: SQLite cannot share
 * a database between machines.
 * @throws DataFolderError `in-use` naming the holder
 */
export async function refuseFarHolder(folder: string, { machine = thisMachine() }: LockOptions = {}): Promise<void> {
  const path = join(folder, 'lock.json');
  const { host, boot } = readNote(path) ?? {};
  const isFar = host !== undefined && (host !== machine.host || boot !== machine.boot);
  if (isFar && (await lives(path))) throw inUse(folder, path);
}

/** Whether a note is updated or replaced; waits until it would have been. */
async function lives(path: string): Promise<boolean> {
  const found = signOfLife(path);
  for (let waited = 0; waited < patience; waited += beat / 4) {
    await sleep(beat / 4);
    const sign = signOfLife(path);
    if (sign !== found) return sign !== null;
  }
  return false;
}

/** Removes the note of a former holder once it is certain that its process has ended. */
async function removeLeftBehind(folder: string, path: string, machine: Machine): Promise<void> {
  if (signOfLife(path) === null) return;
  if (!isGone(path, machine) && (await lives(path))) throw inUse(folder, path);
  const found = signOfLife(path);
  if (found === null) return;
  // Of several waiting processes one moves the note away; the others find none, or a new one.
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

/** Content and modification time of the note; null where there is none. */
function signOfLife(path: string): string | null {
  let descriptor: number;
  try {
    // Opened anew each time: network file systems would answer from their cache.
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

/** Whether a holder on this machine has ended; false for other machines, where that cannot be known. */
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
    // While the disk is away nothing can be written anyway; a deleted note was taken by nobody else.
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
  /** null where the disk is too full even for an empty file. */
  readonly #descriptor: number | null;
  /** By the monotonic timer, which may stop while the computer sleeps, and by the clock, which may be set. */
  #confirmed = { process: performance.now(), clock: Date.now() };

  constructor(path: string, text: string, database: SqliteDatabase.Database, onLost: LockOptions['onLost'] & {}) {
    this.#database = database;
    this.#onLost = onLost;
    // Exclusive creation, which is atomic on network file systems too.
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
      // The disk may be away for a while: the next update tries again.
    }
  }

  release(): void {
    clearInterval(this.#timer);
    if (this.#descriptor !== null) closeSync(this.#descriptor);
    try {
      confirmHolder(this.holder);
      rmSync(this.holder.path, { force: true });
    } catch {
      // The note of another holder stays; one that cannot be removed will be recognised as abandoned.
    }
    this.#database.close();
  }
}
