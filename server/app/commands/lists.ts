// `lists`: lists of known good and bad hashes of a data folder, also while a server runs.
import { createReadStream } from 'node:fs';
import { basename, resolve } from 'node:path';
import { KnownLists, type ListImport } from '../../store/files/known-lists.ts';
import { openStore } from '../../store/store.ts';
import { callersFolder, dataFolder } from '../data-folder.ts';
import { quietLog } from '../log.ts';
import { noteCommand } from '../noted-command.ts';

interface Place {
  dataDir?: string;
}

/** Does something with the lists, and notes it in the audit log. */
async function withLists<T>(
  { dataDir }: Place,
  words: string,
  name: string,
  work: (lists: KnownLists) => T,
): Promise<Awaited<T>> {
  const folder = dataFolder(dataDir);
  const store = await openStore(folder, { log: quietLog, exclusive: false });
  const lists = new KnownLists(folder);
  try {
    const done = await work(lists);
    await noteCommand(store, words, name);
    return done;
  } finally {
    lists.close();
    await store.close();
  }
}

/** @param onProgress told the number of lines so far */
export const importList = (
  file: string,
  options: Place & { kind: 'good' | 'bad'; name?: string; onProgress?: (lines: number) => void },
): Promise<ListImport> => {
  const { kind, name = basename(file).replace(/\.[a-z]+$/i, ''), onProgress } = options;
  return withLists(options, 'lists import', name, (lists) =>
    lists.import(createReadStream(resolve(callersFolder(), file), { highWaterMark: 1024 * 1024 }), {
      name,
      kind,
      source: basename(file),
      importedAt: Date.now(),
      ...(onProgress === undefined ? {} : { onProgress }),
    }),
  );
};

export const removeList = async (name: string, place: Place): Promise<void> => {
  if (!(await withLists(place, 'lists remove', name, (lists) => lists.remove(name))))
    throw new Error(`There is no list "${name}".`);
};

/** What lists there are, one object each. */
export function shownLists({ dataDir }: Place): object[] {
  const lists = new KnownLists(dataFolder(dataDir));
  const shown = [...lists.all()].map(
    ([
      name,
      {
        count,
        description: { kind, source, importedAt },
      },
    ]) => ({
      name,
      kind,
      count,
      source,
      imported_at: new Date(importedAt).toISOString(),
    }),
  );
  const damaged = lists.damaged.map((name) => ({ name, is_damaged: true }));
  lists.close();
  return [...shown, ...damaged];
}
