// `watch`: a folder's files are taken into the catalogue while the command runs, by the running server or by one that it starts. Knows
// nothing of how folders are watched.
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { jsonLine } from '../../contract/json-line.ts';
import type { NewWatchedFolder, WatchedFile, WatchedFolder } from '../../contract/workstation/watched-folder.ts';
import { callersFolder, dataFolder } from '../data-folder.ts';
import { openServedFolder } from '../served-folder.ts';
import { terminalText } from '../terminal-text.ts';

export interface WatchOptions extends Partial<Omit<NewWatchedFolder, 'path' | 'is_on'>> {
  dataDir?: string;
  json?: boolean;
}

/** Milliseconds between looks at what was taken in. */
const lookInterval = 1_000;

/** What became of a file, as a line. */
function lineOf(file: WatchedFile): string {
  const told = file.apks.map((apk) => `${apk.is_new ? 'added' : 'held already'} ${apk.sha256}`);
  const refused = file.refused.map(({ name, reason }) => `refused ${terminalText(name)}: ${terminalText(reason)}`);
  return [...told, ...refused].map((text) => `${terminalText(file.path)}: ${text}\n`).join('');
}

/**
 * Watches a folder until a signal ends it; its files are remembered for the next time.
 * @throws Error where the workstation watches it already, or it cannot be watched
 */
export async function watchFolder(path: string, { dataDir, json = false, ...wish }: WatchOptions): Promise<void> {
  const folder = resolve(callersFolder(), path);
  const place = dataFolder(dataDir);
  const ending = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => ending.abort());
  const served = await openServedFolder(place);
  const ask = <T>(method: string, address: string, body?: object): Promise<T> =>
    served.ask(method, `/watched-folders/${address}`, body);
  try {
    const { results } = await ask<{ results: WatchedFolder[] }>('GET', '');
    const known = results.find((other) => other.path === folder);
    if (known?.is_on === true)
      throw new Error(`The workstation watches ${folder} already: Administration → Watched folders.`);
    const before = known === undefined ? [] : (await filesOf(known.id)).map(keyOf);
    const { id } =
      known === undefined
        ? await ask<WatchedFolder>('POST', '', { ...wish, path: folder })
        : await ask<WatchedFolder>('PATCH', `${known.id}/`, { ...wish, is_on: true });
    const told = new Set(before);
    process.stderr.write(`Watching ${terminalText(folder)}; Ctrl+C ends it.\n`);
    while (!ending.signal.aborted) {
      for (const file of (await filesOf(id)).reverse()) {
        if (told.has(keyOf(file))) continue;
        told.add(keyOf(file));
        process.stdout.write(json ? jsonLine(file) : lineOf(file));
      }
      await pause(lookInterval, undefined, { signal: ending.signal }).catch(() => undefined);
    }
    await ask('PATCH', `${id}/`, { is_on: false });
  } finally {
    await served.close();
  }

  async function filesOf(id: string): Promise<WatchedFile[]> {
    return (await ask<{ results: WatchedFile[] }>('GET', `${id}/files/`)).results;
  }
}

const keyOf = ({ sha256, taken_at }: WatchedFile): string => `${sha256} ${taken_at}`;
