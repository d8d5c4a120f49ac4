// Which classes Kotlin's compiler makes of lambdas, and how their methods lead to the code that was written. Knows no text.
import type { ClassRelations } from '../../code/types/class-relations.ts';
import { parts } from '../expressions/effects.ts';
import type { Call, Expression, Statement } from '../expressions/tree.ts';
import { canComplete } from '../structure/jumps.ts';
import { eachList } from '../structure/walk.ts';

/** What they extend: it answers how many parameters they have, and prints their type. */
export const lambdaBase = 'Lkotlin/jvm/internal/Lambda;';
/** What asks a lambda for the number of its parameters. */
export const functionBase = 'Lkotlin/jvm/internal/FunctionBase;';
const unit = 'Lkotlin/Unit;';

/** The interface that such a class implements, with the number of its parameters; null for any other class. */
export function functionOf(relations: ClassRelations, type: string): { type: string; arity: number } | null {
  const { superclass, interfaces } = relations.factsOf(type)!;
  const [only, ...others] = interfaces;
  const [, arity] = only?.match(/^Lkotlin\/jvm\/functions\/Function(\d+);$/) ?? [];
  if (superclass !== lambdaBase || arity === undefined || others.length > 0) return null;
  return { type: only!, arity: Number(arity) };
}

/** What leads from the interface's method, which takes objects, to the one that takes what was written. */
export interface Bridge {
  readonly call: Call;
  /** What it gives then, where the other method gives nothing: Kotlin's `Unit`. */
  readonly unit: Expression | null;
}

/** @param statements of the interface's method; null where they do more than to call the other one of the class */
export function bridgeOf(statements: readonly Statement[], type: string): Bridge | null {
  const [first, second, ...more] = statements;
  const called = (value: Expression): Call | null => {
    if (value.kind === 'call' && value.owner === type && isThis(value.object))
      return value.name === 'invoke' ? value : null;
    const [only, ...others] = parts(value);
    return only === undefined || others.length > 0 ? null : called(only);
  };
  if (more.length > 0 || first === undefined) return null;
  const isReturn = first.kind === 'return' && second === undefined;
  const value = isReturn ? first.value : first.kind === 'do' ? first.expression : null;
  const call = value === null ? null : called(value);
  if (call === null || call.values.some(isAboutThis)) return null;
  if (isReturn) return { call, unit: null };
  if (second?.kind !== 'return' || value !== call || call.returns !== 'V') return null;
  const given = second.value;
  const isUnit = given?.kind === 'field' && given.object === null && given.owner === unit && given.type === unit;
  return isUnit ? { call, unit: given } : null;
}

const isThis = (value: Expression | null): boolean => value?.kind === 'local' && value.local.role === 'this';
const isAboutThis = (value: Expression): boolean => isThis(value) || parts(value).some(isAboutThis);

/** The statements of a method that gives nothing, which give a value wherever they end. They are changed in place. */
export function giving(value: Expression, statements: Statement[]): Statement[] {
  const end = (list: Statement[]): void => {
    for (const statement of list) {
      if (statement.kind === 'return') statement.value = value;
      for (const inner of eachList(statement)) end(inner);
    }
  };
  end(statements);
  return canComplete(statements) ? [...statements, { kind: 'return', value, at: value.at }] : statements;
}
