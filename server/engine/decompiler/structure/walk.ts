// Ways through nested statements. Knows nothing of what they mean.
import { throwable } from '../../code/values/operands.ts';
import type { Catch, Expression, Label, Statement } from '../expressions/tree.ts';

/** The lists of statements in a statement. */
export function eachList(statement: Statement): Statement[][] {
  switch (statement.kind) {
    case 'if':
      return [statement.yes, statement.no];
    case 'loop':
    case 'block':
    case 'synchronized':
      return [statement.body];
    case 'switch':
      return statement.cases.map(({ body }) => body);
    case 'try':
      return [
        statement.body,
        ...statement.catches.map(({ body }) => body),
        ...(statement.last ? [statement.last] : []),
      ];
    default:
      return [];
  }
}

/** The expressions that a statement evaluates itself, in order. */
export function ownExpressions(statement: Statement): readonly Expression[] {
  switch (statement.kind) {
    case 'do':
      return [statement.expression];
    case 'set':
      return [statement.value];
    case 'store':
      return [statement.target, statement.value];
    case 'return':
      return statement.value === null ? [] : [statement.value];
    case 'throw':
      return [statement.value];
    case 'if':
      return [statement.condition];
    case 'try':
      return (statement.resources ?? []).flatMap(({ opened, close }) => [opened.value, close]);
    case 'loop':
      return statement.condition === null ? [] : [statement.condition];
    case 'switch':
      return [statement.value];
    case 'synchronized':
    case 'monitor':
      return [statement.lock];
    default:
      return [];
  }
}

/** How often some statements jump to a label. */
export function jumpsIn(statements: readonly Statement[], label: Label, way: 'break' | 'continue' = 'break'): number {
  let count = 0;
  for (const statement of statements) {
    if (statement.kind === 'jump' && statement.label === label && statement.way === way) count++;
    for (const list of eachList(statement)) count += jumpsIn(list, label, way);
  }
  return count;
}

/** Takes the first statement of a kind, with all before it, out of the blocks that they stand in: nothing there leaves the block. */
export function liftFromBlocks(statements: Statement[], isWanted: (statement: Statement) => boolean): void {
  for (let index = 0; index < statements.length; index++) {
    const statement = statements[index]!;
    for (const list of eachList(statement)) liftFromBlocks(list, isWanted);
    if (statement.kind !== 'block') continue;
    const { body, label } = statement;
    const place = body.findIndex(isWanted);
    if (place < 0 || jumpsIn(body.slice(0, place + 1), label) > 0) continue;
    const lifted = body.splice(0, place + 1);
    statements.splice(index, 0, ...lifted);
    index += lifted.length;
  }
}

/** What a `catch` takes. */
export const caughtTypes = ({ type, besides = [] }: Catch): string[] => [type ?? throwable, ...besides];
