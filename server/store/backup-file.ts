// The format of a backup: a ZIP of a data folder's files, with a list of their hashes. Knows no database.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, openSync } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipArchive } from 'archiver';
import yauzl from 'yauzl';
import { z } from 'zod';
import { syncFolder } from '../vault/durable-file.ts';

/** The member that lists the others; written last, because the hashes are known only then. */
const manifestName = 'manifest.json';
/** A list of a million APKs takes some 160 MB. */
const maxManifestBytes = 512 * 1024 ** 2;
/** Names a data folder's files have; nothing that climbs out of a folder fits. */
const memberName = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/;

/** Whether a backup can hold a file of this name; a data folder's own all are so. */
export const isMemberName = (name: string): boolean => memberName.test(name) && name !== manifestName;

const manifestSchema = z.object({
  format: z.literal('apk-workstation-backup'),
  version: z.literal(1),
  /** ISO 8601. */
  created_at: z.string(),
  apks: z.number(),
  /** Records whose file was gone already when the backup was made. */
  apks_without_file: z.array(z.string()),
  files: z.record(z.string().regex(memberName), z.object({ size: z.number(), sha256: z.string() })),
});
export type BackupManifest = z.infer<typeof manifestSchema>;

/** A backup that is not one, or not whole; the message says what is wrong and where. */
export class BackupError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BackupError';
  }
}

/** What a backup is called until it is whole; what is made for it meanwhile begins so too. */
export const partialName = (target: string): string => `${target}.partial`;

/** Told of the bytes that have been worked through since the last call. */
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
  readonly #files: BackupManifest['files'] = {};

  /**
   * @param target is replaced, at the very end, by the finished backup
   * @throws the system's error where no file can be made beside it
   */
  constructor(target: string, progress: ByteProgress) {
    this.#target = target;
    this.#temporary = partialName(target);
    this.#progress = progress;
    // At once: a file that is made later would come back when a run that is cut off has cleaned up behind itself.
    const fd = openSync(this.#temporary, 'w', 0o600);
    this.#output = pipeline(this.#archive, createWriteStream(this.#temporary, { fd, flush: true }));
    // A full disk is told by whoever waits next; nobody may be waiting at that moment.
    this.#output.catch(() => undefined);
  }

  /**
   * Adds a file.
   * @param isCompact packs it: worth it for anything but encrypted APKs
   * @returns false where it is no longer there
   */
  async add(name: string, path: string, isCompact: boolean): Promise<boolean> {
    let source: Readable;
    try {
      const handle = await open(path);
      source = handle.createReadStream();
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

  /** Ends the backup and puts it in its place, durably. It still is to be verified. */
  async finish(described: Pick<BackupManifest, 'created_at' | 'apks' | 'apks_without_file'>): Promise<BackupManifest> {
    const manifest: BackupManifest = { format: 'apk-workstation-backup', version: 1, ...described, files: this.#files };
    this.#archive.append(Buffer.from(JSON.stringify(manifest)), { name: manifestName });
    await this.#archive.finalize();
    await this.#output;
    await readBackup(this.#temporary, { onFile: discard, progress: this.#progress });
    await rename(this.#temporary, this.#target);
    await syncFolder(dirname(this.#target));
    return manifest;
  }

  async abandon(): Promise<void> {
    this.#archive.abort();
    await this.#output.catch(() => undefined);
    await rm(this.#temporary, { force: true });
  }
}

/** For whoever only wants to know that a file is whole. */
export async function discard(_name: string, bytes: Readable): Promise<void> {
  for await (const _chunk of bytes) {
    // Its hash is taken on the way.
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

/** Bytes that reading a backup goes through. @throws BackupError */
export async function backupBytes(file: string): Promise<number> {
  const { zip, manifest } = await openBackup(file);
  zip.close();
  return Object.values(manifest.files).reduce((sum, { size }) => sum + size, 0);
}

/**
 * Reads a whole backup and compares every file with the list.
 * @param onFile takes each file's bytes, which may still turn out to be wrong
 * @throws BackupError where anything is missing, altered or not listed; the system's errors of `onFile`
 */
export async function readBackup(
  file: string,
  { onFile, progress }: { onFile: (name: string, bytes: Readable) => Promise<void>; progress: ByteProgress },
): Promise<BackupManifest> {
  const { zip, entries, manifest } = await openBackup(file);
  try {
    const missing = new Set(Object.keys(manifest.files));
    for (const entry of entries) {
      const name = entry.fileName;
      if (name === manifestName) continue;
      const listed = manifest.files[name];
      if (listed === undefined || !missing.delete(name)) throw new BackupError(`${name} is not in the backup's list.`);
      // Told before it is unpacked: a small file can unpack to more than a disk holds.
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

async function openBackup(
  file: string,
): Promise<{ zip: yauzl.ZipFile; entries: yauzl.Entry[]; manifest: BackupManifest }> {
  await stat(file);
  const zip = await fromZip(file, () => yauzl.openPromise(file, { lazyEntries: true, autoClose: false }));
  try {
    const entries: yauzl.Entry[] = [];
    await fromZip(file, async () => {
      for await (const entry of zip.eachEntry()) entries.push(entry);
    });
    const listing = entries.find(({ fileName }) => fileName === manifestName);
    if (listing === undefined || listing.uncompressedSize > maxManifestBytes) {
      throw new BackupError(`${file} is no backup of this program: it has no ${manifestName}.`);
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
