// Takes out the checks by which compilers see to it that an inner class's object belongs to one that is there: Java makes them itself.
// Knows no text.
import { effectsOf, parts } from '../expressions/effects.ts';
import type { Expression, Local, Statement } from '../expressions/tree.ts';
import { eachList, ownExpressions } from '../structure/walk.ts';

/** Changes the lists in place. @param isInner whether source makes objects of a class as ones of an inner class */
export function dropOuterChecks(list: Statement[], isInner: (type: string) => boolean): void {
  for (let index = 0; index < list.length; index++) {
    const statement = list[index]!;
    for (const inner of eachList(statement)) dropOuterChecks(inner, isInner);
    const checked = checkedBy(statement);
    const next = list[index + 1];
    if (checked === null || next === undefined || next.kind === 'loop') continue;
    const first = next.kind === 'store' && isPlain(next.target) ? next.value : ownExpressions(next)[0];
    if (first !== undefined && makesFirst(first, checked, isInner)) list.splice(index--, 1);
  }
}

/** A field that is worked out without a look at anything. */
const isPlain = (target: Expression): boolean =>
  target.kind === 'field' && target.object?.kind === 'local' && target.object.local.isConstant;

/** The variable that a statement only asks whether it is null. */
export function checkedBy(statement: Statement): Local | null {
  if (statement.kind !== 'do' || statement.expression.kind !== 'call') return null;
  const { how, owner, name, object, values } = statement.expression;
  const [value] = how === 'static' ? values : [object];
  if (value?.kind !== 'local') return null;
  const isCheck =
    how === 'static'
      ? owner === 'Ljava/util/Objects;' && name === 'requireNonNull' && values.length === 1
      : name === 'getClass' && values.length === 0;
  return isCheck ? value.local : null;
}

/** Whether the first thing that an expression does is to make an object that belongs to the one in a variable. */
function makesFirst(expression: Expression, checked: Local, isInner: (type: string) => boolean): boolean {
  if (expression.kind === 'call' && (expression.how === 'new' || expression.how === 'constructor')) {
    const [outer] = expression.values;
    if (outer?.kind === 'local' && outer.local === checked && isInner(expression.owner)) return true;
  }
  if (expression.kind === 'junction' || expression.kind === 'choice')
    return makesFirst(parts(expression)[0]!, checked, isInner);
  for (const part of parts(expression)) {
    if (makesFirst(part, checked, isInner)) return true;
    const { mask, locals } = effectsOf(part);
    if (mask !== 0 || locals.length > 0) return false;
  }
  return false;
}
