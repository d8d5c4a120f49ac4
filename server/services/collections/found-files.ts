// The files that a path names, in an order that stays the same, so that whoever stopped at one goes on after it. Keeps no list of
// them.
import { readdir, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { isSplitName } from '../../contract/catalogue/split-names.ts';

export interface FoundFile {
  path: string;
  /** Bytes. */
  size: number;
}

/** Of one folder: first its files, parts of apps after all others, then the folders in it. */
const ranks = { file: 0, split: 1, folder: 2 };

const rankOf = (name: string, isFile: boolean): number =>
  !isFile ? ranks.folder : isSplitName(name) ? ranks.split : ranks.file;

const byRankAndName = (a: readonly [number, string], b: readonly [number, string]): number =>
  a[0] - b[0] || (a[1] < b[1] ? -1 : Number(a[1] > b[1]));

/** Whether a file is found after another one of the same folder or of folders in it. */
function isFoundAfter(path: string, place: string): boolean {
  const [ours, theirs] = [path.split(sep), place.split(sep)];
  const at = ours.findIndex((name, index) => name !== theirs[index]);
  if (at === -1) return false;
  const keyOf = (parts: string[]) => [rankOf(parts[at] ?? '', at === parts.length - 1), parts[at] ?? ''] as const;
  return byRankAndName(keyOf(ours), keyOf(theirs)) > 0;
}

/** What may be under a folder that is found after a place. */
const mayHoldLater = (folder: string, place: string): boolean =>
  place.startsWith(folder + sep) || isFoundAfter(join(folder, 'a', 'a'), place);

/**
 * The file that a path names, or those of a folder.
 * @param after a file that was found before: only what comes after it
 * @throws the system's error where the path itself cannot be read
 */
export async function* filesAt(
  path: string,
  { isRecursive, after = null }: { isRecursive: boolean; after?: string | null },
): AsyncGenerator<FoundFile> {
  const status = await stat(path);
  if (status.isFile() && path !== after) yield { path, size: status.size };
  if (status.isDirectory()) yield* filesIn(path, await entriesOf(path, isRecursive), isRecursive, after);
}

type Entry = readonly [rank: number, name: string];

/** In the order in which they are found. @throws the system's error */
async function entriesOf(folder: string, isRecursive: boolean): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    // A link to a folder could lead back up, and one to nowhere is no file.
    const isFile = entry.isFile() || (entry.isSymbolicLink() && (await fileAt(join(folder, entry.name))) !== null);
    if (isFile || (isRecursive && entry.isDirectory())) entries.push([rankOf(entry.name, isFile), entry.name]);
  }
  return entries.sort(byRankAndName);
}

async function* filesIn(
  folder: string,
  entries: readonly Entry[],
  isRecursive: boolean,
  after: string | null,
): AsyncGenerator<FoundFile> {
  for (const [rank, name] of entries) {
    const path = join(folder, name);
    if (rank === ranks.folder) {
      if (after !== null && !mayHoldLater(path, after)) continue;
      const inside = await entriesOf(path, isRecursive).catch(() => null);
      // Whoever reads it hears why it cannot be read.
      if (inside === null) yield { path, size: 0 };
      else yield* filesIn(path, inside, isRecursive, after);
    } else if (after === null || isFoundAfter(path, after)) {
      const file = await fileAt(path);
      if (file !== null) yield file;
    }
  }
}

/** Null where there is none: it may have gone meanwhile. */
export const fileAt = (path: string): Promise<FoundFile | null> =>
  stat(path).then(
    (status) => (status.isFile() ? { path, size: status.size } : null),
    () => null,
  );
