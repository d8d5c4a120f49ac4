// Distinguishes a folder whose database was lost from an unused one. Reads folder and key, never a database.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { keyNote, readMasterKey } from '../vault/master-key.ts';
import { DataFolderError } from './store-errors.ts';

export const databaseName = 'catalogue.db';
export const keyPath = (folder: string): string => join(folder, 'keys', 'master.key');

/** @throws DataFolderError `damaged` where the master key cannot be read */
export function readFolderKey(folder: string): Uint8Array {
  try {
    return readMasterKey(keyPath(folder));
  } catch (error) {
    throw new DataFolderError(
      'damaged',
      `The master key cannot be read, and without it no stored APK: ${(error as Error).message}. Restore it from a backup.`,
    );
  }
}

/**
 * Refuses a folder with keys or APKs but no database, which was deleted, emptied or not copied along: a new database
 * would hide everything that the folder still has.
 * @throws DataFolderError `damaged`, saying what is there and what to do
 */
export function refuseLostCatalogue(folder: string): void {
  const size = statSync(join(folder, databaseName), { throwIfNoEntry: false })?.size;
  if (size === undefined || size === 0) refuseEmptied(folder, size === 0 ? 'is empty' : 'is missing');
}

/**
 * @param fault what is wrong with the database
 * @throws DataFolderError where the folder holds keys or APKs
 */
export function refuseEmptied(folder: string, fault: string): void {
  const remains = [describeKey(folder), describeApks(folder)].filter((part) => part !== null);
  if (remains.length === 0) return;
  throw new DataFolderError(
    'damaged',
    `${join(folder, databaseName)} ${fault}, and beside it there is ${remains.join(' and ')}: this is no new installation, and nothing in it was changed. ` +
      `Put the whole folder back from a backup (apk-workstation restore FILE --replace), let a new catalogue be made of what is there (apk-workstation repair), or begin anew in another folder (--data-dir).`,
  );
}

/** A key without a checksum was never read: the first start was interrupted. */
function describeKey(folder: string): string | null {
  return existsSync(keyPath(folder)) && existsSync(keyNote(keyPath(folder))) ? 'the master key' : null;
}

function describeApks(folder: string): string | null {
  const count = countUpTo(storedFiles(join(folder, 'apks')), 1000);
  if (count === 0) return null;
  return count === 1 ? 'a stored APK' : `${count < 1000 ? count : 'a thousand and more'} stored APKs`;
}

function countUpTo(items: Iterable<unknown>, most: number): number {
  let count = 0;
  for (const _ of items) if (++count === most) break;
  return count;
}

const listed = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
};

/** SHA-256s, in lower-case hex, of the files that a store holds. @param folder `apks/` of the data folder */
export function* storedFiles(folder: string): Generator<string> {
  const pair = /^[0-9a-f]{2}$/;
  for (const first of listed(folder)) {
    if (!pair.test(first)) continue;
    for (const second of listed(join(folder, first))) {
      if (!pair.test(second)) continue;
      for (const name of listed(join(folder, first, second))) {
        if (/^[0-9a-f]{64}$/.test(name) && name.startsWith(first + second)) yield name;
      }
    }
  }
}
