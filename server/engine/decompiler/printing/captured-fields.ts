// What a class has captured, in place of the fields that hold it. Knows no classes.
import type { Expression, Local, Statement } from '../expressions/tree.ts';
import { fieldKey } from '../language/static-fields.ts';
import { replaceIn, replaceParts, valuesFor } from '../structure/replacement.ts';
import { eachList } from '../structure/walk.ts';
import type { ClassScope } from './class-scope.ts';

/** @param values by name and type of the fields of a class */
export const capturedIn =
  (type: string, values: ReadonlyMap<string, Expression>) =>
  (part: Expression): Expression | undefined => {
    if (part.kind !== 'field' || part.owner !== type || part.object?.kind !== 'local') return undefined;
    return part.object.local.role === 'this' ? values.get(fieldKey(part)) : undefined;
  };

/** The variable that stands for the object around, as the classes in it name it. */
export const isAround = ({ name, role }: Local): boolean => role !== 'this' && name.endsWith('.this');

/** Statements of a class's method with what the class has captured. They are changed in place. */
export function withCaptured(statements: Statement[], scope: ClassScope): Statement[] {
  if (scope.captured.size === 0) return statements;
  const own = capturedIn(scope.type, scope.captured);
  const { inner } = scope.file.program;
  /** Variables that only ever hold an object around. */
  const copies = new Map<Local, Expression>();
  const by = (part: Expression): Expression | undefined => {
    if (part.kind !== 'field' || part.object === null) return undefined;
    const captured = own(part);
    if (captured !== undefined) return captured;
    const around = scope.capturedAround(part.owner, fieldKey(part));
    if (around !== undefined) return around;
    const of = replaceIn(part.object, by);
    const held = of.kind === 'local' ? (copies.get(of.local) ?? of) : of;
    const shape =
      held.kind === 'local' && isAround(held.local) && held.local.type === part.owner ? inner.of(part.owner) : null;
    if (shape?.key === fieldKey(part)) return scope.around(shape.outer);
    return of === part.object ? undefined : { ...part, object: of };
  };
  let replaced = statements.map((statement) => replaceParts(statement, by));
  while (addCopies(replaced, copies)) replaced = replaced.map((statement) => replaceParts(statement, by));
  // Names that somebody gave to copies stay.
  const unnamed = new Map([...copies].filter(([local]) => local.hint === null));
  if (unnamed.size === 0) return replaced;
  dropWrites(replaced, unnamed);
  return replaced.map((statement) => replaceParts(statement, valuesFor(unnamed)));
}

/** @returns whether there are more than before */
function addCopies(statements: readonly Statement[], copies: Map<Local, Expression>): boolean {
  const before = copies.size;
  for (const statement of statements) {
    for (const list of eachList(statement)) addCopies(list, copies);
    if (statement.kind !== 'set' || !statement.local.isConstant || statement.value.kind !== 'local') continue;
    if (isAround(statement.value.local)) copies.set(statement.local, statement.value);
  }
  return copies.size > before;
}

function dropWrites(list: Statement[], copies: ReadonlyMap<Local, Expression>): void {
  for (const statement of list) for (const inner of eachList(statement)) dropWrites(inner, copies);
  const kept = list.filter(
    (statement) => !((statement.kind === 'set' || statement.kind === 'declare') && copies.has(statement.local)),
  );
  if (kept.length < list.length) list.splice(0, list.length, ...kept);
}
