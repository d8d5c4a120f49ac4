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
  | 'content-search'
  | 'dry-run'
  | 'rule-proposal'
  | 'dismissal'
  | 'code-name'
  | 'family'
  | 'family-action'
  | 'case'
  | 'case-entry'
  | 'trash'
  | 'audit'
  | 'invitation'
  | 'machine'
  | 'watched-folder'
  | 'import'
  | 'collection';

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const minLength = 16;
/** No honest id or cursor is longer; Sqids' decoding is quadratic in it. */
const maxLength = 100;

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

/** Sqids' own shuffle (https://sqids.org). */
function mixed(alphabet: string): string {
  const characters = [...alphabet];
  for (let low = 0, high = characters.length - 1; high > 0; low++, high--) {
    const codes = characters[low]!.charCodeAt(0) + characters[high]!.charCodeAt(0);
    const other = (low * high + codes) % characters.length;
    [characters[low], characters[other]] = [characters[other]!, characters[low]!];
  }
  return characters.join('');
}

/** What the ids of all numbers with the same remainder share. */
interface IdForm {
  prefix: string;
  digits: string;
  /** Separator and padding. */
  tail: string;
}

/** Writes ids of one number as Sqids does, which takes its alphabet apart anew for each: a page shows dozens. */
export class SingleIds {
  readonly #forms: readonly IdForm[];

  constructor(alphabet: string) {
    const characters = mixed(alphabet);
    this.#forms = Array.from(characters, (character) => {
      const start = (character.charCodeAt(0) + 1) % characters.length;
      const turned = characters.slice(start) + characters.slice(0, start);
      const backwards = [...turned].reverse().join('');
      return { prefix: turned[0]!, digits: backwards.slice(1), tail: backwards[0] + mixed(backwards) };
    });
  }

  /** @param number a safe integer, 0 or more */
  encode(number: number): string {
    const { prefix, digits, tail } = this.#forms[number % this.#forms.length]!;
    const base = digits.length;
    let text = '';
    for (let rest = number; text === '' || rest > 0; rest = Math.floor(rest / base)) text = digits[rest % base]! + text;
    return prefix + text + tail.slice(0, minLength - 1 - text.length);
  }
}

/** Ids of 16 letters and digits. Every kind has an alphabet of its own, so that an APK's id never passes for a job's. */
export class PublicIds {
  readonly #salt: string;
  readonly #coders = new Map<IdKind, { all: Sqids; single: SingleIds }>();

  constructor(salt: string) {
    this.#salt = salt;
  }

  #coder(kind: IdKind): { all: Sqids; single: SingleIds } {
    let coder = this.#coders.get(kind);
    if (coder === undefined) {
      const alphabet = shuffled(this.#salt, kind);
      // Sqids' word list is dropped: an id must not depend on the list of the release that made it.
      const all = new Sqids({ alphabet, minLength, blocklist: new Set() });
      coder = { all, single: new SingleIds(alphabet) };
      this.#coders.set(kind, coder);
    }
    return coder;
  }

  /** The public id of a row, by the number or numbers that name it. */
  encode(kind: IdKind, ...numbers: number[]): string {
    const { all, single } = this.#coder(kind);
    const [number] = numbers;
    return numbers.length === 1 && Number.isSafeInteger(number) && number! >= 0
      ? single.encode(number!)
      : all.encode(numbers);
  }

  /** The numbers behind an id, null where this installation would never have written it so. */
  decodeAll(kind: IdKind, text: string): number[] | null {
    if (text.length < minLength || text.length > maxLength || !/^[0-9A-Za-z]+$/.test(text)) return null;
    const numbers = this.#coder(kind).all.decode(text);
    if (numbers.length === 0 || !numbers.every(Number.isSafeInteger)) return null;
    return this.encode(kind, ...numbers) === text ? numbers : null;
  }

  /** The row number behind the id of a record, null where there is none. */
  decode(kind: IdKind, text: string): number | null {
    const numbers = this.decodeAll(kind, text);
    return numbers?.length === 1 ? numbers[0]! : null;
  }
}
