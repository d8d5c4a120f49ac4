// Puts a value that the next statement reads into that statement, where that does not change what the code does. Knows no control flow.

import { commute, effectsOf, parts, visibleMask } from '../expressions/effects.ts';
import { type Expression, effect, type Local, type Statement } from '../expressions/tree.ts';
import { replaceIn, replaceParts, valuesFor } from './replacement.ts';
import { eachList, ownExpressions } from './walk.ts';

/** Nesting that javac's own recursion can take. */
const maxDepth = 40;

function count(into: Map<Local, number>, statements: readonly Statement[]): void {
  const walk = (expression: Expression) => {
    if (expression.kind === 'local') into.set(expression.local, (into.get(expression.local) ?? 0) + 1);
    for (const part of parts(expression)) walk(part);
  };
  for (const statement of statements) {
    for (const expression of ownExpressions(statement)) walk(expression);
    for (const list of eachList(statement)) count(into, list);
  }
}

/** How often some statements read each variable. */
export function countReads(statements: readonly Statement[]): Map<Local, number> {
  const reads = new Map<Local, number>();
  count(reads, statements);
  return reads;
}

/** Changes the lists in place. */
export function foldAdjacent(statements: Statement[]): void {
  fold(statements, countReads(statements));
}

function fold(list: Statement[], reads: ReadonlyMap<Local, number>): void {
  for (const statement of list) for (const inner of eachList(statement)) fold(inner, reads);
  for (let index = list.length - 2; index >= 0; index--) {
    const statement = list[index]!;
    if (statement.kind !== 'set' || !statement.local.isConstant || statement.local.role !== 'local') continue;
    const { local, value } = statement;
    if (reads.get(local) !== 1 || local.captors !== undefined) continue;
    let place = index + 1;
    while (place < list.length - 1 && isPassed(list[place]!, value)) place++;
    const next = list[place]!;
    if (!isTaken(next, local, value)) continue;
    list[place] = withValue(next, local, value);
    list.splice(index, 1);
  }
}

/** Whether a value may be worked out behind a statement that gives a variable a number: it neither reads that nor leaves. */
function isPassed(statement: Statement, value: Expression): boolean {
  if (statement.kind !== 'set' || statement.value.kind !== 'number') return false;
  const { mask, locals } = effectsOf(value);
  return (mask & (effect.throws | effect.acts)) === 0 && !locals.includes(statement.local);
}

/** A name that somebody gave to a value says something, but where the value only leads on. */
function isTaken(next: Statement, local: Local, value: Expression): boolean {
  switch (next.kind) {
    case 'if':
    case 'switch':
    case 'return':
    case 'throw':
      break;
    case 'do':
    case 'set':
    case 'store':
      if (local.hint !== null) return false;
      break;
    default:
      return false;
  }
  return isMovable(evaluated(next), local, value);
}

/** What a statement evaluates, in order: of what it writes to, the parts. */
const evaluated = (statement: Statement): readonly Expression[] =>
  statement.kind === 'store' ? [...parts(statement.target), statement.value] : ownExpressions(statement);

const holds = (expression: Expression, local: Local): boolean =>
  (expression.kind === 'local' && expression.local === local) || parts(expression).some((part) => holds(part, local));

/** Whether a value may be worked out where the variable is read: that happens, and all that happens before may happen after. */
function isMovable(expressions: readonly Expression[], local: Local, value: Expression): boolean {
  const moved = effectsOf(value);
  let before = 0;
  let depth = moved.depth;
  let around: Expression | undefined;
  for (let level = expressions; ; depth++) {
    const place = level.findIndex((part) => holds(part, local));
    const part = level[place];
    if (part === undefined || depth > maxDepth) return false;
    for (const earlier of level.slice(0, place)) before |= visibleMask(earlier);
    if (part.kind === 'local') return commute(before, moved.mask);
    if ((moved.mask & effect.acts) !== 0 && isSaidTwice(part, around)) return false;
    around = part;
    level = part.kind === 'choice' || part.kind === 'junction' ? parts(part).slice(0, 1) : parts(part);
  }
}

/** Whether both sides of a comparison are written twice: those of floating point numbers, where it is not a condition. */
const isSaidTwice = (part: Expression, around: Expression | undefined): boolean =>
  part.kind === 'comparison' && part.type !== 'J' && !(around?.kind === 'relation' && isZero(around.right));

const isZero = (expression: Expression): boolean => expression.kind === 'number' && expression.value === 0;

/** The lists in the statement do not read it: it is read once. */
function withValue(statement: Statement, local: Local, value: Expression): Statement {
  const by = valuesFor(new Map([[local, value]]));
  switch (statement.kind) {
    case 'if':
      statement.condition = replaceIn(statement.condition, by);
      return statement;
    case 'switch':
      return { ...statement, value: replaceIn(statement.value, by) };
    default:
      return replaceParts(statement, by);
  }
}
