// Recognises counting: what is changed by its own old value, and loops that count. Knows no text.
import { parts } from '../expressions/effects.ts';
import type { Expression, Local, Statement } from '../expressions/tree.ts';
import { eachList, jumpsIn, ownExpressions } from '../structure/walk.ts';

/** A change of a value by its old one: `+=` and its like; `by` null for one more or one less. */
export interface Change {
  readonly operator: string;
  readonly by: Expression | null;
}

const narrow: ReadonlySet<string> = new Set(['B', 'S', 'C']);

/** @param isSame whether an expression reads what is written; @param type of what is written */
function changeOf(changed: Expression, type: string, isSame: (part: Expression) => boolean): Change | null {
  // What is narrower than an int is widened to one, and what it becomes is narrowed again, without a word.
  const isNarrowed = changed.kind === 'conversion' && changed.to === type && narrow.has(type);
  const value = isNarrowed ? changed.operand : changed;
  if (value.kind !== 'arithmetic' || value.type !== (isNarrowed ? 'I' : type) || !isSame(value.left)) return null;
  const { operator, right } = value;
  const isUnit = value.type === 'I' && right.kind === 'number' && (right.value === 1 || right.value === -1);
  if (!isUnit || (operator !== '+' && operator !== '-')) return { operator, by: right };
  return { operator: (operator === '+') === (right.value === 1) ? '+' : '-', by: null };
}

export function changedLocal({ local, value }: Statement & { kind: 'set' }): Change | null {
  return changeOf(value, local.type, (part) => part.kind === 'local' && part.local === local);
}

/** A field of a class, or of the object in a variable: whose it is, is worked out once or twice alike. */
export function changedField({ target, value }: Statement & { kind: 'store' }): Change | null {
  if (target.kind !== 'field' || (target.object !== null && target.object.kind !== 'local')) return null;
  const of = target.object?.local ?? null;
  return changeOf(
    value,
    target.type,
    (part) =>
      part.kind === 'field' &&
      part.owner === target.owner &&
      part.name === target.name &&
      part.type === target.type &&
      (part.object === null ? of === null : part.object.kind === 'local' && part.object.local === of),
  );
}

/** The change that a loop's last statement makes of what its condition looks at, by what no turn changes; null for none. */
export function stepOf(
  last: Statement,
  condition: Expression,
  body: readonly Statement[],
): (Statement & { kind: 'set' }) | null {
  if (last.kind !== 'set' || !reads(condition, last.local)) return null;
  const change = changedLocal(last);
  const isFixed = (part: Expression): boolean =>
    (part.kind !== 'local' || !body.some((statement) => writes(statement, part.local))) && parts(part).every(isFixed);
  return change !== null && (change.by === null || isFixed(change.by)) ? last : null;
}

/** The loop behind a statement that declares the variable which counts its turns, and which nobody looks at behind it. */
export function countedLoop(statements: readonly Statement[], index: number): (Statement & { kind: 'loop' }) | null {
  const [first, loop] = [statements[index]!, statements[index + 1]];
  if (first.kind !== 'set' || !first.isDeclaration || loop?.kind !== 'loop' || loop.condition === null) return null;
  const isFor = loop.form === 'for';
  if (!isFor && (loop.form !== 'while' || jumpsIn(loop.body, loop.label, 'continue') > 0)) return null;
  const last = loop.body.at(-1);
  const update = last === undefined ? null : stepOf(last, loop.condition, loop.body);
  if (update?.local !== first.local) return null;
  return statements.slice(index + 2).some((statement) => mentions(statement, first.local)) ? null : loop;
}

const reads = (expression: Expression, local: Local): boolean =>
  (expression.kind === 'local' && expression.local === local) || parts(expression).some((part) => reads(part, local));

const writes = (statement: Statement, local: Local): boolean =>
  ((statement.kind === 'set' || statement.kind === 'declare') && statement.local === local) ||
  eachList(statement).some((list) => list.some((inner) => writes(inner, local)));

/** Whether a variable stands anywhere in a statement. */
export const mentions = (statement: Statement, local: Local): boolean =>
  ((statement.kind === 'set' || statement.kind === 'declare') && statement.local === local) ||
  ownExpressions(statement).some((expression) => reads(expression, local)) ||
  eachList(statement).some((list) => list.some((inner) => mentions(inner, local)));
