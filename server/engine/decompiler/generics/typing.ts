// Gives expressions the casts that Java's generic types make necessary, and takes those that they make needless. Writes nothing.
//
// The types are those that javac sees in the text. What the code's own descriptors say is what a value is; where javac knows more,
// and that would change what it makes of the text, a cast to the descriptor's class says less. A cast to a raw class is always
// taken: what follows from it is as in code without generics.
import {
  fieldSignature,
  type GenericClass,
  type GenericType,
  type MethodSignature,
  type TypeArgument,
} from '../../code/types/generic-signatures.ts';
import {
  eachPart,
  erasure,
  exactType,
  isExact,
  isGeneric,
  isSame,
  plainType,
  readType,
  takenType,
  type Values,
  type Variables,
  valuesOf,
} from '../../code/types/generic-types.ts';
import { isReference, object } from '../../code/values/operands.ts';
import type { Call, Expression } from '../expressions/tree.ts';
import { string } from '../language/concatenation.ts';
import { argumentMode } from '../printing/arguments.ts';
import type { ExpressionTypes } from '../printing/expression-types.ts';
import { isPolymorphic, rivals } from '../printing/overloads.ts';
import type { Program } from '../printing/program.ts';
import { Inference, isUnchecked } from './inference.ts';
import { withParameters } from './member-signatures.ts';
import { ownType } from './type-relations.ts';

/** An expression with what javac takes it for. */
interface Typed {
  readonly value: Expression;
  /** Null where javac may know more than is known here. */
  readonly type: GenericType | null;
  /** Javac knows it for one of some type below that one, which has no name. */
  readonly isBound?: boolean;
  /** The same without a cast that generic types make needless where just its class is wanted. */
  readonly bare?: { readonly value: Expression; readonly type: GenericType; readonly isBound?: boolean };
}

type Cast = Expression & { kind: 'cast' };
type Field = Expression & { kind: 'field' };

export interface TypingPlace {
  readonly program: Program;
  readonly types: ExpressionTypes;
  /** Descriptor of the class whose code it is. */
  readonly owner: string;
  /** Type variables in sight. */
  readonly variables: Variables;
  /** A test stands in another place of the tree now. */
  readonly moved: (from: Expression, to: Expression) => void;
}

const plainObject = plainType(object);
const builders = /^Ljava\/lang\/(?:StringBuilder|StringBuffer);$/;

export class Typing {
  readonly #place: TypingPlace;
  /** What was worked out of a call, for each place it was asked for: arguments are looked at more than once. */
  readonly #known = new WeakMap<Expression, { wanted: GenericType | null; typed: Typed }[]>();

  constructor(place: TypingPlace) {
    this.#place = place;
  }

  /** A value for a place of a type; null for a place of which its descriptor says all. */
  as(expression: Expression, wanted: GenericType | null): Expression {
    return this.#as(expression, wanted).value;
  }

  #as(expression: Expression, wanted: GenericType | null): Typed {
    if (wanted === null || !isGeneric(wanted)) {
      const typed = this.#infer(expression, null);
      const isAsked = wanted !== null && typed.bare !== undefined && expression.kind === 'cast';
      return isAsked && erasure(wanted, this.#place.variables) === expression.type ? typed.bare! : typed;
    }
    if (expression.kind === 'number') return { value: expression, type: wanted };
    if (expression.kind === 'choice') {
      const { value: condition } = this.#infer(expression.condition, null);
      const [yes, no] = [this.#as(expression.yes, wanted), this.#as(expression.no, wanted)];
      const isLoose = [yes, no].some(({ type }) => type !== null && !isGeneric(type));
      const type = isLoose ? plainType(expression.type) : wanted;
      return { value: { ...expression, condition, yes: yes.value, no: no.value }, type };
    }
    return this.#fitted(expression, this.#infer(expression, wanted), wanted);
  }

  /** A value, and what javac takes it for. */
  typed(expression: Expression): { value: Expression; type: GenericType | null } {
    const { value, type, bare } = this.#infer(expression, null);
    return bare ?? { value, type };
  }

  /** A target, and what may be put into it; null for what its descriptor says. */
  target(expression: Expression): { target: Expression; wanted: GenericType | null } {
    const { value, type } = this.#find(expression, null, true);
    return { target: value, wanted: type !== null && isGeneric(type) ? type : null };
  }

  /** Whether a value of a type can be declared as such here: a variable says nothing elsewhere. */
  isSayable(type: GenericType | null, descriptor: string): type is GenericType {
    return (
      type !== null &&
      isGeneric(type) &&
      erasure(type, this.#place.variables) === descriptor &&
      eachPart(type, (part) => part.kind !== 'variable' || this.#place.variables.has(part.name))
    );
  }

  /** What a signature says of what has a descriptor; null where that cannot be said here. */
  said(signature: string, descriptor: string): GenericType | null {
    const { program, variables, owner } = this.#place;
    const said = fieldSignature(signature);
    return said === null ? null : program.signatures.usable(said, variables, owner, descriptor);
  }

  erasureOf(type: GenericType): string {
    return erasure(type, this.#place.variables);
  }

  /** A value that is joined to a text. */
  told(expression: Expression, type: string): Expression {
    const typed = this.#infer(expression, null);
    const isBare =
      typed.bare !== undefined && expression.kind === 'cast' && expression.type === type && type === string;
    return isBare ? typed.bare!.value : this.#told(typed);
  }

  /** A value as one of its raw class. */
  raw(expression: Expression): Expression {
    return cast(expression, this.#place.types.typeOf(expression));
  }

  /** The object of a call as one of a raw class: of its own, or of one above that the call names where its own has no parameters. */
  #rawFor({ owner }: Call, receiver: Expression): Expression {
    const have = this.#place.types.typeOf(receiver);
    return cast(receiver, this.#place.program.types.parametersOf(have).length > 0 ? have : owner);
  }

  /** What an `Iterable` of a type gives; null where that is not known. */
  elementOf(type: GenericType | null): GenericType | null {
    const above = type === null ? null : this.#place.program.types.asSuper(type, iterable, this.#place.variables);
    const [element] = above?.arguments ?? [];
    if (element === undefined || element.kind === 'any' || element.kind === 'super') return null;
    return element.type;
  }

  #fitted(expression: Expression, { value, type, bare }: Typed, wanted: GenericType): Typed {
    const { variables } = this.#place;
    if (this.#place.types.isLambda(value)) return this.#plain(cast(value, this.#place.types.typeOf(value)));
    const isBare =
      bare !== undefined &&
      expression.kind === 'cast' &&
      this.#place.program.relations.isAssignable(expression.type, erasure(wanted, variables));
    if (isBare && this.#isTaken(bare.type, wanted)) return bare;
    if (type !== null && this.#isTaken(type, wanted)) return { value, type };
    const asked = erasure(wanted, variables);
    const generic = wanted.kind === 'class' ? undefined : wanted;
    const have = this.#place.types.typeOf(value);
    const { relations } = this.#place.program;
    const isNear = !isReference(have) || relations.isAssignable(have, asked) || relations.isAssignable(asked, have);
    return { value: cast(isNear ? value : cast(value, object), asked, generic), type: generic ?? plainType(asked) };
  }

  /** Whether javac takes a value of a type for one of another, with a warning maybe. */
  #isTaken(type: GenericType, wanted: GenericType): boolean {
    const { program, variables } = this.#place;
    if (program.types.isSubtype(type, wanted, variables)) return true;
    if (wanted.kind === 'array' && type.kind === 'array') return this.#isTaken(type.element, wanted.element);
    if (wanted.kind !== 'class') return false;
    const above = program.types.asSuper(type, wanted.descriptor, variables);
    return above !== null && above.arguments.length === 0;
  }

  #infer(expression: Expression, wanted: GenericType | null): Typed {
    if (expression.kind !== 'call' && expression.kind !== 'cast') return this.#find(expression, null);
    const known = this.#known.get(expression) ?? [];
    const isAsked = (other: GenericType | null) =>
      wanted === null || other === null ? wanted === other : isSame(wanted, other);
    const found = known.find((each) => isAsked(each.wanted));
    if (found !== undefined) return found.typed;
    const typed = this.#find(expression, wanted);
    this.#known.set(expression, [...known, { wanted, typed }]);
    return typed;
  }

  /** @param isTarget what may be put there is asked for, not what is read */
  #find(expression: Expression, wanted: GenericType | null, isTarget = false): Typed {
    switch (expression.kind) {
      case 'class':
        return { value: expression, type: classOf(expression.type) };
      case 'local':
        return { value: expression, type: this.#typeOfLocal(expression) };
      case 'field':
        return this.#field(expression, isTarget);
      case 'element':
        return this.#element(expression);
      case 'cast':
        return this.#cast(expression);
      case 'call':
        return this.#call(expression, wanted);
      case 'choice':
        return this.#choice(expression);
      case 'relation': {
        const [left, right] = [this.#compared(expression.left), this.#compared(expression.right)];
        if (left.isGeneric && right.isGeneric)
          return this.#plain({ ...expression, left: cast(left.value, object), right: right.value });
        return this.#plain(changed(expression, left.value, right.value));
      }
      case 'arithmetic':
      case 'comparison':
      case 'junction':
        return this.#plain(changed(expression, this.#value(expression.left), this.#value(expression.right)));
      case 'instanceof': {
        const operand = this.#compared(expression.operand, expression.type).value;
        if (operand === expression.operand) return this.#plain(expression);
        const test: Expression = { ...expression, operand };
        this.#place.moved(expression, test);
        return this.#plain(test);
      }
      case 'negation':
      case 'conversion':
      case 'not':
      case 'truth': {
        const operand = this.#value(expression.operand);
        return this.#plain(operand === expression.operand ? expression : { ...expression, operand });
      }
      case 'length': {
        const array = this.#value(expression.array);
        return this.#plain(array === expression.array ? expression : { ...expression, array });
      }
      case 'new-array': {
        const size = this.#value(expression.size);
        return this.#plain(size === expression.size ? expression : { ...expression, size });
      }
      case 'array': {
        const element = plainType(expression.type.slice(1));
        const items = expression.items.map((item) => this.as(item, element));
        const isSame = items.every((item, index) => item === expression.items[index]);
        return this.#plain(isSame ? expression : { ...expression, items });
      }
      default:
        return this.#plain(expression);
    }
  }

  #plain(value: Expression): Typed {
    return { value, type: plainType(this.#place.types.typeOf(value)) };
  }

  #value(expression: Expression): Expression {
    return this.#infer(expression, null).value;
  }

  #typeOfLocal({ local }: Expression & { kind: 'local' }): GenericType {
    if (local.role === 'this' || local.name.endsWith('.this'))
      return { ...ownType(local.type, this.#place.program.types.parametersOf(local.type)), isWithin: true };
    return local.generic ?? plainType(this.#place.program.local.typeOf(local.type));
  }

  /** Whether javac knows another class of a value than its descriptor says, or may. */
  #isNarrow({ value, type }: Typed): boolean {
    return type === null || erasure(type, this.#place.variables) !== this.#place.types.typeOf(value);
  }

  /** A value of which javac knows no more than its descriptor says. */
  #told(typed: Typed): Expression {
    const have = this.#place.types.typeOf(typed.value);
    return this.#isNarrow(typed) && isReference(have) ? cast(typed.value, have) : typed.value;
  }

  /** A value whose class is compared with another's. */
  #compared(expression: Expression, tested?: string): { value: Expression; isGeneric: boolean } {
    const typed = this.#infer(expression, null);
    const isDistinct = tested !== undefined && typed.type !== null && this.#isDistinct(tested, typed.type);
    const value = isDistinct ? cast(typed.value, object) : this.#told(typed);
    return { value, isGeneric: value === typed.value && typed.type !== null && isGeneric(typed.type) };
  }

  #choice(expression: Expression & { kind: 'choice' }): Typed {
    const condition = this.#value(expression.condition);
    const [yes, no] = [this.#infer(expression.yes, null), this.#infer(expression.no, null)];
    const isKept = condition === expression.condition && yes.value === expression.yes && no.value === expression.no;
    const value = isKept ? expression : { ...expression, condition, yes: yes.value, no: no.value };
    const isPlain = [yes, no].every((each) => each.type !== null && !isGeneric(each.type) && !this.#isNarrow(each));
    if (isPlain) return this.#plain(value);
    const isOne = !yes.isBound && !no.isBound && yes.type !== null && no.type !== null && isSame(yes.type, no.type);
    return { value, type: isOne ? yes.type : null };
  }

  #element(expression: Expression & { kind: 'element' }): Typed {
    const array = this.#infer(expression.array, null);
    const index = this.#value(expression.index);
    const isNarrow = this.#isNarrow(array);
    const of = isNarrow ? this.#told(array) : array.value;
    const isKept = of === expression.array && index === expression.index;
    const value = isKept ? expression : { ...expression, array: of, index };
    const element = !isNarrow && array.type?.kind === 'array' ? array.type.element : null;
    if (element === null || !isGeneric(element)) return this.#plain(value);
    return { value, type: element, isBound: array.isBound === true };
  }

  #cast(expression: Cast): Typed {
    const { relations } = this.#place.program;
    const typed = this.#infer(expression.operand, null);
    let operand = typed.bare?.value ?? typed.value;
    const type = typed.bare?.type ?? typed.type;
    const same = operand === expression.operand ? expression : { ...expression, operand };
    const isCalledAs = operand.kind === 'call' && isPolymorphic(operand.owner, operand.name);
    if (expression.isMeant || isCalledAs || !isReference(expression.type)) return this.#plain(same);
    if (this.#place.types.isUpcast(same)) return { value: same, type, isBound: typed.isBound === true };
    const known = type === null ? null : erasure(type, this.#place.variables);
    if (type !== null && known === expression.type && known !== this.#place.types.typeOf(operand)) {
      const bare: Expression = { ...expression, operand, isKnown: true };
      const isBound = (typed.bare ?? typed).isBound === true;
      return { ...this.#plain({ ...expression, operand }), bare: { value: bare, type, isBound } };
    }
    // A variable is of all its bounds, whatever its first one is.
    const isBounded =
      type?.kind === 'variable' &&
      this.#place.program.types.asSuper(type, expression.type, this.#place.variables) !== null;
    if (isBounded) {
      const bare: Expression = { ...expression, operand, isKnown: true };
      return { ...this.#plain({ ...expression, operand }), bare: { value: bare, type } };
    }
    // Types that javac knows to have nothing in common need the way over Object.
    const isNear =
      known === null ||
      ((relations.isAssignable(known, expression.type) || relations.isAssignable(expression.type, known)) &&
        !this.#isDistinct(expression.type, type!));
    if (!isNear) operand = cast(operand, object);
    return this.#plain(operand === expression.operand ? expression : { ...expression, operand });
  }

  /** Whether a class is below another one for other types than those of a type. */
  #isDistinct(descriptor: string, type: GenericType): boolean {
    if (type.kind !== 'class' || type.arguments.length === 0) return false;
    const { program, variables } = this.#place;
    const above = program.types.asSuper(plainType(descriptor), type.descriptor, variables);
    return (
      above !== null &&
      above.arguments.some((each, index) => {
        const other = type.arguments[index];
        return each.kind !== 'any' && other !== undefined && other.kind !== 'any' && !isSame(each.type, other.type);
      })
    );
  }

  /** The object that a member is found in, and what it is to javac. */
  #receiver(expression: Expression, owner: string): { value: Expression; type: GenericType } {
    const typed = this.#infer(expression, null);
    const { bare } = typed;
    if (bare !== undefined && this.#isOf(bare.type, owner)) return bare;
    const have = this.#place.types.typeOf(typed.value);
    if (this.#isNarrow(typed) && isReference(have)) return { value: cast(typed.value, have), type: plainType(have) };
    return { value: typed.value, type: typed.type ?? plainType(have) };
  }

  #isOf(type: GenericType, owner: string): boolean {
    const { program, variables } = this.#place;
    return (
      program.relations.isAssignable(erasure(type, variables), owner) ||
      (type.kind === 'variable' && program.types.asSuper(type, owner, variables) !== null)
    );
  }

  /** What the parameters of a class are for a type of it; null where it is raw there. */
  #valuesIn(type: GenericType, owner: string): Values | null {
    const { types } = this.#place.program;
    const parameters = types.parametersOf(owner);
    const above = types.asSuper(type, owner, this.#place.variables);
    if (above === null) return null;
    if (parameters.length === 0) return this.#isRawAround(type, owner) ? null : new Map();
    return above.arguments.length === 0 || this.#isRawAround(type, owner)
      ? null
      : valuesOf(parameters, above.arguments);
  }

  /** Whether an inner class of a generic one is one of a raw class: by its whole name it is. */
  #isRawAround(type: GenericType, owner: string): boolean {
    if (!this.#place.program.types.isOfGeneric(owner)) return false;
    return type.kind !== 'class' || !type.isWithin || type.descriptor !== owner;
  }

  #field(expression: Field, isTarget: boolean): Typed {
    const { program } = this.#place;
    const { owner, name, type, object: of } = expression;
    const found = program.signatures.findField(owner, name, type);
    if (of === null) {
      // What a field of the platform's is of, the tables do not say.
      const isUnknown = program.relations.placeOf(owner) === null && program.types.parametersOf(type).length > 0;
      if (found === null && isUnknown && !name.startsWith('EMPTY_')) return { value: expression, type: null };
      return { value: expression, type: found?.type ?? plainType(this.#place.types.typeOf(expression)) };
    }
    const receiver = this.#receiver(of, owner);
    const value = receiver.value === of ? expression : { ...expression, object: receiver.value };
    if (found === null || found.isStatic) return this.#plain(value);
    const values = this.#valuesIn(receiver.type, found.owner);
    if (values === null) return this.#plain(value);
    if (isTarget && !isExact(values)) return this.#plain({ ...expression, object: this.raw(receiver.value) });
    const read = readType(found.type, values, (parameter) => this.#boundOf(found.owner, parameter));
    return { value, type: read !== null && this.#isInSight(read) ? read : null, isBound: isOpen(found.type, values) };
  }

  #isInSight(type: GenericType): boolean {
    return eachPart(type, (part) => part.kind !== 'variable' || this.#place.variables.has(part.name));
  }

  #boundOf(owner: string, parameter: string): GenericType {
    const parameters = this.#place.program.types.parametersOf(owner);
    const [bound = plainObject] = parameters.find(({ name }) => name === parameter)?.bounds ?? [];
    return plainType(erasure(bound, new Map(parameters.map(({ name, bounds }) => [name, bounds]))));
  }

  #call(call: Call, wanted: GenericType | null): Typed {
    const { program } = this.#place;
    if (call.how === 'new') return this.#making(call, wanted);
    const isMaking = call.how === 'constructor';
    const called = `${isMaking ? '<init>' : call.name}(${call.parameters.join('')})`;
    if (call.object === null) {
      const found = program.signatures.findMethod(call.owner, called);
      if (found?.signature == null) return this.#plainCall(call, null);
      if (!isMaking) return this.#generic(call, null, found.signature, new Map(), wanted)!;
      const own = ownType(this.#place.owner, program.types.parametersOf(this.#place.owner));
      const values = this.#valuesIn(own, call.owner);
      return values === null
        ? this.#plainCall(call, null)
        : this.#generic(call, null, found.signature, values, wanted)!;
    }
    const receiver = this.#receiver(call.object, call.owner);
    const type = erasure(receiver.type, this.#place.variables);
    const bridge = call.how === 'super' ? null : program.heads.bridgeOf(type, call);
    if (bridge !== null) {
      const meant = this.#meantBy(call, bridge, receiver);
      if (meant === null) {
        const how = program.relations.isInterface(bridge.above) ? 'interface' : 'virtual';
        return this.#plainCall({ ...call, how, owner: bridge.above }, cast(receiver.value, bridge.above));
      }
      return this.#call(meant, wanted);
    }
    const isAt = program.relations.isAssignable(type, call.owner);
    const found = program.signatures.findMethod(isAt && call.how !== 'super' ? type : call.owner, called);
    if (found?.signature == null) return this.#plainCall(call, receiver.value, found?.returns ?? call.returns);
    const values = this.#valuesIn(receiver.type, found.owner);
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
      if (!isReference(type)) return this.#value(value);
      const typed = this.#infer(value, null);
      if (typed.bare !== undefined && value.kind === 'cast' && value.type === type) return typed.bare.value;
      return isOpen ? this.#told(typed) : typed.value;
    });
    const value = withParts(call, receiver, values);
    return returns === call.returns ? this.#plain(value) : { value, type: plainType(returns) };
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
        const typed = this.#infer(value, null);
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
      return fitted.value;
    });
    const read = readType(signature.gives, values, (name) => this.#boundOfMember(call, signature, name));
    const value = withParts(call, receiver, passed);
    if (read === null) return { value, type: null };
    // What is inferred says nothing then.
    const type = isLoose ? plainType(this.#erasureOfGiven(call, signature, given)) : read;
    return { value, type: this.#isInSight(type) ? type : null, isBound: isOpen(signature.gives, values) };
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
      const isSaid = type.kind !== 'class' && this.#isInSight(type);
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
        return this.#boundOf(type, name);
    }
    return plainObject;
  }

  #argument(call: Call, value: Expression, type: GenericType): Typed {
    if (isGeneric(type)) {
      if (this.#place.types.isLambda(value)) return this.#plain(cast(value, this.#place.types.typeOf(value)));
      return this.#as(value, type);
    }
    const typed = this.#infer(value, null);
    const { bare } = typed;
    if (bare !== undefined && value.kind === 'cast' && value.type === erasure(type, this.#place.variables)) return bare;
    return this.#mayBeAnother(call) ? this.#plain(this.#told(typed)) : typed;
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
      const typed = this.#infer(value, null);
      if (type.kind === 'class') {
        isLoose ||= type.arguments.some(({ kind }) => kind !== 'any');
        const isRaw = typed.type !== null && !this.#isSaid(typed.type, type.descriptor);
        return isRaw ? typed.value : cast(typed.value, descriptor);
      }
      const isRawOfAll =
        typed.type?.kind === 'class' &&
        !isGeneric(typed.type) &&
        (own.get((type as GenericType & { kind: 'variable' }).name) ?? []).every((bound) =>
          this.#isOf(typed.type!, erasure(bound, own)),
        );
      if (erasure(type, own) !== object && this.#isGenericBound(type, parameters))
        return isRawOfAll ? typed.value : cast(typed.value, descriptor);
      return typed.bare !== undefined && value.kind === 'cast' ? typed.value : this.#told(typed);
    });
    const value = withParts(call, receiver, passed);
    if (!isGeneric(gives)) return this.#plain(value);
    return { value, type: isLoose ? plainType(call.returns) : null };
  }

  #isGenericBound(type: GenericType, parameters: MethodSignature['parameters']): boolean {
    return (
      type.kind === 'variable' && parameters.some(({ name, bounds }) => name === type.name && bounds.some(isGeneric))
    );
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
      return isSaid ? { value: call, type: above } : this.#plain(call);
    }
    const parameters = program.types.parametersOf(call.owner);
    const found = program.signatures.findMethod(call.owner, `<init>(${call.parameters.join('')})`);
    if (parameters.length > 0) {
      const inferred = wanted?.kind === 'class' ? this.#diamond(call, wanted, found?.signature ?? null) : null;
      return inferred ?? this.#plainCall(call, null);
    }
    if (found?.signature == null || this.#isRawAround(plainType(call.owner), call.owner))
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
    const found = this.#place.program.signatures.findMethod(call.owner, `<init>(${call.parameters.join('')})`);
    const values = type === null ? new Map() : this.#valuesIn(type, call.owner);
    const typed =
      found?.signature == null || values === null
        ? this.#plainCall(call, null)
        : this.#generic(call, null, found.signature, values, null)!;
    return typed.value as Call;
  }
}

const iterable = 'Ljava/lang/Iterable;';

/** Whether a type is one that a wildcard stands for. */
const isOpen = (type: GenericType, values: Values): boolean =>
  type.kind === 'array'
    ? isOpen(type.element, values)
    : type.kind === 'variable' && (values.get(type.name)?.kind ?? 'exact') !== 'exact';

/** What the arguments of a place's type say of those of a value's. */
function tell(inference: Inference, formal: GenericClass, wanted: GenericClass): void {
  for (const [index, argument] of formal.arguments.entries()) {
    const asked = wanted.arguments[index];
    if (argument.kind === 'exact' && asked !== undefined && asked.kind !== 'any')
      inference.same(argument.type, asked.type);
  }
}

const boxed: Readonly<Record<string, string>> = {
  Z: 'Boolean',
  B: 'Byte',
  C: 'Character',
  D: 'Double',
  F: 'Float',
  I: 'Integer',
  J: 'Long',
  S: 'Short',
  V: 'Void',
};

const classOf = (type: string): GenericType => ({
  kind: 'class',
  descriptor: 'Ljava/lang/Class;',
  arguments: [{ kind: 'exact', type: plainType(boxed[type] === undefined ? type : `Ljava/lang/${boxed[type]};`) }],
});

const cast = (operand: Expression, type: string, generic?: GenericType): Expression =>
  operand.kind === 'cast' && operand.isMeant && operand.type === type && generic === undefined
    ? operand
    : {
        ...{ kind: 'cast', type, operand, isMeant: true, at: operand.at },
        ...(generic === undefined ? {} : { generic }),
      };

function changed<T extends Expression & { left: Expression; right: Expression }>(
  expression: T,
  left: Expression,
  right: Expression,
): T {
  return left === expression.left && right === expression.right ? expression : { ...expression, left, right };
}

function withParts(call: Call, receiver: Expression | null, values: readonly Expression[]): Call {
  const isKept = receiver === call.object && values.every((value, index) => value === call.values[index]);
  return isKept ? call : { ...call, object: receiver, values };
}
