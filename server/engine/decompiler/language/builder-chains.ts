// Joins the statements that append to a StringBuilder into one value, as compilers leave them that drop what `append` returns.
// Knows no text.
import { isBuilding, parts } from '../expressions/effects.ts';
import type { Call, Expression, Local, Statement } from '../expressions/tree.ts';
import { countReads } from '../structure/adjacent.ts';
import { replaceParts } from '../structure/replacement.ts';
import { eachList, ownExpressions } from '../structure/walk.ts';

const builder = 'Ljava/lang/StringBuilder;';
const string = 'Ljava/lang/String;';

/**
 * Changes the lists in place. Only a builder whose text is asked for once, right behind the last statement that appends to it,
 * and that nobody named: nothing else ever sees it.
 * @param temporary makes a variable of a type
 */
export function joinBuilders(statements: Statement[], temporary: (type: string) => Local): void {
  const reads = countReads(statements);
  join(statements, reads, temporary);
}

function join(list: Statement[], reads: ReadonlyMap<Local, number>, temporary: (type: string) => Local): void {
  for (let index = 0; index < list.length; index++) {
    const first = list[index]!;
    for (const inner of eachList(first)) join(inner, reads, temporary);
    if (first.kind !== 'set' || !first.local.isConstant || first.local.role !== 'local' || first.local.hint !== null)
      continue;
    const { local } = first;
    if (first.value.kind !== 'call' || !isBuilding(first.value)) continue;
    let value: Call = first.value;
    let end = index + 1;
    for (let longer = appended(list[end], local, value); longer !== null; longer = appended(list[++end], local, value))
      value = longer;
    const last = list[end];
    const count = end - index - 1;
    if (count === 0 || last === undefined || last.kind === 'loop' || reads.get(local) !== count + 1) continue;
    const asked = ownExpressions(last)
      .map((part) => findText(part, local))
      .find((found) => found !== null);
    if (asked === undefined) continue;
    const text = temporary(string);
    const read: Expression = { kind: 'local', local: text, at: asked.at };
    const made: Statement = { kind: 'set', local: text, value: { ...asked, object: value }, isDeclaration: false };
    list.splice(
      index,
      count + 2,
      made,
      replaceParts(last, (part) => (part === asked ? read : undefined)),
    );
  }
}

/** A builder with what a statement appends to it, which drops what that returns; null for any other statement. */
function appended(statement: Statement | undefined, local: Local, to: Call): Call | null {
  return statement?.kind === 'do' ? withAppended(statement.expression, local, to) : null;
}

function withAppended(call: Expression, local: Local, to: Call): Call | null {
  if (call.kind !== 'call' || call.name !== 'append' || call.owner !== builder || call.how !== 'virtual') return null;
  if (call.object === null || call.values.some((value) => mentions(value, local))) return null;
  const object = isLocal(call.object, local) ? to : withAppended(call.object, local, to);
  return object === null ? null : { ...call, object };
}

/** The call that asks a builder for its text. */
function findText(expression: Expression, local: Local): Call | null {
  if (expression.kind === 'call' && expression.name === 'toString' && expression.owner === builder) {
    if (isLocal(expression.object, local)) return expression;
  }
  for (const part of parts(expression)) {
    const found = findText(part, local);
    if (found !== null) return found;
  }
  return null;
}

const isLocal = (expression: Expression | null, local: Local): boolean =>
  expression?.kind === 'local' && expression.local === local;

const mentions = (expression: Expression, local: Local): boolean =>
  isLocal(expression, local) || parts(expression).some((part) => mentions(part, local));
