// Reads the constructors of a class ahead: what of them stands at fields, and whether Java makes the only one by itself. Knows no text.
import { BadCode } from '../../code/method-body.ts';
import { allMethods, type EncodedMethod } from '../../formats/dex/class-data.ts';
import type { Expression, Statement } from '../expressions/tree.ts';
import { isConstructorCall } from '../language/constructors.ts';
import { sharedValues } from '../language/field-values.ts';
import { fieldKey } from '../language/static-fields.ts';
import { Unsayable } from '../limits.ts';
import { type MethodSource, methodSource } from '../method.ts';
import { acc, type ClassScope } from './class-scope.ts';
import { isOwnCall } from './constructor-bodies.ts';

export interface Constructors {
  /** By the index of the method, without what stands at fields. */
  readonly sources: ReadonlyMap<number, MethodSource>;
  /** Initial values by name and type of the field, in the order in which they are given. */
  readonly values: ReadonlyMap<string, Expression>;
  /** A constructor that gives them. */
  readonly method: EncodedMethod;
  /** It is the only one, and is as Java makes it. */
  readonly isImplied: boolean;
}

/** Null where they are written as they are. */
export function readConstructors(scope: ClassScope): Constructors | null {
  const { dex, data, annotations } = scope.place;
  if (scope.isEnum || scope.isInterface || scope.record !== null || scope.inner !== null || scope.captured.size > 0)
    return null;
  const methods = allMethods(data).filter(({ methodIndex }) => dex.methodName(methodIndex) === '<init>');
  const [method] = methods;
  const sources = new Map<number, MethodSource>();
  try {
    for (const each of methods) {
      if (each.codeOffset === 0) return null;
      const source = methodSource(scope.file, dex, scope.type, each);
      source.parameters[0]!.name = 'this';
      sources.set(each.methodIndex, source);
    }
  } catch (error) {
    if (!(error instanceof BadCode || error instanceof Unsayable)) throw error;
    return null;
  }
  if (method === undefined) return null;
  const { exceptions } = scope.file;
  const isQuiet = (statement: Statement) => exceptions.leaving([statement]).size === 0;
  const lists = Array.from(sources.values(), ({ statements }) => statements);
  const declared = data.instanceFields.map(({ fieldIndex: index }) =>
    fieldKey({ name: dex.fieldName(index), type: dex.fieldType(index) }),
  );
  const values = sharedValues(scope.type, new Set(declared), lists, (expression) =>
    isQuiet({ kind: 'do', expression }),
  );
  const visibility = acc.public | acc.private | acc.protected;
  const [first] = lists as [Statement[]];
  const isImplied =
    methods.length === 1 &&
    sources.get(method.methodIndex)!.parameters.length === 1 &&
    first.length === 1 &&
    isPlainSuper(first[0], scope.type) &&
    isQuiet(first[0]!) &&
    (method.accessFlags & visibility) === (scope.flags & acc.public) &&
    exceptions.declaredBy(scope.type, '<init>', '()V').length === 0 &&
    !annotations.ofMethods.has(method.methodIndex);
  return { sources, values, method, isImplied };
}

/** Whether a constructor calls that of the superclass as Java does by itself. */
export const isPlainSuper = (statement: Statement | undefined, type: string): boolean =>
  statement?.kind === 'do' &&
  isConstructorCall(statement) &&
  !isOwnCall(statement, type) &&
  statement.expression.kind === 'call' &&
  statement.expression.values.length === 0;
