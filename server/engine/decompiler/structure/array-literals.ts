// Gives a new array its elements where it is made, if nothing else happens before they are all written. Knows no graph.
import { effectsOf, parts } from '../expressions/effects.ts';
import { type Expression, effect, type Local, type Statement } from '../expressions/tree.ts';
import { eachList } from './walk.ts';

const maxElements = 10_000;

/** Changes the lists in place. @param isInTry a handler may look at an array of which an element could not be worked out */
export function foldArrayLiterals(statements: Statement[], isInTry = false): void {
  for (const statement of statements) {
    for (const list of eachList(statement)) foldArrayLiterals(list, isInTry || statement.kind === 'try');
  }
  for (let index = statements.length - 2; index >= 0; index--) {
    const made = statements[index]!;
    if (made.kind !== 'set' || made.value.kind !== 'new-array' || made.value.size.kind !== 'number') continue;
    const { type, size, at } = made.value;
    const filled = filledWith(made.local, size.value, statements[index + 1]!);
    if (filled !== null) {
      made.value = { ...filled, type, at };
      statements.splice(index + 1, 1);
      continue;
    }
    const items = elementsOf(made.local, size.value, statements.slice(index + 1, index + 1 + size.value), isInTry);
    if (items === null) continue;
    made.value = { kind: 'array', type, items, at };
    statements.splice(index + 1, items.length);
  }
}

/** The elements that `fill-array-data` gives all of a new array. */
function filledWith(array: Local, size: number, next: Statement): (Expression & { kind: 'array' }) | null {
  if (next.kind !== 'do' || next.expression.kind !== 'call' || next.expression.owner !== 'Ljava/lang/System;')
    return null;
  if (next.expression.name !== 'arraycopy') return null;
  const [from, start, into, place, length] = next.expression.values;
  const isAll = [start, place].every((each) => each?.kind === 'number' && each.value === 0);
  if (!isAll || into?.kind !== 'local' || into.local !== array || length?.kind !== 'number') return null;
  if (from?.kind !== 'array' || from.items.length !== size || length.value !== size) return null;
  return from.type === array.type && from.items.every(({ kind }) => kind === 'number') ? from : null;
}

function elementsOf(
  array: Local,
  size: number,
  following: readonly Statement[],
  isInTry: boolean,
): Expression[] | null {
  if (size < 1 || size > maxElements || following.length < size) return null;
  const items: Expression[] = [];
  for (const [place, statement] of following.entries()) {
    if (statement.kind !== 'store' || statement.target.kind !== 'element') return null;
    const { array: into, index } = statement.target;
    if (into.kind !== 'local' || into.local !== array || index.kind !== 'number' || index.value !== place) return null;
    const { value } = statement;
    if (mentions(value, array) || (isInTry && (effectsOf(value).mask & (effect.throws | effect.acts)) !== 0))
      return null;
    items.push(value);
  }
  return items;
}

const mentions = (expression: Expression, local: Local): boolean =>
  (expression.kind === 'local' && expression.local === local) ||
  parts(expression).some((part) => mentions(part, local));
