// The classes that an app's dex files define, found by name, and which types are the app's own. Knows no members.
import type { Dex } from '../formats/dex/dex.ts';
import type { ClassPlace } from './class-hierarchy.ts';

export class AppClasses {
  readonly dexes: readonly Dex[];
  readonly #isOwn: (descriptor: string) => boolean;
  #places: Map<string, ClassPlace> | null = null;
  /** By type: 0 where nobody asked yet, 1 for a library's, 2 for the app's own. */
  readonly #own = new Map<Dex, Uint8Array>();

  /** @param isOwn whether a class is the app's own, as far as its name tells */
  constructor(dexes: readonly Dex[], isOwn: (descriptor: string) => boolean = () => true) {
    this.dexes = dexes;
    this.#isOwn = isOwn;
  }

  /** Where the app defines a class, of several places the first; null where it does not. */
  placeOf(descriptor: string): ClassPlace | null {
    this.#places ??= placesOf(this.dexes);
    return this.#places.get(descriptor) ?? null;
  }

  /** Whether a type of a dex file, by its index, is outside known libraries. */
  isOwn(dex: Dex, type: number): boolean {
    let known = this.#own.get(dex);
    if (known === undefined) {
      known = new Uint8Array(dex.typeCount);
      this.#own.set(dex, known);
    }
    const before = known[type] ?? 0;
    if (before !== 0) return before === 2;
    const isOwn = this.#isOwn(dex.type(type));
    known[type] = isOwn ? 2 : 1;
    return isOwn;
  }
}

function placesOf(dexes: readonly Dex[]): Map<string, ClassPlace> {
  const places = new Map<string, ClassPlace>();
  const add = (dex: Dex, classIndex: number) => {
    const name = dex.className(classIndex);
    if (!places.has(name)) places.set(name, { dex, classIndex });
  };
  for (const dex of dexes) for (let index = 0; index < dex.classCount; index++) add(dex, index);
  return places;
}
