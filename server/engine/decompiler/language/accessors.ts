// What compilers make for a class to reach private members of one beside it: static methods that only read, write or call what is
// meant, and constructors with one parameter more than is meant. Knows no instructions and no text.
import { BadCode } from '../../code/method-body.ts';
import { object } from '../../code/values/operands.ts';
import type { EncodedMethod } from '../../formats/dex/class-data.ts';
import type { Dex } from '../../formats/dex/dex.ts';
import { effectsOf } from '../expressions/effects.ts';
import type { Call, Expression, Local, Statement } from '../expressions/tree.ts';
import { Unsayable } from '../limits.ts';
import type { MethodSource } from '../method.ts';
import type { Program, SourceClass } from '../printing/program.ts';
import { replaceIn } from '../structure/replacement.ts';
import { isAccessorName } from './accessor-names.ts';
import { concatenation } from './concatenation.ts';
import { isConstructorCall } from './constructors.ts';

const accStatic = 0x8;
const accSynthetic = 0x1000;
/** Accessors that call each other, at most. */
const maxDepth = 4;

type Field = Expression & { readonly kind: 'field' };

/** What a call of an accessor does, in terms of its parameters. */
export type Accessor = { readonly parameters: readonly Local[] } & (
  | { readonly kind: 'value'; readonly value: Expression }
  | {
      readonly kind: 'store';
      readonly target: Field;
      readonly value: Expression;
      /** The value is a parameter as it is: everything is evaluated once, in the order of the parameters. */
      readonly isPlain: boolean;
      /** What it returns: what the field is then, or what it was, for which `value` has the variable. */
      readonly old: Local | null;
    }
);

/** The last parameter by which a compiler tells a constructor for others from the private one: javac's `Outer$1`, d8's `Outer-IA`. */
export const isAccessorConstructor = (dex: Dex, methodIndex: number): boolean =>
  dex.methodName(methodIndex) === '<init>' && isExtra(dex.protoParameters(dex.methodProtoIndex(methodIndex)).at(-1));

const isExtra = (type: string | undefined): boolean => type !== undefined && /(?:\$\d+|-IA);$/.test(type);

export class Accessors {
  readonly #program: Program;
  readonly #sourceOf: (place: SourceClass, method: EncodedMethod) => MethodSource;
  readonly #known = new Map<string, Accessor | null>();
  readonly #constructors = new Map<string, boolean>();
  #depth = 0;

  constructor(program: Program, sourceOf: (place: SourceClass, method: EncodedMethod) => MethodSource) {
    this.#program = program;
    this.#sourceOf = sourceOf;
  }

  /** What stands for a call in a class; null for one that is no accessor's, or an accessor's that does more. */
  of(call: Call, caller: string): Accessor | null {
    const { how, owner, name } = call;
    if (how !== 'static' || !isAccessorName(name) || !this.#isBeside(caller, owner)) return null;
    return this.#ofMethod(owner, name, `(${call.parameters.join('')})${call.returns}`);
  }

  /** The private constructor's call that one with nothing in its last parameter is made for; any other call as it is. */
  constructorOf(call: Call, caller: string): Call {
    const { owner, parameters, values } = call;
    if (!isExtra(parameters.at(-1)) || !this.#isBeside(caller, owner)) return call;
    const last = values.at(-1)!;
    const descriptor = `(${parameters.join('')})V`;
    const isZero = last.kind === 'number' && last.value === 0;
    if (!(isZero || this.#isNothing(owner, descriptor, parameters.at(-1)!)) || effectsOf(last).mask !== 0) return call;
    if (!this.#isPassing(owner, descriptor)) return call;
    return { ...call, parameters: parameters.slice(0, -1), values: values.slice(0, -1) };
  }

  /** Whether source has no need of a method: every call of it is written as what it does. @param callers their classes; '' for others */
  isLeftOut({ dex, type }: SourceClass, { methodIndex }: EncodedMethod, callers: readonly string[]): boolean {
    const name = dex.methodName(methodIndex);
    if (callers.some((caller) => !this.#isBeside(caller, type))) return false;
    const descriptor = dex.methodDescriptor(methodIndex);
    if (isAccessorName(name)) return this.#ofMethod(type, name, descriptor) !== null;
    if (!isAccessorConstructor(dex, methodIndex)) return false;
    const last = dex.protoParameters(dex.methodProtoIndex(methodIndex)).at(-1)!;
    return this.#isPassing(type, descriptor) && this.#isNothing(type, descriptor, last);
  }

  /** Whether a constructor is never given anything for its last parameter. */
  #isNothing(owner: string, descriptor: string, type: string): boolean {
    return this.#isNeverMade(type) || this.#program.local.givesNothing(`${owner}-><init>${descriptor}`);
  }

  /** Whether a class has no constructor, so that there is no object of it. */
  #isNeverMade(type: string): boolean {
    const place = this.#program.classOf(type);
    if (place === null || this.#program.relations.isInterface(type)) return false;
    const { dex, data } = place;
    return data.directMethods.every(({ methodIndex }) => dex.methodName(methodIndex) !== '<init>');
  }

  #isBeside(caller: string, owner: string): boolean {
    if (caller === '' || this.#program.relations.placeOf(owner) === null) return false;
    return this.#program.topOf(caller) === this.#program.topOf(owner);
  }

  #ofMethod(owner: string, name: string, descriptor: string): Accessor | null {
    const key = `${owner}->${name}${descriptor}`;
    let known = this.#known.get(key);
    if (known === undefined) {
      // One that calls itself stays what it is.
      this.#known.set(key, null);
      known = this.#read(owner, name, descriptor, accStatic | accSynthetic, accessorOf);
      this.#known.set(key, known);
    }
    return known;
  }

  #isPassing(owner: string, descriptor: string): boolean {
    const key = `${owner}->${descriptor}`;
    let known = this.#constructors.get(key);
    if (known === undefined) {
      this.#constructors.set(key, false);
      known =
        this.#read(owner, '<init>', descriptor, accSynthetic, (source) => passesOn(source, owner) || null) ?? false;
      this.#constructors.set(key, known);
    }
    return known;
  }

  #read<T>(
    owner: string,
    name: string,
    descriptor: string,
    flags: number,
    tell: (source: MethodSource) => T,
  ): T | null {
    const found = this.#program.findMethod(owner, name, descriptor);
    if (found === null || found.place.type !== owner || found.method.codeOffset === 0) return null;
    if ((found.method.accessFlags & flags) !== flags || this.#depth >= maxDepth) return null;
    this.#depth++;
    try {
      return tell(this.#sourceOf(found.place, found.method));
    } catch (error) {
      if (error instanceof BadCode || error instanceof Unsayable) return null;
      throw error;
    } finally {
      this.#depth--;
    }
  }
}

/** Null where the code is not one of the few that compilers write. */
function accessorOf({ parameters, statements }: MethodSource): Accessor | null {
  if (parameters.some(({ isConstant }) => !isConstant)) return null;
  const list = statements.filter((statement) => !(statement.kind === 'return' && statement.value === null));
  const [first, second, third, ...more] = list;
  if (first === undefined || more.length > 0) return null;
  if (second === undefined) {
    if (first.kind === 'store') return stored(parameters, first, null, null);
    const value = first.kind === 'return' ? first.value : first.kind === 'do' ? first.expression : null;
    return value !== null && isReading(value, parameters) ? { kind: 'value', parameters, value } : null;
  }
  if (third === undefined) {
    // `o.n = x; return x;`
    if (first.kind !== 'store' || second.kind !== 'return' || first.value.kind !== 'local') return null;
    return isLocal(second.value, first.value.local) ? stored(parameters, first, null, null) : null;
  }
  if (first.kind !== 'set' || second.kind !== 'store' || third.kind !== 'return') return null;
  if (!isLocal(third.value, first.local) || !first.local.isConstant) return null;
  // `r = o.n + x; o.n = r; return r;`, or `r = o.n; o.n = r + 1; return r;`
  if (isLocal(second.value, first.local)) return stored(parameters, second, first.value, null);
  return isSame(first.value, second.target) ? stored(parameters, second, null, first.local) : null;
}

const isLocal = (value: Expression | null, local: Local): boolean => value?.kind === 'local' && value.local === local;

/** @param value what is written, where not what the statement says */
function stored(
  parameters: readonly Local[],
  { target, value: written }: Statement & { kind: 'store' },
  value: Expression | null,
  old: Local | null,
): Accessor | null {
  const shown = value ?? written;
  if (target.kind !== 'field' || !isField(target, parameters)) return null;
  const places = target.object === null ? 0 : 1;
  const isPlain = shown.kind === 'local' && shown.local === parameters[places];
  if (isPlain) {
    const fits = parameters.length === places + 1 && parameters[places]!.type === target.type;
    return fits && old === null ? { kind: 'store', parameters, target, value: shown, isPlain, old } : null;
  }
  const isFine = isWorkedOut(shown, target.type, { target, parameters, old }) && parameters.length <= places + 1;
  return isFine ? { kind: 'store', parameters, target, value: shown, isPlain, old } : null;
}

interface Update {
  readonly target: Field;
  readonly parameters: readonly Local[];
  readonly old: Local | null;
}

/** Whether a value is made of the field itself, constants and parameters, by arithmetic and concatenation alone. */
function isWorkedOut(value: Expression, wanted: string, update: Update): boolean {
  switch (value.kind) {
    case 'number':
    case 'wide':
    case 'string':
      return true;
    case 'local':
      if (value.local === update.old) return true;
      return update.parameters.includes(value.local) && (value.local.type === wanted || wanted === object);
    case 'field':
      return isSame(value, update.target);
    case 'negation':
      return isWorkedOut(value.operand, value.type, update);
    case 'conversion':
      return isWorkedOut(value.operand, value.from, update);
    case 'arithmetic': {
      const { operator, type, left, right } = value;
      const by = operator === '<<' || operator.startsWith('>>') ? 'I' : type;
      return isWorkedOut(left, type, update) && isWorkedOut(right, by, update);
    }
    case 'call':
      return concatenation(value)?.every((piece) => isWorkedOut(piece.value, piece.type, update)) ?? false;
    case 'truth':
    case 'not':
      return wanted === 'Z' && isWorkedOut(value.operand, 'Z', update);
    default:
      return false;
  }
}

/** A static field, or one of the object in the first parameter. */
function isField({ owner, object: of }: Field, parameters: readonly Local[]): boolean {
  return of === null || (isLocal(of, parameters[0]!) && parameters[0]!.type === owner);
}

/** Whether an expression does one thing with all parameters, each once and in their order. */
function isReading(value: Expression, parameters: readonly Local[]): boolean {
  if (value.kind === 'field')
    return isField(value, parameters) && parameters.length === (value.object === null ? 0 : 1);
  if (value.kind !== 'call' || value.how === 'super' || value.how === 'constructor') return false;
  if (value.start !== undefined) return false;
  const taken = value.object === null ? value.values : [value.object, ...value.values];
  const wanted = value.object === null ? value.parameters : [value.owner, ...value.parameters];
  return (
    taken.length === parameters.length &&
    taken.every((each, place) => isLocal(each, parameters[place]!) && parameters[place]!.type === wanted[place])
  );
}

/** Whether two expressions name one field of one variable. */
function isSame(a: Expression, b: Expression): boolean {
  if (a.kind !== 'field' || b.kind !== 'field') return false;
  if (a.owner !== b.owner || a.name !== b.name || a.type !== b.type) return false;
  if (a.object === null || b.object === null) return a.object === b.object;
  return a.object.kind === 'local' && isLocal(b.object, a.object.local);
}

/** Whether a constructor only calls another one of its class with all but its last parameter. */
function passesOn({ parameters, statements }: MethodSource, owner: string): boolean {
  const list = statements.filter(({ kind }) => kind !== 'return');
  const [only] = list;
  if (list.length !== 1 || only === undefined || !isConstructorCall(only) || only.kind !== 'do') return false;
  const call = only.expression as Call;
  const given = parameters.slice(1, -1);
  return (
    call.owner === owner &&
    call.values.length === given.length &&
    call.values.every((value, place) => isLocal(value, given[place]!) && given[place]!.type === call.parameters[place])
  );
}

/** An accessor's expression with the values of a call, as the calling class has it at the address of the call. */
export function withArguments(
  expression: Expression,
  values: ReadonlyMap<Local, Expression>,
  at: number,
  caller: string,
): Expression {
  if (expression.kind === 'local') return values.get(expression.local) ?? expression;
  const isOwn = expression.kind === 'field' && expression.object === null && expression.owner === caller;
  const own = expression.kind === 'field' ? { ...expression, at, isOwn } : { ...expression, at };
  return replaceIn(own, (part) => (part === own ? undefined : withArguments(part, values, at, caller)));
}
