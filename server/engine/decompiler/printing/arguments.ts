// Writes the arguments of calls, so that Java chooses the method that is meant.
import { isReference, object } from '../../code/values/operands.ts';
import type { Call, Expression } from '../expressions/tree.ts';
import { widening } from './conversions.ts';
import type { ExpressionPrinter } from './expressions.ts';
import { type Given, isChosen, rivals } from './overloads.ts';
import { binding } from './precedence.ts';
import { gatheredValues } from './variable-arity.ts';

type ArgumentPlace = Pick<ExpressionPrinter, 'program' | 'types'>;

/** The values of a call in parentheses, so that no other method of the name can be meant. */
export function writeArguments(to: ExpressionPrinter, call: Call, from = 0): void {
  const { owner, name, parameters, values, how, object: of } = call;
  const called = how === 'new' || how === 'constructor' ? '<init>' : name;
  // Java looks in the class that the receiver has in the source.
  const receiver = of === null || !isReference(to.types.typeOf(of)) ? owner : to.types.typeOf(of);
  const mode = argumentMode(to, call, called, receiver);
  const spread = gatheredValues(to.program, call, receiver, (value) => to.types.typeOf(value));
  to.writer.text('(');
  const count = spread === null ? values.length : values.length - 1;
  for (let index = from; index < count; index++) {
    if (index > from) to.writer.text(', ');
    const [value, type] = [values[index]!, parameters[index]!];
    const isExact = mode === 'cast' || !isTaken(value, type) || isInferred(to, owner, of, value);
    if (value.kind === 'cast' && value.isMeant && to.program.relations.isAssignable(value.type, type))
      to.plain(value, binding.any);
    else if (mode === 'cast' && type === object && isGiven(to, value))
      to.cast(type, binding.any, () => to.plain(value, binding.unary));
    else if (mode === 'alone' && !isExact) to.assignedValue(value, type);
    else to.write(value, type, binding.any, isExact);
  }
  for (const [index, item] of (spread ?? []).entries()) {
    if (index + count > from) to.writer.text(', ');
    const element = parameters.at(-1)!.slice(1);
    if (isTaken(item, element)) to.assignedValue(item, element);
    else to.write(item, element, binding.any, true);
  }
  to.writer.text(')');
}

/** How Java is made to choose the called method: it is the only one, it is chosen for the values as they are, or by casts. */
export function argumentMode(
  to: ArgumentPlace,
  { owner, parameters, values }: Call,
  called: string,
  receiver: string,
): 'alone' | 'chosen' | 'cast' {
  let isAlone = true;
  for (const type of owner === receiver ? [owner] : [owner, receiver]) {
    const others = rivals(to.program, called, type, parameters);
    if (others === null) return 'cast';
    if (others.size === 0) continue;
    isAlone = false;
    const taken = values.map((value, index) => given(to, value, parameters[index]!));
    if (!isChosen(to.program, parameters, others, taken)) return 'cast';
  }
  return isAlone ? 'alone' : 'chosen';
}

/** Whether Java may know more of an object than that it is one: from a generic method of the platform. */
function isGiven(to: ExpressionPrinter, value: Expression): boolean {
  const call = to.types.uncast(value);
  return (
    call.kind === 'call' && call.how === 'static' && call.returns === object && to.program.classOf(call.owner) === null
  );
}

/** What Java takes a value for that is written as one of a type, with a cast where it must have one. */
function given(to: ArgumentPlace, value: Expression, wanted: string): Given {
  const typed = (type: string): Given => ({ type, kind: 'typed' });
  if (value.kind === 'number') return isReference(wanted) ? { type: wanted, kind: 'null' } : typed(wanted);
  if (value.kind === 'wide') return typed(wanted);
  if (value.kind === 'cast' && to.types.isUpcast(value)) return given(to, to.types.uncast(value), wanted);
  const have = to.types.typeOf(value);
  if (!isReference(wanted)) return typed(widening[have]?.includes(wanted) ? have : wanted);
  if (!isReference(have)) return { type: wanted, kind: 'null' };
  if (to.types.isLambda(value) && have === wanted) return { type: have, kind: 'lambda' };
  if (!to.program.relations.isAssignable(have, wanted)) return typed(wanted);
  const isCall = value.kind === 'call' && value.how !== 'new';
  const isOpen = isCall || value.kind === 'choice' || value.kind === 'field' || value.kind === 'element';
  return { type: have, kind: isOpen ? 'open' : 'typed' };
}

/** Whether Java may know more of what a lambda takes and gives than its interface says: from a generic method of the platform. */
function isInferred(to: ExpressionPrinter, owner: string, of: Expression | null, value: Expression): boolean {
  if (to.program.classOf(owner) !== null || !to.types.isLambda(value)) return false;
  if (!to.program.local.isAskedForObjects((value as Call).owner)) return false;
  for (let at = of; at !== null; ) {
    if (at.kind === 'local' || at.kind === 'cast') return false;
    if (at.kind !== 'call') return at.kind !== 'field' || to.program.classOf(at.owner) === null;
    if (at.how === 'new' || to.program.classOf(at.owner) !== null) return false;
    if (!at.owner.startsWith('Ljava/util/')) return true;
    at = at.object;
  }
  return true;
}

/** Whether Java takes a constant for a parameter: it narrows none for a call. */
function isTaken(value: Expression, type: string): boolean {
  return value.kind !== 'number' || (type !== 'B' && type !== 'S');
}
