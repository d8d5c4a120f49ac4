// Makes nested statements of a reducible graph, in one walk down its dominator tree: loops, blocks that are left by labels, and what
// has one way in where that way is. After N. Ramsey, "Beyond Relooper", 2022. Every jump is said; what is too much goes later.
import type { Expression, Label, Statement } from '../expressions/tree.ts';
import { limits } from '../limits.ts';
import { type Graph, type Node, waysFrom } from './graph.ts';

/** @returns null where statements would stand too deep in each other */
export function structured(graph: Graph): Statement[] | null {
  const out: Statement[] = [];
  try {
    new Structurer(graph).tree(graph.nest.order[0]!, out, 0);
  } catch (error) {
    if (error instanceof TooDeep) return null;
    throw error;
  }
  return out;
}

class TooDeep extends Error {}

/** Blocks of code that are written in a loop although they lead out of it. */
const maxAside = 12;

class Structurer {
  readonly #graph: Graph;
  readonly #isHead: Uint8Array;
  /** Reached by more ways than one, or from somewhere else than where it is written. */
  readonly #isMerge: Uint8Array;
  /** Leaves a loop, and is written in it. */
  readonly #isLeaving: Uint8Array;
  /** By node what is written behind it, in order. */
  readonly #merges: Label[][];
  /** By head of a loop what is written behind the loop. */
  readonly #exits: Label[][];

  constructor(graph: Graph) {
    this.#graph = graph;
    const { nodes, nest } = graph;
    this.#isHead = Uint8Array.from(nodes, (_, node) => (nest.headOf[node] === node ? 1 : 0));
    this.#isMerge = new Uint8Array(nodes.length);
    this.#isLeaving = new Uint8Array(nodes.length);
    this.#merges = nodes.map(() => []);
    this.#exits = nodes.map(() => []);
    const entries = new Int32Array(nodes.length);
    const hasChildren = new Uint8Array(nodes.length);
    for (const node of nest.order) {
      if (nest.dominators[node] !== node) hasChildren[nest.dominators[node]!] = 1;
      for (const way of waysFrom(nodes[node]!)) if (nest.place[way]! > nest.place[node]!) entries[way]!++;
      for (const { handler } of nodes[node]!.catches)
        if (nest.place[handler]! > nest.place[node]!) entries[handler]! += 2;
    }
    const lifted = new Map<Label, Label[]>();
    for (const node of nest.order.slice(1)) {
      const isLeaf = hasChildren[node] === 0 && nodes[node]!.ending.kind === 'leave' && entries[node] === 1;
      const { parent, isLifted } = this.#parentOf(node);
      if (isLifted && !isLeaf) {
        this.#isMerge[node] = 1;
        const others = lifted.get(parent);
        if (others === undefined) lifted.set(parent, [node]);
        else others.push(node);
      } else if (entries[node]! > 1) {
        this.#isMerge[node] = 1;
        this.#merges[parent]!.push(node);
      }
    }
    const lengths = lifted.size > 0 ? this.#lengths() : new Int32Array();
    for (const [head, exits] of lifted) {
      const onwards = waysFrom(nodes[head]!);
      // A short way of its own, not where the loop goes on once its condition fails.
      const isAside = (node: Label) =>
        exits.length > 1 && entries[node] === 1 && lengths[node]! <= maxAside && !onwards.includes(node);
      let rest = exits.filter((node) => !isAside(node));
      if (rest.length === 0) rest = exits.slice(-1);
      for (const node of exits) {
        if (rest.includes(node)) continue;
        this.#isMerge[node] = 0;
        this.#isLeaving[node] = 1;
      }
      this.#exits[head] = rest;
    }
  }

  /** By node how many there are that it dominates, itself among them; more than any where there is a loop. */
  #lengths(): Int32Array {
    const { order, dominators } = this.#graph.nest;
    const lengths = new Int32Array(dominators.length);
    for (let index = order.length - 1; index >= 0; index--) {
      const node = order[index]!;
      lengths[node] = this.#isHead[node] === 1 ? order.length + maxAside : lengths[node]! + 1;
      const above = dominators[node]!;
      if (above !== node) lengths[above] = Math.min(lengths[above]! + lengths[node]!, order.length + maxAside);
    }
    return lengths;
  }

  /** The dominator, outside of the loops that the node is not in: what follows a loop stands behind it. */
  #parentOf(node: Label): { parent: Label; isLifted: boolean } {
    const { dominators, headOf, outer } = this.#graph.nest;
    const around = new Set<number>();
    // A head's own loop is not one that it follows.
    for (let head = headOf[node]!; head >= 0; head = outer[head]!) around.add(head);
    let parent = dominators[node]!;
    let isLifted = false;
    for (let head = headOf[parent]!; head >= 0 && !around.has(head); head = outer[head]!) {
      parent = head;
      isLifted = true;
    }
    return { parent, isLifted };
  }

  /** Writes a node with all that it dominates. */
  tree(start: Label, out: Statement[], depth: number): void {
    for (let node = start; node >= 0; ) node = this.#one(node, out, depth);
  }

  /** Writes a node and what stands before the last thing that follows it in the same list; returns that, -1 for none. */
  #one(node: Label, out: Statement[], depth: number): Label {
    const isHead = this.#isHead[node] === 1;
    return this.#followed(isHead ? this.#exits[node]! : this.#merges[node]!, out, depth, (list, inner) => {
      if (!isHead) return this.#block(node, list, inner);
      const body: Statement[] = [];
      list.push({ kind: 'loop', label: node, body, form: 'forever', condition: null });
      const next = this.#followed(this.#merges[node]!, body, inner + 1, (within, deeper) =>
        this.#block(node, within, deeper),
      );
      if (next >= 0) this.tree(next, body, inner + 1);
      return -1;
    });
  }

  #followed(
    after: readonly Label[],
    out: Statement[],
    depth: number,
    write: (list: Statement[], depth: number) => Label,
  ): Label {
    if (depth + after.length > limits.depth) throw new TooDeep();
    let list = out;
    const lists: Statement[][] = [];
    for (let index = after.length - 1; index >= 0; index--) {
      lists[index] = list;
      const body: Statement[] = [];
      list.push({ kind: 'block', label: after[index]!, body });
      list = body;
    }
    const next = write(list, depth + after.length);
    if (after.length === 0) return next;
    if (next >= 0) this.tree(next, list, depth + after.length);
    for (let index = 0; index < after.length - 1; index++) {
      this.tree(after[index]!, lists[index]!, depth + after.length - 1 - index);
    }
    return after.at(-1)!;
  }

  #block(label: Label, out: Statement[], depth: number): Label {
    const node = this.#graph.nodes[label]!;
    if (node.catches.length > 0) {
      const catches = node.catches.map(({ type, local, handler }) => ({
        type,
        local,
        handler,
        body: [this.#jump(label, handler)],
      }));
      out.push({ kind: 'try', body: [...node.statements], catches });
    } else {
      for (const statement of node.statements) out.push(statement);
    }
    return this.#end(label, node, out, depth);
  }

  #jump(from: Label, to: Label): Statement {
    const { place } = this.#graph.nest;
    return { kind: 'jump', way: place[to]! <= place[from]! ? 'continue' : 'break', label: to };
  }

  /** Whether a node is written where the one way to it is. */
  #isInline(from: Label, to: Label): boolean {
    const { place } = this.#graph.nest;
    return place[to]! > place[from]! && this.#isMerge[to] === 0;
  }

  #part(from: Label, to: Label, depth: number): Statement[] {
    const out: Statement[] = [];
    if (this.#isInline(from, to)) this.tree(to, out, depth);
    else out.push(this.#jump(from, to));
    return out;
  }

  #end(label: Label, { ending }: Node, out: Statement[], depth: number): Label {
    switch (ending.kind) {
      case 'leave':
        return -1;
      case 'goto':
        if (this.#isInline(label, ending.to)) return ending.to;
        out.push(this.#jump(label, ending.to));
        return -1;
      case 'branch':
        return this.#branch(label, ending, out, depth);
      case 'switch': {
        const byTarget = new Map<Label, (number | string)[]>();
        for (const { key, to } of ending.targets) {
          if (to === ending.otherwise) continue;
          const keys = byTarget.get(to);
          if (keys === undefined) byTarget.set(to, [key]);
          else keys.push(key);
        }
        // Hash codes have said the order of texts: the code of what is done for them stands as it was written.
        const isText = ending.targets.some(({ key }) => typeof key === 'string');
        const targets = isText ? [...byTarget].sort(([a], [b]) => a - b) : [...byTarget];
        const cases = targets.map(([to, keys]) => ({
          keys,
          isDefault: false,
          body: this.#part(label, to, depth + 2),
        }));
        cases.push({ keys: [], isDefault: true, body: this.#part(label, ending.otherwise, depth + 2) });
        out.push({ kind: 'switch', value: ending.value, cases, label: -1 - label });
        return -1;
      }
    }
  }

  #branch(
    label: Label,
    { condition, yes, no }: { condition: Expression; yes: Label; no: Label },
    out: Statement[],
    depth: number,
  ): Label {
    const nodes = this.#graph.nodes;
    const isYesFirst =
      this.#isLeaving[yes] === 1 ||
      !this.#isInline(label, yes) ||
      (this.#isInline(label, no) && nodes[yes]!.ending.kind === 'leave' && nodes[no]!.ending.kind !== 'leave');
    const [first, second] = isYesFirst ? [yes, no] : [no, yes];
    out.push({
      kind: 'if',
      condition: isYesFirst ? condition : negated(condition),
      yes: this.#part(label, first, depth + 1),
      no: [],
    });
    if (this.#isInline(label, second)) return second;
    out.push(this.#jump(label, second));
    return -1;
  }
}

const opposites = { '==': '!=', '!=': '==', '<': '>=', '>=': '<', '>': '<=', '<=': '>' } as const;

/** The condition turned round; NaN makes every order of floats false, so that those are not turned. */
export function negated(condition: Expression): Expression {
  if (condition.kind === 'not') return condition.operand;
  if (condition.kind === 'junction') {
    const [left, right] = [negated(condition.left), negated(condition.right)];
    return { ...condition, operator: condition.operator === '&&' ? '||' : '&&', left, right };
  }
  if (condition.kind === 'relation') {
    const { operator, type } = condition;
    if ((type !== 'F' && type !== 'D') || operator === '==' || operator === '!=') {
      return { ...condition, operator: opposites[operator] };
    }
  }
  return { kind: 'not', operand: condition, at: condition.at };
}
