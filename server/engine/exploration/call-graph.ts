// The methods around one: who calls it and whom it calls, some steps far. Knows no picture.
import { type CallGraph, maxGraphEdges, maxGraphNodes } from '../../contract/engine/call-graph.ts';
import { isKnownLibrary } from '../app/known-libraries.ts';
import { methodsOf } from '../formats/dex/class-data.ts';
import { codeAt } from '../formats/dex/code-item.ts';
import { scanCode } from '../formats/dex/code-scan.ts';
import { noIndex } from '../formats/dex/dex.ts';
import { instructionsOf } from '../formats/dex/instruction.ts';
import { codeTargetOf, definesMember, type MethodTarget, receiversOf } from './code-references.ts';
import { ExplorationFault } from './fault.ts';
import type { OpenedApp } from './opened-app.ts';

/** Methods of one step; others are counted. */
const maxOfStep = 24;
/** Calls out of one method that are looked at. */
const maxCalls = 5000;
/** Superclasses that are looked at for the method that a call runs. */
const maxAncestors = 64;

type Calls = ReadonlyMap<string, ReadonlySet<string>>;

/** @throws ExplorationFault `bad-question` for what is no method */
export function callGraphOf(app: OpenedApp, { of, steps }: { of: string; steps: number }): CallGraph {
  const target = codeTargetOf(of);
  if (target.kind !== 'method') throw new ExplorationFault('bad-question', 'Only a method has a call graph.', 'of');
  const around = new Around(app, of);
  for (const direction of [-1, 1] as const) {
    let last = [of];
    const walked = new Set(last);
    for (let step = 1; step <= steps && last.length > 0; step++) {
      const found = direction === -1 ? callersOf(app, last) : callsOf(app, last);
      last = around.add(found, step * direction).filter((symbol) => !walked.has(symbol));
      for (const symbol of last) walked.add(symbol);
    }
  }
  return around.graph();
}

class Around {
  readonly #app: OpenedApp;
  readonly #nodes = new Map<string, CallGraph['nodes'][number]>();
  readonly #edges = new Map<string, CallGraph['edges'][number]>();
  #isCut = false;

  constructor(app: OpenedApp, root: string) {
    this.#app = app;
    this.#put(root, 0);
  }

  #put(symbol: string, step: number): void {
    this.#nodes.set(symbol, { symbol, step, origin: this.#originOf(symbol), hidden: 0 });
  }

  #originOf(symbol: string): CallGraph['nodes'][number]['origin'] {
    const owner = symbol.slice(0, symbol.indexOf(';') + 1);
    if (!this.#app.tree.has(owner)) return 'outside';
    return isKnownLibrary(owner, this.#app.packageName) ? 'library' : 'own';
  }

  /**
   * Adds what the methods of the step before call or are called by, the app's own code first.
   * @returns those that are in the graph, each once, also where they stand at the other side
   */
  add(found: Calls, step: number): string[] {
    const ranks = { own: 0, library: 1, outside: 2 };
    const others = [...new Set([...found.values()].flatMap((each) => [...each]))].map((symbol) => ({
      symbol,
      rank: ranks[this.#originOf(symbol)],
    }));
    const room = Math.min(maxOfStep, maxGraphNodes - this.#nodes.size);
    const fresh = others
      .filter(({ symbol }) => !this.#nodes.has(symbol))
      .sort((a, b) => a.rank - b.rank)
      .slice(0, room)
      .map(({ symbol }) => symbol);
    for (const symbol of fresh) this.#put(symbol, step);
    for (const [near, all] of found) {
      for (const far of all) {
        const isThere = this.#nodes.has(far);
        if (!isThere || this.#edges.size >= maxGraphEdges) {
          this.#isCut = true;
          if (!isThere) this.#nodes.get(near)!.hidden++;
          continue;
        }
        const [from, to] = step < 0 ? [far, near] : [near, far];
        this.#edges.set(`${from} ${to}`, { from, to });
      }
    }
    return others.map(({ symbol }) => symbol).filter((symbol) => this.#nodes.has(symbol));
  }

  graph(): CallGraph {
    return { nodes: [...this.#nodes.values()], edges: [...this.#edges.values()], is_cut: this.#isCut };
  }
}

/** Who calls some methods, by method: one walk over all code. */
function callersOf(app: OpenedApp, symbols: readonly string[]): Calls {
  const found = new Map(symbols.map((symbol) => [symbol, new Set<string>()]));
  /** What instructions may name to call one of them. */
  const named = new Map<string, string[]>();
  for (const symbol of symbols) {
    const target = codeTargetOf(symbol) as MethodTarget;
    for (const owner of receiversOf(app.tree, target)) {
      const name = `${owner}->${target.name}${target.descriptor}`;
      named.set(name, [...(named.get(name) ?? []), symbol]);
    }
  }
  for (const dex of app.dexes) {
    const callees = new Map<number, string[]>();
    const methods = new Uint8Array(dex.methodCount);
    for (let index = 0; index < methods.length; index++) {
      const called = named.get(dex.method(index));
      if (called === undefined) continue;
      methods[index] = 1;
      callees.set(index, called);
    }
    if (callees.size === 0) continue;
    scanCode(dex, { methods }, (_class, methodIndex, _code, _at, _opcode, index) => {
      for (const symbol of callees.get(index) ?? []) found.get(symbol)!.add(dex.method(methodIndex));
    });
  }
  return found;
}

/** Whom some methods call, by method. */
function callsOf(app: OpenedApp, symbols: readonly string[]): Calls {
  return new Map(symbols.map((symbol) => [symbol, new Set(callsOfOne(app, codeTargetOf(symbol) as MethodTarget))]));
}

function* callsOfOne(app: OpenedApp, target: MethodTarget): Generator<string> {
  const place = app.tree.placesOf(target.class)[0];
  if (place === undefined) return;
  const { dex, classIndex } = place;
  const method = methodsOf(dex, classIndex).find(
    ({ methodIndex }) =>
      dex.methodName(methodIndex) === target.name && dex.methodDescriptor(methodIndex) === target.descriptor,
  );
  const code = method === undefined ? null : codeAt(dex, method.codeOffset);
  if (code === null) return;
  let calls = 0;
  for (const { opcode, index } of instructionsOf(code.units)) {
    if (opcode.index !== 'method' && opcode.index !== 'method-and-proto') continue;
    if (calls++ >= maxCalls) return;
    const called = { kind: 'method', class: dex.methodClass(index), name: dex.methodName(index) } as const;
    yield definedMethod(app, { ...called, descriptor: dex.methodDescriptor(index) });
  }
}

/** The method that a call by this name runs, as far as the app defines it. */
function definedMethod(app: OpenedApp, target: MethodTarget): string {
  const named = (owner: string) => `${owner}->${target.name}${target.descriptor}`;
  let owner = target.class;
  for (let depth = 0; depth < maxAncestors; depth++) {
    const place = app.tree.placesOf(owner)[0];
    if (place === undefined) break;
    if (definesMember(place.dex, place.classIndex, target)) return named(owner);
    const { superclassIndex } = place.dex.classDef(place.classIndex);
    if (superclassIndex === noIndex) break;
    owner = place.dex.type(superclassIndex);
  }
  return named(target.class);
}
