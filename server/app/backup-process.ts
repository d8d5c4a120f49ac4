// Runs `apk-workstation backup` in a process of its own for the server, whose own thread must not wait for a disk.
import { fork } from 'node:child_process';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { BackupRunner } from '../services/sharing/backups.ts';
import type { SeriesRunner } from '../services/sharing/scheduled-backups.ts';
import type { Added } from '../store/backup/series.ts';
import { standardInput } from './standard-input.ts';

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const commandLine = fileURLToPath(new URL(`./command-line.${extension}`, import.meta.url));
const lowestPriority = 19;

/** One backup in one file. */
export function backupProcess(dataDir: string): BackupRunner {
  return async (file, { passphrase, withAuthority }, onProgress, signal) => {
    const sealing = passphrase === null ? [] : ['--passphrase-file', standardInput];
    const words = [file, '--data-dir', dataDir, ...sealing, ...(withAuthority ? ['--with-authority'] : [])];
    await runBackup(words, passphrase === null ? '' : `${passphrase}\n`, onProgress, signal);
  };
}

/** A further backup in a folder of them. */
export function seriesProcess(dataDir: string): SeriesRunner {
  return async (folder, onProgress, signal) => {
    const added = await runBackup([folder, '--data-dir', dataDir], '', onProgress, signal);
    if (added === null) throw new Error('the backup ended without a word');
    const { apks, copied, size, states, damaged, lost } = added;
    return { apks, copied, size, states, damaged: damaged.length, lost: lost.length };
  };
}

/** @returns what it said of itself at its end, where it did */
function runBackup(
  words: string[],
  input: string,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<Added | null> {
  return new Promise((resolve, reject) => {
    const child = fork(commandLine, ['backup', ...words], {
      stdio: ['pipe', 'ignore', 'pipe', 'ipc'],
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
      signal,
    });
    // If the process has ended already, its `exit` event below reports it.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
    let told = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      told = (told + chunk.toString()).slice(-2000);
    });
    child.on('spawn', () => {
      try {
        setPriority(child.pid!, lowestPriority);
      } catch {
        // It has ended, which `exit` below reports, or the system does not allow lower priorities.
      }
    });
    let added: Added | null = null;
    child.on('message', (message: { progress?: number; added?: Added }) => {
      if (message.progress !== undefined) onProgress(message.progress);
      added = message.added ?? added;
    });
    child.on('error', reject);
    child.on('exit', (code, ended) => {
      if (code === 0) resolve(added);
      else reject(new Error(told.trim().replace(/^apk-workstation: /, '') || `the backup ended (${ended ?? code})`));
    });
  });
}
