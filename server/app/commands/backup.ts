// `backup`: one verified file of a whole installation, or a further state in a folder of them, also while a server runs on it.
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { jsonLine } from '../../contract/json-line.ts';
import type { BackupProgress } from '../../store/backup/backup.ts';
import { removePages, removePartial, writeBackup } from '../../store/backup/backup.ts';
import { addToSeries } from '../../store/backup/series.ts';
import { openStore } from '../../store/store.ts';
import { callersFolder, dataFolder } from '../data-folder.ts';
import { quietLog } from '../log.ts';
import { noteCommand } from '../noted-command.ts';
import { newPassphrase } from '../passphrase.ts';
import { ProgressLine } from '../progress-line.ts';

/** Shows how far a backup or its restoration is: on the terminal, and to a parent process that listens. */
export function backupProgress(text: string): BackupProgress & { clear(): void } {
  let line: ProgressLine | undefined;
  let total = 0;
  let done = 0;
  let told = 0;
  return {
    total(bytes) {
      total = bytes;
      line = new ProgressLine(bytes);
    },
    advance(bytes) {
      done += bytes;
      line?.show(done, text);
      const share = total === 0 ? 1 : Math.min(1, done / total);
      if (share - told >= 0.01) {
        told = share;
        // An ended parent is reported by the event `disconnect`.
        process.send?.({ progress: share }, () => undefined);
      }
    },
    clear: () => line?.clear(),
  };
}

export interface BackupCommandOptions {
  dataDir?: string;
  /** Asks for a passphrase that seals the backup. */
  seal?: boolean;
  passphraseFile?: string;
  withAuthority?: boolean;
}

/**
 * Writes the backup and prints what is in it as one JSON object. A folder gets a further state, of which only what is new
 * is written.
 * @throws where the folder is none, the target cannot be written, or the written file fails its verification
 */
export async function backup(file: string, options: BackupCommandOptions): Promise<void> {
  const target = resolve(callersFolder(), file);
  const folder = dataFolder(options.dataDir);
  const { seal = false, passphraseFile, withAuthority = false } = options;
  if (statSync(target, { throwIfNoEntry: false })?.isDirectory() === true) {
    if (seal || passphraseFile !== undefined)
      throw new Error(`${target} is a folder: only a backup in one file can be sealed.`);
    return backUpIntoFolder(folder, target, withAuthority);
  }
  const passphrase = seal || passphraseFile !== undefined ? await newPassphrase(passphraseFile) : null;
  const progress = backupProgress('backing up');
  // Of a server that was killed nothing is left behind: its next start has cleared its folder already.
  const noLonger = onGivenUp(() => {
    progress.clear();
    removePartial(target, folder);
  });
  try {
    const manifest = await writeBackup(folder, target, { progress, now: new Date(), passphrase, withAuthority });
    progress.clear();
    // A backup that the interface asked for is in the audit log as a request already.
    if (!process.connected) await noteIfPossible(folder, target);
    const { created_at, apks, apks_without_file } = manifest;
    const { size } = statSync(target);
    process.stdout.write(
      jsonLine({
        file: target,
        size,
        created_at,
        apks,
        apks_without_file,
        is_sealed: passphrase !== null,
        has_authority: withAuthority,
      }),
    );
  } finally {
    noLonger();
    progress.clear();
  }
}

/**
 * Ends the process at a signal, or with the server that asked for the backup.
 * @param cleanUp what is done before
 * @returns has it outlive its server from now on
 */
function onGivenUp(cleanUp: () => void): () => void {
  const giveUp = (status: number) => {
    cleanUp();
    process.exit(status);
  };
  for (const [signal, number] of Object.entries({ SIGINT: 2, SIGTERM: 15 })) {
    process.once(signal, () => giveUp(128 + number));
  }
  const onServerGone = () => giveUp(1);
  if (process.send !== undefined && !process.connected) onServerGone();
  process.once('disconnect', onServerGone);
  return () => process.off('disconnect', onServerGone);
}

async function backUpIntoFolder(folder: string, target: string, withAuthority: boolean): Promise<void> {
  const progress = backupProgress('backing up');
  // The pieces that an interrupted run has written serve the next one.
  const noLonger = onGivenUp(() => {
    progress.clear();
    removePages(folder);
  });
  try {
    const added = await addToSeries(folder, target, { progress, now: new Date(), withAuthority });
    progress.clear();
    if (!process.connected) await noteIfPossible(folder, target);
    process.send?.({ added }, () => undefined);
    process.stdout.write(jsonLine({ folder: target, ...added, has_authority: withAuthority }));
  } finally {
    noLonger();
    progress.clear();
  }
}

/** A full disk is a reason to make a backup: it is whole, and only its record is missing then. */
const noteIfPossible = (folder: string, target: string): Promise<void> =>
  note(folder, target).catch(({ message }: Error) => {
    process.stderr.write(`The audit log does not say that this backup was made. ${message}\n`);
  });

async function note(folder: string, target: string): Promise<void> {
  const store = await openStore(folder, { log: quietLog, exclusive: false });
  try {
    await noteCommand(store, 'backup', target);
  } finally {
    await store.close();
  }
}
