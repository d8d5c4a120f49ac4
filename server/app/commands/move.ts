// `move`: takes a data folder elsewhere and leaves a note that leads there.
import { existsSync, readdirSync } from 'node:fs';
import { cp, mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { lockFolder } from '../../store/folder-lock.ts';
import { DataFolderError } from '../../store/store-errors.ts';
import { writeDurableFile } from '../../vault/durable-file.ts';
import { callersFolder, dataFolder, movedNote } from '../data-folder.ts';

/**
 * Moves the folder of an installation that no server runs on. The former place keeps a note, so that every command
 * that names it, or names none, finds the new one.
 * @returns the new folder
 * @throws DataFolderError where a server runs on it, or the new place holds anything
 */
export async function moveDataFolder(target: string, options: { dataDir?: string }): Promise<string> {
  const from = dataFolder(options.dataDir);
  const to = resolve(callersFolder(), target);
  if (!existsSync(join(from, 'catalogue.db'))) throw new DataFolderError('damaged', `${from} is not a data folder.`);
  if (existsSync(to) && readdirSync(to).length > 0) {
    throw new DataFolderError('not-writable', `${to} is not empty, and nothing in it was changed.`);
  }
  if (`${to}/`.startsWith(`${from}/`)) throw new DataFolderError('not-writable', `${to} lies inside ${from}.`);
  const lock = lockFolder(from);
  try {
    await mkdir(dirname(to), { recursive: true });
    if (existsSync(to)) await rm(to, { recursive: true });
    lock.release();
    await moved(from, to);
  } catch (error) {
    lock.release();
    throw error;
  }
  await mkdir(from, { recursive: true, mode: 0o700 });
  writeDurableFile(join(from, movedNote), Buffer.from(JSON.stringify({ to })));
  return to;
}

/** A rename where both places are on one file system; else a copy that takes the new name when it is whole. */
async function moved(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    const copy = `${to}.moving`;
    try {
      await cp(from, copy, { recursive: true, preserveTimestamps: true, errorOnExist: true, force: false });
      await rename(copy, to);
    } catch (reason) {
      await rm(copy, { recursive: true, force: true });
      throw reason;
    }
    await rm(from, { recursive: true });
  }
}
