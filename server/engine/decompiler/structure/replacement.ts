// Puts expressions where variables stand. Knows no order of evaluation: who calls it does.
import type { Expression, Local, Statement } from '../expressions/tree.ts';

/** What stands for a part of an expression; undefined: the part itself, with its own parts replaced. */
type Replacement = (part: Expression) => Expression | undefined;

/** Values in place of the variables that have one. */
export const valuesFor =
  (values: ReadonlyMap<Local, Expression>): Replacement =>
  (part) =>
    part.kind === 'local' ? values.get(part.local) : undefined;

/** The same expression where nothing of it changes. */
export function replaceIn(expression: Expression, by: Replacement): Expression {
  const replaced = by(expression);
  if (replaced !== undefined) return replaced;
  const inner = (part: Expression) => replaceIn(part, by);
  const list = (items: readonly Expression[]): readonly Expression[] => {
    const changed = items.map(inner);
    return changed.some((item, index) => item !== items[index]) ? changed : items;
  };
  switch (expression.kind) {
    case 'negation':
    case 'conversion':
    case 'cast':
    case 'instanceof':
    case 'not':
    case 'truth': {
      const operand = inner(expression.operand);
      return operand === expression.operand ? expression : { ...expression, operand };
    }
    case 'arithmetic':
    case 'comparison':
    case 'relation':
    case 'junction': {
      const [left, right] = [inner(expression.left), inner(expression.right)];
      return left === expression.left && right === expression.right ? expression : { ...expression, left, right };
    }
    case 'field': {
      if (expression.object === null) return expression;
      const object = inner(expression.object);
      return object === expression.object ? expression : { ...expression, object };
    }
    case 'element': {
      const [array, index] = [inner(expression.array), inner(expression.index)];
      return array === expression.array && index === expression.index ? expression : { ...expression, array, index };
    }
    case 'length': {
      const array = inner(expression.array);
      return array === expression.array ? expression : { ...expression, array };
    }
    case 'new-array': {
      const size = inner(expression.size);
      return size === expression.size ? expression : { ...expression, size };
    }
    case 'array': {
      const items = list(expression.items);
      return items === expression.items ? expression : { ...expression, items };
    }
    case 'lambda': {
      const captured = list(expression.captured);
      return captured === expression.captured ? expression : { ...expression, captured };
    }
    case 'call': {
      const object = expression.object === null ? null : inner(expression.object);
      const start = expression.start === undefined ? undefined : inner(expression.start);
      const passed = list(expression.values);
      if (object === expression.object && start === expression.start && passed === expression.values) return expression;
      return { ...expression, object, ...(start === undefined ? {} : { start }), values: passed };
    }
    case 'choice': {
      const [condition, yes, no] = [inner(expression.condition), inner(expression.yes), inner(expression.no)];
      return condition === expression.condition && yes === expression.yes && no === expression.no
        ? expression
        : { ...expression, condition, yes, no };
    }
    default:
      return expression;
  }
}

/** A statement with what it evaluates itself replaced; what stands in its lists is changed in place. */
export function replaceParts(statement: Statement, by: Replacement): Statement {
  const inner = (expression: Expression) => replaceIn(expression, by);
  const lists = (items: Statement[]): void => {
    for (const [index, item] of items.entries()) items[index] = replaceParts(item, by);
  };
  switch (statement.kind) {
    case 'do': {
      const expression = inner(statement.expression);
      return expression === statement.expression ? statement : { ...statement, expression };
    }
    case 'set':
    case 'throw': {
      const value = inner(statement.value);
      return value === statement.value ? statement : { ...statement, value };
    }
    case 'store': {
      const [target, value] = [inner(statement.target), inner(statement.value)];
      return target === statement.target && value === statement.value ? statement : { ...statement, target, value };
    }
    case 'return': {
      if (statement.value === null) return statement;
      const value = inner(statement.value);
      return value === statement.value ? statement : { ...statement, value };
    }
    case 'if':
      lists(statement.yes);
      lists(statement.no);
      statement.condition = inner(statement.condition);
      return statement;
    case 'loop':
      lists(statement.body);
      if (statement.condition !== null) statement.condition = inner(statement.condition);
      return statement;
    case 'block':
      lists(statement.body);
      return statement;
    case 'switch':
      for (const { body } of statement.cases) lists(body);
      return { ...statement, value: inner(statement.value) };
    case 'try':
      lists(statement.body);
      for (const { body } of statement.catches) lists(body);
      if (statement.last !== undefined) lists(statement.last);
      if (statement.resources !== undefined) {
        statement.resources = statement.resources.map(({ opened, close }) => ({
          opened: replaceParts(opened, by) as typeof opened,
          close,
        }));
      }
      return statement;
    case 'synchronized':
      lists(statement.body);
      return { ...statement, lock: inner(statement.lock) };
    case 'monitor':
      return { ...statement, lock: inner(statement.lock) };
    default:
      return statement;
  }
}
