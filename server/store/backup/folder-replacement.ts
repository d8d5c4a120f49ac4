// Puts a new data folder in the place of another, which is kept beside it. Knows nothing of what is in them.
import { existsSync, readdirSync, renameSync, rmdirSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { holdLock } from '../files/folder-lock.ts';
import { DataFolderError } from '../store-errors.ts';

/** Where the new folder is made, on the same file system. @param stamp of the time, the same for one replacement */
export const stagingName = (folder: string, stamp: string): string =>
  join(dirname(folder), `.${basename(folder)}.restoring-${stamp}`);

const formerName = (folder: string, stamp: string) => `${folder}.before-${stamp}`;

/**
 * Puts the folder of this stamp, which is whole, in its place.
 * @param isOccupied whether there is anything in the folder, which is then kept
 * @returns where the former folder is now, null where there was none
 * @throws DataFolderError where somebody has begun to use the folder since it was found empty
 */
export function replaceFolder(folder: string, stamp: string, isOccupied: boolean): string | null {
  const former = isOccupied ? formerName(folder, stamp) : null;
  if (former !== null) renameSync(folder, former);
  else removeEmpty(folder);
  renameSync(stagingName(folder, stamp), folder);
  return former;
}

/** Of the new folders beside a data folder their stamps. */
function waitingStamps(folder: string): string[] {
  const beginning = basename(stagingName(folder, ''));
  if (statSync(dirname(folder), { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  const names = readdirSync(dirname(folder)).filter((name) => name.startsWith(beginning));
  return names.map((name) => name.slice(beginning.length));
}

/**
 * Makes up for the second step where a replacement was killed after the first: the new folder is whole and waiting.
 * Without it the next start would find nothing, and begin an empty installation. New folders whose makers were killed
 * before are taken away.
 */
export async function finishReplacement(folder: string): Promise<void> {
  for (const stamp of waitingStamps(folder)) {
    const staging = stagingName(folder, stamp);
    if (existsSync(formerName(folder, stamp))) {
      if (!existsSync(folder)) renameSync(staging, folder);
      continue;
    }
    const lock = holdStaging(staging);
    lock?.close();
    if (lock !== null) await rm(staging, { recursive: true, force: true });
  }
}

/**
 * Shows, for as long as it is open and its process lives, that somebody works on the new folder.
 * @returns null where somebody else does
 */
export const holdStaging = (staging: string) => holdLock(join(staging, 'lock.db'));

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return;
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
    throw new DataFolderError('in-use', `${folder} was empty and no longer is; nothing in it was changed.`);
  }
}
