// What a class has captured, in place of the fields that hold it. Knows no classes.
import type { Expression, Statement } from '../expressions/tree.ts';
import { fieldKey } from '../language/static-fields.ts';
import { replaceParts } from '../structure/replacement.ts';
import type { ClassScope } from './class-scope.ts';

/** @param values by name and type of the fields of a class */
export const capturedIn =
  (type: string, values: ReadonlyMap<string, Expression>) =>
  (part: Expression): Expression | undefined => {
    if (part.kind !== 'field' || part.owner !== type || part.object?.kind !== 'local') return undefined;
    return part.object.local.role === 'this' ? values.get(fieldKey(part)) : undefined;
  };

/** Statements of a class's method with what the class has captured. They are changed in place. */
export const withCaptured = (statements: Statement[], { type, captured }: ClassScope): Statement[] =>
  captured.size === 0 ? statements : statements.map((statement) => replaceParts(statement, capturedIn(type, captured)));
