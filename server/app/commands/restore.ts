// `restore`: puts a verified backup in the place of an installation, which is kept beside it.
import { existsSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { jsonLine } from '../../contract/json-line.ts';
import { isSealedBackup } from '../../store/backup/backup-file.ts';
import { type Restored, restoreBackup } from '../../store/backup/restoration.ts';
import { isInSeries } from '../../store/backup/series-folder.ts';
import { callersFolder, dataFolder } from '../data-folder.ts';
import { askPassphrase, passphraseFrom } from '../passphrase.ts';
import { terminalText } from '../terminal-text.ts';
import { backupProgress } from './backup.ts';

export interface RestoreCommandOptions {
  dataDir?: string;
  /** Sets a folder that is not empty aside without asking. */
  replace?: boolean;
  passphraseFile?: string;
  /** The backup is one's own: what it connects to, opens and vouches with is kept. */
  own?: boolean;
  endTokens?: boolean;
}

/**
 * Restores and prints what was restored as one JSON object. On a terminal it asks before it sets a folder aside, and
 * whether the backup is one's own; elsewhere it refuses the one and takes the other for a stranger's.
 * @throws where the backup fails its verification, the folder is in use, or the answer is no
 */
export async function restore(file: string, options: RestoreCommandOptions): Promise<void> {
  const folder = dataFolder(options.dataDir);
  const isOccupied = existsSync(folder) && readdirSync(folder).length > 0;
  const question = `${folder} is not empty. Set it aside and restore the backup?`;
  if (isOccupied && !(options.replace ?? false) && !(await isAgreed(question))) {
    throw new Error(`${folder} is not empty, and nothing in it was changed. Add --replace to set it aside.`);
  }
  const source = resolve(callersFolder(), file);
  const passphrase = await passphraseOf(source, options.passphraseFile);
  const isOwn =
    (options.own ?? false) ||
    (await isAgreed('Did you make this backup yourself, and only you could change it since?'));
  const progress = backupProgress('restoring');
  try {
    const restored = await restoreBackup(source, folder, {
      mayReplace: isOccupied,
      progress,
      now: new Date(),
      passphrase,
      isOwn,
      endsTokens: options.endTokens ?? false,
    });
    progress.clear();
    for (const line of remarks(restored)) process.stderr.write(`${terminalText(line)}\n`);
    const { manifest, former, accounts, tokens } = restored;
    process.stdout.write(
      jsonLine({
        folder,
        created_at: manifest.created_at,
        apks: manifest.apks,
        former,
        accounts,
        tokens,
        is_own: restored.isOwn,
        has_authority: restored.hasAuthority,
        settings_put_back: restored.settingsPutBack,
        files_left_out: restored.filesLeftOut.length,
      }),
    );
  } finally {
    progress.clear();
  }
}

async function passphraseOf(file: string, passphraseFile: string | undefined): Promise<string | null> {
  if (passphraseFile !== undefined) return passphraseFrom(passphraseFile);
  return !isInSeries(file) && isSealedBackup(file) ? askPassphrase('Passphrase of the backup: ') : null;
}

/** What whoever restored has to know or do. */
function remarks({ isOwn, settingsPutBack, filesLeftOut, hasAuthority, accounts, tokens }: Restored): string[] {
  const authority = hasAuthority
    ? []
    : ['A new authority is made when the workstation is shared: teammates fetch its certificate (/ca.crt) again.'];
  if (isOwn) return authority;
  return [
    'This backup is not known to be your own; --own says so.',
    ...(settingsPutBack.length === 0 ? [] : [`Put back to what they are at first: ${settingsPutBack.join(', ')}.`]),
    ...(filesLeftOut.length === 0 ? [] : [`Left out: ${filesLeftOut.slice(0, 20).join(', ')}.`]),
    ...(tokens === 0
      ? []
      : [`Access tokens that it brings and that go on working: ${tokens}; --end-tokens ends them.`]),
    `Accounts that it brings: ${accounts}. Disable those you do not know before you share the workstation.`,
    ...authority,
  ];
}

async function isAgreed(question: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`${question} [y/N] `);
    return /^y(?:es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}
