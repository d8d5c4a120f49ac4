// Sets of taint sources, interned as small numbers, with the methods they went through. Knows no values.
import type { Taint } from './heap.ts';

/** One reading of something worth protecting. */
export interface TaintSource {
  readonly tag: string;
  readonly api: string;
  /** Methods of the app, outermost first, that were running when it was read. */
  readonly readIn: readonly string[];
  /** Methods it went through since, in that order, bounded, each with the outermost one that was running. */
  readonly passed: { readonly method: string; readonly within: string }[];
  /** Outermost methods in which it reached a sink. */
  readonly endedIn: Set<string>;
  /** Implicit: a branch on the value decided, the value itself did not flow. */
  readonly isImplicit: boolean;
}

/** Up to here every read is a source of its own; later reads of the same tag and API share one. */
const maxSources = 4000;
/** Interned sets; past it a union keeps its first operand, which only loses tags of a program that combines everything. */
const maxSets = 60_000;
/** Methods noted per source. */
const maxPassed = 48;

export class TaintTable {
  readonly #sources: TaintSource[] = [];
  /** Indexes into sources, ascending, by taint. */
  readonly #sets: (readonly number[])[] = [[]];
  readonly #byKey = new Map<string, Taint>();
  readonly #unions = new Map<number, Taint>();
  readonly #implied = new Map<Taint, Taint>();
  /** By source, the source that stands for branches on it. */
  readonly #twins = new Map<number, number>();
  readonly #shared = new Map<string, Taint>();

  /** The set of one new source; the same tag and API read in the same methods is the same source. */
  add(tag: string, api: string, readIn: readonly string[]): Taint {
    const isFull = this.#sources.length >= maxSources;
    const key = isFull ? `${tag}\n${api}` : `${tag}\n${api}\n${readIn.join('\n')}`;
    const known = this.#shared.get(key);
    if (known !== undefined) return known;
    if (this.#sources.length >= maxSources * 4) return this.#sets.length - 1;
    const index = this.#sources.push({ tag, api, readIn, passed: [], endedIn: new Set(), isImplicit: false }) - 1;
    const taint = this.#intern([index]);
    this.#shared.set(key, taint);
    return taint;
  }

  union(a: Taint, b: Taint): Taint {
    if (a === b || b === 0) return a;
    if (a === 0) return b;
    const key = a < b ? a * maxSets * 2 + b : b * maxSets * 2 + a;
    const known = this.#unions.get(key);
    if (known !== undefined) return known;
    const merged = [...new Set([...this.#sets[a]!, ...this.#sets[b]!])].sort((left, right) => left - right);
    const taint = this.#intern(merged) || a;
    this.#unions.set(key, taint);
    return taint;
  }

  /** The taint of what a branch on a value of this taint decides. */
  implied(taint: Taint): Taint {
    const known = this.#implied.get(taint);
    if (known !== undefined) return known;
    const set = this.#sets[taint]!.map((index) => this.#twin(index));
    const implied = this.#intern([...new Set(set)].sort((left, right) => left - right)) || taint;
    this.#implied.set(taint, implied);
    return implied;
  }

  #twin(index: number): number {
    const source = this.#sources[index]!;
    if (source.isImplicit) return index;
    let twin = this.#twins.get(index);
    if (twin === undefined) {
      twin = this.#sources.push({ ...source, isImplicit: true }) - 1;
      this.#twins.set(index, twin);
    }
    return twin;
  }

  /** Whether only branches brought it: no value of a source is in it. */
  isImplicit(taint: Taint): boolean {
    return taint !== 0 && this.#sets[taint]!.every((index) => this.#sources[index]!.isImplicit);
  }

  #intern(set: readonly number[]): Taint {
    const key = set.join();
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    if (this.#sets.length >= maxSets) return 0;
    const taint = this.#sets.push(set) - 1;
    this.#byKey.set(key, taint);
    return taint;
  }

  /** The sources whose values are in it; those that only branches brought count where there are no others. */
  sourcesOf(taint: Taint): TaintSource[] {
    const all = (this.#sets[taint] ?? []).map((index) => this.#sources[index]!);
    const held = all.filter(({ isImplicit }) => !isImplicit);
    return held.length === 0 ? all : held;
  }

  tagsOf(taint: Taint): string[] {
    return [...new Set(this.sourcesOf(taint).map((source) => source.tag))].sort();
  }

  /** Notes that a value with this taint was seen in a method. @param within the outermost method that is running */
  note(taint: Taint, method: string, within: string): void {
    for (const index of this.#sets[taint]!) {
      const { passed } = this.#sources[index]!;
      const last = passed.at(-1);
      if (passed.length >= maxPassed || (last?.method === method && last.within === within)) continue;
      if (!passed.some((each) => each.method === method && each.within === within)) passed.push({ method, within });
    }
  }

  /**
   * Where the sources were read, and the methods that brought them to a sink: those of the way that ends there, of the one on
   * which they were read, and of ways that end in no sink; where another sink was reached is another flow.
   * @param within the outermost method that is running
   */
  pathTo(taint: Taint, within: string): string[] {
    const path: string[] = [];
    for (const { api, readIn, passed, endedIn } of this.sourcesOf(taint)) {
      endedIn.add(within);
      const own = passed.filter(
        (each) => each.within === within || each.within === readIn[0] || !endedIn.has(each.within),
      );
      for (const step of [api, ...readIn.slice(-1), ...own.map(({ method }) => method)])
        if (path.at(-1) !== step) path.push(step);
    }
    return path;
  }
}
