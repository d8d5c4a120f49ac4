// An archive and those in it, one in the other. What is an app goes out; what else is in them does not. Knows nothing of apps but
// where their manifest stands.
import { type ArchiveKind, archiveKind, signatureBytes } from '../../contract/catalogue/archive-signatures.ts';
import type { BundleEntry } from '../../contract/process-line/bundles.ts';
import { maxBundleDepth } from '../../contract/process-line/limits.ts';
import { exactSize } from '../../contract/quantity.ts';
import { Allowance, type Archive, fileSource, heldSource, type Source } from './archive.ts';
import { openPacked } from './packed-archive.ts';
import { openZip } from './zip-archive.ts';

/** Archives in an archive are unpacked into memory. */
const maxNestedBytes = 512 * 1024 ** 2;
const manifest = 'AndroidManifest.xml';

type Piece = Uint8Array<ArrayBuffer>;

const isCalledApp = (name: string): boolean => /\.apk$/i.test(name);
const kindOf = (source: Source): ArchiveKind | null => archiveKind(source.read(0, signatureBytes));
const isApp = ({ entries }: Archive): boolean => entries.some(({ name }) => name === manifest);

export class ArchiveStack {
  readonly #leastAllowance: number | undefined;
  #open: Archive[] = [];
  #allowance = new Allowance(0);
  #passwords: readonly string[] = [];

  /** @param leastAllowance bytes that every archive may unpack to */
  constructor(leastAllowance?: number) {
    this.#leastAllowance = leastAllowance;
  }

  /** The innermost one's files. @throws the system's errors; Error where it is no archive, damaged or locked */
  async open(path: string, passwords: readonly string[]): Promise<readonly BundleEntry[]> {
    this.close();
    const source = fileSource(path);
    this.#allowance = new Allowance(source.size, this.#leastAllowance);
    this.#passwords = passwords;
    try {
      this.#open = [await this.#archive(source)];
    } catch (error) {
      source.close();
      throw error;
    }
    return this.#innermost.entries;
  }

  #archive(source: Source): Promise<Archive> {
    const kind = kindOf(source);
    return kind === null || kind === 'zip'
      ? openZip(source, this.#passwords, this.#allowance)
      : openPacked(source, kind, this.#passwords, this.#allowance);
  }

  get #innermost(): Archive {
    return this.#open.at(-1)!;
  }

  /**
   * Hands the bytes of a file over that may be an app, none of any other; or enters the file, where it is an archive itself.
   * @returns the files of the archive that was entered, else null
   * @throws Error where it is damaged, locked, or larger
   */
  async send(index: number, maxBytes: number, onBytes: (bytes: Piece) => void): Promise<readonly BundleEntry[] | null> {
    const { name } = this.#innermost.entries[index]!;
    const file = new ReadFile(isCalledApp(name) ? null : maxNestedBytes, onBytes);
    let size = 0;
    await this.#innermost.read(index, (bytes) => {
      size += bytes.length;
      if (size > maxBytes) throw new Error(`larger than ${exactSize(maxBytes)}`);
      this.#allowance.spend(bytes.length);
      return file.take(bytes);
    });
    const held = file.end();
    return held === null ? null : this.#enter(held, onBytes);
  }

  async #enter({ kind, bytes }: Held, onBytes: (bytes: Piece) => void): Promise<readonly BundleEntry[] | null> {
    try {
      if (this.#open.length === maxBundleDepth) throw new Error(`in ${maxBundleDepth} archives in each other`);
      const archive = await this.#archive(heldSource(bytes));
      if (isApp(archive)) onBytes(bytes);
      else {
        this.#open.push(archive);
        return archive.entries;
      }
    } catch (error) {
      // Android reads ZIP files that a strict reader refuses; and not all that was compressed is an archive.
      if (kind === 'zip') onBytes(bytes);
      else if (kind !== 'packed') throw error;
    }
    return null;
  }

  /** Goes back to the archive around the innermost one. */
  leave(): void {
    if (this.#open.length > 1) this.#open.pop()!.close();
  }

  close(): void {
    for (const archive of this.#open.splice(0)) archive.close();
  }
}

interface Held {
  kind: ArchiveKind;
  bytes: Piece;
}

/** A file as it comes: what may be an archive is held back until all of it is there. */
class ReadFile {
  /** Null: it is an app by its name. */
  readonly #maxHeld: number | null;
  readonly #onBytes: (bytes: Piece) => void;
  readonly #held: Piece[] = [];
  #size = 0;
  #kind: ArchiveKind | null = null;
  #isSent = false;

  constructor(maxHeld: number | null, onBytes: (bytes: Piece) => void) {
    this.#maxHeld = maxHeld;
    this.#onBytes = onBytes;
  }

  /** @returns whether more of it is wanted @throws Error where an archive is too large to be looked into */
  take(bytes: Piece): boolean {
    if (this.#isSent) {
      this.#onBytes(bytes);
      return true;
    }
    this.#held.push(bytes);
    this.#size += bytes.length;
    if (this.#size < signatureBytes) return true;
    if (this.#kind === null) {
      this.#kind = archiveKind(this.#start());
      if (this.#kind === null) return false;
      if (this.#maxHeld === null) return this.#send();
    }
    if (this.#size <= this.#maxHeld!) return true;
    if (this.#kind === 'zip') return this.#send();
    throw new Error(`an archive of more than ${exactSize(this.#maxHeld!)} in an archive`);
  }

  /** What was held back, where it may be an archive. */
  end(): Held | null {
    if (this.#isSent) return null;
    const kind = this.#kind ?? archiveKind(this.#start());
    if (kind === null) return null;
    if (this.#maxHeld === null) {
      this.#send();
      return null;
    }
    return { kind, bytes: joined(this.#held) };
  }

  #start(): Uint8Array {
    return Buffer.concat(this.#held, Math.min(this.#size, signatureBytes));
  }

  /** Only ZIP files can be apps. */
  #send(): boolean {
    this.#isSent = this.#kind === 'zip' || this.#kind === null;
    if (this.#isSent) for (const bytes of this.#held.splice(0)) this.#onBytes(bytes);
    return this.#isSent;
  }
}

function joined(pieces: readonly Piece[]): Piece {
  const all = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let place = 0;
  for (const piece of pieces) {
    all.set(piece, place);
    place += piece.length;
  }
  return all;
}
