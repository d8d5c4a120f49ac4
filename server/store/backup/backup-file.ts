// The format of a backup: a ZIP of a data folder's files with a list of their hashes, as it is or sealed by a passphrase.
// Knows no database.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, openSync } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipArchive } from 'archiver';
import type yauzl from 'yauzl';
import { z } from 'zod';
import { fileSource } from '../../vault/byte-source.ts';
import { syncFolder } from '../../vault/durable-file.ts';
import { isPassphraseSealed, openPassphraseSealed } from '../../vault/passphrase-seal.ts';
import { SealedFileError } from '../../vault/sealed-format.ts';
import type { SealedWriter } from '../../vault/sealed-writer.ts';
import { openZipSource } from '../files/zip-source.ts';

/** The member that lists the others; written last, because the hashes are known only then. */
const manifestName = 'manifest.json';
/** A list of a million APKs takes some 160 MB. */
const maxManifestBytes = 512 * 1024 ** 2;
/** Names of a data folder's files: no path that leaves the folder, no device name of Windows. */
const memberName = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,254}(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]{0,254}){0,7}$/;
const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/);
const maxFiles = 10_000_000;

/** Whether a backup can hold a file of this name; a data folder's own all are so. */
export const isMemberName = (name: string): boolean => memberName.test(name) && name !== manifestName;

const manifestSchema = z.object({
  format: z.literal('apk-workstation-backup'),
  version: z.literal(1),
  /** ISO 8601. */
  created_at: z.string().max(40),
  apks: z.number().int().nonnegative(),
  /** APKs whose file was missing when the backup was made. */
  apks_without_file: z.array(sha256Schema).max(maxFiles),
  files: z.record(
    z.string().regex(memberName),
    z.object({ size: z.number().nonnegative().refine(Number.isInteger), sha256: sha256Schema }),
  ),
});
export type BackupManifest = z.infer<typeof manifestSchema>;

/** What a backup says of itself, whatever its form. */
export type BackupListing = Pick<BackupManifest, 'created_at' | 'apks' | 'apks_without_file'> & {
  files: Readonly<Record<string, { size: number }>>;
};

/** A backup that can be restored. */
export interface BackupSource {
  /** Not verified yet. */
  listing: BackupListing;
  /**
   * Reads and verifies all of it.
   * @param onFile takes each file's bytes, which may still turn out to be wrong
   * @throws BackupError where anything is missing, altered or not listed; the system's errors of `onFile`
   */
  read(onFile: (name: string, bytes: Readable) => Promise<void>, progress: ByteProgress): Promise<void>;
}

/** The file is no backup, or an incomplete one; the message says what is wrong and where. */
export class BackupError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BackupError';
  }
}

/** Whether it takes a passphrase to read. @throws the system's errors */
export const isSealedBackup = (file: string): boolean => isPassphraseSealed(file);

/** Name of a backup until it is complete, and prefix of its temporary files. */
export const partialName = (target: string): string => `${target}.partial`;

/** Called with the number of bytes processed since the last call. */
export type ByteProgress = (bytes: number) => void;

/** Hashes and counts what flows through it. */
function meter(progress: ByteProgress): { through: Transform; result(): { size: number; sha256: string } } {
  const hash = createHash('sha256');
  let size = 0;
  const through = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      size += chunk.length;
      progress(chunk.length);
      done(null, chunk);
    },
  });
  return { through, result: () => ({ size, sha256: hash.digest('hex') }) };
}

/** Writes one backup, file after file. */
export class BackupWriter {
  readonly #target: string;
  readonly #temporary: string;
  readonly #progress: ByteProgress;
  readonly #archive = new ZipArchive({ zlib: { level: 1 }, forceZip64: true });
  readonly #output: Promise<void>;
  readonly #passphrase: string | null;
  readonly #files: BackupManifest['files'] = {};

  /**
   * @param target is replaced, at the very end, by the finished backup
   * @param sealed writes at `partialName(target)` with the passphrase, null: the backup is not sealed
   * @throws the system's error where no file can be made beside it
   */
  constructor(
    target: string,
    progress: ByteProgress,
    sealed: { writer: SealedWriter; passphrase: string } | null = null,
  ) {
    this.#target = target;
    this.#temporary = partialName(target);
    this.#progress = progress;
    this.#passphrase = sealed?.passphrase ?? null;
    this.#output = sealed === null ? this.#writePlain() : this.#writeSealed(sealed.writer);
    // A full disk is reported by the next call that waits; there may be none at that moment.
    this.#output.catch(() => undefined);
  }

  #writePlain(): Promise<void> {
    // Created at once: created later, it could reappear after an interrupted run has cleaned up.
    const fd = openSync(this.#temporary, 'w', 0o600);
    return pipeline(this.#archive, createWriteStream(this.#temporary, { fd, flush: true }));
  }

  async #writeSealed(writer: SealedWriter): Promise<void> {
    try {
      await pipeline(this.#archive, async (pieces) => {
        for await (const piece of pieces) await writer.write(piece as Buffer);
      });
      await writer.finish();
    } catch (error) {
      await writer.discard();
      throw error;
    }
  }

  /**
   * Adds a file.
   * @param from its path, or its bytes
   * @param isCompact compresses it: worth it for anything but encrypted APKs
   * @returns false where it is no longer there
   */
  async add(name: string, from: string | Buffer, isCompact: boolean): Promise<boolean> {
    let source: Readable;
    try {
      source = typeof from === 'string' ? (await open(from)).createReadStream() : Readable.from(piecesOf(from));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
      throw error;
    }
    const { through, result } = meter(this.#progress);
    const packed = once(this.#archive, 'entry');
    this.#archive.append(through, { name, store: !isCompact });
    await Promise.race([Promise.all([pipeline(source, through), packed]), this.#failure()]);
    this.#files[name] = result();
    return true;
  }

  /** Never resolves; rejects when the output fails. */
  async #failure(): Promise<never> {
    await this.#output;
    throw new BackupError(`${this.#temporary} ended early.`);
  }

  /** Completes the backup and renames it into place, durably. It is not verified yet. */
  async finish(described: Pick<BackupManifest, 'created_at' | 'apks' | 'apks_without_file'>): Promise<BackupManifest> {
    const manifest: BackupManifest = { format: 'apk-workstation-backup', version: 1, ...described, files: this.#files };
    this.#archive.append(Buffer.from(JSON.stringify(manifest)), { name: manifestName });
    await this.#archive.finalize();
    await this.#output;
    const passphrase = this.#passphrase;
    await readBackup(this.#temporary, { onFile: discard, progress: this.#progress, passphrase });
    await rename(this.#temporary, this.#target);
    await syncFolder(dirname(this.#target));
    return manifest;
  }

  /** Removes what was written so far. */
  async abandon(): Promise<void> {
    this.#archive.abort();
    await this.#output.catch(() => undefined);
    await rm(this.#temporary, { force: true });
  }
}

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}

/** Discards the bytes of files that are only to be verified. */
export async function discard(_name: string, bytes: Readable): Promise<void> {
  for await (const _chunk of bytes) {
    // The hash is computed on the way.
  }
}

/** Puts each file into a folder that holds nothing else yet. */
export function unpackInto(folder: string): (name: string, bytes: Readable) => Promise<void> {
  return async (name, bytes) => {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    await pipeline(bytes, createWriteStream(path, { mode: 0o600, flags: 'wx', flush: true }));
  };
}

/** A backup of one file. @param passphrase null: it is not sealed. @throws BackupError */
export async function openBackupFile(file: string, passphrase: string | null): Promise<BackupSource> {
  const { zip, manifest } = await openBackup(file, passphrase);
  zip.close();
  return {
    listing: manifest,
    async read(onFile, progress) {
      await readBackup(file, { onFile, progress, passphrase });
    },
  };
}

/** Bytes that reading a backup goes through. */
export const backupBytes = ({ files }: BackupListing): number =>
  Object.values(files).reduce((sum, { size }) => sum + size, 0);

export interface ReadOptions {
  onFile: (name: string, bytes: Readable) => Promise<void>;
  progress: ByteProgress;
  /** null: the backup is not sealed. */
  passphrase?: string | null;
}

/**
 * Reads a whole backup and compares every file with the list.
 * @param onFile takes each file's bytes, which may still turn out to be wrong
 * @throws BackupError where anything is missing, altered or not listed; the system's errors of `onFile`
 */
export async function readBackup(
  file: string,
  { onFile, progress, passphrase = null }: ReadOptions,
): Promise<BackupManifest> {
  const { zip, entries, manifest } = await openBackup(file, passphrase);
  try {
    const missing = new Set(Object.keys(manifest.files));
    for (const entry of entries) {
      const name = entry.fileName;
      if (name === manifestName) continue;
      const listed = manifest.files[name];
      if (listed === undefined || !missing.delete(name)) throw new BackupError(`${name} is not in the backup's list.`);
      // Checked before it is decompressed: a small file can decompress to more than a disk holds.
      if (entry.uncompressedSize !== listed.size) throw new BackupError(`${name} was altered: its size is another.`);
      const { through, result } = meter(progress);
      const source = await fromZip(name, () => zip.openReadStreamPromise(entry));
      source.once('error', (error) => through.destroy(new BackupError(`${name} cannot be read: ${error.message}`)));
      source.pipe(through);
      await onFile(name, through);
      const { size, sha256 } = result();
      if (size !== listed.size || sha256 !== listed.sha256) throw new BackupError(`${name} was altered.`);
    }
    const [absent] = missing;
    if (absent !== undefined) throw new BackupError(`${absent} is missing in the backup.`);
    return manifest;
  } finally {
    zip.close();
  }
}

async function fromZip<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new BackupError(`${what} cannot be read: ${(error as Error).message}`);
  }
}

async function openZip(file: string, passphrase: string | null): Promise<yauzl.ZipFile> {
  if (!isSealedBackup(file)) {
    // A passphrase was given, but the file is not sealed: somebody may have replaced it.
    if (passphrase !== null) throw new BackupError(`${file} is not sealed; whoever changed it needed no passphrase.`);
    return fromZip(file, () => openZipSource(fileSource(file)));
  }
  if (passphrase === null) throw new BackupError(`${file} is sealed: it takes its passphrase to read it.`);
  const source = await fromSealed(file, () => openPassphraseSealed(file, passphrase));
  return fromZip(file, () => openZipSource(source));
}

/** @throws BackupError in place of a SealedFileError */
async function fromSealed<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SealedFileError)) throw error;
    const reason =
      error.code === 'altered' ? `${error.message}. Either that, or the passphrase is wrong` : error.message;
    throw new BackupError(`${file} cannot be read: ${reason}.`);
  }
}

async function openBackup(
  file: string,
  passphrase: string | null,
): Promise<{ zip: yauzl.ZipFile; entries: yauzl.Entry[]; manifest: BackupManifest }> {
  await stat(file);
  const zip = await openZip(file, passphrase);
  try {
    const entries: yauzl.Entry[] = [];
    await fromZip(file, async () => {
      for await (const entry of zip.eachEntry()) entries.push(entry);
    });
    const [listing, ...others] = entries.filter(({ fileName }) => fileName === manifestName);
    if (listing === undefined || others.length > 0 || listing.uncompressedSize > maxManifestBytes) {
      throw new BackupError(`${file} is no backup of this program: it has no ${manifestName}, or several.`);
    }
    const text = await fromZip(manifestName, async () => {
      const pieces: Buffer[] = [];
      for await (const piece of await zip.openReadStreamPromise(listing)) pieces.push(piece as Buffer);
      return Buffer.concat(pieces).toString();
    });
    return { zip, entries, manifest: parseManifest(file, text) };
  } catch (error) {
    zip.close();
    throw error;
  }
}

function parseManifest(file: string, text: string): BackupManifest {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new BackupError(`${manifestName} of ${file} cannot be read: ${(error as Error).message}`);
  }
  const parsed = manifestSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new BackupError(
    `${file} is no backup that this version reads: ${issue?.path.join('.') ?? manifestName} is not as expected.`,
  );
}
