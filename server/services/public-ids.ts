// Turns row numbers into the ids that leave the workstation, and back. Knows nothing of records.
import { createHash } from 'node:crypto';
import Sqids from 'sqids';

export type IdKind =
  | 'notification'
  | 'apk'
  | 'job'
  | 'account'
  | 'token'
  | 'cursor'
  | 'feed'
  | 'ruleset'
  | 'match'
  | 'saved-search'
  | 'comment'
  | 'retrohunt'
  | 'dry-run'
  | 'audit'
  | 'invitation';

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const minLength = 16;
/** No honest id or cursor is longer; Sqids' decoding is quadratic in it. */
const maxLength = 100;

/** Ids kept in memory of each kind, some 100 bytes each. */
const maxWritten = 10_000;

/** Fisher-Yates with SHA-256 of salt, kind and position as its dice: the same salt gives the same alphabet for ever. */
function shuffled(salt: string, kind: IdKind): string {
  const characters = [...letters];
  for (let last = characters.length - 1; last > 0; last--) {
    const dice = createHash('sha256').update(`${salt}\0${kind}\0${last}`).digest().readUInt32BE(0);
    const other = dice % (last + 1);
    [characters[last], characters[other]] = [characters[other]!, characters[last]!];
  }
  return characters.join('');
}

/** Ids of 16 letters and digits. Every kind has an alphabet of its own, so that an APK's id never passes for a job's. */
export class PublicIds {
  readonly #salt: string;
  readonly #coders = new Map<IdKind, Sqids>();
  /** Ids of records that were written lately: lists show the same ones again and again. */
  readonly #written = new Map<IdKind, Map<number, string>>();

  constructor(salt: string) {
    this.#salt = salt;
  }

  #coder(kind: IdKind): Sqids {
    let coder = this.#coders.get(kind);
    if (coder === undefined) {
      // Sqids' word list is dropped: an id must not depend on the list of the release that made it.
      coder = new Sqids({ alphabet: shuffled(this.#salt, kind), minLength, blocklist: new Set() });
      this.#coders.set(kind, coder);
    }
    return coder;
  }

  encode(kind: IdKind, ...numbers: number[]): string {
    const [number] = numbers;
    if (numbers.length !== 1 || number === undefined) return this.#coder(kind).encode(numbers);
    let written = this.#written.get(kind);
    const known = written?.get(number);
    if (known !== undefined) return known;
    const text = this.#coder(kind).encode(numbers);
    if (written === undefined || written.size >= maxWritten) {
      written = new Map();
      this.#written.set(kind, written);
    }
    written.set(number, text);
    return text;
  }

  /** The numbers behind an id, null where this installation would never have written it so. */
  decodeAll(kind: IdKind, text: string): number[] | null {
    if (text.length < minLength || text.length > maxLength || !/^[0-9A-Za-z]+$/.test(text)) return null;
    const numbers = this.#coder(kind).decode(text);
    if (numbers.length === 0 || !numbers.every(Number.isSafeInteger)) return null;
    return this.encode(kind, ...numbers) === text ? numbers : null;
  }

  /** The row number behind the id of a record, null where there is none. */
  decode(kind: IdKind, text: string): number | null {
    const numbers = this.decodeAll(kind, text);
    return numbers?.length === 1 ? numbers[0]! : null;
  }
}
