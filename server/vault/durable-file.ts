// Writes that survive a power failure. Knows nothing of what is written.
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Windows cannot fsync a folder; NTFS journals the rename itself. */
const canSyncFolders = process.platform !== 'win32';

/** Makes the folder's entries durable: a file just renamed into it stays there. */
export async function syncFolder(folder: string): Promise<void> {
  if (!canSyncFolders) return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Writes a small file whole or not at all, readable by its owner alone. */
export function writeDurableFile(path: string, bytes: Uint8Array): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    // On a nearly full disk a single write may be partial: `writeFile` repeats it.
    writeFileSync(temporary, bytes, { mode: 0o600, flush: true });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  if (!canSyncFolders) return;
  const folder = openSync(dirname(path), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
