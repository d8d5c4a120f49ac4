// Names for variables that debug information does not name: after what gives them their value, or what takes it. Knows no text.
import { parts } from '../expressions/effects.ts';
import type { Call, Expression, Local, Statement } from '../expressions/tree.ts';
import { isGoodName } from '../names/words.ts';
import { eachList, ownExpressions } from '../structure/walk.ts';

/** Verbs before the name of what a method gives: `getName`, `createIntent`. */
const giving =
  /^(?:get|create|make|build|find|read|load|parse|compute|obtain|open|fetch|query|resolve|to|as|new|next|peek|poll|acquire|require|ensure|lookup|calculate|generate|decode|encode|extract|select)(?=[A-Z])/;
const taking = /^(?:set|with|put|add|update)(?=[A-Z])/;
/** Words by which a method says what it gives. */
const spoken: ReadonlySet<string> = new Set(
  'size length count index iterator entry key value name type hash parent name version width height depth level offset position limit capacity keys values'.split(
    ' ',
  ),
);
/** Words that say nothing of a value beside its type. */
const empty =
  /^(?:instance|default|string|object|array|list|map|class|invoke|apply|value|int|long|boolean|float|double|bytes?|all|it|this|that|result)$/i;

const lowered = (name: string): string => {
  const start = /^[A-Z]+(?=[A-Z][a-z]|\d|_|$)|^[A-Z]/.exec(name)?.[0] ?? '';
  return start.toLowerCase() + name.slice(start.length);
};

/** A name of a member as one of a variable: without the signs of fields; null for none that says anything. */
function asVariable(name: string): string | null {
  const plain = lowered(name.replace(/^(?:[ms]_?(?=[A-Z])|_+)|_+$|\$.*$/g, ''));
  return plain.length <= 32 && isGoodName(plain) && !empty.test(plain) ? plain : null;
}

/** What a method gives, as its name says. */
function givenBy({ name, how, returns }: Call): string | null {
  if (how === 'new' || how === 'constructor') return null;
  if (returns === 'Z' && /^(?:is|has|can|should|was|needs|contains|starts|ends|equals)[A-Z]?/.test(name)) {
    return /^(?:is|has|can|should|was|needs)[A-Z]/.test(name) && isGoodName(name) ? name : null;
  }
  const start = giving.exec(name)?.[0];
  if (start !== undefined) return asVariable(name.slice(start.length));
  return spoken.has(name) ? name : null;
}

/** What a value is called where it comes from. */
function sourceName(value: Expression): string | null {
  switch (value.kind) {
    case 'cast':
    case 'conversion':
    case 'truth':
      return sourceName(value.operand);
    case 'call':
      return givenBy(value);
    case 'field':
      return asVariable(value.name.toUpperCase() === value.name ? value.name.toLowerCase() : value.name);
    case 'length':
      return 'length';
    default:
      return null;
  }
}

/** Calls variables that nobody named after what they hold, else after what they are given to. */
export function nameByValues(statements: readonly Statement[]): void {
  const taken = new Map<Local, string>();
  const isOpen = ({ hint, role }: Local) => hint === null && role !== 'this';
  const give = (value: Expression, name: string | null) => {
    if (value.kind !== 'local' || name === null || !isOpen(value.local) || taken.has(value.local)) return;
    taken.set(value.local, name);
  };
  const look = (expression: Expression) => {
    if (expression.kind === 'call' && expression.values.length === 1) {
      const start = taking.exec(expression.name)?.[0];
      if (start !== undefined) give(expression.values[0]!, asVariable(expression.name.slice(start.length)));
    }
    for (const part of parts(expression)) look(part);
  };
  const walk = (list: readonly Statement[]) => {
    for (const statement of list) {
      if (statement.kind === 'set' && isOpen(statement.local))
        statement.local.suggested ??= sourceName(statement.value);
      if (statement.kind === 'store' && statement.target.kind === 'field')
        give(statement.value, asVariable(statement.target.name));
      if (statement.kind === 'try')
        for (const { local } of statement.catches) if (local !== null && isOpen(local)) local.suggested = 'e';
      for (const expression of ownExpressions(statement)) look(expression);
      for (const inner of eachList(statement)) walk(inner);
    }
  };
  walk(statements);
  for (const [local, name] of taken) local.suggested ??= name;
}
