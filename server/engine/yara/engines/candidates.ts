// Tells which rulesets may match some bytes: by literals that their strings need, and by what conditions say of
// sizes, first bytes and globals. Knows no engine. Errs only towards "may".
import { basisOf, type Condition, type Evidence, type Outlook, outlookOf } from '../language/condition-outlook.ts';
import { readCondition } from '../language/condition-reader.ts';
import { LiteralSearch } from '../language/literal-search.ts';
import { type Alternatives, type Literal, necessaryLiterals } from '../language/necessary-literals.ts';
import { outlineRules } from '../language/rule-outline.ts';
import type { EngineSource, GlobalValues } from './engine.ts';

/** How deep rules that name other rules are followed; a rule beyond that counts as one that may match. */
const maxChain = 100;

/** When the rules of one source may match. */
interface SourceOutline {
  /** By the rule's name; private ones and global ones too. */
  conditions: Map<string, Condition>;
  globals: string[];
  /** The engine reports all but private rules: those that globals alone decide, with the globals, and the others. */
  constant: Map<string, ReadonlySet<string>>;
  variable: string[];
}

const noValues: GlobalValues = {};

export class Candidates {
  readonly #outlines: readonly SourceOutline[];
  readonly #search: LiteralSearch;
  /** By literal, the strings that need it or one of its alternatives. */
  readonly #stringsOf: readonly (readonly number[])[];
  /** By string, its source. */
  readonly #sourceOf: readonly number[];
  /** By string, whether it may be in the bytes: always, where nothing is known of it. */
  readonly #isThere: Uint8Array;
  /** Sources that may match without any of their strings: whatever the bytes and globals, and with those at hand. */
  readonly eager: readonly number[];
  #globals: GlobalValues | null = null;
  #eagerNow: readonly number[] = [];

  /** @param globals names of the globals that the sources are compiled with */
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
    this.eager = this.#thatMayMatch([...sources.keys()], { bytes: null, globals: null, ofFile: noValues });
  }

  /** Rules of a source that are reported for all bytes or for none, with the globals that decide. */
  constantRules(source: number): ReadonlyMap<string, ReadonlySet<string>> {
    return this.#outlines[source]!.constant;
  }

  /**
   * Sources that may have a match besides those of their constant rules, each once.
   * @param globals the same object stands for the same values
   * @param ofFile globals that change with every file
   */
  find(bytes: Uint8Array, globals: GlobalValues, ofFile: GlobalValues = noValues): number[] {
    if (this.#globals !== globals || ofFile !== noValues) {
      this.#eagerNow = this.#thatMayMatch(this.eager, { bytes: null, globals, ofFile });
      this.#globals = ofFile === noValues ? globals : null;
    }
    const strings = this.#search.find(bytes).flatMap((literal) => this.#stringsOf[literal]!);
    for (const string of strings) this.#isThere[string] = 1;
    const sources = new Set([...this.#eagerNow, ...strings.map((string) => this.#sourceOf[string]!)]);
    const found = this.#thatMayMatch([...sources], { bytes, globals, ofFile });
    for (const string of strings) this.#isThere[string] = 0;
    return found;
  }

  #thatMayMatch(sources: readonly number[], known: Pick<Evidence, 'bytes' | 'globals' | 'ofFile'>): number[] {
    return sources.filter((source) => this.#mayMatch(this.#outlines[source]!, known));
  }

  #mayMatch(
    { conditions, globals: globalRules, variable }: SourceOutline,
    known: Pick<Evidence, 'bytes' | 'globals' | 'ofFile'>,
  ): boolean {
    const outlooks = new Map<string, Outlook>();
    let depth = 0;
    const rule = (name: string): Outlook => {
      let outlook = outlooks.get(name);
      if (outlook === undefined) {
        depth += 1;
        outlook = depth > maxChain ? null : outlookOf(conditions.get(name)!, evidence);
        depth -= 1;
        outlooks.set(name, outlook);
      }
      return outlook;
    };
    const evidence = { ...known, mayContain: (string: number) => this.#isThere[string] === 1, rule };
    return globalRules.every((name) => rule(name) !== false) && variable.some((name) => rule(name) !== false);
  }
}

function outlineSource(
  text: string,
  globals: ReadonlySet<string>,
  addString: (alternatives: Alternatives) => number,
): SourceOutline {
  const conditions = new Map<string, Condition>();
  const constant = new Map<string, ReadonlySet<string>>();
  const outlines = outlineRules(text);
  for (const { name, strings: outlined, condition } of outlines) {
    const strings = outlined.map(({ identifier, value, modifiers }) => ({
      identifier,
      string: addString(necessaryLiterals(value, modifiers)),
    }));
    const read = readCondition(condition, { strings, globals, rules: new Set(conditions.keys()) });
    const basis = basisOf(read);
    const isConstant = basis.isConstant && basis.rules.every((other) => constant.has(other));
    if (isConstant) constant.set(name, new Set([...basis.globals, ...globalsOf(basis.rules, constant)]));
    conditions.set(name, read);
  }
  const reported = outlines.filter(({ isPrivate }) => !isPrivate).map(({ name }) => name);
  const globalRules = outlines.filter(({ isGlobal }) => isGlobal).map(({ name }) => name);
  const areGlobalsConstant = globalRules.every((name) => constant.has(name));
  return {
    conditions,
    globals: globalRules,
    constant: new Map(
      reported
        .filter((name) => areGlobalsConstant && constant.has(name))
        .map((name) => [name, new Set(globalsOf([name, ...globalRules], constant))]),
    ),
    variable: reported.filter((name) => !areGlobalsConstant || !constant.has(name)),
  };
}

/** The globals that decide whether rules match. */
const globalsOf = (rules: readonly string[], known: ReadonlyMap<string, ReadonlySet<string>>): string[] =>
  rules.flatMap((rule) => [...known.get(rule)!]);

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
