// Chooses, of the texts that an app's own code loads, those that others are compared by. Two apps that share texts choose the
// same of them, as sketches of code do. Knows no dex file.
import { hashBytes } from '../../contract/engine/code-sketch.ts';
import { maxOwnStringLength, maxOwnStrings, type OwnStrings } from '../../contract/engine/own-strings.ts';
import { packJson } from '../../vault/packed-json.ts';
import { textWord } from './method-words.ts';
import { isTelling } from './telling-text.ts';

/** Shorter ones are alike by chance. */
const minLength = 6;
/** Bytes of a text that are looked at for the kinds of letters in it. */
const maxLookedAt = 64;
/** Room for texts before those that come too late in order are dropped. */
const room = maxOwnStrings * 4;
/** Control characters, of which none stands in what people read or search for. */
const control = /\p{Cc}/u;

/** A bit for each kind of byte: small letters, capitals, digits, blanks, others. */
const kinds = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 0x61 && byte <= 0x7a) return 1;
  if (byte >= 0x41 && byte <= 0x5a) return 2;
  if (byte >= 0x30 && byte <= 0x39) return 4;
  return byte === 0x20 ? 8 : 16;
});
const bits = Uint8Array.from({ length: 32 }, (_, set) => set.toString(2).replaceAll('0', '').length);

/** Long and varied texts come first, short words last; of alike ones chance decides, the same in each app. */
function keyOf(bytes: Uint8Array, start: number, end: number): number {
  let seen = 0;
  for (let at = start; at < Math.min(end, start + maxLookedAt); at++) seen |= kinds[bytes[at]!]!;
  const length = end - start;
  const [isLong, isUsual] = [length >= 16 && bits[seen]! >= 3, length >= 10 && bits[seen]! >= 2];
  const rank = isLong ? 0 : isUsual ? 1 : 2;
  return ((rank << 30) | (textWord(bytes, start, end) >>> 2)) >>> 0;
}

export class OwnStringCollector {
  readonly #texts = new Map<number, string>();
  /** Keys from here on are too many. */
  #end = Number.POSITIVE_INFINITY;

  /** @param bytes hold the text in MUTF-8, from `start` to before `end` */
  add(text: string, bytes: Uint8Array, start: number, end: number): void {
    if (end - start < minLength) return;
    const key = keyOf(bytes, start, end);
    if (key >= this.#end || this.#texts.has(key) || control.test(text) || !isTelling(text)) return;
    this.#texts.set(key, text.slice(0, maxOwnStringLength));
    if (this.#texts.size >= room) this.#drop();
  }

  strings(): OwnStrings {
    this.#drop();
    const chosen = [...this.#texts].sort(([one], [other]) => one - other);
    const keys = Buffer.alloc(chosen.length * hashBytes);
    for (const [at, [key]] of chosen.entries()) keys.writeUInt32BE(key, at * hashBytes);
    const texts = packJson(chosen.map(([, text]) => text.toWellFormed()));
    return { isCut: this.#end !== Number.POSITIVE_INFINITY, keys, texts };
  }

  #drop(): void {
    if (this.#texts.size <= maxOwnStrings) return;
    const ordered = [...this.#texts.keys()].sort((one, other) => one - other);
    this.#end = ordered[maxOwnStrings]!;
    for (const key of ordered.slice(maxOwnStrings)) this.#texts.delete(key);
  }
}
