// The words that a method is described in, the same for dex code and class files, and the hash of them. Names of an app,
// registers, the order of blocks and what compilers add or leave out as they like have no part in it. Knows no format.
import { ofPlatform } from './method-fingerprint.ts';

/** Methods of less than that are alike in all apps. */
const minWords = 5;
/** Bytes of a text that count, besides its length. */
const maxText = 256;
/** Different numbers of a method that count. */
const maxNumbers = 16;
/** Smaller numbers stand in all code, and come and go with the compiler. */
const minNumber = 256;

/** Spreads each bit over all others: the finalizer of MurmurHash3. */
function mixed(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

/** @param bytes hold the text in MUTF-8, as both formats keep it, from `start` to before `end` */
export function textWord(bytes: Uint8Array, start: number, end: number): number {
  const stop = Math.min(end, start + maxText);
  let hash = 0x811c9dc5;
  for (let at = start; at < stop; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193);
  return mixed(hash ^ (end - start));
}

const wordOf = (text: string): number => textWord(Buffer.from(text), 0, Buffer.byteLength(text));

/** What an instruction does, by its name; what it refers to is a word of its own. */
export const operationWord = (name: string): number => wordOf(`#${name}`);

const ownType = wordOf('L;');

/** A type as it is where the platform has it, else like any class. @param descriptor `[Ljava/lang/String;` */
export function typeWord(descriptor: string): number {
  const dimensions = descriptor.lastIndexOf('[') + 1;
  if (ofPlatform.test(descriptor.slice(dimensions))) return wordOf(descriptor);
  return dimensions === 0 ? ownType : mixed(ownType + dimensions);
}

/** @param types words of the parameters, then of the result */
export const protoWord = (types: readonly number[]): number =>
  mixed(types.reduce((hash, type) => Math.imul(hash, 31) + type, types.length));

/**
 * A method or field. A name counts where the platform gave it.
 * @param owner word of the platform's class, null for any other
 * @param type word of the prototype, or of the field's type
 */
export const memberWord = (owner: number | null, name: number, type: number): number =>
  owner === null ? mixed(type ^ 0x5bd1e995) : mixed(owner + Math.imul(name, 31) + Math.imul(type, 17));

export const isOfPlatform = (descriptor: string): boolean => ofPlatform.test(descriptor.replace(/^\[+/, ''));

/** Ids of resources are others in each build. */
const isResourceId = (value: number): boolean => value >>> 24 === 0x7f;

/** The words of one method after the other, in no order. */
export class WordSum {
  #sum = 0;
  #count = 0;
  readonly #numbers = new Int32Array(maxNumbers);
  #numberCount = 0;

  start(): void {
    this.#sum = 0;
    this.#count = 0;
    this.#numberCount = 0;
  }

  /** @param word of an operation, and of what it refers to */
  add(word: number): void {
    this.#sum = (this.#sum + word) | 0;
    this.#count++;
  }

  /** A number counts once, whatever its sign: compilers subtract by adding. @param high the upper half of 64 bits */
  addNumber(low: number, high: number): void {
    const value = high === low >> 31 ? Math.abs(low) | 0 : low ^ Math.imul(high, 0x9e3779b1);
    if (value >>> 0 < minNumber || isResourceId(value) || this.#numberCount >= maxNumbers) return;
    for (let at = 0; at < this.#numberCount; at++) if (this.#numbers[at] === value) return;
    this.#numbers[this.#numberCount++] = value;
    this.#sum = (this.#sum + mixed(value ^ 0x27d4eb2f)) | 0;
  }

  /** 32 bits; null where there were too few words to tell methods apart. */
  hash(): number | null {
    return this.#count < minWords ? null : mixed(this.#sum + this.#count) >>> 0;
  }
}
