// The control-flow graph that source is made of, every jump into a loop through its head: where the code has others, nodes are
// doubled. Knows no notation.
import { type LoopNest, loopNest } from '../../code/control-flow/loop-nest.ts';
import type { BlockTree, Ending, Label, Local, Statement } from '../expressions/tree.ts';
import { limits } from '../limits.ts';

export interface Catcher {
  readonly type: string | null;
  readonly local: Local | null;
  handler: Label;
}

export interface Node {
  readonly statements: readonly Statement[];
  ending: Ending;
  readonly catches: readonly Catcher[];
}

export interface Graph {
  readonly nodes: readonly Node[];
  readonly nest: LoopNest;
}

/** Where a node goes on, each place once; to handlers last. */
export function waysFrom({ ending, catches }: Node): Label[] {
  const ways = new Set<Label>();
  if (ending.kind === 'goto') ways.add(ending.to);
  if (ending.kind === 'branch') ways.add(ending.no).add(ending.yes);
  if (ending.kind === 'switch') {
    for (const { to } of ending.targets) ways.add(to);
    ways.add(ending.otherwise);
  }
  for (const { handler } of catches) ways.add(handler);
  return [...ways];
}

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

/** @returns null where loops have so many entries that doubling would make the method much longer */
export function reducibleGraph(trees: readonly BlockTree[], catches: readonly (readonly Catcher[])[]): Graph | null {
  const nodes: Node[] = trees.map((tree, index) => ({
    ...tree,
    catches: catches[index]!.map((each) => ({ ...each })),
  }));
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
