// Returns a value where it is worked out, in place of a variable that carries it out of a `try`. Knows no text.
import type { Expression, Local, Statement } from '../expressions/tree.ts';
import { countReads } from '../structure/adjacent.ts';
import { canComplete } from '../structure/jumps.ts';
import { eachList } from '../structure/walk.ts';

type Return = Statement & { kind: 'return' };

/**
 * Changes the lists in place, whose variables are declared. What `finally` and the closing of resources do comes after the value is
 * worked out either way.
 * @param returns descriptor of what the method returns
 */
export function foldReturned(statements: Statement[], returns: string): void {
  const reads = countReads(statements);
  const gone = new Set<Local>();
  const isCarrier = (local: Local): boolean =>
    local.isConstant && local.role === 'local' && local.captors === undefined && reads.get(local) === 1;
  const isSameType = ({ type }: Local): boolean => type === returns || (type.length > 1 && returns.length > 1);

  const fold = (list: Statement[]): void => {
    for (const statement of list) for (const inner of eachList(statement)) fold(inner);
    for (let index = list.length - 2; index >= 0; index--) {
      const [carrying, returned] = [list[index]!, list[index + 1]!];
      const local = returned.kind === 'return' ? localOf(returned.value) : null;
      if (returned.kind !== 'return' || local === null || !isCarrier(local) || !isSameType(local)) continue;
      if (!returnsFrom(list, index, local, returned)) continue;
      if (carrying.kind !== 'set') list.splice(index + 1, 1);
      gone.add(local);
    }
  };
  fold(statements);
  if (gone.size > 0) withoutDeclarations(statements, gone);
}

/** Makes the last thing that a list does before one of its places a return, where it sets the variable; whether it does. */
function returnsFrom(list: Statement[], index: number, local: Local, returned: Return): boolean {
  const statement = list[index]!;
  if (statement.kind === 'set') {
    if (statement.local !== local) return false;
    list.splice(index, 2, { ...returned, value: statement.value });
    return true;
  }
  if (statement.kind !== 'try' || statement.catches.some(({ body }) => canComplete(body))) return false;
  const last = statement.body.length - 1;
  const set = statement.body[last];
  if (set?.kind === 'set' && set.local === local) {
    statement.body[last] = { ...returned, value: set.value };
    return true;
  }
  return set?.kind === 'try' && returnsFrom(statement.body, last, local, returned);
}

function withoutDeclarations(list: Statement[], locals: ReadonlySet<Local>): void {
  for (const statement of list) for (const inner of eachList(statement)) withoutDeclarations(inner, locals);
  const kept = list.filter((statement) => statement.kind !== 'declare' || !locals.has(statement.local));
  if (kept.length < list.length) list.splice(0, list.length, ...kept);
}

const localOf = (value: Expression | null): Local | null => (value?.kind === 'local' ? value.local : null);
