// Whether a method is known to override another one, so that source may say so. Knows no text.

import type { EncodedMethod } from '../../formats/dex/class-data.ts';
import { parts } from '../expressions/effects.ts';
import type { Expression, Statement } from '../expressions/tree.ts';
import { methodsCalled } from '../printing/named-methods.ts';
import type { Program, SourceClass } from '../printing/program.ts';
import { eachList, ownExpressions } from '../structure/walk.ts';

const accPublic = 0x1;
const accPrivate = 0x2;
const accProtected = 0x4;
const accStatic = 0x8;
const ofObject: ReadonlySet<string> = new Set([
  'equals(Ljava/lang/Object;)Z',
  'hashCode()I',
  'toString()Ljava/lang/String;',
]);

/** A class of the app above has the method, or the body calls that of the platform's class above. */
export function isOverriding(
  program: Program,
  { dex, type, data }: SourceClass,
  { methodIndex, accessFlags }: EncodedMethod,
  statements: readonly Statement[],
): boolean {
  const name = dex.methodName(methodIndex);
  const descriptor = dex.methodDescriptor(methodIndex);
  if (
    (accessFlags & (accStatic | accPrivate)) !== 0 ||
    !data.virtualMethods.some((each) => each.methodIndex === methodIndex)
  )
    return false;
  if (ofObject.has(name + descriptor)) return true;
  const shown = program.methodName(type, name, descriptor);
  const folder = type.slice(0, type.lastIndexOf('/') + 1);
  const [, ...above] = program.relations.above(type);
  const isKnown = above.some((each) => {
    const place = program.classOf(each);
    const found = place === null ? undefined : methodOf(place, name, descriptor);
    if (place === null || found === undefined || program.leftOutFor(place, found) !== null) return false;
    if ((found.accessFlags & (accStatic | accPrivate)) !== 0 || program.methodName(each, name, descriptor) !== shown)
      return false;
    return (
      (found.accessFlags & (accPublic | accProtected)) !== 0 || each.slice(0, each.lastIndexOf('/') + 1) === folder
    );
  });
  return isKnown || (shown === name && callsAbove(statements, program, name, descriptor));
}

const methodOf = (place: SourceClass, name: string, descriptor: string): EncodedMethod | undefined =>
  methodsCalled(place, name).find(({ methodIndex }) => place.dex.methodDescriptor(methodIndex) === descriptor);

function callsAbove(statements: readonly Statement[], program: Program, name: string, descriptor: string): boolean {
  const isCall = (part: Expression): boolean =>
    (part.kind === 'call' &&
      part.how === 'super' &&
      part.name === name &&
      `(${part.parameters.join('')})${part.returns}` === descriptor &&
      program.classOf(part.owner) === null &&
      !program.relations.isInterface(part.owner)) ||
    parts(part).some(isCall);
  return statements.some(
    (statement) =>
      ownExpressions(statement).some(isCall) ||
      eachList(statement).some((list) => callsAbove(list, program, name, descriptor)),
  );
}
