// Splits a constructor at its call of another one, which Java wants first. Knows no text.
import { effectsOf, parts } from '../expressions/effects.ts';
import type { Expression, Local, Statement } from '../expressions/tree.ts';
import { Unsayable } from '../limits.ts';
import { canComplete } from '../structure/jumps.ts';
import { eachList, liftFromBlocks, ownExpressions } from '../structure/walk.ts';

const looksAtObject = 'the constructor looks at its object before it calls another one';

export interface SplitConstructor {
  /** Runs first, without the object: where there is something, a class of its own has to run it. */
  readonly before: readonly Statement[];
  /** What of that the rest looks at. */
  readonly kept: readonly Local[];
  /** Null where all ways throw before there is one. */
  readonly call: Statement | null;
  /** What the code writes to the object before it calls the other constructor: Java writes it behind. */
  readonly early: readonly Statement[];
  readonly after: readonly Statement[];
}

export const isConstructorCall = (statement: Statement): boolean =>
  statement.kind === 'do' && statement.expression.kind === 'call' && statement.expression.how === 'constructor';

/** Whether some statements, or any in them, call another constructor of the object. */
export const callsConstructor = (statements: readonly Statement[]): boolean =>
  statements.some((statement) => isConstructorCall(statement) || eachList(statement).some(callsConstructor));

/**
 * @param temporary makes a variable of a type
 * @throws Unsayable where the call stands on some ways only, or the object is looked at before
 */
export function splitConstructor(
  statements: Statement[],
  parameters: readonly Local[],
  temporary: (type: string) => Local,
): SplitConstructor {
  if (!callsConstructor(statements) && !canComplete(statements)) {
    if (mentions(statements, (local) => local.role === 'this')) throw new Unsayable(looksAtObject);
    return { before: statements, kept: [], call: null, early: [], after: [] };
  }
  liftFromBlocks(statements, isConstructorCall);
  const place = statements.findIndex(isConstructorCall);
  const call = statements[place];
  if (call === undefined) throw new Unsayable('the constructor calls no other one, or on some ways only');
  const before: Statement[] = [];
  const early: Statement[] = [];
  for (const statement of statements.slice(0, place)) {
    if (statement.kind !== 'store' || statement.target.kind !== 'field' || !isThis(statement.target.object)) {
      if (mentions([statement], (local) => local.role === 'this')) {
        throw new Unsayable(looksAtObject);
      }
      before.push(statement);
      continue;
    }
    const { value, target, at } = statement;
    if (isSteady(value)) early.push(statement);
    else {
      const local = temporary(target.type);
      before.push({ kind: 'set', local, value, isDeclaration: true });
      early.push({ kind: 'store', target, value: { kind: 'local', local, at }, at });
    }
  }
  const after = statements.slice(place + 1);
  const written = new Set([...parameters, ...before.flatMap(declared)]);
  const rest = [call, ...early, ...after];
  const kept = [...written].filter((local) => mentions(rest, (other) => other === local));
  return { before, kept: before.length === 0 ? [] : kept, call, early, after };
}

const isThis = (expression: Expression | null): boolean =>
  expression?.kind === 'local' && expression.local.role === 'this';

/** A value that is the same whenever it is looked at. */
function isSteady(value: Expression): boolean {
  const { mask, locals } = effectsOf(value);
  return mask === 0 && locals.length === 0;
}

const declared = (statement: Statement): Local[] =>
  statement.kind === 'declare' || (statement.kind === 'set' && statement.isDeclaration) ? [statement.local] : [];

function mentions(statements: readonly Statement[], isWanted: (local: Local) => boolean): boolean {
  const within = (expression: Expression): boolean =>
    (expression.kind === 'local' && isWanted(expression.local)) || parts(expression).some(within);
  return statements.some(
    (statement) =>
      (statement.kind === 'set' && isWanted(statement.local)) ||
      ownExpressions(statement).some(within) ||
      eachList(statement).some((list) => mentions(list, isWanted)),
  );
}
