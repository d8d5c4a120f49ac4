// The lists of known hashes of a data folder, one file each; whoever renames a file into the folder changes them for all processes.
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Known } from '../../contract/catalogue/known.ts';
import { HashListLines, listedHashes } from './hash-list-lines.ts';
import {
  compareKeys,
  describedTail,
  isSameKey,
  KnownListFile,
  type ListDescription,
  maxNames,
  recordBytes,
  writeRecord,
} from './known-list-file.ts';

const extension = '.hashes';
const listName = /^\w[\w. -]{0,63}$/;
const partitions = 256;
/** Bytes of a partition that are held before they are written. */
const heldBytes = recordBytes * 4096;
const progressEvery = 100_000;

export interface ListImport {
  /** Hashes of the list now, those that it did not have before, and those that it has no longer. */
  count: number;
  added: number;
  removed: number;
  /** Lines without a hash, and the first of them, from 1; 0: none. */
  unreadable: number;
  firstUnreadable: number;
}

interface ImportOptions extends Pick<ListDescription, 'kind' | 'source' | 'importedAt'> {
  name: string;
  onProgress?: (lines: number) => void;
}

export class KnownLists {
  readonly folder: string;
  #opened = new Map<string, KnownListFile>();
  #damaged: string[] = [];
  #changedAt = -1;

  constructor(dataDir: string) {
    this.folder = join(dataDir, 'known-lists');
  }

  /** Every list by its name. */
  all(): ReadonlyMap<string, KnownListFile> {
    const changedAt = statSync(this.folder, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (changedAt === this.#changedAt) return this.#opened;
    this.close();
    if (changedAt > 0)
      for (const file of readdirSync(this.folder).sort())
        if (file.endsWith(extension)) this.#open(file.slice(0, -extension.length), join(this.folder, file));
    this.#changedAt = changedAt;
    return this.#opened;
  }

  #open(name: string, path: string): void {
    try {
      this.#opened.set(name, new KnownListFile(path));
    } catch {
      // The others still answer; importing it again mends it.
      this.#damaged.push(name);
    }
  }

  /** Names of lists whose files cannot be read. */
  get damaged(): readonly string[] {
    this.all();
    return this.#damaged;
  }

  /** What the lists say of a file with these hashes and of its signer's certificate, by hexadecimal digests. */
  find(digests: readonly string[], certificate: string | null): Known[] {
    const files = digests.map((digest) => Buffer.from(digest, 'hex'));
    const signer = certificate === null ? [] : [Buffer.from(certificate, 'hex')];
    const found: Known[] = [];
    for (const [list, file] of this.all())
      for (const [by, wanted] of [
        ['file', files],
        ['signer', signer],
      ] as const) {
        const name = wanted.map((digest) => file.find(digest)).find((said) => said !== null);
        if (name !== undefined && name !== null) found.push({ list, kind: file.description.kind, by, name });
      }
    return found;
  }

  /**
   * Puts a list in the place of the one of its name, once it is read whole.
   * @throws Error where it holds fewer hashes than lines without one, or cannot be named so
   */
  async import(
    bytes: AsyncIterable<Uint8Array>,
    { name, onProgress, ...description }: ImportOptions,
  ): Promise<ListImport> {
    if (!listName.test(name))
      throw new Error('A list is named by up to 64 letters, digits, blanks, dots, hyphens and underscores.');
    mkdirSync(this.folder, { recursive: true });
    this.#removeUnfinished(name);
    const work = join(this.folder, `.${name}-${process.pid}`);
    mkdirSync(work, { recursive: true });
    try {
      const lines = new HashListLines();
      const parts = new Partitions(work);
      let shown = 0;
      for await (const hashes of listedHashes(bytes, lines)) {
        for (const { digest, name: said } of hashes) parts.add(digest, said);
        if (lines.count - shown < progressEvery) continue;
        shown = lines.count;
        onProgress?.(shown);
      }
      const { unreadable, firstUnreadable } = lines;
      if (unreadable >= Math.max(1, parts.count))
        throw new Error(`This is no list of hashes: line ${firstUnreadable} has no MD5, SHA-1 or SHA-256.`);
      if (parts.count === 0) throw new Error('The list has no hashes.');
      const read = { ...description, unreadable, firstUnreadable };
      const counts = parts.writeSorted(join(work, 'all'), read, this.all().get(name));
      renameSync(join(work, 'all'), join(this.folder, name + extension));
      this.#changedAt = -1;
      return { ...counts, unreadable, firstUnreadable };
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  }

  /** Removes what imports that were cut off have left, of this process and of those that are gone. */
  #removeUnfinished(name: string): void {
    for (const entry of readdirSync(this.folder, { withFileTypes: true })) {
      const pid = Number(/^\..+-(\d+)$/.exec(entry.name)?.[1] ?? Number.NaN);
      if (!entry.isDirectory() || Number.isNaN(pid)) continue;
      const isOwn = pid === process.pid && entry.name === `.${name}-${pid}`;
      if (isOwn || !isRunning(pid)) rmSync(join(this.folder, entry.name), { recursive: true, force: true });
    }
  }

  /** @returns whether there was one of this name */
  remove(name: string): boolean {
    if (!this.all().has(name) && !this.#damaged.includes(name)) return false;
    rmSync(join(this.folder, name + extension));
    this.#changedAt = -1;
    return true;
  }

  /** Closes the files of all lists; the next question opens them again. */
  close(): void {
    for (const file of this.#opened.values()) file.close();
    this.#opened = new Map();
    this.#damaged = [];
    this.#changedAt = -1;
  }
}

/** Hashes on their way into a list, apart by their first byte: each part is sorted by itself. */
class Partitions {
  count = 0;
  readonly #folder: string;
  readonly #held = Array.from({ length: partitions }, () => ({ bytes: Buffer.alloc(0), length: 0, file: -1 }));
  readonly #places = new Map<string, number>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  add(digest: Buffer, name: string): void {
    const part = this.#held[digest[0]!]!;
    if (part.bytes.length === 0) part.bytes = Buffer.alloc(heldBytes);
    writeRecord(part.bytes, part.length, digest, this.#placeOf(name));
    part.length += recordBytes;
    this.count += 1;
    if (part.length < heldBytes) return;
    if (part.file < 0) part.file = openSync(this.#pathOf(digest[0]!), 'w');
    writeSync(part.file, part.bytes);
    part.length = 0;
  }

  #placeOf(name: string): number {
    if (name === '') return 0;
    const known = this.#places.get(name);
    if (known !== undefined) return known;
    if (this.#places.size === maxNames) return 0;
    this.#places.set(name, this.#places.size + 1);
    return this.#places.size;
  }

  #pathOf = (byte: number) => join(this.#folder, String(byte));

  writeSorted(path: string, description: Omit<ListDescription, 'names' | 'added' | 'removed'>, before?: KnownListFile) {
    const counts = { count: 0, added: 0, removed: 0 };
    const file = openSync(path, 'wx');
    try {
      for (const [byte, part] of this.#held.entries()) {
        const written = part.file < 0 ? [] : [readFileSync(this.#pathOf(byte))];
        if (part.file >= 0) closeSync(part.file);
        const records = sorted(Buffer.concat([...written, part.bytes.subarray(0, part.length)]));
        const former = before?.startingWith(byte) ?? Buffer.alloc(0);
        const kept = countShared(records, former);
        counts.count += records.length / recordBytes;
        counts.added += records.length / recordBytes - kept;
        counts.removed += former.length / recordBytes - kept;
        writeSync(file, records);
      }
      writeSync(
        file,
        describedTail({
          ...description,
          added: counts.added,
          removed: counts.removed,
          names: [...this.#places.keys()],
        }),
      );
    } finally {
      closeSync(file);
    }
    return counts;
  }
}

/** Records in the order of their hashes, each hash once. */
function sorted(records: Buffer): Buffer {
  const count = records.length / recordBytes;
  // Of numbers that hold the next bytes and the place sorting takes a tenth of what comparing records would.
  const keys = new BigUint64Array(count);
  for (let place = 0; place < count; place++)
    keys[place] = (BigInt(records.readUInt32BE(place * recordBytes + 1)) << 32n) | BigInt(place);
  keys.sort();
  const places = Array.from(keys, (key) => Number(key & 0xffff_ffffn) * recordBytes);
  for (let from = 0; from < count; ) {
    let to = from + 1;
    while (to < count && keys[to]! >> 32n === keys[from]! >> 32n) to += 1;
    if (to - from > 1) {
      const run = places.slice(from, to).sort((one, other) => compareKeys(records, one, records, other) || one - other);
      for (const [index, place] of run.entries()) places[from + index] = place;
    }
    from = to;
  }
  const kept = Buffer.alloc(records.length);
  let length = 0;
  for (const place of places) {
    if (length > 0 && isSameKey(records, place, kept, length - recordBytes)) continue;
    records.copy(kept, length, place, place + recordBytes);
    length += recordBytes;
  }
  return kept.subarray(0, length);
}

/** How many hashes two sorted lists both have. */
function countShared(one: Buffer, other: Buffer): number {
  let shared = 0;
  let at = 0;
  let otherAt = 0;
  while (at < one.length && otherAt < other.length) {
    const order = compareKeys(one, at, other, otherAt);
    if (order === 0) shared += 1;
    if (order <= 0) at += recordBytes;
    if (order >= 0) otherAt += recordBytes;
  }
  return shared;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
