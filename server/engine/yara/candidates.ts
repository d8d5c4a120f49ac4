// Says of bytes which rulesets may match there at all: by literals that their strings need, and by what conditions say of
// sizes, first bytes and globals. Knows no engine. Errs only towards "may".
import { type Condition, isConstant, type Outlook, outlookOf } from './condition-outlook.ts';
import { readCondition } from './condition-reader.ts';
import type { EngineSource } from './engine.ts';
import { LiteralSearch } from './literal-search.ts';
import { type Alternatives, type Literal, necessaryLiterals } from './necessary-literals.ts';
import { outlineRules } from './rule-outline.ts';

/** Rules that name each other, one behind the other; what lies deeper may match. */
const maxChain = 100;

/** What one source says of when its rules may match. */
interface SourceOutline {
  /** By the rule's name; private ones and global ones too. */
  conditions: Map<string, Condition>;
  globals: string[];
  /** The engine reports all but private rules: those that are the same for all bytes, and the others. */
  constant: Set<string>;
  variable: string[];
}

export class Candidates {
  readonly #outlines: readonly SourceOutline[];
  readonly #search: LiteralSearch;
  /** By literal, the strings that need it or one of its like. */
  readonly #stringsOf: readonly (readonly number[])[];
  /** By string, its source. */
  readonly #sourceOf: readonly number[];
  /** By string, whether it may be there: always, where nothing is known of it. */
  readonly #isThere: Uint8Array;
  #globals: Readonly<Record<string, number>> | null = null;
  #eager: readonly number[] = [];

  /** @param globals the names of those that the sources are compiled with */
  constructor(sources: readonly EngineSource[], globals: readonly string[]) {
    const strings: Alternatives[] = [];
    const sourceOf: number[] = [];
    const names = new Set(globals);
    this.#outlines = sources.map(({ text }, source) =>
      outlineSource(text, names, (alternatives) => {
        sourceOf.push(source);
        return strings.push(alternatives) - 1;
      }),
    );
    this.#sourceOf = sourceOf;
    this.#isThere = Uint8Array.from(strings, (alternatives) => (alternatives === null ? 1 : 0));
    const { literals, stringsOf: byLiteral } = indexed(strings);
    this.#search = new LiteralSearch(literals);
    this.#stringsOf = byLiteral;
  }

  /** Sources that may match without any of their strings, whatever the bytes and globals. */
  eagerSources(): number[] {
    return this.#mayMatchWithout(null);
  }

  /** Rules of a source that are reported for all bytes or for none, as the globals will have it. */
  constantRules(source: number): ReadonlySet<string> {
    return this.#outlines[source]!.constant;
  }

  /**
   * Sources that may have a match besides those of their constant rules, each once.
   * @param globals the same object stands for the same values
   */
  find(bytes: Uint8Array, globals: Readonly<Record<string, number>>): number[] {
    if (this.#globals !== globals) {
      this.#eager = this.#mayMatchWithout(globals);
      this.#globals = globals;
    }
    const strings = this.#search.find(bytes).flatMap((literal) => this.#stringsOf[literal]!);
    for (const string of strings) this.#isThere[string] = 1;
    const sources = new Set([...this.#eager, ...strings.map((string) => this.#sourceOf[string]!)]);
    const found = [...sources].filter((source) => this.#mayMatch(source, bytes, globals));
    for (const string of strings) this.#isThere[string] = 0;
    return found;
  }

  #mayMatchWithout(globals: Readonly<Record<string, number>> | null): number[] {
    return [...this.#outlines.keys()].filter((source) => this.#mayMatch(source, null, globals));
  }

  #mayMatch(source: number, bytes: Uint8Array | null, globals: Readonly<Record<string, number>> | null): boolean {
    const { conditions, globals: globalRules, variable } = this.#outlines[source]!;
    const known = new Map<string, Outlook>();
    let depth = 0;
    const rule = (name: string): Outlook => {
      let outlook = known.get(name);
      if (outlook === undefined) {
        depth += 1;
        outlook = depth > maxChain ? null : outlookOf(conditions.get(name)!, evidence);
        depth -= 1;
        known.set(name, outlook);
      }
      return outlook;
    };
    const evidence = { bytes, globals, mayContain: (string: number) => this.#isThere[string] === 1, rule };
    return globalRules.every((name) => rule(name) !== false) && variable.some((name) => rule(name) !== false);
  }
}

function outlineSource(
  text: string,
  globals: ReadonlySet<string>,
  addString: (alternatives: Alternatives) => number,
): SourceOutline {
  const conditions = new Map<string, Condition>();
  const constant = new Set<string>();
  const outlines = outlineRules(text);
  for (const { name, strings: outlined, condition } of outlines) {
    const strings = outlined.map(({ identifier, value, modifiers }) => ({
      identifier,
      string: addString(necessaryLiterals(value, modifiers)),
    }));
    const read = readCondition(condition, { strings, globals, rules: new Set(conditions.keys()) });
    if (isConstant(read, (other) => constant.has(other))) constant.add(name);
    conditions.set(name, read);
  }
  const reported = outlines.filter(({ isPrivate }) => !isPrivate).map(({ name }) => name);
  const globalRules = outlines.filter(({ isGlobal }) => isGlobal).map(({ name }) => name);
  const areGlobalsConstant = globalRules.every((name) => constant.has(name));
  return {
    conditions,
    globals: globalRules,
    constant: new Set(reported.filter((name) => areGlobalsConstant && constant.has(name))),
    variable: reported.filter((name) => !areGlobalsConstant || !constant.has(name)),
  };
}

/** Each literal once, with the strings that it may begin. */
function indexed(strings: readonly Alternatives[]): { literals: Literal[]; stringsOf: number[][] } {
  const literals: Literal[] = [];
  const stringsOf: number[][] = [];
  const known = new Map<string, number>();
  for (const [string, alternatives] of strings.entries()) {
    for (const literal of alternatives ?? []) {
      const key = `${literal.isCaseless ? 'i' : ' '}${literal.bytes}`;
      let index = known.get(key);
      if (index === undefined) {
        index = literals.push(literal) - 1;
        known.set(key, index);
        stringsOf.push([]);
      }
      stringsOf[index]!.push(string);
    }
  }
  return { literals, stringsOf };
}
