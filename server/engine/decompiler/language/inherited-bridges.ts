// Methods that javac makes itself so that what a class inherits from another one is what its interfaces ask for. Knows no text.
import { BadCode } from '../../code/method-body.ts';
import { isReference } from '../../code/values/operands.ts';
import type { EncodedMethod } from '../../formats/dex/class-data.ts';
import type { Call } from '../expressions/tree.ts';
import { Unsayable } from '../limits.ts';
import type { MethodSource } from '../method.ts';
import type { Program, SourceClass } from '../printing/program.ts';

const accFinal = 0x10;
const accBridge = 0x40;

/**
 * Whether a method only calls that of the class above: the very same, which all find without it, or for an interface that
 * wants less of what is given. javac makes both. Source could not write the latter beside another one, or for one that is final.
 */
export function isInheritedBridge(program: Program, place: SourceClass, method: EncodedMethod): boolean {
  if ((method.accessFlags & accBridge) === 0) return false;
  const { dex, type } = place;
  const { superclass, interfaces } = program.relations.factsOf(type)!;
  if (superclass === null) return false;
  const name = dex.methodName(method.methodIndex);
  const descriptor = dex.methodDescriptor(method.methodIndex);
  const call = calledAbove(program, place, method);
  if (call?.name !== name || call.parameters.join('') !== descriptor.slice(1, descriptor.indexOf(')'))) return false;
  const wanted = descriptor.slice(descriptor.indexOf(')') + 1);
  const asking = interfaces.filter((each) => !program.relations.isAssignable(superclass, each));
  // What an interface asks for may be another method to source than the one that is inherited.
  if (call.returns === wanted) return asking.length === 0;
  if (!asking.some((each) => program.findMethod(each, name, descriptor) !== null)) return false;
  const meant = program.findMethod(superclass, name, `(${call.parameters.join('')})${call.returns}`);
  if (meant === null) return false;
  const isMade = isReference(wanted) && program.relations.isAssignable(call.returns, wanted);
  return isMade || (meant.method.accessFlags & accFinal) !== 0;
}

/** The call of the class above that is all a method does, with what it is given. */
function calledAbove(program: Program, place: SourceClass, method: EncodedMethod): Call | null {
  let source: MethodSource;
  try {
    source = program.local.source(place, method);
  } catch (error) {
    if (error instanceof BadCode || error instanceof Unsayable) return null;
    throw error;
  }
  const [only, ...rest] = source.statements;
  const given = only?.kind === 'return' ? only.value : only?.kind === 'do' ? only.expression : null;
  const call = given?.kind === 'cast' ? given.operand : given;
  if (rest.length > 0 || call?.kind !== 'call' || call.how !== 'super') return null;
  const isPassed = [call.object, ...call.values].every(
    (value, index) => value?.kind === 'local' && value.local === source.parameters[index],
  );
  return isPassed ? call : null;
}
