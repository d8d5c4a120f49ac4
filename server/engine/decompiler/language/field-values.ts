// Which values all constructors of a class give to fields first can stand at the fields themselves. Knows no text.
import { parts } from '../expressions/effects.ts';
import type { Expression, Statement } from '../expressions/tree.ts';
import { isConstructorCall } from './constructors.ts';
import { fieldKey } from './static-fields.ts';

/**
 * Takes out of constructors what each that calls one of the superclass does first behind that, as far as it writes fields of the object
 * one by one, each once, and looks at no variable: Java copies initial values there.
 * https://docs.oracle.com/javase/specs/jls/se17/html/jls-12.html#jls-12.5
 * @param declared keys of the class's own fields: what it inherits has no initial value here
 * @param constructors their statements
 * @param isAllowed what of the values Java takes there
 * @returns values by name and type of the field, in their order
 */
export function sharedValues(
  owner: string,
  declared: ReadonlySet<string>,
  constructors: readonly Statement[][],
  isAllowed: (value: Expression) => boolean,
): Map<string, Expression> {
  const values = new Map<string, Expression>();
  if (!constructors.every(([first]) => first !== undefined && isConstructorCall(first))) return values;
  const own = constructors.filter(([first]) => !callsOwn(first!, owner));
  const [model] = own;
  if (model === undefined) return values;
  for (let place = 1; place < model.length; place++) {
    const store = model[place]!;
    if (store.kind !== 'store' || store.target.kind !== 'field' || store.target.owner !== owner) break;
    const { target, value } = store;
    const key = fieldKey(target);
    if (target.object?.kind !== 'local' || target.object.local.role !== 'this') break;
    if (!declared.has(key) || values.has(key)) break;
    if (looksAtVariables(value) || !isAllowed(value)) break;
    const text = own.length === 1 ? '' : textOf(store);
    const isSame = (other: Statement | undefined) => other !== undefined && textOf(other) === text;
    if (!own.every((other) => other === model || isSame(other[place]))) break;
    values.set(key, value);
  }
  for (const statements of own) statements.splice(1, values.size);
  return values;
}

const callsOwn = (statement: Statement, owner: string): boolean =>
  statement.kind === 'do' && statement.expression.kind === 'call' && statement.expression.owner === owner;

const looksAtVariables = (part: Expression): boolean =>
  (part.kind === 'local' && part.local.role !== 'this') || parts(part).some(looksAtVariables);

/** The same for statements that do the same. */
const textOf = (statement: Statement): string =>
  JSON.stringify(statement, (name, value: unknown) =>
    name === 'at' ? undefined : name === 'local' ? 'this' : typeof value === 'bigint' ? `${value}n` : value,
  );

/** Fields with those that have values in the order in which they get them, at the places that these have. */
export function inOrder<Field>(
  fields: readonly Field[],
  keyOf: (field: Field) => string,
  keys: Iterable<string>,
): Field[] {
  const order = [...keys];
  const moved = fields.filter((field) => order.includes(keyOf(field)));
  moved.sort((a, b) => order.indexOf(keyOf(a)) - order.indexOf(keyOf(b)));
  return fields.map((field) => (order.includes(keyOf(field)) ? moved.shift()! : field));
}
