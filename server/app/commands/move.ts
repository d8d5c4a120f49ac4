// `move`: takes a data folder elsewhere and leaves a note that leads there.
import { existsSync, readdirSync } from 'node:fs';
import { cp, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { type FolderLock, lockFolder, movedNote } from '../../store/files/folder-lock.ts';
import { refuseLostCatalogue } from '../../store/lost-catalogue.ts';
import { DataFolderError } from '../../store/store-errors.ts';
import { syncFolder, writeDurableFile } from '../../vault/durable-file.ts';
import { callersFolder, dataFolder } from '../data-folder.ts';

/**
 * Moves the folder of an installation that no server runs on. The former place keeps a note, so that every command
 * that names it, or names none, finds the new one.
 * @returns the new folder
 * @throws DataFolderError where a server runs on it, or the new place holds anything
 */
export async function moveDataFolder(target: string, options: { dataDir?: string }): Promise<string> {
  const from = dataFolder(options.dataDir);
  const to = resolve(callersFolder(), target);
  refuseLostCatalogue(from);
  if (!existsSync(join(from, 'catalogue.db'))) throw new DataFolderError('damaged', `${from} is not a data folder.`);
  // A folder that was moved away from here holds its note, and may come back.
  if (existsSync(to) && readdirSync(to).some((name) => name !== movedNote)) {
    throw new DataFolderError('not-writable', `${to} is not empty, and nothing in it was changed.`);
  }
  if (`${to}${sep}`.startsWith(`${from}${sep}`))
    throw new DataFolderError('not-writable', `${to} lies inside ${from}.`);
  const note = `${from}.${process.pid}.moved`;
  const lock = await lockFolder(from);
  try {
    await mkdir(dirname(to), { recursive: true });
    if (existsSync(to)) await rm(to, { recursive: true });
    await mkdir(note, { mode: 0o700 });
    writeDurableFile(join(note, movedNote), Buffer.from(JSON.stringify({ to })));
    await moved(from, to, note, lock);
  } finally {
    lock.release();
    await rm(note, { recursive: true, force: true });
  }
  return to;
}

/** Windows renames no folder in which a file is open. */
const canRenameLocked = process.platform !== 'win32';

/**
 * A rename where both places are on one file system; else a copy that takes the new name when it is whole. The lock
 * goes along and is held until the note stands in the former place.
 */
async function moved(from: string, to: string, note: string, lock: FolderLock): Promise<void> {
  if (!canRenameLocked) lock.release();
  try {
    await rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    const held = canRenameLocked ? null : await lockFolder(from);
    try {
      await copyWhole(from, to);
    } finally {
      held?.release();
    }
    await rm(from, { recursive: true });
  }
  // Fails where something has taken the former place within this moment: it is not to be overwritten.
  await rename(note, from);
  await syncFolder(dirname(from));
  await syncFolder(dirname(to));
}

/** @param to takes its name when everything is on the disk */
async function copyWhole(from: string, to: string): Promise<void> {
  const copy = `${to}.moving`;
  try {
    await cp(from, copy, {
      recursive: true,
      preserveTimestamps: true,
      errorOnExist: true,
      force: false,
      filter: (path) => !isLockFile.test(relative(from, path)),
    });
    for (const entry of await readdir(copy, { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) await syncFile(join(entry.parentPath, entry.name));
    }
    await rename(copy, to);
  } catch (reason) {
    await rm(copy, { recursive: true, force: true });
    throw reason;
  }
}

/** Held by this process while it copies; the new place gets its own. */
const isLockFile = /^lock\.(?:db|json)$/;

async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
