// The format of a series of backups: a folder whose states share what is the same in them. Knows no database.
//
//   pieces/ab/<sha256>     bytes by their hash; with `.z` deflated, the hash is of what they inflate to
//   states/<time>.<sha256>.json   one state: what it is of, and the pieces that list its files
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { z } from 'zod';
import { syncFolder, writeDurableFile } from '../../vault/durable-file.ts';
import { BackupError, type BackupSource, type ByteProgress, isMemberName } from './backup-file.ts';

/** Bytes of a database in one piece: few pages change from one state to the next. */
export const databasePieceBytes = 65_536;
/** Bytes that a deflated piece may inflate to; a line of a list that tells of a database of 100 GB takes 110 MB. */
const maxInflated = 256 * 1024 ** 2;
/** Lists are cut after names whose hash begins so, some 4,096 apart: one more file changes one piece of the list. */
const isCutAfter = (name: string): boolean => createHash('sha256').update(name).digest().readUInt16BE() < 16;

const pieceName = z.string().regex(/^[0-9a-f]{64}(?:\.z)?$/);
const stateName = /^\d{8}T\d{9}Z\.([0-9a-f]{64})\.json$/;

/** A file: its name in the data folder, bytes, time of its last change in milliseconds, and pieces in their order. */
const listedFile = z.tuple([
  z.string().refine(isMemberName),
  z.number().int().nonnegative(),
  z.number(),
  z.array(pieceName),
]);
export type ListedFile = z.infer<typeof listedFile>;

const stateSchema = z.object({
  format: z.literal('apk-workstation-backup-series'),
  version: z.literal(1),
  /** ISO 8601. */
  created_at: z.string().max(40),
  /** Tells installations apart: the hash of the master key. */
  installation: z.string().max(64),
  apks: z.number().int().nonnegative(),
  apks_without_file: z.array(z.string().regex(/^[0-9a-f]{64}$/)),
  /** Bytes of all its files. */
  size: z.number().int().nonnegative(),
  /** Of all pieces, those whose hash begins with this digit were read and compared when it was made. */
  checked: z.number().int().min(0).max(15),
  list: z.array(pieceName),
});
export type SeriesState = z.infer<typeof stateSchema>;

const piecePath = (folder: string, piece: string): string => join(folder, 'pieces', piece.slice(0, 2), piece);

/** Whether a folder holds a series. */
export const isSeries = (folder: string): boolean =>
  statSync(join(folder, 'states'), { throwIfNoEntry: false })?.isDirectory() === true;

/** Whether it is a folder with a series, of which the newest state counts, or one of its states. */
export const isInSeries = (path: string): boolean =>
  stateName.test(basename(path)) || statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** Names of its states, the oldest first. */
export const statesOf = (folder: string): string[] =>
  isSeries(folder)
    ? readdirSync(join(folder, 'states'))
        .filter((name) => stateName.test(name))
        .sort()
    : [];

/** @throws BackupError where it was altered */
export function readState(path: string): SeriesState {
  const text = readFileSync(path);
  const [, sha256] = stateName.exec(basename(path)) ?? [];
  if (sha256 === undefined) throw new BackupError(`${path} is no state of a series of backups.`);
  if (createHash('sha256').update(text).digest('hex') !== sha256) throw new BackupError(`${path} was altered.`);
  const { data } = stateSchema.safeParse(JSON.parse(text.toString()));
  if (data === undefined) throw new BackupError(`${path} is no state that this version reads.`);
  return data;
}

/** Writes a state, whose pieces are all there, whole or not at all. @returns its name */
export function writeState(folder: string, state: SeriesState): string {
  const text = Buffer.from(JSON.stringify(state));
  const stamp = state.created_at.replace(/[-:.]/g, '');
  const name = `${stamp}.${createHash('sha256').update(text).digest('hex')}.json`;
  writeDurableFile(join(folder, 'states', name), text);
  return name;
}

/** A piece is missing or not what its name says, as one can tell whatever the drive does at the moment. */
export class DamagedPieceError extends BackupError {}

const altered = (piece: string) => new DamagedPieceError(`The piece ${piece} was altered.`);

function unreadable(piece: string, error: unknown): BackupError {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return new DamagedPieceError(`The piece ${piece} is missing.`);
  return new BackupError(`The piece ${piece} cannot be read: ${message}.`);
}

/** @throws BackupError that names the piece, where it is missing or altered */
async function readPiece(folder: string, piece: string): Promise<Buffer> {
  const stored = await readFile(piecePath(folder, piece)).catch((error: unknown) => {
    throw unreadable(piece, error);
  });
  const bytes = piece.endsWith('.z') ? inflated(piece, stored) : stored;
  if (createHash('sha256').update(bytes).digest('hex') !== piece.slice(0, 64)) throw altered(piece);
  return bytes;
}

function inflated(piece: string, stored: Buffer): Buffer {
  try {
    return inflateRawSync(stored, { maxOutputLength: maxInflated });
  } catch {
    throw altered(piece);
  }
}

/** Compares a piece with its name. @throws BackupError where the drive does not give it */
export async function isSound(folder: string, piece: string): Promise<boolean> {
  try {
    for await (const _chunk of piecesOf(folder, [piece])) {
      // Compared on the way.
    }
    return true;
  } catch (error) {
    if (error instanceof DamagedPieceError) return false;
    throw error;
  }
}

/** Bytes of pieces one after the other. @throws BackupError where one is missing or altered, at its end at the latest */
async function* piecesOf(folder: string, pieces: readonly string[]): AsyncGenerator<Buffer> {
  for (const piece of pieces) {
    if (piece.endsWith('.z')) yield await readPiece(folder, piece);
    else yield* wholePiece(folder, piece);
  }
}

/** A piece as large as an APK, chunk by chunk; that it was altered is known, and thrown, after its last one. */
async function* wholePiece(folder: string, piece: string): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  try {
    const file = await open(piecePath(folder, piece));
    for await (const chunk of file.createReadStream({ highWaterMark: 1024 ** 2 })) {
      hash.update(chunk as Buffer);
      yield chunk as Buffer;
    }
  } catch (error) {
    throw unreadable(piece, error);
  }
  if (hash.digest('hex') !== piece) throw altered(piece);
}

/** The files that one piece of a list tells of. @throws BackupError */
export async function filesOfList(folder: string, piece: string): Promise<ListedFile[]> {
  const text = (await readPiece(folder, piece)).toString();
  return text.split('\n').map((line) => {
    const { data } = listedFile.safeParse(JSON.parse(line));
    if (data === undefined) throw new BackupError(`The piece ${piece} lists what no backup of this program does.`);
    return data;
  });
}

/** A state of a series as a backup to restore. @throws BackupError where there is none, or its lists were altered */
export async function openSeries(path: string): Promise<BackupSource> {
  const isFolder = statSync(path).isDirectory();
  const folder = isFolder ? path : dirname(dirname(path));
  const newest = statesOf(folder).at(-1);
  if (newest === undefined) throw new BackupError(`${path} holds no backup of this program.`);
  const { created_at, apks, apks_without_file, list } = readState(isFolder ? join(folder, 'states', newest) : path);
  const listed: ListedFile[] = [];
  for (const piece of list) listed.push(...(await filesOfList(folder, piece)));
  const files = Object.fromEntries(listed.map(([name, size]) => [name, { size }]));
  return {
    listing: { created_at, apks, apks_without_file, files },
    async read(onFile, progress) {
      for (const [name, size, , pieces] of listed) {
        await onFile(name, Readable.from(exactly(folder, { name, size, pieces }, progress)));
      }
    },
  };
}

/** @throws BackupError that names file and piece, where the pieces do not make the file */
async function* exactly(
  folder: string,
  { name, size, pieces }: { name: string; size: number; pieces: readonly string[] },
  progress: ByteProgress,
): AsyncGenerator<Buffer> {
  let left = size;
  try {
    for await (const chunk of piecesOf(folder, pieces)) {
      left -= chunk.length;
      // Before it is written: a list may lie about how large a disk it takes.
      if (left < 0) throw new BackupError('It is larger than its list says.');
      progress(chunk.length);
      yield chunk;
    }
    if (left > 0) throw new BackupError('It is smaller than its list says.');
  } catch (error) {
    if (!(error instanceof BackupError)) throw error;
    throw new BackupError(`${name} cannot be restored. ${error.message}`);
  }
}

/** The pieces of a series while a further state is added to it. */
export class SeriesPieces {
  readonly #folder: string;
  readonly #present = new Set<string>();
  readonly #touched = new Set<string>();
  /** Bytes written. */
  written = 0;

  /** Makes the series where there is none, and forgets what interrupted writing has left. */
  constructor(folder: string) {
    this.#folder = folder;
    for (const name of ['states', 'pieces']) mkdirSync(join(folder, name), { recursive: true, mode: 0o700 });
    for (const group of readdirSync(join(folder, 'pieces'))) {
      for (const name of readdirSync(join(folder, 'pieces', group))) {
        if (pieceName.safeParse(name).success) this.#present.add(name);
        else if (name.endsWith('.tmp')) rmSync(join(folder, 'pieces', group, name), { force: true });
      }
    }
  }

  /** Whether all of them are there. */
  has = (pieces: readonly string[]): boolean => pieces.every((piece) => this.#present.has(piece));

  /** Every piece. */
  all = (): Iterable<string> => this.#present;

  /** Bytes of the whole folder's pieces. */
  get size(): number {
    let sum = 0;
    for (const piece of this.#present)
      sum += statSync(piecePath(this.#folder, piece), { throwIfNoEntry: false })?.size ?? 0;
    return sum;
  }

  /** Adds bytes, deflated. @returns the name of their piece */
  async add(bytes: Buffer): Promise<string> {
    const piece = `${createHash('sha256').update(bytes).digest('hex')}.z`;
    if (!this.#present.has(piece)) {
      const temporary = this.#temporary();
      await this.#write(temporary, [deflateRawSync(bytes, { level: 1 })]);
      await this.#keep(temporary, piece);
    }
    return piece;
  }

  /** Adds a file as it is. @returns null where it is not there any more */
  async addFile(path: string, progress: ByteProgress): Promise<{ piece: string; size: number } | null> {
    const source = await open(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    if (source === null) return null;
    const temporary = this.#temporary();
    const hash = createHash('sha256');
    const size = await this.#write(
      temporary,
      hashing(source.createReadStream({ highWaterMark: 1024 ** 2 }), hash, progress),
    );
    const piece = hash.digest('hex');
    if (this.#present.has(piece)) await rm(temporary);
    else await this.#keep(temporary, piece);
    return { piece, size };
  }

  /** Takes a piece away. */
  async remove(piece: string): Promise<void> {
    await rm(piecePath(this.#folder, piece), { force: true });
    this.#present.delete(piece);
  }

  /** Makes durable what was added. */
  async sync(): Promise<void> {
    for (const group of this.#touched) await syncFolder(group);
    await syncFolder(join(this.#folder, 'pieces'));
  }

  #temporary(): string {
    const group = join(this.#folder, 'pieces', '00');
    mkdirSync(group, { recursive: true, mode: 0o700 });
    return join(group, `${process.pid}.tmp`);
  }

  async #write(path: string, chunks: Iterable<Buffer> | AsyncIterable<Buffer>): Promise<number> {
    const file = await open(path, 'w', 0o600);
    let size = 0;
    try {
      for await (const chunk of chunks) {
        await file.writeFile(chunk);
        size += chunk.length;
      }
      await file.sync();
      this.written += size;
      return size;
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    } finally {
      await file.close();
    }
  }

  async #keep(temporary: string, piece: string): Promise<void> {
    const path = piecePath(this.#folder, piece);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    await rename(temporary, path);
    this.#touched.add(dirname(path));
    this.#present.add(piece);
  }
}

async function* hashing(
  source: AsyncIterable<Buffer>,
  hash: ReturnType<typeof createHash>,
  progress: ByteProgress,
): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    hash.update(chunk);
    progress(chunk.length);
    yield chunk;
  }
}

/** Adds a list of files. @returns its pieces in their order */
export async function addList(pieces: SeriesPieces, files: ListedFile[]): Promise<string[]> {
  const list: string[] = [];
  let lines: string[] = [];
  const end = async () => {
    if (lines.length > 0) list.push(await pieces.add(Buffer.from(lines.join('\n'))));
    lines = [];
  };
  for (const file of files.sort(([one], [other]) => (one < other ? -1 : 1))) {
    lines.push(JSON.stringify(file));
    if (isCutAfter(file[0])) await end();
  }
  await end();
  return list;
}
