// Puts a backup in the place of a data folder, whoever made it: everything in it is checked first. Knows no account.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { mkdir, rm, statfs } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { syncFolder } from '../../vault/durable-file.ts';
import { readMasterKey } from '../../vault/master-key.ts';
import { openSealedFile, readSalt } from '../../vault/sealed-file.ts';
import { fileKey } from '../../vault/sealed-format.ts';
import { lockFolder } from '../files/folder-lock.ts';
import { databaseName, keyPath } from '../lost-catalogue.ts';
import { DataFolderError } from '../store-errors.ts';
import { apkName, type BackupProgress } from './backup.ts';
import { BackupError, type BackupListing, backupBytes, openBackupFile, unpackInto } from './backup-file.ts';
import { finishReplacement, holdStaging, replaceFolder, stagingName } from './folder-replacement.ts';
import { RestoredDatabase } from './restored-database.ts';
import { isInSeries, openSeries } from './series-folder.ts';

/** Room that the file system must keep free beside what is restored. */
const spareBytes = 64 * 1024 ** 2;
/** So many undecryptable APKs in a row mean a wrong key, not damage. */
const keyProbes = 100;

export interface RestoreOptions {
  /** Whether a folder with anything in it may be set aside. */
  mayReplace: boolean;
  progress: BackupProgress;
  now: Date;
  /** null: the backup is not sealed. */
  passphrase?: string | null;
  /** The backup is known to be one's own: its settings, certificate authority and queued mail are kept. */
  isOwn?: boolean;
  /** Ends the tokens of programs too. */
  endsTokens?: boolean;
}

export interface Restored {
  manifest: BackupListing;
  /** Where the former folder is now, null where there was none. */
  former: string | null;
  /** Whether the backup counts as one's own: by the option, or by the master key of the folder that it replaces. */
  isOwn: boolean;
  /** Settings that were put back to their defaults: the backup was not known to be one's own. */
  settingsPutBack: string[];
  /** Files that were left out for the same reason. */
  filesLeftOut: string[];
  /** Whether the authority that teammates trust is there; otherwise another is made when it is needed. */
  hasAuthority: boolean;
  accounts: number;
  /** Access tokens of programs that stay valid. */
  tokens: number;
}

/**
 * Verifies a backup and puts it in the place of a data folder: a file, the newest state of a series, or one state of it.
 * Nothing is touched before everything is verified; a folder that is there already is kept beside it under another name.
 * @throws BackupError where the backup fails its verification; DataFolderError where the folder is in use or not empty
 */
export async function restoreBackup(file: string, dataDir: string, options: RestoreOptions): Promise<Restored> {
  const { mayReplace, progress, now, passphrase = null } = options;
  const folder = resolve(dataDir);
  await finishReplacement(folder);
  const isOccupied = existsSync(folder) && readdirSync(folder).length > 0;
  if (isOccupied && !mayReplace) {
    throw new DataFolderError('in-use', `${folder} is not empty, and nothing in it was changed.`);
  }
  const source = isInSeries(file) ? await openSeries(file) : await openBackupFile(file, passphrase);
  const { listing: manifest } = source;
  refuseForeignNames(manifest);
  const bytes = backupBytes(manifest);
  mkdirSync(dirname(folder), { recursive: true });
  const { bavail, bsize } = await statfs(dirname(folder));
  if (bavail * bsize < bytes + spareBytes) {
    throw new BackupError(`${dirname(folder)} has room for ${bavail * bsize} bytes, and the backup holds ${bytes}.`);
  }
  // Held to the end, so that no server runs on the folder meanwhile.
  const lock = isOccupied ? await lockFolder(folder) : null;
  const stamp = now.toISOString().replace(/[-:]|\.\d+/g, '');
  const staging = stagingName(folder, stamp);
  let held: ReturnType<typeof holdStaging> = null;
  try {
    await mkdir(staging, { mode: 0o700 });
    held = holdStaging(staging);
    progress.total(bytes);
    await source.read(unpackInto(staging), progress.advance);
    const told = prepare(staging, isOccupied ? folder : null, { ...options, file, manifest });
    // Locks move with their folders; only Windows cannot rename a folder that has open files.
    if (process.platform === 'win32') {
      lock?.release();
      held?.close();
    }
    const former = replaceFolder(folder, stamp, isOccupied);
    await syncFolder(dirname(folder));
    return { manifest, former, ...told };
  } catch (error) {
    held?.close();
    await rm(staging, { recursive: true, force: true });
    throw error;
  } finally {
    held?.close();
    lock?.release();
  }
}

const storedApk = /^apks\/([0-9a-f]{2})\/([0-9a-f]{2})\/\1\2[0-9a-f]{60}$/;
/** Files that no backup may hold, since the next start would act on them: the folder's place, its server, its locks. */
const ofRunningServer = /^(?:lock\.|server\.json|moved\.json|catalogue\.db.|cache\/|logs\/|backups\/)/i;
/** What a data folder needs. */
const needed = /^(?:catalogue\.db|keys\/master\.key(?:\.sha256)?|apks\/.*|feeds\/.*)$/;

/** @throws BackupError where a name is listed that this program has put into no backup */
function refuseForeignNames({ files }: BackupListing): void {
  for (const name of Object.keys(files)) {
    if (ofRunningServer.test(name) || (name.startsWith('apks/') && !storedApk.test(name))) {
      throw new BackupError(`The backup holds ${name}, which no backup of this program does.`);
    }
  }
}

type Preparation = RestoreOptions & { file: string; manifest: BackupListing };

/**
 * Checks the unpacked files and removes those that must not be there.
 * @param replaced the folder that it is to replace, null where there is none
 */
function prepare(staging: string, replaced: string | null, asked: Preparation): Omit<Restored, 'manifest' | 'former'> {
  const { file, manifest, now, isOwn: isSaidOwn = false, endsTokens = false } = asked;
  if (manifest.files[databaseName] === undefined) throw new BackupError(`The backup has no ${databaseName}.`);
  const masterKey = checkedMasterKey(staging, manifest);
  const isOwn = isSaidOwn || (replaced !== null && isKeyOf(replaced, masterKey));
  const database = new RestoredDatabase(join(staging, databaseName));
  try {
    database.check(masterKey, (sha256) => manifest.files[apkName(sha256)] !== undefined, manifest.apks_without_file);
    const settingsPutBack = isOwn ? [] : database.putBack();
    database.endSessions(file, now, endsTokens);
    const filesLeftOut = isOwn ? [] : Object.keys(manifest.files).filter((name) => !needed.test(name));
    for (const name of filesLeftOut) rmSync(join(staging, name));
    const hasAuthority = existsSync(join(staging, 'keys', 'authority.key'));
    return { isOwn, settingsPutBack, filesLeftOut, hasAuthority, ...database.counts() };
  } finally {
    database.close();
  }
}

function isKeyOf(folder: string, masterKey: Uint8Array): boolean {
  const path = keyPath(folder);
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true && readFileSync(path).equals(masterKey);
}

/** @throws BackupError where the key is malformed, does not match its checksum, or decrypts no APK of the backup */
function checkedMasterKey(staging: string, { files }: BackupListing): Uint8Array {
  if (files['keys/master.key'] === undefined) {
    throw new BackupError('The backup has no master key: its APKs could never be read.');
  }
  let masterKey: Uint8Array;
  try {
    masterKey = readMasterKey(keyPath(staging));
  } catch (error) {
    throw new BackupError(`The backup's master key cannot be read: ${(error as Error).message}.`);
  }
  const apks = Object.keys(files).filter((name) => storedApk.test(name));
  const probes = apks.slice(0, keyProbes);
  if (probes.length > 0 && !probes.some((name) => isOpenedBy(masterKey, join(staging, name)))) {
    throw new BackupError("The backup's master key opens none of its APKs: it is another installation's.");
  }
  return masterKey;
}

/** A file may have been damaged before the backup was made. */
function isOpenedBy(masterKey: Uint8Array, path: string): boolean {
  try {
    openSealedFile(path, fileKey(masterKey, readSalt(path)), 0).close();
    return true;
  } catch {
    return false;
  }
}
