// Searches names and constants of all code, by text or pattern. Knows no instructions beyond how often something is used.
import {
  type CodeHit,
  type CodeHitKind,
  type CodeSearchPage,
  codeHitKinds,
} from '../../contract/engine/exploration.ts';
import { isKnownLibrary } from '../app/known-libraries.ts';
import { cpuMilliseconds } from '../cpu-time.ts';
import { classData } from '../formats/dex/class-data.ts';
import type { Dex } from '../formats/dex/dex.ts';
import { EncodedValueReader } from '../formats/dex/encoded-value.ts';
import { LinearPattern, PatternRefused } from '../linear-pattern.ts';
import { renamedClass } from './code-names.ts';
import { ExplorationFault } from './fault.ts';
import { programOf } from './java-source.ts';
import type { OpenedApp } from './opened-app.ts';

export interface CodeSearchQuestion {
  q: string;
  dex?: string | undefined;
  kinds?: string | undefined;
  regex: boolean;
  case: boolean;
  offset: number;
  limit: number;
}

/** Hits that are kept: nobody reads more, and the search should then be narrower. */
const maxHits = 5000;
/** Milliseconds of the processor, after which a search ends with what it found. */
const patience = 3000;
/** Steps between looks at the clock. A name costs one step, a character of a text up to the pattern's instructions. */
const stride = 512;
const instructionsPerStep = 2000;
/** Constants are matched in this first part; longer ones are data. */
const maxMatched = 16_384;
/** A hit's text is cut: constants reach megabytes. */
const maxText = 2000;

interface Matcher {
  matches(text: string): boolean;
  /** How much one character may cost, beside 1 for a plain text. */
  instructions: number;
}

/** @throws ExplorationFault `bad-question` */
function matcherOf({ q, regex, case: isCaseSensitive }: CodeSearchQuestion): Matcher {
  if (!regex) {
    const sought = q.toLowerCase();
    const matches = isCaseSensitive
      ? (text: string) => text.includes(q)
      : (text: string) => text.toLowerCase().includes(sought);
    return { matches, instructions: 1 };
  }
  try {
    const pattern = new LinearPattern(q, !isCaseSensitive);
    return { matches: (text) => pattern.isIn(text), instructions: pattern.instructions };
  } catch (error) {
    if (error instanceof PatternRefused) {
      throw new ExplorationFault('bad-question', `This pattern is not searched for: ${error.message}.`, 'q');
    }
    if (error instanceof SyntaxError) throw new ExplorationFault('bad-question', error.message, 'q');
    throw error;
  }
}

/** @throws ExplorationFault `bad-question` */
function kindsOf(text: string | undefined): ReadonlySet<CodeHitKind> {
  if (text === undefined || text === '') return new Set(codeHitKinds);
  const kinds = text.split(',').map((word) => word.trim());
  const isKind = (word: string): word is CodeHitKind => codeHitKinds.some((kind) => kind === word);
  const wrong = kinds.find((word) => !isKind(word));
  if (wrong !== undefined) throw new ExplorationFault('bad-question', `"${wrong}" is not a valid choice.`, 'kinds');
  return new Set(kinds.filter(isKind));
}

class Search {
  readonly #app: OpenedApp;
  readonly #dexes: readonly Dex[];
  readonly #matcher: Matcher;
  readonly #hits = new Map<string, CodeHit>();
  readonly #deadline = cpuMilliseconds() + patience;
  #steps = 0;
  isCut = false;

  /** Whether what is sought holds more than a member's name. */
  readonly #isQualified: boolean;

  constructor(app: OpenedApp, question: CodeSearchQuestion) {
    this.#app = app;
    this.#dexes = app.dexesNamed(question.dex);
    this.#matcher = matcherOf(question);
    this.#isQualified = /[.;>/]/.test(question.q);
  }

  run(kinds: ReadonlySet<CodeHitKind>): CodeHit[] {
    // A search that is cut lacks what many apps have: libraries come last.
    const declared = (pass: (dex: Dex, ofLibraries: boolean) => void) => [
      (dex: Dex) => pass(dex, false),
      (dex: Dex) => pass(dex, true),
    ];
    const passes: Record<CodeHitKind, ((dex: Dex) => void)[]> = {
      class: declared((dex, ofLibraries) => this.#classes(dex, ofLibraries)),
      method: declared((dex, ofLibraries) => this.#members(dex, 'method', ofLibraries)),
      field: declared((dex, ofLibraries) => this.#members(dex, 'field', ofLibraries)),
      string: [(dex) => this.#strings(dex)],
      api: [(dex) => this.#apis(dex)],
    };
    for (const pass of codeHitKinds.flatMap((kind) => (kinds.has(kind) ? passes[kind] : []))) {
      for (const dex of this.#dexes) if (!this.isCut) pass(dex);
    }
    return [...this.#hits.values()];
  }

  #matches(text: string): boolean {
    this.#steps += (text.length * this.#matcher.instructions) / instructionsPerStep;
    return this.#matcher.matches(text);
  }

  /** People write names with dots as often as descriptors: `com.a.B.m` finds `Lcom/a/B;->m(I)V`. */
  #matchesPath(name: string): boolean {
    if (this.#matches(name)) return true;
    return this.#matches(
      name
        .replace(/^L/, '')
        .replaceAll('/', '.')
        .replace(/;->|;$/g, '.'),
    );
  }

  /** Whether the search has to end. */
  #isOver(): boolean {
    this.#steps += 1;
    if (this.#steps >= stride) {
      this.#steps = 0;
      if (cpuMilliseconds() > this.#deadline) this.isCut = true;
    }
    if (this.#hits.size >= maxHits) this.isCut = true;
    return this.isCut;
  }

  #add(kind: CodeHitKind, text: string, dex: Dex, uses: number, renamed: string | null = null): void {
    const key = `${kind} ${text}`;
    const known = this.#hits.get(key);
    if (known === undefined) this.#hits.set(key, { kind, text, renamed, dex: dex.where, uses });
    else known.uses += uses;
  }

  #isLibrary(dex: Dex, classIndex: number): boolean {
    return isKnownLibrary(dex.className(classIndex), this.#app.packageName);
  }

  #classes(dex: Dex, ofLibraries: boolean): void {
    const { types } = this.#app.uses.of(dex);
    for (let index = 0; index < dex.classCount; index++) {
      if (this.#isOver()) return;
      if (this.#isLibrary(dex, index) !== ofLibraries) continue;
      const name = dex.className(index);
      const renamed = renamedClass(this.#app, name);
      if (this.#matchesPath(name) || (renamed !== null && this.#matches(renamed))) {
        this.#add('class', name, dex, types[dex.classDef(index).typeIndex] ?? 0, renamed);
      }
    }
  }

  #members(dex: Dex, kind: 'method' | 'field', ofLibraries: boolean): void {
    const { methods, fields } = this.#app.uses.of(dex);
    const program = this.#app.isRenamed ? programOf(this.#app, this.#app.loaderOf(dex)).program : null;
    for (let classIndex = 0; classIndex < dex.classCount; classIndex++) {
      if (this.#isOver()) return;
      if (this.#isLibrary(dex, classIndex) !== ofLibraries) continue;
      const owner = dex.className(classIndex);
      const data = classData(dex, classIndex);
      if (kind === 'method') {
        for (const { methodIndex } of [...data.directMethods, ...data.virtualMethods]) {
          if (this.#isOver()) return;
          const text = dex.methodName(methodIndex);
          const renamed = program?.givenMethod(owner, text, dex.methodDescriptor(methodIndex)) ?? null;
          if (!this.#isMember(text, renamed, () => dex.method(methodIndex))) continue;
          this.#add(kind, dex.method(methodIndex), dex, methods[methodIndex] ?? 0, renamed);
        }
      } else {
        for (const { fieldIndex } of [...data.staticFields, ...data.instanceFields]) {
          if (this.#isOver()) return;
          const text = dex.fieldName(fieldIndex);
          const renamed = program?.givenField(owner, text, dex.fieldType(fieldIndex)) ?? null;
          if (!this.#isMember(text, renamed, () => dex.field(fieldIndex))) continue;
          this.#add(kind, dex.field(fieldIndex), dex, fields[fieldIndex] ?? 0, renamed);
        }
      }
    }
  }

  #isMember(name: string, renamed: string | null, symbol: () => string): boolean {
    if (this.#matches(name) || (renamed !== null && this.#matches(renamed))) return true;
    return this.#isQualified && this.#matchesPath(symbol());
  }

  /** Constants that code loads, and initial values of fields. */
  #strings(dex: Dex): void {
    const { strings } = this.#app.uses.of(dex);
    const values = initialStrings(dex);
    for (let index = 0; index < strings.length; index++) {
      const uses = strings[index]!;
      if (uses === 0 && !values.has(index)) continue;
      if (this.#isOver()) return;
      const text = dex.string(index);
      if (this.#matches(text.length > maxMatched ? text.slice(0, maxMatched) : text)) {
        this.#add('string', text.slice(0, maxText), dex, uses);
      }
    }
  }

  /** Methods of other classes that code calls. */
  #apis(dex: Dex): void {
    const { methods } = this.#app.uses.of(dex);
    for (let index = 0; index < methods.length; index++) {
      const uses = methods[index]!;
      if (uses === 0) continue;
      if (this.#isOver()) return;
      const owner = dex.methodClass(index);
      if (this.#app.tree.has(owner)) continue;
      const name = `${owner}->${dex.methodName(index)}`;
      if (this.#matchesPath(name)) this.#add('api', dex.method(index), dex, uses);
    }
  }
}

function initialStrings(dex: Dex): Set<number> {
  const found = new Set<number>();
  const reader = new EncodedValueReader(dex);
  for (let index = 0; index < dex.classCount; index++) {
    const { staticValuesOffset } = dex.classDef(index);
    if (staticValuesOffset === 0) continue;
    for (const value of reader.arrayAt(staticValuesOffset)) {
      if (value.kind === 'string') found.add(value.index);
    }
  }
  return found;
}

/** The last search of each APK: its next pages are asked for in a moment. */
const latest = new WeakMap<OpenedApp, { key: string; hits: CodeHit[]; isCut: boolean }>();

/** @throws ExplorationFault `bad-question`, `not-found` */
export function searchCode(app: OpenedApp, question: CodeSearchQuestion): CodeSearchPage {
  const key = JSON.stringify([
    question.q,
    question.dex,
    question.kinds,
    question.regex,
    question.case,
    app.names.version,
  ]);
  let known = latest.get(app);
  if (known?.key !== key) {
    // Its names are made ready before the time for the search begins.
    if (app.isRenamed) for (const dexes of app.loaders) programOf(app, dexes);
    const search = new Search(app, question);
    const hits = search.run(kindsOf(question.kinds));
    known = { key, hits, isCut: search.isCut };
    latest.set(app, known);
  }
  const counts: Record<string, number> = {};
  for (const { kind } of known.hits) counts[kind] = (counts[kind] ?? 0) + 1;
  return {
    count: known.hits.length,
    counts,
    is_cut: known.isCut,
    results: known.hits.slice(question.offset, question.offset + question.limit),
  };
}
