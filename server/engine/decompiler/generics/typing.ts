// Gives expressions the casts that Java's generic types make necessary, and takes those that they make needless. Writes nothing.
//
// The types are those that javac sees in the text. What the code's own descriptors say is what a value is; where javac knows more,
// and that would change what it makes of the text, a cast to the descriptor's class says less. A cast to a raw class is always
// taken: what follows from it is as in code without generics.
import { fieldSignature, type GenericType, type TypeArgument } from '../../code/types/generic-signatures.ts';
import {
  eachPart,
  erasure,
  isExact,
  isGeneric,
  isSame,
  plainType,
  readType,
  type Values,
  valuesOf,
} from '../../code/types/generic-types.ts';
import { isReference, object } from '../../code/values/operands.ts';
import type { Expression } from '../expressions/tree.ts';
import { string } from '../language/concatenation.ts';
import { isPolymorphic } from '../printing/overloads.ts';
import { CallTyping } from './call-typing.ts';
import { ownType } from './type-relations.ts';
import { cast, isOpen, plainObject, type Typed, type TypingPlace } from './typed.ts';

type Cast = Expression & { kind: 'cast' };
type Field = Expression & { kind: 'field' };

export class Typing {
  readonly calls: CallTyping;
  readonly #place: TypingPlace;
  /** What was worked out of a call, for each place it was asked for: arguments are looked at more than once. */
  readonly #known = new WeakMap<Expression, { wanted: GenericType | null; typed: Typed }[]>();

  constructor(place: TypingPlace) {
    this.#place = place;
    this.calls = new CallTyping(place, this);
  }

  /** A value for a place of a type; null for a place of which its descriptor says all. */
  as(expression: Expression, wanted: GenericType | null): Expression {
    return this.typedAs(expression, wanted).value;
  }

  /** The same, with what javac takes it for. */
  typedAs(expression: Expression, wanted: GenericType | null): Typed {
    if (wanted === null || !isGeneric(wanted)) {
      const typed = this.infer(expression, null);
      const isAsked = wanted !== null && typed.bare !== undefined && expression.kind === 'cast';
      return isAsked && erasure(wanted, this.#place.variables) === expression.type ? typed.bare! : typed;
    }
    if (expression.kind === 'number') return { value: expression, type: wanted };
    if (expression.kind === 'choice') {
      const { value: condition } = this.infer(expression.condition, null);
      const [yes, no] = [this.typedAs(expression.yes, wanted), this.typedAs(expression.no, wanted)];
      const isLoose = [yes, no].some(({ type }) => type !== null && !isGeneric(type));
      const type = isLoose ? plainType(expression.type) : wanted;
      return { value: { ...expression, condition, yes: yes.value, no: no.value }, type };
    }
    return this.#fitted(expression, this.infer(expression, wanted), wanted);
  }

  /** A value, and what javac takes it for. */
  typed(expression: Expression): { value: Expression; type: GenericType | null } {
    const { value, type, bare } = this.infer(expression, null);
    return bare ?? { value, type };
  }

  /** A target with the value that is put into it: a field that takes less than its descriptor says is one of a raw class then. */
  stored(place: Expression, given: Expression): { target: Expression; value: Expression } {
    const { value: target, type } = this.#find(place, null, true);
    if (type !== null && isGeneric(type)) return { target, value: this.as(given, type) };
    const descriptor = this.#place.types.typeOf(target);
    const { value, type: known } = this.typedAs(given, plainType(descriptor));
    const { relations } = this.#place.program;
    const asked = type === null ? descriptor : this.erasureOf(type);
    const isTaken =
      asked === descriptor ||
      value.kind === 'number' ||
      [this.#place.types.typeOf(value), known === null ? object : this.erasureOf(known)].some((have) =>
        relations.isAssignable(have, asked),
      );
    if (isTaken || target.kind !== 'field' || target.object === null) return { target, value };
    const found = this.#place.program.signatures.findField(target.owner, target.name, target.type);
    const owner = found?.owner ?? target.owner;
    return { target: { ...target, owner, object: cast(target.object, owner) }, value };
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
    const typed = this.infer(expression, null);
    const isBare =
      typed.bare !== undefined && expression.kind === 'cast' && expression.type === type && type === string;
    return isBare ? typed.bare!.value : this.toldOf(typed);
  }

  /** A value as one of its raw class. */
  raw(expression: Expression): Expression {
    return cast(expression, this.#place.types.typeOf(expression));
  }

  /** A value's type as one of a generic class above it; null where that is raw or not known. */
  asOne(expression: Expression, owner: string): GenericType | null {
    const { type } = this.typed(expression);
    const above = type === null ? null : this.#place.program.types.asSuper(type, owner, this.#place.variables);
    const isSaid = above?.arguments.every((each) => each.kind === 'exact') === true && this.isInSight(above);
    return isSaid && above.arguments.length > 0 ? above : null;
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
    if (this.#place.types.isLambda(value)) return this.plain(cast(value, this.#place.types.typeOf(value)));
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

  /** A value with what javac takes it for, in a place of a type; null for one that asks for none. */
  infer(expression: Expression, wanted: GenericType | null): Typed {
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
        return this.calls.of(expression, wanted);
      case 'choice':
        return this.#choice(expression);
      case 'relation': {
        const [left, right] = [this.#compared(expression.left), this.#compared(expression.right)];
        if (left.isGeneric && right.isGeneric)
          return this.plain({ ...expression, left: cast(left.value, object), right: right.value });
        return this.plain(changed(expression, left.value, right.value));
      }
      case 'arithmetic':
      case 'comparison':
      case 'junction':
        return this.plain(changed(expression, this.value(expression.left), this.value(expression.right)));
      case 'instanceof': {
        const operand = this.#compared(expression.operand, expression.type).value;
        if (operand === expression.operand) return this.plain(expression);
        const test: Expression = { ...expression, operand };
        this.#place.moved(expression, test);
        return this.plain(test);
      }
      case 'negation':
      case 'conversion':
      case 'not':
      case 'truth': {
        const operand = this.value(expression.operand);
        return this.plain(operand === expression.operand ? expression : { ...expression, operand });
      }
      case 'length': {
        const array = this.value(expression.array);
        return this.plain(array === expression.array ? expression : { ...expression, array });
      }
      case 'new-array': {
        const size = this.value(expression.size);
        return this.plain(size === expression.size ? expression : { ...expression, size });
      }
      case 'array': {
        const element = plainType(expression.type.slice(1));
        const items = expression.items.map((item) => this.as(item, element));
        const isSame = items.every((item, index) => item === expression.items[index]);
        return this.plain(isSame ? expression : { ...expression, items });
      }
      default:
        return this.plain(expression);
    }
  }

  /** A value that is what its descriptor says. */
  plain(value: Expression): Typed {
    return { value, type: plainType(this.#place.types.typeOf(value)) };
  }

  /** A value in a place that asks for no type. */
  value(expression: Expression): Expression {
    return this.infer(expression, null).value;
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
  toldOf(typed: Typed): Expression {
    const have = this.#place.types.typeOf(typed.value);
    return this.#isNarrow(typed) && isReference(have) ? cast(typed.value, have) : typed.value;
  }

  /** A value whose class is compared with another's. */
  #compared(expression: Expression, tested?: string): { value: Expression; isGeneric: boolean } {
    const typed = this.infer(expression, null);
    const isDistinct = tested !== undefined && typed.type !== null && this.#isDistinct(tested, typed.type);
    const value = isDistinct ? cast(typed.value, object) : this.toldOf(typed);
    return { value, isGeneric: value === typed.value && typed.type !== null && isGeneric(typed.type) };
  }

  #choice(expression: Expression & { kind: 'choice' }): Typed {
    const condition = this.value(expression.condition);
    const [yes, no] = [this.infer(expression.yes, null), this.infer(expression.no, null)];
    const isKept = condition === expression.condition && yes.value === expression.yes && no.value === expression.no;
    const value = isKept ? expression : { ...expression, condition, yes: yes.value, no: no.value };
    const isPlain = [yes, no].every((each) => each.type !== null && !isGeneric(each.type) && !this.#isNarrow(each));
    if (isPlain) return this.plain(value);
    const isOne = !yes.isBound && !no.isBound && yes.type !== null && no.type !== null && isSame(yes.type, no.type);
    return { value, type: isOne ? yes.type : null };
  }

  #element(expression: Expression & { kind: 'element' }): Typed {
    const array = this.infer(expression.array, null);
    const index = this.value(expression.index);
    const isNarrow = this.#isNarrow(array);
    const of = isNarrow ? this.toldOf(array) : array.value;
    const isKept = of === expression.array && index === expression.index;
    const value = isKept ? expression : { ...expression, array: of, index };
    const element = !isNarrow && array.type?.kind === 'array' ? array.type.element : null;
    if (element === null || !isGeneric(element)) return this.plain(value);
    return { value, type: element, isBound: array.isBound === true };
  }

  #cast(expression: Cast): Typed {
    const { relations } = this.#place.program;
    const typed = this.infer(expression.operand, null);
    let operand = typed.bare?.value ?? typed.value;
    const type = typed.bare?.type ?? typed.type;
    const same = operand === expression.operand ? expression : { ...expression, operand };
    const isCalledAs = operand.kind === 'call' && isPolymorphic(operand.owner, operand.name);
    if (expression.isMeant || isCalledAs || !isReference(expression.type)) return this.plain(same);
    if (this.#place.types.isUpcast(same)) return { value: same, type, isBound: typed.isBound === true };
    const known = type === null ? null : erasure(type, this.#place.variables);
    if (type !== null && known === expression.type && known !== this.#place.types.typeOf(operand)) {
      const bare: Expression = { ...expression, operand, isKnown: true };
      const isBound = (typed.bare ?? typed).isBound === true;
      return { ...this.plain({ ...expression, operand }), bare: { value: bare, type, isBound } };
    }
    // A variable is of all its bounds, whatever its first one is.
    const isBounded =
      type?.kind === 'variable' &&
      this.#place.program.types.asSuper(type, expression.type, this.#place.variables) !== null;
    if (isBounded) {
      const bare: Expression = { ...expression, operand, isKnown: true };
      return { ...this.plain({ ...expression, operand }), bare: { value: bare, type } };
    }
    // Types that javac knows to have nothing in common need the way over Object.
    const isNear =
      known === null ||
      ((relations.isAssignable(known, expression.type) || relations.isAssignable(expression.type, known)) &&
        !this.#isDistinct(expression.type, type!));
    if (!isNear) operand = cast(operand, object);
    return this.plain(operand === expression.operand ? expression : { ...expression, operand });
  }

  /** Whether a class is below another one for other types than those of a type. */
  #isDistinct(descriptor: string, type: GenericType): boolean {
    if (type.kind !== 'class' || type.arguments.length === 0) return false;
    const { program, variables } = this.#place;
    const above = program.types.asSuper(plainType(descriptor), type.descriptor, variables);
    const differs = (each: TypeArgument, index: number) => {
      const other = type.arguments[index];
      return each.kind !== 'any' && other !== undefined && other.kind !== 'any' && !isSame(each.type, other.type);
    };
    return above?.arguments.some(differs) === true;
  }

  /** The object that a member is found in, and what it is to javac. */
  receiver(expression: Expression, owner: string): { value: Expression; type: GenericType } {
    const typed = this.infer(expression, null);
    const { bare } = typed;
    if (bare !== undefined && this.isOf(bare.type, owner)) return bare;
    const have = this.#place.types.typeOf(typed.value);
    if (this.#isNarrow(typed) && isReference(have)) return { value: cast(typed.value, have), type: plainType(have) };
    return { value: typed.value, type: typed.type ?? plainType(have) };
  }

  /** Whether a type is one of a class or below it. */
  isOf(type: GenericType, owner: string): boolean {
    const { program, variables } = this.#place;
    return (
      program.relations.isAssignable(erasure(type, variables), owner) ||
      (type.kind === 'variable' && program.types.asSuper(type, owner, variables) !== null)
    );
  }

  /** What the parameters of a class are for a type of it; null where it is raw there. */
  valuesIn(type: GenericType, owner: string): Values | null {
    const { types } = this.#place.program;
    const parameters = types.parametersOf(owner);
    const above = types.asSuper(type, owner, this.#place.variables);
    if (above === null) return null;
    if (parameters.length === 0) return this.isRawAround(type, owner) ? null : new Map();
    return above.arguments.length === 0 || this.isRawAround(type, owner) ? null : valuesOf(parameters, above.arguments);
  }

  /** Whether an inner class of a generic one is one of a raw class: by its whole name it is. */
  isRawAround(type: GenericType, owner: string): boolean {
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
    const receiver = this.receiver(of, owner);
    const value = receiver.value === of ? expression : { ...expression, object: receiver.value };
    if (found === null || found.isStatic) return this.plain(value);
    const values = this.valuesIn(receiver.type, found.owner);
    if (values === null) return this.plain(value);
    if (isTarget && !isExact(values)) return this.plain({ ...expression, object: this.raw(receiver.value) });
    const read = readType(found.type, values, (parameter) => this.boundOf(found.owner, parameter));
    return { value, type: read !== null && this.isInSight(read) ? read : null, isBound: isOpen(found.type, values) };
  }

  /** Whether all type variables of a type are in sight. */
  isInSight(type: GenericType): boolean {
    return eachPart(type, (part) => part.kind !== 'variable' || this.#place.variables.has(part.name));
  }

  /** The class that a parameter of a class is bounded by. */
  boundOf(owner: string, parameter: string): GenericType {
    const parameters = this.#place.program.types.parametersOf(owner);
    const [bound = plainObject] = parameters.find(({ name }) => name === parameter)?.bounds ?? [];
    return plainType(erasure(bound, new Map(parameters.map(({ name, bounds }) => [name, bounds]))));
  }
}

const iterable = 'Ljava/lang/Iterable;';

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

function changed<T extends Expression & { left: Expression; right: Expression }>(
  expression: T,
  left: Expression,
  right: Expression,
): T {
  return left === expression.left && right === expression.right ? expression : { ...expression, left, right };
}
