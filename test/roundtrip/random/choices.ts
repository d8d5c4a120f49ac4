// Choices that are the same for the same seed. Knows nothing of Java.
import { randomNumbers } from '../../fuzz/random.ts';

/** A number from 0 up to 1. */
export type Random = () => number;

/** @param place numbers of one place have nothing in common with those of another */
export function randomOf(seed: number, place: string): Random {
  let mixed = seed >>> 0;
  for (let at = 0; at < place.length; at++) mixed = Math.imul(mixed ^ place.charCodeAt(at), 0x01000193) >>> 0;
  const next = randomNumbers(mixed);
  return () => next(2 ** 32) / 2 ** 32;
}

/** Its functions may be called without it. */
export class Choices {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** A whole number from 0 up to one below `end`. */
  readonly below = (end: number): number => Math.floor(this.#random() * end);
  /** @param part how often it is so, 0 to 1 */
  readonly chance = (part: number): boolean => this.#random() < part;
  /** One of a list. */
  readonly of = <Item>(list: readonly Item[]): Item => list[this.below(list.length)]!;
  /** Some of a list, in its order. */
  readonly some = <Item>(list: readonly Item[], part: number): Item[] => list.filter(() => this.chance(part));
}
