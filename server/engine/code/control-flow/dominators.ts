// Which nodes of a graph every way to a node goes through. Knows no instructions.

/** The graph with every edge turned round, each node's neighbours by its number. */
export function reversed(edges: readonly (readonly number[])[]): number[][] {
  const turned: number[][] = edges.map(() => []);
  for (const [node, list] of edges.entries()) for (const next of list) turned[next]!.push(node);
  return turned;
}

/**
 * Immediate dominators, after Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm". Those of the reversed
 * graph from its exit are the immediate post-dominators.
 * @param successors of each node, by its number
 * @returns by node its immediate dominator, the root for itself, -1 where no way leads from the root
 */
export function immediateDominators(successors: readonly (readonly number[])[], root: number): Int32Array {
  const predecessors = reversed(successors);
  const { order, byOrder } = postOrder(successors, root);
  const found = new Int32Array(successors.length).fill(-1);
  found[root] = root;
  const intersect = (a: number, b: number): number => {
    let [left, right] = [a, b];
    while (left !== right) {
      while (order[left]! < order[right]!) left = found[left]!;
      while (order[right]! < order[left]!) right = found[right]!;
    }
    return left;
  };
  for (let isChanged = true; isChanged; ) {
    isChanged = false;
    for (let index = byOrder.length - 2; index >= 0; index--) {
      const node = byOrder[index]!;
      let meet = -1;
      for (const before of predecessors[node]!) {
        if (found[before]! < 0) continue;
        meet = meet < 0 ? before : intersect(meet, before);
      }
      if (meet >= 0 && found[node] !== meet) {
        found[node] = meet;
        isChanged = true;
      }
    }
  }
  return found;
}

/** The nodes in the order in which a depth-first walk from the root is done with them, and the place of each in it. */
export function postOrder(successors: readonly (readonly number[])[], root: number) {
  const order = new Int32Array(successors.length).fill(-1);
  const byOrder: number[] = [];
  const isSeen = new Uint8Array(successors.length);
  isSeen[root] = 1;
  const stack = [{ node: root, next: 0 }];
  while (stack.length > 0) {
    const top = stack.at(-1)!;
    const next = successors[top.node]![top.next++];
    if (next === undefined) {
      order[top.node] = byOrder.push(top.node) - 1;
      stack.pop();
    } else if (isSeen[next] === 0) {
      isSeen[next] = 1;
      stack.push({ node: next, next: 0 });
    }
  }
  return { order, byOrder };
}
