// What analysts call fields and methods, wherever code names them: by the class that has them or by one below it. Knows no text.
import type { Dex } from '../../formats/dex/dex.ts';
import type { Program } from '../printing/program.ts';
import { MethodFamilies, withoutResult } from './method-families.ts';

interface MethodNames {
  /** By symbol, of all methods that override each other. */
  readonly bySymbol: ReadonlyMap<string, string>;
  /** `m(I)V` of all of them. */
  readonly keys: ReadonlySet<string>;
  readonly families: MethodFamilies;
}

export class GivenMembers {
  readonly #program: Program;
  readonly #dexes: readonly Dex[];
  #methods: MethodNames | undefined;

  constructor(program: Program, dexes: readonly Dex[]) {
    this.#program = program;
    this.#dexes = dexes;
  }

  /** Whether some method is called otherwise than in the code. */
  get hasMethods(): boolean {
    return this.#program.given.members.size > 0 && this.#methodNames.keys.size > 0;
  }

  get #methodNames(): MethodNames {
    this.#methods ??= this.#findMethods();
    return this.#methods;
  }

  #findMethods(): MethodNames {
    const named = [...this.#program.given.members].filter(([symbol]) => symbol.includes('('));
    const wanted = new Set(named.map(([symbol]) => withoutResult(keyOf(symbol))));
    const families = new MethodFamilies(this.#program, this.#dexes, (key) => wanted.has(key));
    const bySymbol = new Map<string, string>();
    const keys = new Set<string>();
    for (const [symbol, name] of named) {
      if (bySymbol.has(symbol)) continue;
      for (const member of families.of(ownerOf(symbol), keyOf(symbol)).members) {
        bySymbol.set(member, name);
        keys.add(keyOf(member));
      }
    }
    return { bySymbol, keys, families };
  }

  /** The name that a method was given; null for none. */
  method(owner: string, name: string, descriptor: string): string | null {
    if (this.#program.given.members.size === 0) return null;
    const { bySymbol, keys, families } = this.#methodNames;
    const key = `${name}${descriptor}`;
    if (!keys.has(key)) return null;
    for (const type of this.#program.relations.above(owner)) {
      const found = bySymbol.get(`${type}->${key}`);
      if (found !== undefined) return found;
      if (families.has(type, key)) return null;
    }
    return null;
  }

  /** The name that a field was given; null for none. */
  field(owner: string, name: string, type: string): string | null {
    const { members, memberKeys } = this.#program.given;
    const key = `${name}:${type}`;
    if (!memberKeys.has(key)) return null;
    for (const above of this.#program.relations.above(owner)) {
      const found = members.get(`${above}->${key}`);
      if (found !== undefined) return found;
      if (this.#program.hasField(above, name, type)) return null;
    }
    return null;
  }
}

const ownerOf = (symbol: string): string => symbol.slice(0, symbol.indexOf(';->') + 1);
const keyOf = (symbol: string): string => symbol.slice(symbol.indexOf(';->') + 3);
