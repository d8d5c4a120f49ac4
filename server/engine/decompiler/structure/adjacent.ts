// Puts a value that the next statement looks at first into that statement. Knows no control flow.

import { parts } from '../expressions/effects.ts';
import type { Expression, Local, Statement } from '../expressions/tree.ts';
import { eachList, ownExpressions } from './walk.ts';

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

export function foldAdjacent(statements: Statement[]): void {
  const reads = new Map<Local, number>();
  count(reads, statements);
  fold(statements, reads);
}

function fold(list: Statement[], reads: ReadonlyMap<Local, number>): void {
  for (let index = 0; index < list.length; index++) {
    for (const inner of eachList(list[index]!)) fold(inner, reads);
  }
  for (let index = list.length - 2; index >= 0; index--) {
    const statement = list[index]!;
    const next = list[index + 1]!;
    if (statement.kind !== 'set' || !statement.local.isConstant || statement.local.role !== 'local') continue;
    if (reads.get(statement.local) !== 1 || !replaceIn(next, statement.local, statement.value)) continue;
    list.splice(index, 1);
  }
}

/** Puts a value where a variable is the first thing that a statement evaluates. */
function replaceIn(statement: Statement, local: Local, value: Expression): boolean {
  const into = (expression: Expression, put: (changed: Expression) => void): boolean => {
    const changed = replaced(expression, local, value);
    if (changed === null) return false;
    put(changed);
    return true;
  };
  switch (statement.kind) {
    case 'if':
      return into(statement.condition, (changed) => {
        statement.condition = changed;
      });
    case 'return':
      return (
        statement.value !== null &&
        into(statement.value, (changed) => {
          statement.value = changed;
        })
      );
    case 'throw':
      return into(statement.value, (changed) => {
        statement.value = changed;
      });
    case 'switch':
      return into(statement.value, (changed) => {
        (statement as { value: Expression }).value = changed;
      });
    default:
      return false;
  }
}

function replaced(expression: Expression, local: Local, value: Expression): Expression | null {
  switch (expression.kind) {
    case 'local':
      return expression.local === local ? value : null;
    case 'not':
    case 'truth': {
      const operand = replaced(expression.operand, local, value);
      return operand === null ? null : { ...expression, operand };
    }
    case 'relation': {
      const left = replaced(expression.left, local, value);
      return left === null ? null : { ...expression, left };
    }
    default:
      return null;
  }
}
