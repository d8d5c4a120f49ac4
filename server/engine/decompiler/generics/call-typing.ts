// Gives calls of generic methods and constructors the casts that javac needs to choose and to check them. Writes nothing.
import type { GenericClass, GenericType, MethodSignature, TypeArgument } from '../../code/types/generic-signatures.ts';
import {
  erasure,
  exactType,
  isExact,
  isGeneric,
  plainType,
  readType,
  takenType,
  type Values,
} from '../../code/types/generic-types.ts';
import { isReference, object } from '../../code/values/operands.ts';
import type { Call, Expression } from '../expressions/tree.ts';
import { argumentMode } from '../printing/arguments.ts';
import { rivals } from '../printing/overloads.ts';
import type { Program } from '../printing/program.ts';
import { Inference, isUnchecked } from './inference.ts';
import { isOfGenericBound, withParameters } from './member-signatures.ts';
import { ownType } from './type-relations.ts';
import { cast, isOpen, plainObject, type Typed, type TypingPlace } from './typed.ts';

/** How the values in a call are typed. */
interface ValueTyping {
  /** A value for a place of a type. */
  typedAs(expression: Expression, wanted: GenericType | null): Typed;
  /** A value with what javac takes it for, in a place of a type. */
  infer(expression: Expression, wanted: GenericType | null): Typed;
  /** A value that is what its descriptor says. */
  plain(value: Expression): Typed;
  value(expression: Expression): Expression;
  /** A value of which javac knows no more than its descriptor says. */
  toldOf(typed: Typed): Expression;
  /** The object that a member is found in, and what it is to javac. */
  receiver(expression: Expression, owner: string): { value: Expression; type: GenericType };
  /** What the parameters of a class are for a type of it; null where it is raw there. */
  valuesIn(type: GenericType, owner: string): Values | null;
  isOf(type: GenericType, owner: string): boolean;
  isInSight(type: GenericType): boolean;
  boundOf(owner: string, parameter: string): GenericType;
  isRawAround(type: GenericType, owner: string): boolean;
}

const builders = /^Ljava\/lang\/(?:StringBuilder|StringBuffer);$/;

export class CallTyping {
  readonly #place: TypingPlace;
  readonly #values: ValueTyping;

  constructor(place: TypingPlace, values: ValueTyping) {
    this.#place = place;
    this.#values = values;
  }

  /** A call for a place of a type, with what javac takes it for. */
  of(call: Call, wanted: GenericType | null): Typed {
    const { program } = this.#place;
    if (call.how === 'new') return this.#making(call, wanted);
    const isMaking = call.how === 'constructor';
    const name = isMaking ? '<init>' : call.name;
    if (call.object === null) {
      const found = program.signatures.findMethod(call.owner, name, call.parameters);
      if (found?.signature == null) return this.#plainCall(call, null);
      if (!isMaking) return this.#generic(call, null, found.signature, new Map(), wanted)!;
      const own = ownType(this.#place.owner, program.types.parametersOf(this.#place.owner));
      const values = this.#values.valuesIn(own, call.owner);
      return values === null
        ? this.#plainCall(call, null)
        : this.#generic(call, null, found.signature, values, wanted)!;
    }
    const receiver = this.#values.receiver(call.object, call.owner);
    const type = erasure(receiver.type, this.#place.variables);
    if (call.name === 'clone' && receiver.type.kind === 'array')
      return { value: withParts(call, receiver.value, []), type: receiver.type };
    const bridge = call.how === 'super' ? null : program.heads.bridgeOf(type, call);
    if (bridge !== null) {
      const meant = this.#meantBy(call, bridge, receiver);
      if (meant === null) {
        const how = program.relations.isInterface(bridge.above) ? 'interface' : 'virtual';
        return this.#plainCall({ ...call, how, owner: bridge.above }, cast(receiver.value, bridge.above));
      }
      return this.of(meant, wanted);
    }
    const isAt = program.relations.isAssignable(type, call.owner);
    const asked = isAt && call.how !== 'super' ? type : call.owner;
    const found = program.signatures.findMethod(asked, name, call.parameters);
    if (found?.signature == null) return this.#plainCall(call, receiver.value, found?.returns ?? call.returns);
    const values = this.#values.valuesIn(receiver.type, found.owner);
    if (values === null) return this.#plainCall(call, receiver.value);
    const isThere = call.how === 'super' || this.#isChosenFor(call, found.signature, values);
    const typed = isThere ? this.#generic(call, receiver.value, found.signature, values, wanted) : null;
    return typed ?? this.#plainCall(call, this.#rawFor(call, receiver.value));
  }

  /** A call of a method that javac makes as one of the method it leads to, where that takes the values; null where it may not. */
  #meantBy(
    call: Call,
    { meant, place: { dex, type } }: NonNullable<ReturnType<Program['heads']['bridgeOf']>>,
    receiver: { value: Expression },
  ): Call | null {
    const proto = dex.methodProtoIndex(meant.methodIndex);
    const parameters = dex.protoParameters(proto);
    const { relations } = this.#place.program;
    const isTaken = call.values.every((value, index) => {
      if (parameters[index] === call.parameters[index] || value.kind === 'number') return true;
      const have = this.#place.types.typeOf(value);
      return (
        isReference(have) && relations.isAssignable(have, parameters[index]!) && !this.#place.types.isLambda(value)
      );
    });
    const owner = relations.isAssignable(call.owner, type) ? call.owner : type;
    const how = relations.isInterface(owner) ? 'interface' : 'virtual';
    const returns = dex.protoReturnType(proto);
    return isTaken ? { ...call, how, owner, parameters, returns, object: receiver.value } : null;
  }

  /** Whether values of type parameters leave a call of the same method of several. */
  #isChosenFor(call: Call, { takes }: MethodSignature, values: Values): boolean {
    if (values.size === 0) return true;
    const others = rivals(this.#place.program, call.name, call.owner, call.parameters);
    if (others !== null && others.size === 0) return true;
    return takes.every((type) => type.kind !== 'variable' || !values.has(type.name));
  }

  /** A call of which its descriptor says all. */
  #plainCall(call: Call, receiver: Expression | null, returns = call.returns): Typed {
    const isOpen = call.values.length > 0 && this.#mayBeAnother(call);
    const values = call.values.map((value, index) => {
      const type = call.parameters[index]!;
      if (!isReference(type)) return this.#values.value(value);
      const typed = this.#values.infer(value, null);
      if (typed.bare !== undefined && value.kind === 'cast' && value.type === type) return typed.bare.value;
      return isOpen ? this.#values.toldOf(typed) : typed.value;
    });
    const value = withParts(call, receiver, values);
    return returns === call.returns ? this.#values.plain(value) : { value, type: plainType(returns) };
  }

  /** Whether another method than the one that is called might be meant by values of which javac knows more. */
  #mayBeAnother({ how, name, owner, parameters }: Call): boolean {
    if (builders.test(owner)) return true;
    const called = how === 'new' || how === 'constructor' ? '<init>' : name;
    return rivals(this.#place.program, called, owner, parameters)?.size !== 0;
  }

  /**
   * A call of a method whose signature says more than its descriptor.
   * @param given what the parameters of its class are
   * @returns null where the object must be one of a raw class for it
   */
  #generic(
    call: Call,
    receiver: Expression | null,
    signature: MethodSignature,
    given: Values,
    wanted: GenericType | null,
  ): Typed | null {
    const { program, variables } = this.#place;
    // The method's own variables may be called as some around are.
    const renamed = signature.parameters.map(({ name }) => `${name}'`);
    const all = new Map<string, TypeArgument>(given);
    for (const [index, { name }] of signature.parameters.entries())
      all.set(name, { kind: 'exact', type: { kind: 'variable', name: renamed[index]! } });
    const formals = signature.takes.map((type) => takenType(type, all));
    if (formals.includes(null) || formals.length !== call.values.length) {
      if (receiver !== null && call.how !== 'super' && given.size > 0)
        return this.#plainCall(call, this.#rawFor(call, receiver));
      return this.#opened(call, receiver, signature);
    }
    call = this.#withCasts(call, receiver, formals as GenericType[]);
    const parameters = signature.parameters.map(({ bounds }, index) => ({
      name: renamed[index]!,
      bounds: bounds.flatMap((bound) => exactType(bound, all) ?? []),
    }));
    const inference = new Inference(program.types, variables, parameters);
    const takes = formals as GenericType[];
    if (parameters.length > 0) {
      for (const [index, value] of call.values.entries()) {
        if (!inference.mentions(takes[index]!) || value.kind === 'number' || value.kind === 'lambda') continue;
        if (this.#place.types.isLambda(value)) continue;
        const typed = this.#values.infer(value, null);
        const { type, isBound } = typed.bare ?? typed;
        inference.take(takes[index]!, isBound ? null : type);
      }
      const gives = exactType(signature.gives, all);
      const isTold = takes.some((type) => inference.mentions(type) && !inference.isFree(type));
      if (wanted?.kind === 'class' && gives?.kind === 'class' && gives.descriptor === wanted.descriptor && !isTold)
        tell(inference, gives, wanted);
    }
    const solved = inference.solve();
    if (solved === null) return this.#opened(call, receiver, signature, takes, inference);
    const isChecked = call.values.some((value, index) =>
      this.#isChecked(value, exactType(takes[index]!, solved)!, call.parameters[index]!),
    );
    // The code casts nothing: what the signature says need not be so.
    if (isChecked && receiver !== null && given.size > 0 && call.how !== 'super') return null;
    if (isChecked && parameters.length > 0) return this.#opened(call, receiver, signature, takes, inference);
    const values = new Map([
      ...given,
      ...signature.parameters.map(({ name }, index) => [name, solved.get(renamed[index]!)!] as const),
    ]);
    let isLoose = false;
    const passed = call.values.map((value, index) => {
      const type = exactType(takes[index]!, solved)!;
      const fitted = this.#argument(call, value, type);
      isLoose ||= this.#isLoose(fitted, type);
      return this.#isCaptured(fitted, type, given, signature.takes[index]!)
        ? cast(fitted.value, erasure(type, variables), type)
        : fitted.value;
    });
    const read = readType(signature.gives, values, (name) => this.#boundOfMember(call, signature, name));
    const value = withParts(call, receiver, passed);
    if (read === null) return { value, type: null };
    // What is inferred says nothing then.
    const type = isLoose ? plainType(this.#erasureOfGiven(call, signature, given)) : read;
    return { value, type: this.#values.isInSight(type) ? type : null, isBound: isOpen(signature.gives, values) };
  }

  /** A call with the casts that Java needs to choose the method, each to what the method takes. */
  #withCasts(call: Call, receiver: Expression | null, takes: readonly GenericType[]): Call {
    const { owner, how, name } = call;
    const have = receiver === null ? owner : this.#place.types.typeOf(receiver);
    const called = how === 'constructor' || how === 'new' ? '<init>' : name;
    if (argumentMode(this.#place, call, called, isReference(have) ? have : owner) !== 'cast') return call;
    const values = call.values.map((value, index) => {
      const [type, descriptor] = [takes[index]!, call.parameters[index]!];
      if (!isGeneric(type) && erasure(type, this.#place.variables) === descriptor) return value;
      if (value.kind === 'number' || this.#place.types.typeOf(value) === descriptor) return value;
      const isSaid = type.kind !== 'class' && this.#values.isInSight(type);
      return cast(
        value,
        isSaid || type.kind === 'class' ? erasure(type, this.#place.variables) : descriptor,
        isSaid ? type : undefined,
      );
    });
    return withParts(call, call.object, values);
  }

  /** Whether a value would be cast for a type where its descriptor needs no cast. */
  #isChecked(value: Expression, type: GenericType, descriptor: string): boolean {
    const { variables, program, types } = this.#place;
    const asked = erasure(type, variables);
    if (value.kind === 'number' || asked === descriptor || types.isLambda(value)) return false;
    const have = types.typeOf(value);
    return isReference(have) && !program.relations.isAssignable(have, asked);
  }

  /** The class of what a call gives where the method's own variables say no more than their bounds. */
  #erasureOfGiven(call: Call, signature: MethodSignature, given: Values): string {
    const bounds = signature.parameters.map(({ name }) => {
      const type = this.#boundOfMember(call, signature, name);
      return [name, { kind: 'exact', type }] as const;
    });
    const values = new Map<string, TypeArgument>([...given, ...bounds]);
    const read = readType(signature.gives, values, (name) => this.#boundOfMember(call, signature, name));
    return read === null ? call.returns : erasure(read, this.#place.variables);
  }

  #boundOfMember(call: Call, signature: MethodSignature, name: string): GenericType {
    const own = signature.parameters.find((each) => each.name === name);
    if (own !== undefined)
      return plainType(erasure(own.bounds[0] ?? plainObject, withParameters(new Map(), signature.parameters)));
    for (const type of this.#place.program.relations.above(call.owner)) {
      if (this.#place.program.types.parametersOf(type).some((each) => each.name === name))
        return this.#values.boundOf(type, name);
    }
    return plainObject;
  }

  #argument(call: Call, value: Expression, type: GenericType): Typed {
    if (isGeneric(type)) {
      if (this.#place.types.isLambda(value)) return this.#values.plain(cast(value, this.#place.types.typeOf(value)));
      return this.#values.typedAs(value, type);
    }
    const typed = this.#values.infer(value, null);
    const { bare } = typed;
    if (bare !== undefined && value.kind === 'cast' && value.type === erasure(type, this.#place.variables)) return bare;
    return this.#mayBeAnother(call) ? this.#values.plain(this.#values.toldOf(typed)) : typed;
  }

  /** Whether a raw value is given for what is taken for all above a generic type: javac asks it to be of that type itself. */
  #isCaptured({ value, type }: Typed, asked: GenericType, given: Values, formal: GenericType): boolean {
    if (formal.kind !== 'variable' || given.get(formal.name)?.kind !== 'super' || value.kind === 'number') return false;
    const { program, variables } = this.#place;
    return asked.kind === 'class' && isGeneric(asked) && !(type && program.types.isSubtype(type, asked, variables));
  }

  /** Whether javac takes an argument with a warning alone. */
  #isLoose({ value, type: given }: Typed, type: GenericType): boolean {
    if (value.kind === 'number' || !isGeneric(type) || given === null || type.kind !== 'class') return false;
    const above = this.#place.program.types.asSuper(given, type.descriptor, this.#place.variables);
    return isUnchecked(type, above ?? plainObject);
  }

  /** A call of a generic method of which it is not known what javac infers: what it takes of generic classes is given raw. */
  #opened(
    call: Call,
    receiver: Expression | null,
    { takes, gives, parameters }: MethodSignature,
    formals?: readonly GenericType[],
    inference?: Inference,
  ): Typed {
    const own = withParameters(this.#place.variables, parameters);
    let isLoose = false;
    const passed = call.values.map((value, index) => {
      const type = takes[index];
      const descriptor = call.parameters[index]!;
      if (type === undefined || !isGeneric(type) || value.kind === 'number')
        return this.#argument(call, value, plainType(descriptor)).value;
      const isFree = formals !== undefined && inference?.isFree(formals[index]!) === true;
      if (this.#place.types.isLambda(value)) return isFree ? value : cast(value, this.#place.types.typeOf(value));
      const typed = this.#values.infer(value, null);
      if (type.kind === 'class') {
        isLoose ||= type.arguments.some(({ kind }) => kind !== 'any');
        const isRaw = typed.type !== null && !this.#isSaid(typed.type, type.descriptor);
        return isRaw ? typed.value : cast(typed.value, descriptor);
      }
      const isRawOfAll =
        type.kind === 'variable' &&
        typed.type?.kind === 'class' &&
        !isGeneric(typed.type) &&
        (own.get(type.name) ?? []).every((bound) => this.#values.isOf(typed.type!, erasure(bound, own)));
      if (erasure(type, own) !== object && isOfGenericBound(type, parameters))
        return isRawOfAll ? typed.value : cast(typed.value, descriptor);
      return typed.bare !== undefined && value.kind === 'cast' ? typed.value : this.#values.toldOf(typed);
    });
    const value = withParts(call, receiver, passed);
    if (!isGeneric(gives)) return this.#values.plain(value);
    return { value, type: isLoose ? plainType(call.returns) : null };
  }

  /** Whether a type has arguments as one of a class. */
  #isSaid(type: GenericType, descriptor: string): boolean {
    const above = this.#place.program.types.asSuper(type, descriptor, this.#place.variables);
    return above !== null && above.arguments.length > 0;
  }

  #making(call: Call, wanted: GenericType | null): Typed {
    const { program } = this.#place;
    const shape = program.local.of(call.owner);
    if (shape !== null) {
      const above = program.heads.of(call.owner).above.find(({ descriptor }) => descriptor === shape.above);
      const isSaid = shape.kind === 'anonymous' && above !== undefined && !shape.isReached;
      return isSaid ? { value: call, type: above } : this.#values.plain(call);
    }
    const parameters = program.types.parametersOf(call.owner);
    const found = program.signatures.findMethod(call.owner, '<init>', call.parameters);
    if (parameters.length > 0) {
      const inferred = wanted?.kind === 'class' ? this.#diamond(call, wanted, found?.signature ?? null) : null;
      return inferred ?? this.#plainCall(call, null);
    }
    if (found?.signature == null || this.#values.isRawAround(plainType(call.owner), call.owner))
      return this.#plainCall(call, null);
    const typed = this.#generic(call, null, found.signature, new Map(), null)!;
    return { value: typed.value, type: plainType(call.owner) };
  }

  /** A new object whose class has the arguments that its place says. */
  #diamond(call: Call, wanted: GenericClass, signature: MethodSignature | null): Typed | null {
    const { program, variables } = this.#place;
    const parameters = program.types.parametersOf(call.owner);
    if (program.types.isOfGeneric(call.owner) || (signature?.parameters.length ?? 0) > 0) return null;
    const renamed = parameters.map(({ name, bounds }) => ({ name: `${name}'`, bounds }));
    const named = new Map(
      parameters.map(({ name }) => [
        name,
        { kind: 'exact' as const, type: { kind: 'variable' as const, name: `${name}'` } },
      ]),
    );
    const above = program.types.asSuper(
      ownType(call.owner, parameters),
      wanted.descriptor,
      withParameters(variables, parameters),
    );
    const formal = above === null ? null : exactType(above, named);
    if (formal?.kind !== 'class' || formal.arguments.length !== wanted.arguments.length) return null;
    const bounded = renamed.map(({ name, bounds }) => ({
      name,
      bounds: bounds.flatMap((bound) => exactType(bound, named) ?? []),
    }));
    const inference = new Inference(program.types, variables, bounded);
    tell(inference, formal, wanted);
    const solved = inference.solve();
    if (solved === null || !isExact(solved)) return null;
    const values = new Map(parameters.map(({ name }) => [name, solved.get(`${name}'`)!]));
    const type: GenericClass = { kind: 'class', descriptor: call.owner, arguments: [...values.values()] };
    const passed = call.values.map((value, index) => {
      const taken = signature?.takes[index];
      const exact = taken === undefined ? null : exactType(taken, values);
      return this.#argument(call, value, exact ?? plainType(call.parameters[index]!)).value;
    });
    return { value: { ...call, values: passed, isDiamond: true }, type };
  }

  /** Arguments of a constructor that is called by what stands around an object's class or constant. */
  passed(call: Call, type: GenericClass | null): Call {
    const found = this.#place.program.signatures.findMethod(call.owner, '<init>', call.parameters);
    const values = type === null ? new Map() : this.#values.valuesIn(type, call.owner);
    const typed =
      found?.signature == null || values === null
        ? this.#plainCall(call, null)
        : this.#generic(call, null, found.signature, values, null)!;
    return typed.value as Call;
  }

  /** The object of a call as one of a raw class: of its own, or of one above that the call names where its own has no parameters. */
  #rawFor({ owner }: Call, receiver: Expression): Expression {
    const have = this.#place.types.typeOf(receiver);
    return cast(receiver, this.#place.program.types.parametersOf(have).length > 0 ? have : owner);
  }
}

/** What the arguments of a place's type say of those of a value's. */
function tell(inference: Inference, formal: GenericClass, wanted: GenericClass): void {
  for (const [index, argument] of formal.arguments.entries()) {
    const asked = wanted.arguments[index];
    if (argument.kind === 'exact' && asked !== undefined && asked.kind !== 'any')
      inference.same(argument.type, asked.type);
  }
}

function withParts(call: Call, receiver: Expression | null, values: readonly Expression[]): Call {
  const isKept = receiver === call.object && values.every((value, index) => value === call.values[index]);
  return isKept ? call : { ...call, object: receiver, values };
}
