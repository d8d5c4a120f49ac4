// Leads what is caught straight to the code that handles it: compilers write a step in between for each `try`. Knows no text.
import { parts } from '../expressions/effects.ts';
import type { Expression, Local } from '../expressions/tree.ts';
import type { Catcher, Node } from './graph.ts';
import { ownExpressions } from './walk.ts';

/** What a handler does that only hands on what it takes. */
interface Step {
  readonly to: number;
  /** What the exception is written to; null where nobody looks at it. */
  readonly local: Local | null;
}

/** Changes the catchers of the nodes, which have no structure yet. */
export function shortenHandlers(nodes: readonly Node[]): void {
  const caught = new Map<number, Local | null>();
  for (const { catches } of nodes) for (const { handler, local } of catches) caught.set(handler, local);
  const candidates = [...caught].filter(([handler]) => isShort(nodes[handler]!));
  if (candidates.length === 0) return;
  const reads = countReads(nodes, new Set(candidates.flatMap(([, local]) => local ?? [])));
  const steps = new Map<number, Step>();
  for (const [handler, local] of candidates) {
    const step = stepOf(nodes[handler]!, local, reads);
    if (step !== null && step.to !== handler) steps.set(handler, step);
  }
  for (const { catches } of nodes) {
    for (const [index, each] of catches.entries()) {
      const step = steps.get(each.handler);
      if (step !== undefined && !steps.has(step.to)) {
        (catches as Catcher[])[index] = { type: each.type, local: step.local, handler: step.to };
      }
    }
  }
}

const isShort = ({ statements, ending }: Node): boolean => ending.kind === 'goto' && statements.length <= 1;

function stepOf({ statements, ending }: Node, local: Local | null, reads: ReadonlyMap<Local, number>): Step | null {
  if (ending.kind !== 'goto') return null;
  const [only] = statements;
  const count = local === null ? 0 : (reads.get(local) ?? 0);
  if (only === undefined) return count === 0 ? { to: ending.to, local: null } : null;
  const isHandedOn =
    only.kind === 'set' && only.value.kind === 'local' && only.value.local === local && only.local.type === local.type;
  return isHandedOn && count === 1 ? { to: ending.to, local: only.local } : null;
}

/** How often variables are read, in nodes that have no structure yet. */
function countReads(nodes: readonly Node[], locals: ReadonlySet<Local>): Map<Local, number> {
  const reads = new Map<Local, number>();
  const count = (expression: Expression): void => {
    if (expression.kind === 'local' && locals.has(expression.local)) {
      reads.set(expression.local, (reads.get(expression.local) ?? 0) + 1);
    }
    for (const part of parts(expression)) count(part);
  };
  for (const { statements, ending } of nodes) {
    for (const statement of statements) for (const expression of ownExpressions(statement)) count(expression);
    if (ending.kind === 'branch') count(ending.condition);
    if (ending.kind === 'switch') count(ending.value);
  }
  return reads;
}
