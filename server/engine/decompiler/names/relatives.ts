// Which names members of related classes have: those of a class, of all above and of all below it. Knows no kind of member.
import type { Program } from '../printing/program.ts';

/** Classes below one that are looked at; where there are more, every name counts as taken. */
const maxBelow = 500;

export class Relatives {
  readonly #program: Program;
  readonly #names = new Map<string, Set<string>>();
  readonly #below = new Map<string, string[]>();

  constructor(program: Program) {
    this.#program = program;
    for (const type of program.relations.appTypes) {
      const facts = program.relations.factsOf(type)!;
      for (const above of [facts.superclass, ...facts.interfaces]) {
        if (above === null || program.relations.placeOf(above) === null) continue;
        const list = this.#below.get(above);
        if (list === undefined) this.#below.set(above, [type]);
        else list.push(type);
      }
    }
  }

  add(type: string, name: string): void {
    const known = this.#names.get(type);
    if (known === undefined) this.#names.set(type, new Set([name]));
    else known.add(name);
  }

  /** Whether a member of a class, of one above or of one below it is called so. */
  hasAround(type: string, name: string): boolean {
    const has = (each: string) => this.#names.get(each)?.has(name) === true;
    if (this.#program.relations.above(type).some(has)) return true;
    const below = new Set(this.#below.get(type));
    for (const each of below) {
      if (has(each) || below.size > maxBelow) return true;
      for (const further of this.#below.get(each) ?? []) below.add(further);
    }
    return false;
  }
}
