// `restore`: puts a verified backup in the place of an installation, which is kept beside it.
import { existsSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { jsonLine } from '../../contract/json-line.ts';
import { restoreBackup } from '../../store/backup.ts';
import { callersFolder, dataFolder } from '../data-folder.ts';
import { backupProgress } from './backup.ts';

export interface RestoreOptions {
  dataDir?: string;
  /** Sets a folder that is not empty aside without asking. */
  replace?: boolean;
}

/**
 * Restores and prints what was restored as one JSON object. On a terminal it asks before it sets a folder aside;
 * elsewhere it refuses.
 * @throws where the backup fails its verification, the folder is in use, or the answer is no
 */
export async function restore(file: string, options: RestoreOptions): Promise<void> {
  const folder = dataFolder(options.dataDir);
  const isOccupied = existsSync(folder) && readdirSync(folder).length > 0;
  if (isOccupied && !(options.replace ?? false) && !(await mayReplace(folder))) {
    throw new Error(`${folder} is not empty, and nothing in it was changed. Add --replace to set it aside.`);
  }
  const progress = backupProgress('restoring');
  try {
    const { manifest, former } = await restoreBackup(resolve(callersFolder(), file), folder, {
      mayReplace: isOccupied,
      progress,
      now: new Date(),
    });
    progress.clear();
    const { created_at, apks } = manifest;
    process.stdout.write(jsonLine({ folder, created_at, apks, former }));
  } finally {
    progress.clear();
  }
}

async function mayReplace(folder: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`${folder} is not empty. Set it aside and restore the backup? [y/N] `);
    return /^y(?:es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}
