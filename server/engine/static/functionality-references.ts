// Lists where an app's code uses what the functionalities name, up to what a report can hold. Knows no dex file.
import type { Findings } from '../findings.ts';
import type { FunctionalityName } from './code-table.ts';

export interface CodeReference {
  class: string;
  method: string;
  code: string;
}

/** A report of more references helps nobody; a hostile file could hold millions. */
const maxReferences = 20_000;
/** Letters of all references; apps of 40 MB have some millions. */
const maxText = 16 * 1024 * 1024;
/** Letters that every functionality may have, however many the others have. */
const minText = 1024 * 1024;

export class FunctionalityReferences {
  /** In the order of the code. */
  readonly lists: Partial<Record<FunctionalityName, CodeReference[]>> = {};
  readonly #findings: Findings;
  readonly #textOf = new Map<FunctionalityName, number>();
  readonly #cut = new Set<FunctionalityName>();
  #text = 0;

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  /** Whether no further reference is listed. */
  isCut(name: FunctionalityName): boolean {
    return this.#cut.has(name);
  }

  /** Lists a reference; past the limit it reports once for each functionality that there are more. */
  add(name: FunctionalityName, reference: CodeReference): void {
    if (this.#cut.has(name)) return;
    this.lists[name] ??= [];
    const list = this.lists[name];
    const own = this.#textOf.get(name) ?? 0;
    if (list.length >= maxReferences || (own > minText && this.#text > maxText)) {
      this.#cut.add(name);
      this.#findings.add('report-cut', `functionalities ${name}`, `more than ${list.length} references`);
      return;
    }
    const length = reference.class.length + reference.method.length + reference.code.length;
    this.#textOf.set(name, own + length);
    this.#text += length;
    list.push(reference);
  }
}
