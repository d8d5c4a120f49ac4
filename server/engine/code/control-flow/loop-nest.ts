// The loops of a control-flow graph, each inside the next: after "Nesting of Reducible and Irreducible Loops", P. Havlak, 1997.
// Knows no instructions.
import { immediateDominators, postOrder, reversed } from './dominators.ts';

export interface LoopNest {
  /** Nodes in reverse post-order, the root first; those that cannot be reached are not there. */
  readonly order: readonly number[];
  /** The place of each node in the order, -1 for none. */
  readonly place: Int32Array;
  readonly dominators: Int32Array;
  readonly predecessors: readonly (readonly number[])[];
  /** By node the head of the innermost loop that it is in, a head its own; -1 for none. */
  readonly headOf: Int32Array;
  /** By head of a loop the head of the loop around it, -1 for none. */
  readonly outer: Int32Array;
  /** Ways into a loop past its head: the graph is irreducible where there are some. */
  readonly sideEntries: readonly { readonly from: number; readonly to: number }[];
}

export function loopNest(successors: readonly (readonly number[])[], root = 0): LoopNest {
  const { byOrder } = postOrder(successors, root);
  const order = byOrder.reverse();
  const place = new Int32Array(successors.length).fill(-1);
  for (const [index, node] of order.entries()) place[node] = index;
  const dominators = immediateDominators(successors, root);
  const predecessors = reversed(successors).map((list) => list.filter((node) => place[node]! >= 0));
  const nest = { order, place, dominators, predecessors };
  const sideEntries: { from: number; to: number }[] = [];
  for (const from of order) {
    for (const to of successors[from]!) {
      if (place[to]! <= place[from]! && !dominates(nest, to, from)) sideEntries.push({ from, to });
    }
  }
  return { ...nest, ...loops(nest), sideEntries };
}

type Ordered = Pick<LoopNest, 'order' | 'place' | 'dominators' | 'predecessors'>;

/** Whether every way to a node goes through another. */
function dominates({ place, dominators }: Ordered, above: number, node: number): boolean {
  let at = node;
  while (place[at]! > place[above]!) at = dominators[at]!;
  return at === above;
}

/** Inner loops are found first and stand for what is in them from then on: each node is looked at once for each of its edges. */
function loops(nest: Ordered): Pick<LoopNest, 'headOf' | 'outer'> {
  const { order, place, predecessors } = nest;
  const headOf = new Int32Array(place.length).fill(-1);
  const outer = new Int32Array(place.length).fill(-1);
  const representative = Int32Array.from(place, (_, node) => node);
  const find = (node: number): number => {
    let at = node;
    while (representative[at] !== at) {
      representative[at] = representative[representative[at]!]!;
      at = representative[at]!;
    }
    return at;
  };
  for (let index = order.length - 1; index >= 0; index--) {
    const head = order[index]!;
    const waiting = predecessors[head]!.filter((node) => place[node]! >= index && dominates(nest, head, node));
    if (waiting.length === 0) continue;
    headOf[head] = head;
    while (waiting.length > 0) {
      const node = find(waiting.pop()!);
      if (node === head || place[node]! < index) continue;
      representative[node] = head;
      if (headOf[node] === node) outer[node] = head;
      else headOf[node] = head;
      waiting.push(...predecessors[node]!);
    }
  }
  return { headOf, outer };
}
