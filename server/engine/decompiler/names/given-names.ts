// Names that analysts gave to what an app's code has, by what they are given to. Knows no code.
import { symbolParts } from '../../../contract/engine/code-names.ts';

/** What a class is called from now on. */
export interface GivenClass {
  /** With dots; null: it stays where it is. */
  readonly packageName: string | null;
  /** As after the package: `Outer$Inner` for one that stands in another. */
  readonly name: string;
}

/** `com.example.Outer$Inner`, or a name alone. */
export function givenClass(text: string): GivenClass {
  const dot = text.lastIndexOf('.');
  return { packageName: dot < 0 ? null : text.slice(0, dot), name: text.slice(dot + 1) };
}

export class GivenNames {
  readonly classes = new Map<string, GivenClass>();
  /** Names by the path of each package, `a/b`: of its last part. */
  readonly packages = new Map<string, string>();
  /** Names of fields and methods by symbol. */
  readonly members = new Map<string, string>();
  /** `m(I)V`, `f:I` of all of them: what is none of these has no other name, whatever class it is in. */
  readonly memberKeys = new Set<string>();
  readonly #variables = new Map<string, string>();

  /** @param names by symbol; of those for the same the last one counts */
  constructor(names: Iterable<readonly [string, string]>) {
    for (const [symbol, text] of names) {
      const parts = symbolParts(symbol);
      if (parts?.kind === 'package') this.packages.set(parts.path, text);
      else if (parts?.kind === 'class') this.classes.set(symbol, givenClass(text));
      else if (parts?.kind === 'variable') this.#variables.set(symbol, text);
      else if (parts !== null) {
        this.members.set(symbol, text);
        this.memberKeys.add(symbol.slice(parts.owner.length + 2));
      }
    }
  }

  /** Whether classes are called or stand otherwise than in the code. */
  get movesClasses(): boolean {
    return this.classes.size > 0 || this.packages.size > 0;
  }

  /** The name of a variable of a method; null where it has none. */
  variable(method: string, key: string | undefined): string | null {
    return key === undefined || this.#variables.size === 0 ? null : (this.#variables.get(`${method}#${key}`) ?? null);
  }
}

export const noNames = new GivenNames([]);
