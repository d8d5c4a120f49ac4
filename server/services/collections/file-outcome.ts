// Tells people what became of a file in a watched folder: in a note beside it, by moving it, or by deleting it. Knows no
// catalogue.
import { lstat, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import type { WatchedFileRecord, WatchedFolderRecord } from '../../store/repositories/watched-folder-repository.ts';

/** Of the notes beside files. */
export const noteSuffix = '.apk-workstation.json';
/** Where files are moved to, in the watched folder. */
export const ownFolder = 'apk-workstation';

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

/** A path where nothing is: `a.apk`, `a (2).apk` … */
async function freePath(path: string): Promise<string> {
  const extension = extname(path);
  const stem = path.slice(0, path.length - extension.length);
  for (let number = 1; ; number++) {
    const free = number === 1 ? path : `${stem} (${number})${extension}`;
    if (!(await exists(free)) && !(await exists(`${free}${noteSuffix}`))) return free;
  }
}

/** Whole or not at all. */
async function writeNote(path: string, { sha256, size, apks, refusals, takenAt }: WatchedFileRecord): Promise<void> {
  const note = {
    file: basename(path),
    size,
    sha256,
    taken_at: new Date(takenAt / 1000).toISOString(),
    apks: apks.map((apk) => ({ sha256: apk.sha256, is_new: apk.isNew })),
    refused: refusals,
  };
  const draft = join(dirname(path), `.${basename(path)}${noteSuffix}`);
  await writeFile(draft, `${JSON.stringify(note, null, 2)}\n`);
  await rename(draft, `${path}${noteSuffix}`);
}

/**
 * Tells the outcome of a file as its folder says. A file of which anything was refused is never deleted.
 * @returns where it lies now, from the folder with `/`; null: it was deleted
 * @throws the system's error, then nothing happened that may not happen again
 */
export async function tellOutcome(
  { path: folder, outcome }: Pick<WatchedFolderRecord, 'path' | 'outcome'>,
  file: WatchedFileRecord,
): Promise<string | null> {
  const absolute = join(folder, file.path);
  if (outcome === 'delete' && !file.isRefused) {
    await rm(absolute);
    await rm(`${absolute}${noteSuffix}`, { force: true });
    return null;
  }
  if (outcome !== 'move') {
    await writeNote(absolute, file);
    return file.path;
  }
  const wanted = join(folder, ownFolder, file.isRefused ? 'refused' : 'taken', file.path);
  await mkdir(dirname(wanted), { recursive: true });
  const place = await freePath(wanted);
  await rename(absolute, place);
  await writeNote(place, file);
  return place.slice(folder.length).replaceAll('\\', '/').replace(/^\/+/, '');
}
