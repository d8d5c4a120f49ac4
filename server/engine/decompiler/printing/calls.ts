// Writes calls of methods and constructors. Knows no statements.
import { object } from '../../code/values/operands.ts';
import type { Call, Expression } from '../expressions/tree.ts';
import { concatenation } from '../language/concatenation.ts';
import { writeArguments } from './arguments.ts';
import { isAround } from './captured-fields.ts';
import type { ExpressionPrinter } from './expressions.ts';
import { writeConcatenation } from './operators.ts';
import { binding } from './precedence.ts';

/** Inner classes of the platform that apps make or extend: each has an object of the class around it. */
const innerClasses: ReadonlySet<string> = new Set([
  'Landroid/inputmethodservice/AbstractInputMethodService$AbstractInputMethodImpl;',
  'Landroid/inputmethodservice/AbstractInputMethodService$AbstractInputMethodSessionImpl;',
  'Landroid/inputmethodservice/InputMethodService$InputMethodImpl;',
  'Landroid/inputmethodservice/InputMethodService$InputMethodSessionImpl;',
  'Landroid/service/wallpaper/WallpaperService$Engine;',
  'Ljava/util/concurrent/locks/AbstractQueuedLongSynchronizer$ConditionObject;',
  'Ljava/util/concurrent/locks/AbstractQueuedSynchronizer$ConditionObject;',
]);
const accPrivate = 0x2;

/** Writes a call of a method or constructor, with what source says for it. */
export function writeCall(to: ExpressionPrinter, call: Call, level: number): void {
  const { how, owner, name, parameters, object: of } = call;
  const writer = to.writer;
  const symbol = `${owner}->${name}(${parameters.join('')})${how === 'new' ? 'V' : call.returns}`;
  const pieces = concatenation(call);
  if (pieces !== null) {
    writeConcatenation(to, pieces, level);
    return;
  }
  if (how === 'new' || how === 'constructor') {
    writeMaking(to, call, symbol, level);
    return;
  }
  if (isPlainCall(to, call)) {
    writeNamed(to, call, symbol);
    return;
  }
  if (how === 'static') to.names.write(writer, owner);
  else if (how === 'super' && !isThis(of!)) {
    to.superCalls.add(to.owner, call);
    to.receiver(of!, to.owner, true);
    writer.text('.').symbol(`super$${to.program.methodName(owner, name, symbol.slice(symbol.indexOf('(')))}`, symbol);
    writeArguments(to, call);
    return;
  } else if (how === 'super') {
    const from = relationOwner(to, call);
    if (from !== '') {
      to.names.write(writer, from);
      writer.text('.');
    }
    writer.text('super');
  } else writeObjectOf(to, call);
  writer.text('.');
  writeNamed(to, call, symbol);
}

/** Makes an object, or calls a constructor for one that is being made. */
function writeMaking(to: ExpressionPrinter, call: Call, symbol: string, level: number): void {
  const { how, owner, values } = call;
  const { writer } = to;
  if (innerClasses.has(owner) && values.length > 0) {
    to.wrapped(level, binding.postfix, () => {
      to.receiver(values[0]!, owner.replace(/\$[^$]*$/, ';'), false);
      writer.text('.').symbol(how === 'new' ? 'new' : 'super', symbol);
      if (how === 'new') writer.text(` ${owner.slice(owner.lastIndexOf('$') + 1, -1)}`);
      writeArguments(to, call, 1);
    });
    return;
  }
  const shape = how === 'new' ? to.program.local.of(owner) : null;
  const inner = shape === null ? to.program.inner.of(owner) : null;
  if (inner !== null) {
    to.wrapped(level, binding.postfix, () => writeOfInner(to, call, inner.outer, symbol));
    return;
  }
  if (shape?.kind === 'lambda') {
    to.cast(shape.above, level, () => to.writeObject(call));
    return;
  }
  if (shape !== null) {
    to.wrapped(level, binding.postfix, () => to.writeObject(call));
    return;
  }
  if (how === 'new') {
    to.wrapped(level, binding.postfix, () => {
      writer.symbol('new', symbol).text(' ');
      to.names.write(writer, owner);
      if (call.isDiamond) writer.text('<>');
      writeArguments(to, call);
    });
    return;
  }
  if (values.length === 0 && owner === object) {
    writer.text('super()');
    return;
  }
  writer.symbol(owner === to.owner ? 'this' : 'super', symbol);
  writeArguments(to, call);
}

/** Makes an object of an inner class, or calls a constructor of one, for the object around that is its first argument. */
function writeOfInner(to: ExpressionPrinter, call: Call, outer: string, symbol: string): void {
  const { how, owner, values } = call;
  const writer = to.writer;
  const isGiven = owner === to.owner && how === 'constructor' ? true : isImplied(to, values[0]!, outer, how);
  if (!isGiven) {
    // Without its own type arguments, a class is no member of a type that has some.
    const isRaw = how === 'new' && [owner, outer].every((type) => to.program.heads.parametersOf(type).length > 0);
    if (isRaw) to.cast(outer, binding.postfix, () => to.plain(values[0]!, binding.unary));
    else to.receiver(values[0]!, outer, to.types.typeOf(values[0]!) !== outer);
    writer.text('.');
  }
  if (how === 'constructor') writer.symbol(owner === to.owner ? 'this' : 'super', symbol);
  else {
    writer.symbol('new', symbol).text(' ');
    if (isGiven) to.names.write(writer, owner);
    else writer.symbol(to.program.simpleName(owner), owner);
  }
  writeArguments(to, call, 1);
}

/** Whether the object around is the one that Java takes by itself: the innermost of a class that has the inner one as a member. */
function isImplied(to: ExpressionPrinter, value: Expression, outer: string, how: Call['how']): boolean {
  if (value.kind !== 'local' || value.local.type !== outer) return false;
  if (value.local.role === 'this') return how === 'new' && to.owner === outer;
  if (!isAround(value.local)) return false;
  const { relations } = to.program;
  let at = how === 'new' ? to.owner : to.program.outerOf(to.owner);
  while (at !== null && at !== outer && !relations.isAssignable(at, outer)) at = to.program.outerOf(at);
  return at === outer;
}

function writeNamed(to: ExpressionPrinter, call: Call, symbol: string): void {
  const { owner, name, parameters, returns } = call;
  to.writer.symbol(to.program.methodName(owner, name, `(${parameters.join('')})${returns}`), symbol);
  writeArguments(to, call);
}

/** Whether a method is found by its name alone: it is the class's own, or called of `this`. `yield` by itself is a statement. */
function isPlainCall(to: ExpressionPrinter, call: Call): boolean {
  const { how, owner, name, object: of } = call;
  if (how === 'super' || name === 'yield') return false;
  if (of === null) return to.isOwn(owner);
  return isThis(of) && !isEnumCompare(to, call) && !isExactReceiver(to, call) && to.types.isTakenFor(of, owner);
}

function writeObjectOf(to: ExpressionPrinter, call: Call): void {
  const { object: of, owner } = call;
  const exact = isExactReceiver(to, call);
  const asked = isEnumCompare(to, call) ? 'Ljava/lang/Enum;' : exact && to.types.typeOf(of!) === owner ? owner : null;
  if (asked !== null) to.cast(asked, binding.postfix, () => to.plain(of!, binding.unary));
  else to.receiver(of!, owner.startsWith('[') ? to.types.typeOf(of!) : owner, exact);
}

/** Java takes the parameter for one of the enum's own class. */
function isEnumCompare(to: ExpressionPrinter, { name, parameters, object: of }: Call): boolean {
  return (
    name === 'compareTo' &&
    (parameters[0] === 'Ljava/lang/Enum;' || parameters[0] === object) &&
    to.program.relations.isAssignable(to.types.typeOf(of!), 'Ljava/lang/Enum;')
  );
}

/** Private methods are not found through a class below. */
function isExactReceiver(to: ExpressionPrinter, { how, owner, name, parameters, returns, object: of }: Call): boolean {
  if (how === 'direct' && to.types.typeOf(of!) !== owner) return true;
  if (!to.types.isMadeNameless(of!)) return false;
  const found = to.program.findMethod(owner, name, `(${parameters.join('')})${returns}`);
  return found !== null && (found.method.accessFlags & accPrivate) !== 0;
}

/** The interface whose method `super` means; empty for that of the class above. Interfaces have Object's by those above them. */
function relationOwner(to: ExpressionPrinter, { owner }: Call): string {
  const { relations } = to.program;
  if (owner === object && relations.isInterface(to.owner)) return relations.factsOf(to.owner)!.interfaces[0] ?? '';
  return relations.isInterface(owner) ? owner : '';
}
const isThis = (of: Expression): boolean => of.kind === 'local' && of.local.role === 'this';
