// Runs `apk-workstation backup` in a process of its own for the server, whose own thread must not wait for a disk.
import { fork } from 'node:child_process';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { BackupRunner } from '../services/sharing/backups.ts';
import { standardInput } from './standard-input.ts';

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const commandLine = fileURLToPath(new URL(`./command-line.${extension}`, import.meta.url));
const lowestPriority = 19;

export function backupProcess(dataDir: string): BackupRunner {
  return (file, { passphrase, withAuthority }, onProgress, signal) =>
    new Promise((resolve, reject) => {
      const sealing = passphrase === null ? [] : ['--passphrase-file', standardInput];
      const words = ['backup', file, '--data-dir', dataDir, ...sealing, ...(withAuthority ? ['--with-authority'] : [])];
      const child = fork(commandLine, words, {
        stdio: ['pipe', 'ignore', 'pipe', 'ipc'],
        env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
        signal,
      });
      // If the process has ended already, its `exit` event below reports it.
      child.stdin?.on('error', () => undefined);
      child.stdin?.end(passphrase === null ? '' : `${passphrase}\n`);
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
      child.on('message', (message) => onProgress((message as { progress: number }).progress));
      child.on('error', reject);
      child.on('exit', (code, ended) => {
        if (code === 0) resolve();
        else reject(new Error(told.trim().replace(/^apk-workstation: /, '') || `the backup ended (${ended ?? code})`));
      });
    });
}
