import assert from 'node:assert/strict';
import { test } from 'node:test';
import { immediateDominators, reversed } from '../../../../../server/engine/code/control-flow/dominators.ts';

/** A test with two ways that meet, then a loop that is left at its head: 0 → 1 | 2 → 3 ⇄ 4, 3 → 5. */
const flow = [[1, 2], [3], [3], [4, 5], [3], []];

test('a node is dominated by the last one that every way to it goes through', () => {
  assert.deepEqual([...immediateDominators(flow, 0)], [0, 0, 0, 0, 3, 3]);
});

test('dominators of the reversed graph from its exit are the post-dominators', () => {
  assert.deepEqual([...immediateDominators(reversed(flow), 5)], [3, 3, 3, 5, 3, 5]);
});

test('a node that no way leads to has no dominator, and decides about none', () => {
  assert.deepEqual([...immediateDominators([[1], [], [1]], 0)], [0, 0, -1]);
});

test('what every way goes through is found by removing it, in graphs of any shape', () => {
  let seed = 7;
  const random = (below: number) => {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    return (seed >> 8) % below;
  };
  for (let round = 0; round < 200; round++) {
    const count = 2 + random(9);
    const edges = Array.from({ length: count }, () => Array.from({ length: random(4) }, () => random(count)));
    const reached = (without: number): ReadonlySet<number> => {
      const seen = new Set(without === 0 ? [] : [0]);
      for (const node of seen) for (const next of edges[node]!) if (next !== without) seen.add(next);
      return seen;
    };
    const found = immediateDominators(edges, 0);
    const all = reached(-1);
    for (let node = 0; node < count; node++) {
      const above = new Set<number>();
      for (let at = node; found[at]! >= 0 && !above.has(at); at = found[at]!) above.add(at);
      for (let other = 0; other < count; other++) {
        const isDominating = all.has(node) && (other === node || !reached(other).has(node));
        assert.equal(above.has(other), isDominating, `${other} of ${node} in ${JSON.stringify(edges)}`);
      }
    }
  }
});
