// Readable names for what an obfuscator left without: from what the code itself still says, else a kind with a number. The same dex
// files always give the same names. Knows no text.
import type { Dex } from '../../formats/dex/dex.ts';
import { type KotlinClass, kotlinClass } from '../kotlin/metadata.ts';
import { Program, type SourceClass } from '../printing/program.ts';
import { type SpokenNames, spokenNames } from './code-hints.ts';
import { nameClasses } from './derived-classes.ts';
import { nameFields } from './derived-fields.ts';
import { nameMethods } from './derived-methods.ts';
import { GivenNames } from './given-names.ts';

/** Classes whose hints are kept at hand: fields and methods of one are looked at one after the other. */
const maxKept = 2000;

/** What names are derived from, and those that were. */
export class Deriving {
  readonly dexes: readonly Dex[];
  /** As the code calls everything. */
  readonly program: Program;
  /** What people call it: that stands, and nothing else is called so. */
  readonly given: GivenNames;
  /** By symbol. */
  readonly names = new Map<string, string>();
  readonly #hints = new Map<string, { kotlin: KotlinClass | null; spoken: SpokenNames }>();
  readonly #numbers = new Map<string, number>();
  /** Every name that the code has anywhere. */
  readonly #everywhere: ReadonlySet<string>;

  constructor(dexes: readonly Dex[], given: Iterable<readonly [string, string]>) {
    const all = [...given];
    this.dexes = dexes;
    this.program = new Program(dexes);
    this.given = new GivenNames(all);
    const everywhere = new Set(all.map(([, name]) => name.slice(name.lastIndexOf('.') + 1)));
    for (const dex of dexes) {
      for (let index = 0; index < dex.fieldCount; index++) everywhere.add(dex.fieldName(index));
      for (let index = 0; index < dex.methodCount; index++) everywhere.add(dex.methodName(index));
      for (let index = 0; index < dex.typeCount; index++)
        for (const part of dex.type(index).split(/[[L/$;]/)) everywhere.add(part);
    }
    this.#everywhere = everywhere;
  }

  /** What a class says of itself. */
  hintsOf(place: SourceClass): { kotlin: KotlinClass | null; spoken: SpokenNames } {
    let hints = this.#hints.get(place.type);
    if (hints === undefined) {
      hints = { kotlin: kotlinClass(place.dex, place.annotations.ofClass), spoken: spokenNames(place) };
      if (this.#hints.size >= maxKept) this.#hints.delete(this.#hints.keys().next().value!);
      this.#hints.set(place.type, hints);
    }
    return hints;
  }

  /** `Runnable3`: the next number of a word that nothing in the code is called by. */
  numbered(word: string, digits = 1): string {
    for (;;) {
      const number = (this.#numbers.get(word) ?? 0) + 1;
      this.#numbers.set(word, number);
      const name = `${word}${String(number).padStart(digits, '0')}`;
      if (!this.#everywhere.has(name)) return name;
    }
  }
}

/**
 * Names for packages, classes, fields and methods whose own are no words, by symbol; of methods that override each other for the
 * first one. What people named is left out.
 */
export function derivedNames(
  dexes: readonly Dex[],
  given: Iterable<readonly [string, string]>,
): ReadonlyMap<string, string> {
  const deriving = new Deriving(dexes, given);
  nameClasses(deriving);
  nameFields(deriving);
  nameMethods(deriving);
  return deriving.names;
}
