// Returns a value where it is worked out, in place of a variable that carries it to the one return of the code. Knows no nesting.
import type { Expression, Local, Statement } from '../expressions/tree.ts';
import { Standings } from './foregone.ts';
import { entriesOf, type Node } from './graph.ts';

type Return = Statement & { kind: 'return' };

/**
 * Changes endings and statements in place. A variable that source names stays: its value was carried there too.
 * @param returns descriptor of what the method returns
 */
export function returnAtOnce(nodes: readonly Node[], returns: string): void {
  const carried = nodes.flatMap((node, label) => {
    const local = carriedBy(node);
    return local !== null && local.hint === null && isSameType(local, returns) ? [{ label, local }] : [];
  });
  if (carried.length === 0) return;
  const entries = entriesOf(nodes);
  const standings = new Standings(nodes);
  for (const { label, local } of carried) {
    const from = entries[label];
    if (from == null || from.length < 2) continue;
    const returned = nodes[label]!.statements[0] as Return;
    for (const each of from) {
      const node = nodes[each]!;
      const last = node.statements.at(-1);
      if (node.ending.kind !== 'goto' || last?.kind !== 'set' || last.local !== local) continue;
      node.statements[node.statements.length - 1] = { ...returned, value: last.value };
      node.ending = { kind: 'leave' };
      standings.unwrite(local);
    }
  }
}

/** The variable that a node gives back, and does nothing else. */
function carriedBy({ statements, ending }: Node): Local | null {
  const [only] = statements;
  if (ending.kind !== 'leave' || statements.length !== 1 || only?.kind !== 'return') return null;
  return localOf(only.value);
}

const isSameType = ({ type }: Local, returns: string): boolean =>
  type === returns || (type.length > 1 && returns.length > 1);

const localOf = (value: Expression | null): Local | null => (value?.kind === 'local' ? value.local : null);
