// Searches names and constants of all code, by text or pattern. Knows no instructions beyond how often something is used.
import { setFlagsFromString } from 'node:v8';
import { type CodeHit, type CodeHitKind, type CodeSearchPage, codeHitKinds } from '../../contract/exploration.ts';
import { classData } from '../formats/dex/class-data.ts';
import type { Dex } from '../formats/dex/dex.ts';
import { EncodedValueReader } from '../formats/dex/encoded-value.ts';
import { foldedPattern } from './case-folding.ts';
import { ExplorationFault } from './fault.ts';
import type { OpenedApp } from './opened-app.ts';

// A pattern that backtracks too much goes on in V8's linear engine, where that can express it; what it cannot ends by
// the time limit of the task.
setFlagsFromString('--enable-experimental-regexp-engine-on-excessive-backtracks');

export interface CodeSearchQuestion {
  q: string;
  kinds?: string | undefined;
  regex: boolean;
  case: boolean;
  offset: number;
  limit: number;
}

/** A person looks at a hundred; what is beyond says that the search should be narrower. */
const maxHits = 5000;
/** A search ends then with what it found, in milliseconds. */
const patience = 3000;
/** Names between looks at the clock. */
const stride = 512;
/** Constants are matched in this first part; longer ones are data. */
const maxMatched = 16_384;
/** A hit's text is cut: constants reach megabytes. */
const maxText = 2000;

type Matcher = (text: string) => boolean;

/** @throws ExplorationFault `bad-question` */
function matcherOf({ q, regex, case: isCaseSensitive }: CodeSearchQuestion): Matcher {
  if (!regex) {
    if (isCaseSensitive) return (text) => text.includes(q);
    const sought = q.toLowerCase();
    return (text) => text.toLowerCase().includes(sought);
  }
  try {
    // Tried as it was written first: a fault is told in those words.
    const written = new RegExp(q);
    const pattern = isCaseSensitive ? written : new RegExp(foldedPattern(q));
    return (text) => pattern.test(text);
  } catch (error) {
    throw new ExplorationFault('bad-question', error instanceof Error ? error.message : String(error), 'q');
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
  readonly #matches: Matcher;
  readonly #hits = new Map<string, CodeHit>();
  readonly #deadline = performance.now() + patience;
  #steps = 0;
  isCut = false;

  /** Whether what is sought holds more than a member's name. */
  readonly #isQualified: boolean;

  constructor(app: OpenedApp, question: CodeSearchQuestion) {
    this.#app = app;
    this.#matches = matcherOf(question);
    this.#isQualified = /[.;>/]/.test(question.q);
  }

  run(kinds: ReadonlySet<CodeHitKind>): CodeHit[] {
    const passes: Record<CodeHitKind, (dex: Dex) => void> = {
      class: (dex) => this.#classes(dex),
      method: (dex) => this.#members(dex, 'method'),
      field: (dex) => this.#members(dex, 'field'),
      string: (dex) => this.#strings(dex),
      api: (dex) => this.#apis(dex),
    };
    for (const kind of codeHitKinds) {
      if (!kinds.has(kind)) continue;
      for (const dex of this.#app.dexes) if (!this.isCut) passes[kind](dex);
    }
    return [...this.#hits.values()];
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
    if (++this.#steps % stride === 0 && performance.now() > this.#deadline) this.isCut = true;
    if (this.#hits.size >= maxHits) this.isCut = true;
    return this.isCut;
  }

  #add(kind: CodeHitKind, text: string, dex: Dex, uses: number): void {
    const key = `${kind} ${text}`;
    const known = this.#hits.get(key);
    if (known === undefined) this.#hits.set(key, { kind, text, dex: dex.where, uses });
    else known.uses += uses;
  }

  #classes(dex: Dex): void {
    const { types } = this.#app.uses.of(dex);
    for (let index = 0; index < dex.classCount; index++) {
      if (this.#isOver()) return;
      const name = dex.className(index);
      if (this.#matchesPath(name)) {
        this.#add('class', name, dex, types[dex.classDef(index).typeIndex] ?? 0);
      }
    }
  }

  #members(dex: Dex, kind: 'method' | 'field'): void {
    const { methods, fields } = this.#app.uses.of(dex);
    for (let classIndex = 0; classIndex < dex.classCount; classIndex++) {
      if (this.#isOver()) return;
      const data = classData(dex, classIndex);
      if (kind === 'method') {
        for (const { methodIndex } of [...data.directMethods, ...data.virtualMethods]) {
          if (this.#isOver()) return;
          const text = dex.methodName(methodIndex);
          if (!this.#matches(text) && !(this.#isQualified && this.#matchesPath(dex.method(methodIndex)))) continue;
          this.#add(kind, dex.method(methodIndex), dex, methods[methodIndex] ?? 0);
        }
      } else {
        for (const { fieldIndex } of [...data.staticFields, ...data.instanceFields]) {
          if (this.#isOver()) return;
          const text = dex.fieldName(fieldIndex);
          if (!this.#matches(text) && !(this.#isQualified && this.#matchesPath(dex.field(fieldIndex)))) continue;
          this.#add(kind, dex.field(fieldIndex), dex, fields[fieldIndex] ?? 0);
        }
      }
    }
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

/** @throws ExplorationFault `bad-question` */
export function searchCode(app: OpenedApp, question: CodeSearchQuestion): CodeSearchPage {
  const key = JSON.stringify([question.q, question.kinds, question.regex, question.case]);
  let known = latest.get(app);
  if (known?.key !== key) {
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
