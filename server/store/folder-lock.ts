// Keeps a second workstation off a data folder that one is running on. Knows nothing of what is in it.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { writeDurableFile } from '../vault/durable-file.ts';
import { DataFolderError } from './store-errors.ts';

/** Stands in a folder whose data was moved elsewhere: `{"to": "/the/new/folder"}`. */
export const movedNote = 'moved.json';

export interface FolderLock {
  release(): void;
}

/**
 * Locks a data folder until released or until this process ends, however it ends: the lock is the operating system's,
 * held through an exclusive transaction on a tiny database, so that none is ever left behind by a crash. The holder's
 * process id stands in a file beside it for the message alone.
 * @throws DataFolderError `in-use` naming the holder; `damaged` where the data was moved away meanwhile
 */
export function lockFolder(folder: string): FolderLock {
  if (existsSync(join(folder, movedNote))) {
    throw new DataFolderError('damaged', `The data of ${folder} was moved away; its ${movedNote} tells where to.`);
  }
  const holderPath = join(folder, 'lock.json');
  const database = new SqliteDatabase(join(folder, 'lock.db'), { timeout: 0 });
  try {
    // Nothing is ever written: a journal would only be one more file to leave behind.
    database.pragma('journal_mode = memory');
    database.exec('begin exclusive');
  } catch (error) {
    database.close();
    if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw error;
    throw new DataFolderError(
      'in-use',
      `A workstation is already running on ${folder}${describeHolder(holderPath)}. Use it, stop it first, or choose another data folder.`,
    );
  }
  try {
    writeDurableFile(holderPath, Buffer.from(JSON.stringify({ pid: process.pid, since: new Date().toISOString() })));
  } catch (error) {
    database.close();
    throw error;
  }
  return {
    release() {
      rmSync(holderPath, { force: true });
      database.close();
    },
  };
}

function describeHolder(path: string): string {
  try {
    const { pid, since } = JSON.parse(readFileSync(path, 'utf8')) as { pid?: unknown; since?: unknown };
    return ` (process ${pid}, since ${since})`;
  } catch {
    return ' (its process id is not known)';
  }
}
