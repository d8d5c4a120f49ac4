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
 * @returns whether variables are gone, whose declarations still stand
 */
export function foldReturned(statements: Statement[], returns: string): boolean {
  const reads = countReads(statements);
  let isChanged = false;
  const isCarrier = (local: Local): boolean =>
    local.isConstant && local.role === 'local' && local.captors === undefined && reads.get(local) === 1;
  const isSameType = ({ type }: Local): boolean => type === returns || (type.length > 1 && returns.length > 1);

  const fold = (list: Statement[]): void => {
    for (const statement of list) for (const inner of eachList(statement)) fold(inner);
    for (let index = list.length - 2; index >= 0; index--) {
      const [carrying, returned] = [list[index]!, list[index + 1]!];
      if (returned.kind !== 'return') continue;
      if (isPlain(returned.value) && leaveByReturn(carrying, returned)) {
        list.splice(index + 1, 1);
        isChanged = true;
        continue;
      }
      const local = localOf(returned.value);
      if (local === null || !isCarrier(local) || !isSameType(local)) continue;
      if (!returnsFrom(list, index, local, returned)) continue;
      if (carrying.kind !== 'set') list.splice(index + 1, 1);
      isChanged = true;
    }
  };
  fold(statements);
  return isChanged;
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

/** Returns from a block that a `try` ends with where that is left for a return behind the `try`; whether it does. */
function leaveByReturn(statement: Statement, returned: Return): boolean {
  if (statement.kind !== 'try' || statement.catches.some(({ body }) => canComplete(body))) return false;
  const block = statement.body.at(-1);
  if (block?.kind === 'try') return leaveByReturn(block, returned);
  if (block?.kind !== 'block' || canComplete(block.body)) return false;
  const leave = (list: Statement[]): void => {
    for (const [index, each] of list.entries()) {
      if (each.kind === 'jump' && each.label === block.label) list[index] = { ...returned };
      else for (const inner of eachList(each)) leave(inner);
    }
  };
  leave(block.body);
  statement.body.splice(-1, 1, ...block.body);
  return true;
}

/** Whether a value is the same wherever it is worked out. */
const isPlain = (value: Expression | null): boolean =>
  value === null ||
  value.kind === 'number' ||
  value.kind === 'wide' ||
  (value.kind === 'local' && value.local.isConstant);

const localOf = (value: Expression | null): Local | null => (value?.kind === 'local' ? value.local : null);
