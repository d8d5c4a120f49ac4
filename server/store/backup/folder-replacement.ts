// Replaces a data folder by a new one and keeps the old one beside it. Knows nothing of their content.
import { existsSync, readdirSync, renameSync, rmdirSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { holdLock } from '../files/folder-lock.ts';
import { DataFolderError } from '../store-errors.ts';

/** Path where the new folder is built, on the same file system. @param stamp a time, the same for one replacement */
export const stagingName = (folder: string, stamp: string): string =>
  join(dirname(folder), `.${basename(folder)}.restoring-${stamp}`);

const formerName = (folder: string, stamp: string) => `${folder}.before-${stamp}`;

/**
 * Renames the complete folder with this stamp into place.
 * @param isOccupied whether the folder holds anything, which is then kept
 * @returns path of the former folder, null where there was none
 * @throws DataFolderError where somebody has begun to use the folder since it was found empty
 */
export function replaceFolder(folder: string, stamp: string, isOccupied: boolean): string | null {
  const former = isOccupied ? formerName(folder, stamp) : null;
  if (former !== null) renameSync(folder, former);
  else removeEmpty(folder);
  renameSync(stagingName(folder, stamp), folder);
  return former;
}

/** Stamps of the new folders beside a data folder. */
function waitingStamps(folder: string): string[] {
  const beginning = basename(stagingName(folder, ''));
  if (statSync(dirname(folder), { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  const names = readdirSync(dirname(folder)).filter((name) => name.startsWith(beginning));
  return names.map((name) => name.slice(beginning.length));
}

/**
 * Finishes a replacement that was killed between its two renames, when the new folder is complete: else the next start
 * would find no folder and make an empty installation. Incomplete new folders of killed processes are deleted.
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
 * Locks the new folder until it is closed or the process ends.
 * @returns null where another process holds the lock
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
