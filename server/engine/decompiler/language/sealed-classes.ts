// Which classes say who may extend them, where all that do are there to say what they let others do. Knows no text.
import { systemValue } from '../../formats/dex/annotations.ts';
import type { Program } from '../printing/program.ts';

export class SealedClasses {
  readonly #program: Program;
  readonly #known = new Map<string, readonly string[] | null>();
  /** Classes of the app right below a class. */
  #below: Map<string, string[]> | null = null;

  constructor(program: Program) {
    this.#program = program;
  }

  /** The classes that may extend or implement one; null where source does not say so. */
  permittedBy(type: string): readonly string[] | null {
    let known = this.#known.get(type);
    if (known === undefined) {
      known = this.#find(type);
      this.#known.set(type, known);
    }
    return known;
  }

  /** Whether a class has to say what others may do with it, since one right above is sealed. */
  isPermitted(type: string): boolean {
    const { superclass = null, interfaces = [] } = this.#program.relations.factsOf(type) ?? {};
    return [superclass, ...interfaces].some((above) => above !== null && this.permittedBy(above) !== null);
  }

  #find(type: string): readonly string[] | null {
    const program = this.#program;
    const place = program.classOf(type);
    // Enums whose constants have bodies say it without a word.
    if (place === null || program.isEnumClass(type)) return null;
    const value = systemValue(place.dex, place.annotations.ofClass, 'PermittedSubclasses');
    if (value?.kind !== 'array' || value.values.length === 0) return null;
    const types = value.values.flatMap((each) => (each.kind === 'type' ? [place.dex.type(each.index)] : []));
    const permitted = new Set(types);
    const below = this.#rightBelow(type);
    const isWhole = permitted.size === below.length && below.every((each) => permitted.has(each));
    return isWhole && below.every((each) => this.#hasName(each, type)) ? types : null;
  }

  #hasName(type: string, above: string): boolean {
    const program = this.#program;
    return (
      program.packageOf(type) === program.packageOf(above) &&
      !program.isConstantBody(type) &&
      !program.localCandidates.has(type)
    );
  }

  #rightBelow(type: string): readonly string[] {
    if (this.#below === null) {
      this.#below = new Map();
      for (const each of this.#program.relations.appTypes) {
        const { superclass, interfaces } = this.#program.relations.factsOf(each)!;
        for (const above of new Set([superclass, ...interfaces])) {
          if (above === null || this.#program.relations.placeOf(above) === null) continue;
          const list = this.#below.get(above);
          if (list === undefined) this.#below.set(above, [each]);
          else list.push(each);
        }
      }
    }
    return this.#below.get(type) ?? [];
  }
}
