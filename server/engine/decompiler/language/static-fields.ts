// Which values a static initialiser gives to fields can stand at the fields themselves. Knows no text.
import { parts } from '../expressions/effects.ts';
import type { Expression, Statement } from '../expressions/tree.ts';
import { eachList } from '../structure/walk.ts';

export interface StaticValues {
  /** By name and type of the field. */
  readonly values: ReadonlyMap<string, Expression>;
  /** What the initialiser does after that. */
  readonly rest: readonly Statement[];
}

export const fieldKey = ({ name, type }: { name: string; type: string }): string => `${name}:${type}`;

/** A static field of a class itself, null for anything else. */
export function ownStatic(expression: Expression, owner: string): (Expression & { kind: 'field' }) | null {
  return expression.kind === 'field' && expression.object === null && expression.owner === owner ? expression : null;
}

/**
 * What stands first in the initialiser, as far as it writes fields one by one in the order in which they are declared, and looks at no
 * variable and no later field: so Java evaluates initial values too.
 * @param declared keys of the fields that have no value yet, in order
 * @param isAllowed what of the values Java takes there
 */
export function staticValues(
  owner: string,
  statements: readonly Statement[],
  declared: readonly string[],
  isAllowed: (value: Expression) => boolean,
): StaticValues {
  const values = new Map<string, Expression>();
  let place = -1;
  let taken = 0;
  for (const statement of statements) {
    const target = statement.kind === 'store' ? ownStatic(statement.target, owner) : null;
    if (statement.kind !== 'store' || target === null) break;
    const at = declared.indexOf(fieldKey(target));
    const looksAhead = (part: Expression): boolean => {
      if (part.kind === 'local') return true;
      const field = ownStatic(part, owner);
      return (field !== null && declared.indexOf(fieldKey(field)) >= at) || parts(part).some(looksAhead);
    };
    if (at <= place || looksAhead(statement.value) || !isAllowed(statement.value)) break;
    values.set(fieldKey(target), statement.value);
    place = at;
    taken++;
  }
  return { values, rest: statements.slice(taken) };
}

/** Keys of the static fields of a class that some statements of it write. */
export function writtenIn(statements: readonly Statement[], owner: string): Set<string> {
  const written = new Set<string>();
  for (const statement of statements) {
    const target = statement.kind === 'store' ? ownStatic(statement.target, owner) : null;
    if (target !== null) written.add(fieldKey(target));
    for (const list of eachList(statement)) for (const key of writtenIn(list, owner)) written.add(key);
  }
  return written;
}
