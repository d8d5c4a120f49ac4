// Makes the inputs of a target: new ones from its builders, or changed ones from the corpus. Knows no format.
import { type ByteMaterial, mutateBytes } from './byte-mutation.ts';
import type { Corpus } from './corpus.ts';
import { type Field, mutateFields } from './field-mutation.ts';
import type { Random } from './random.ts';
import type { FuzzTarget } from './target.ts';
import { mutateText } from './text-mutation.ts';

/** Longer inputs cost time and find nothing that shorter ones don't. */
const maxGrowth = 2;
const leastMaxLength = 8192;

interface Places {
  fields: readonly Field[];
  hotspots: readonly number[];
}

export class InputMaker {
  readonly #target: FuzzTarget;
  readonly #corpus: Corpus;
  readonly #maxLength: number;
  readonly #textWords: readonly string[];
  readonly #byteWords: readonly Uint8Array[];
  readonly #places = new WeakMap<Uint8Array, Places>();

  /** @param constants of the subject's code */
  constructor(target: FuzzTarget, corpus: Corpus, constants: Iterable<string | number>) {
    this.#target = target;
    this.#corpus = corpus;
    this.#maxLength = Math.max(leastMaxLength, maxGrowth * Math.max(...target.samples().map(({ length }) => length)));
    const words = [...(target.words ?? []), ...constants];
    this.#textWords = words.map((word) => (word instanceof Uint8Array ? Buffer.from(word).toString() : String(word)));
    this.#byteWords = words.flatMap((word) => (typeof word === 'number' ? numberWords(word) : [Buffer.from(word)]));
  }

  next(random: Random): Uint8Array {
    const made = this.#make(random);
    return made.length > this.#maxLength ? made.subarray(0, this.#maxLength) : made;
  }

  #make(random: Random): Uint8Array {
    const { generate, isText } = this.#target;
    if (generate !== undefined && random(5) === 0) return generate(random);
    const sample = this.#corpus.pick(random);
    const other = this.#corpus.pick(random);
    if (isText === true && random(8) !== 0) {
      const text = mutateText(Buffer.from(sample).toString(), random, {
        words: this.#textWords,
        other: Buffer.from(other).toString(),
      });
      return Buffer.from(text);
    }
    const { fields, hotspots } = this.#placesOf(sample);
    if (fields.length > 0 && random(2) === 0) return mutateFields(sample, random, fields);
    const material: ByteMaterial = { hotspots, words: this.#byteWords };
    if (other.length > 0) material.other = other;
    return mutateBytes(sample, random, material);
  }

  /** Of damaged inputs too, as far as their fields can be found. */
  #placesOf(input: Uint8Array): Places {
    const known = this.#places.get(input);
    if (known !== undefined) return known;
    const places = { fields: this.#fieldsOf(input), hotspots: this.#target.hotspots?.(input) ?? [] };
    this.#places.set(input, places);
    return places;
  }

  #fieldsOf(input: Uint8Array): Field[] {
    try {
      const fields = this.#target.fields?.(input) ?? [];
      return fields.filter(({ offset, width }) => offset >= 0 && offset + width <= input.length);
    } catch (error) {
      if (error instanceof RangeError) return [];
      throw error;
    }
  }
}

/** As formats write them: two and four bytes, the low one first or last. */
function numberWords(value: number): Uint8Array[] {
  const word = Buffer.alloc(4);
  word.writeInt32LE(value | 0);
  const reversed = Buffer.from(word).reverse();
  return value >= 0 && value < 0x10000 ? [word.subarray(0, 2), word, reversed.subarray(2), reversed] : [word, reversed];
}
