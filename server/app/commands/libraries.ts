// `libraries`: libraries whose methods say nothing of an app, imported into a data folder, also while a server runs.
import { globSync, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { createWorkerPool } from '../../jobs/worker-pool.ts';
import { importLibrary, LibraryError, type LibraryNames } from '../../services/catalogue/library-import.ts';
import type { LibraryRecord } from '../../store/repositories/library-repository.ts';
import { openStore, type Store } from '../../store/store.ts';
import { callersFolder, dataFolder } from '../data-folder.ts';
import { quietLog } from '../log.ts';
import { measuredWall } from '../measured-wall.ts';
import { noteCommand } from '../noted-command.ts';

interface Place {
  dataDir?: string;
}

async function withStore<T>({ dataDir }: Place, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(dataFolder(dataDir), { log: quietLog, exclusive: false });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** What became of a file, one for each. */
export type LibraryLine =
  | { file: string; name: string; version: string; methods: number; unread: number }
  | { file: string; error: string };

const isLibrary = (path: string): boolean => /\.(?:jar|aar|apk)$/i.test(path);

/** Files as they are named, and what looks like a library in folders. @throws Error for a path that is not there */
function filesOf(paths: readonly string[]): string[] {
  const files = paths.flatMap((path) => {
    const place = resolve(callersFolder(), path);
    return statSync(place).isDirectory()
      ? globSync('**/*', { cwd: place })
          .filter(isLibrary)
          .toSorted()
          .map((file) => resolve(place, file))
      : [place];
  });
  if (files.length === 0) throw new Error('There is no JAR, AAR or APK.');
  return files;
}

/** Reads libraries one after the other: a file that cannot be read says why, and the others go on. */
export async function* importLibraries(
  paths: readonly string[],
  { dataDir, ...names }: Place & LibraryNames,
): AsyncGenerator<LibraryLine> {
  const files = filesOf(paths);
  if (names.name !== undefined && files.length > 1)
    throw new Error(`--name is for one file, and here are ${files.length}.`);
  const store = await openStore(dataFolder(dataDir), { log: quietLog, exclusive: false });
  const wall = await measuredWall(false);
  const pool = createWorkerPool({ readableFolders: files, concurrency: 1, isBackground: false, wall });
  try {
    for (const file of files) {
      try {
        const { library, unread } = await importLibrary(
          { store, pool },
          { kind: 'plain', path: file },
          basename(file),
          names,
        );
        const { name, version, methods } = library;
        await noteCommand(store, 'libraries import', `${name} ${version}`.trim());
        yield { file, name, version, methods, unread };
      } catch (error) {
        if (!(error instanceof LibraryError)) throw error;
        yield { file, error: error.message };
      }
    }
  } finally {
    await pool.close();
    await store.close();
  }
}

export const shownLibraries = (place: Place): Promise<LibraryRecord[]> =>
  withStore(place, (store) => store.libraries.all());

/** @throws Error where there is none of that name */
export const removeLibrary = (name: string, place: Place): Promise<void> =>
  withStore(place, async (store) => {
    const removed = await store.transaction(({ libraries }) => libraries.remove(name));
    if (removed === 0) throw new Error(`There is no library "${name}".`);
    await noteCommand(store, 'libraries remove', name);
  });
