// The control-flow graph that source is made of, every jump into a loop through its head: where the code has others, nodes are
// doubled. Knows no notation.
import { type LoopNest, loopNest } from '../../code/control-flow/loop-nest.ts';
import { effectsOf } from '../expressions/effects.ts';
import { type BlockTree, type Ending, effect, type Label, type Local, type Statement } from '../expressions/tree.ts';
import { limits } from '../limits.ts';

export interface Catcher {
  readonly type: string | null;
  readonly local: Local | null;
  handler: Label;
}

export interface Node {
  readonly statements: Statement[];
  ending: Ending;
  readonly catches: readonly Catcher[];
}

export interface Graph {
  readonly nodes: readonly Node[];
  readonly nest: LoopNest;
}

/** Where a node goes on, each place once. */
export function waysOn(ending: Ending): Set<Label> {
  switch (ending.kind) {
    case 'leave':
      return new Set();
    case 'goto':
      return new Set([ending.to]);
    case 'branch':
      return new Set([ending.no, ending.yes]);
    case 'switch':
      return new Set([...ending.targets.map(({ to }) => to), ending.otherwise]);
  }
}

/** Where a node goes on, each place once; to handlers last. */
export function waysFrom({ ending, catches }: Node): Label[] {
  const ways = waysOn(ending);
  for (const { handler } of catches) ways.add(handler);
  return [...ways];
}

/** The nodes by which each one can be reached, each once; null for the first one and for handlers, which are reached otherwise too. */
export function entriesOf(nodes: readonly Node[]): (Label[] | null)[] {
  const entries: (Label[] | null)[] = nodes.map(() => []);
  entries[0] = null;
  const seen = new Uint8Array(nodes.length);
  const waiting = [0];
  for (let label = waiting.pop(); label !== undefined; label = waiting.pop()) {
    if (seen[label] === 1) continue;
    seen[label] = 1;
    const { ending, catches } = nodes[label]!;
    for (const way of waysOn(ending)) {
      entries[way]?.push(label);
      waiting.push(way);
    }
    for (const { handler } of catches) {
      entries[handler] = null;
      waiting.push(handler);
    }
  }
  return entries;
}

/** An ending that goes elsewhere where it went to one place. */
function redirected(ending: Ending, from: Label, to: Label): Ending {
  const moved = (label: Label) => (label === from ? to : label);
  switch (ending.kind) {
    case 'goto':
      return { ...ending, to: moved(ending.to) };
    case 'branch':
      return { ...ending, yes: moved(ending.yes), no: moved(ending.no) };
    case 'switch':
      return {
        ...ending,
        targets: ending.targets.map((target) => ({ ...target, to: moved(target.to) })),
        otherwise: moved(ending.otherwise),
      };
    default:
      return ending;
  }
}

/** Whether one way of an ending may go elsewhere: a test of which both ways go there has to be one that nobody misses. */
export function mayLead(ending: Ending, from: Label, to: Label): boolean {
  const moved = redirected(ending, from, to);
  if (moved.kind !== 'branch' || moved.yes !== moved.no) return true;
  return (effectsOf(moved.condition).mask & ~effect.reads) === 0;
}

/** Has one way of a node, which may, go elsewhere. */
export function lead(node: Node, from: Label, to: Label): void {
  const moved = redirected(node.ending, from, to);
  node.ending = moved.kind === 'branch' && moved.yes === moved.no ? { kind: 'goto', to } : moved;
}

/** Leads past nodes that only lead on. */
export function passEmpty(nodes: readonly Node[]): void {
  const isEmpty = ({ statements, ending }: Node) => statements.length === 0 && ending.kind === 'goto';
  for (const node of nodes) {
    for (const way of waysOn(node.ending)) {
      let to = way;
      for (let steps = 0; steps < nodes.length && isEmpty(nodes[to]!); steps++)
        to = (nodes[to]!.ending as Ending & { kind: 'goto' }).to;
      if (to !== way && mayLead(node.ending, way, to)) lead(node, way, to);
    }
  }
}

/** The nodes of a method, one for each block. */
export const nodesOf = (trees: readonly BlockTree[], catches: readonly (readonly Catcher[])[]): Node[] =>
  trees.map(({ statements, ending }, index) => ({ statements: [...statements], ending, catches: catches[index]! }));

/** @returns null where loops have so many entries that doubling would make the method much longer */
export function reducibleGraph(given: readonly Node[]): Graph | null {
  const nodes: Node[] = given.map((node) => ({ ...node, catches: node.catches.map((each) => ({ ...each })) }));
  let copiesLeft = Math.min(limits.copiedNodes, nodes.length);
  for (;;) {
    const nest = loopNest(nodes.map(waysFrom));
    const [side] = nest.sideEntries;
    if (side === undefined) return { nodes, nest };
    if (copiesLeft-- <= 0) return null;
    const copied = nodes[side.to]!;
    const copy: Node = {
      statements: copied.statements.map((statement) => ({ ...statement })),
      ending: { ...copied.ending },
      catches: copied.catches.map((each) => ({ ...each })),
    };
    const label = nodes.push(copy) - 1;
    const from = nodes[side.from]!;
    from.ending = redirected(from.ending, side.to, label);
    for (const each of from.catches) if (each.handler === side.to) each.handler = label;
  }
}
