// Choices that are the same for the same seed. Knows nothing of Java.
import type { Random } from '../mangler.ts';

export class Choices {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** A whole number from 0 up to one below `end`. */
  below(end: number): number {
    return Math.floor(this.#random() * end);
  }

  chance(part: number): boolean {
    return this.#random() < part;
  }

  of<Item>(list: readonly Item[]): Item {
    return list[this.below(list.length)]!;
  }

  /** Some of a list, in its order. */
  some<Item>(list: readonly Item[], part: number): Item[] {
    return list.filter(() => this.chance(part));
  }
}
