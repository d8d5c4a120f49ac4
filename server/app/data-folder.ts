// Where an installation keeps its data. Knows nothing of what is in the folder.
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { movedNote } from '../store/files/folder-lock.ts';
import { DataFolderError } from '../store/store-errors.ts';

/**
 * The folder of an installation: the given one, else `APK_WORKSTATION_DATA`, else the platform's place for a user's
 * application data (XDG Base Directory Specification; Apple's File System Programming Guide; Windows' local app data).
 * @throws DataFolderError where it was moved to a place that is not there now
 */
export function dataFolder(given?: string): string {
  return whereMoved(placeOf(given));
}

/** Most notes that are followed: two of them could point at each other. */
const maxMoves = 10;

function whereMoved(folder: string, moves = 0): string {
  try {
    const { to } = JSON.parse(readFileSync(join(folder, movedNote), 'utf8')) as { to?: unknown };
    if (typeof to !== 'string' || moves === maxMoves) return folder;
    // The disk may be disconnected: no new installation must be made there.
    if (!existsSync(to)) throw new DataFolderError('damaged', `${folder} was moved to ${to}, which is not there now.`);
    return whereMoved(to, moves + 1);
  } catch (error) {
    const isAbsent = ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
    if (isAbsent || error instanceof SyntaxError) return folder;
    throw error;
  }
}

function placeOf(given: string | undefined): string {
  const named = given ?? process.env.APK_WORKSTATION_DATA;
  if (named !== undefined && named !== '') return resolve(callersFolder(), named);
  switch (process.platform) {
    case 'darwin':
      return join(homedir(), 'Library/Application Support/apk-workstation');
    case 'win32':
      return join(process.env.LOCALAPPDATA ?? join(homedir(), 'AppData/Local'), 'apk-workstation');
    default:
      return join(process.env.XDG_DATA_HOME ?? join(homedir(), '.local/share'), 'apk-workstation');
  }
}

/** Where commands without an installation keep what can be made again at any time: the platform's place for that. */
export function cacheFolder(): string {
  switch (process.platform) {
    case 'darwin':
      return join(homedir(), 'Library/Caches/apk-workstation');
    case 'win32':
      return join(process.env.LOCALAPPDATA ?? join(homedir(), 'AppData/Local'), 'apk-workstation-cache');
    default:
      return join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'apk-workstation');
  }
}

/** The folder in which the user typed the command: npm runs scripts in the package's folder and names the caller's own. */
export function callersFolder(): string {
  const isNpmScript = process.env.npm_lifecycle_event === 'workstation' || process.env.npm_lifecycle_event === 'start';
  return (isNpmScript ? process.env.INIT_CWD : undefined) ?? process.cwd();
}
