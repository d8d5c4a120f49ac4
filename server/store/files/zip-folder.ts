// Zips of small text files in a folder, each written whole or not at all. Knows nothing of what the texts say.
import { createReadStream, createWriteStream, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipArchive } from 'archiver';
import type yauzl from 'yauzl';
import { fileSource } from '../../vault/byte-source.ts';
import { syncFolder } from '../../vault/durable-file.ts';
import { whereRoom } from '../store-errors.ts';
import { openZipSource } from './zip-source.ts';

export interface ZipMember {
  name: string;
  text: string;
}

/** A complete ZIP file. */
export interface StoredZip {
  /** Bytes. */
  size: number;
  /** The bytes `[start, end)`, all of them by default. */
  stream: (start?: number, end?: number) => Readable;
}

/** An open zip whose members are read in any order. */
export interface OpenZip {
  readonly names: readonly string[];
  /** The text of the member with this index in `names`. */
  read(index: number): Promise<string>;
  close(): void;
}

/** The end record of an archive without entries (APPNOTE 4.3.16) is all of it. */
const emptyZip = Buffer.concat([Buffer.from('PK\x05\x06', 'latin1'), Buffer.alloc(18)]);

/** Members that are buffered for compression. */
const waitingMembers = 64;

export class ZipFolder {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    whereRoom(() => mkdirSync(folder, { recursive: true, mode: 0o700 }));
  }

  /** Deletes temporary files of an interrupted process. To be called before anything is written. */
  sweep(): void {
    for (const name of readdirSync(this.#folder)) {
      if (name.endsWith('.tmp')) rmSync(join(this.#folder, name), { force: true });
    }
  }

  /**
   * Writes the members as they come, durably, in the place of any older zip of this name. Without members no file is
   * kept: all empty zips are the same, and most intervals of a quiet workstation are empty.
   * @param date modification time of every member
   * @returns the number of members
   */
  async write(name: string, date: Date, members: AsyncIterable<ZipMember>): Promise<number> {
    const path = this.#path(name);
    const iterator = members[Symbol.asyncIterator]();
    let next = await iterator.next();
    if (next.done) {
      await rm(path, { force: true });
      return 0;
    }
    const temporary = `${path}.tmp`;
    const archive = new ZipArchive();
    let appended = 0;
    let written = 0;
    let resume: (() => void) | null = null;
    archive.on('entry', () => {
      written++;
      if (appended - written < waitingMembers) resume?.();
    });
    try {
      const file = pipeline(archive, createWriteStream(temporary, { mode: 0o600, flush: true }));
      const filling = async () => {
        for (; !next.done; next = await iterator.next()) {
          archive.append(Buffer.from(next.value.text), { name: next.value.name, date });
          appended++;
          if (appended - written >= waitingMembers) await new Promise<void>((resolve) => (resume = resolve));
        }
        await archive.finalize();
      };
      await Promise.race([file, filling()]);
      await file;
      await rename(temporary, path);
      await syncFolder(this.#folder);
    } catch (error) {
      archive.abort();
      await rm(temporary, { force: true });
      throw error;
    }
    return appended;
  }

  /** @returns null where no file of this name is kept */
  async find(name: string): Promise<StoredZip | null> {
    const path = this.#path(name);
    try {
      const { size } = await stat(path);
      return { size, stream: (start = 0, end = size) => createReadStream(path, { start, end: end - 1 }) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }

  /** The ZIP file that holds nothing. */
  empty(): StoredZip {
    return { size: emptyZip.length, stream: (start, end) => Readable.from([emptyZip.subarray(start, end)]) };
  }

  /** @returns null where no file of this name is kept */
  async open(name: string): Promise<OpenZip | null> {
    if ((await this.find(name)) === null) return null;
    const zip = await openZipSource(fileSource(this.#path(name)));
    const entries: yauzl.Entry[] = [];
    try {
      for await (const entry of zip.eachEntry()) entries.push(entry);
    } catch (error) {
      zip.close();
      throw error;
    }
    return {
      names: entries.map(({ fileName }) => fileName),
      async read(index) {
        const pieces: Buffer[] = [];
        for await (const piece of await zip.openReadStreamPromise(entries[index]!)) pieces.push(piece as Buffer);
        return Buffer.concat(pieces).toString();
      },
      close: () => zip.close(),
    };
  }

  /** Removes a ZIP file; one that is not there is no error. */
  async remove(name: string): Promise<void> {
    await rm(this.#path(name), { force: true });
  }

  #path(name: string): string {
    if (!/^[a-z]+_\d{8}T\d{2,4}\.zip$/.test(name)) throw new TypeError(`${name} is not the name of a package`);
    return join(this.#folder, name);
  }
}
