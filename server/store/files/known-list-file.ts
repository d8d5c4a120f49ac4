// A list of known hashes on disk: sorted records of 14 bytes, then what the list is. Knows no lists' formats.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { z } from 'zod';
import { knownKindSchema } from '../../contract/catalogue/known.ts';

/** Of a hash so much is kept: nobody finds a file for 96 bits of one that is given. */
const keyBytes = 12;
/** And two bytes for the place of its name, 0 for none. */
export const recordBytes = keyBytes + 2;
export const maxNames = 65_535;
const tailBytes = 4;
const maxDescriptionBytes = 64 * 1024 * 1024;
/** So many records are read at once, at the end of a search. */
const recordsAtOnce = 64;

const descriptionSchema = z.object({
  kind: knownKindSchema,
  /** Name of the file that it was read from; empty: unknown. */
  source: z.string(),
  importedAt: z.number(),
  /** Hashes that the list of its name before did not have, and those that only that had. */
  added: z.int().default(0),
  removed: z.int().default(0),
  /** Lines without a hash, and the first of them, from 1; 0: none. */
  unreadable: z.int().default(0),
  firstUnreadable: z.int().default(0),
  names: z.array(z.string()).max(maxNames),
});
export type ListDescription = z.infer<typeof descriptionSchema>;

/** @param place of its name, from 1; 0: none */
export function writeRecord(into: Buffer, at: number, digest: Buffer, place: number): void {
  digest.copy(into, at, 0, keyBytes);
  into.writeUInt16BE(place, at + keyBytes);
}

export const isSameKey = (one: Buffer, at: number, other: Buffer, otherAt: number) =>
  compareKeys(one, at, other, otherAt) === 0;
export const compareKeys = (one: Buffer, at: number, other: Buffer, otherAt: number) =>
  one.compare(other, otherAt, otherAt + keyBytes, at, at + keyBytes);

/** What stands behind the records. */
export function describedTail(description: ListDescription): Buffer {
  const text = Buffer.from(JSON.stringify(description));
  const tail = Buffer.alloc(tailBytes);
  tail.writeUInt32BE(text.length);
  return Buffer.concat([text, tail]);
}

export class KnownListFile {
  readonly description: ListDescription;
  /** Hashes in it. */
  readonly count: number;
  readonly #file: number;

  /** @throws Error where the file is no such list */
  constructor(path: string) {
    this.#file = openSync(path, 'r');
    try {
      const { size } = fstatSync(this.#file);
      const length = size < tailBytes ? 0 : this.#read(size - tailBytes, tailBytes).readUInt32BE();
      const records = size - tailBytes - length;
      if (length > maxDescriptionBytes || records < 0 || records % recordBytes !== 0)
        throw new Error('no list of hashes');
      this.description = descriptionSchema.parse(JSON.parse(this.#read(records, length).toString()));
      this.count = records / recordBytes;
    } catch (error) {
      closeSync(this.#file);
      throw error;
    }
  }

  /** Closes the file; nothing is found in it afterwards. */
  close(): void {
    closeSync(this.#file);
  }

  /** The name of a hash, empty where it has none; null: it is not in the list. */
  find(digest: Buffer): string | null {
    let low = 0;
    let high = this.count;
    while (high - low > recordsAtOnce) {
      const middle = (low + high) >>> 1;
      if (compareKeys(this.#read(middle * recordBytes, keyBytes), 0, digest, 0) <= 0) low = middle;
      else high = middle;
    }
    const records = this.#read(low * recordBytes, (high - low) * recordBytes);
    for (let at = 0; at < records.length; at += recordBytes)
      if (isSameKey(records, at, digest, 0)) {
        const place = records.readUInt16BE(at + keyBytes);
        return this.description.names[place - 1] ?? '';
      }
    return null;
  }

  /** Records whose first byte is this. */
  startingWith(byte: number): Buffer {
    const from = this.#firstFrom(byte);
    return this.#read(from * recordBytes, (this.#firstFrom(byte + 1) - from) * recordBytes);
  }

  #firstFrom(byte: number): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#read(middle * recordBytes, 1)[0]! < byte) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #read(from: number, length: number): Buffer {
    const bytes = Buffer.alloc(length);
    if (readSync(this.#file, bytes, 0, length, from) < length) throw new Error('a list of hashes ends early');
    return bytes;
  }
}
