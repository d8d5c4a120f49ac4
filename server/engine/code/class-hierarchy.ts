// Where an app defines a class, and what that inherits from. Knows no members.
import type { Dex } from '../formats/dex/dex.ts';

/** Which dex file defines a class, and where among its definitions. */
export interface ClassPlace {
  readonly dex: Dex;
  readonly classIndex: number;
}

/** Superclasses between an app's class and the framework's: more only a hostile file has, in a circle maybe. */
const maxAncestors = 64;

/**
 * A class, its superclass and so on up to the first that the app does not define, which has no place.
 * @param placeOf where the app defines a class, nullish where it does not
 */
export function* superclassChain(
  descriptor: string,
  placeOf: (descriptor: string) => ClassPlace | null | undefined,
): Generator<{ name: string; place: ClassPlace | null }> {
  let name = descriptor;
  for (let step = 0; step < maxAncestors; step++) {
    const place = placeOf(name) ?? null;
    yield { name, place };
    if (place === null) return;
    name = place.dex.type(place.dex.classDef(place.classIndex).superclassIndex);
  }
}
