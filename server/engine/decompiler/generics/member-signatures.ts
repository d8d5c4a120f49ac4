// What source says of the types of fields and methods beyond their descriptors. Knows no text.
//
// A signature is believed where each type in it is one of the descriptor's, names what is in sight, and overrides what the
// methods above it say: a method without its signature overrides the same methods.
import {
  fieldSignature,
  type GenericType,
  type MethodSignature,
  type TypeParameter,
} from '../../code/types/generic-signatures.ts';
import {
  eachPart,
  erasure,
  exactType,
  isExact,
  isGeneric,
  isSame,
  noVariables,
  plainType,
  type Values,
  type Variables,
  valuesOf,
} from '../../code/types/generic-types.ts';
import { platformMethod } from '../../code/types/platform-generics.ts';
import { object } from '../../code/values/operands.ts';
import type { EncodedField, EncodedMethod } from '../../formats/dex/class-data.ts';
import type { Dex } from '../../formats/dex/dex.ts';
import { isInheritedBridge } from '../language/inherited-bridges.ts';
import { joined, MethodTable } from '../printing/method-table.ts';
import { methodsCalled } from '../printing/named-methods.ts';
import type { Program, SourceClass } from '../printing/program.ts';
import { saidOfMethod, signatureText } from './signature-texts.ts';
import { ownType } from './type-relations.ts';

const accPrivate = 0x2;
const accStatic = 0x8;
const accBridge = 0x40;
const accAbstract = 0x400;
const accSynthetic = 0x1000;

/** A method of a class above a generic type, for that type. */
export interface FoundMethod {
  /** Where it is declared. */
  readonly owner: string;
  readonly signature: MethodSignature | null;
  /** Descriptor, where the app declares it. */
  readonly returns?: string;
}

export class MemberSignatures {
  readonly #program: Program;
  /** By dex file, and index in it. */
  readonly #methods = new Map<Dex, Map<number, MethodSignature | null>>();
  readonly #fields = new Map<Dex, Map<number, GenericType | null>>();
  readonly #found = new MethodTable<FoundMethod | null>(10_000);

  constructor(program: Program) {
    this.#program = program;
  }

  /** A method as source declares it; null where its descriptor says all. */
  ofMethod(place: SourceClass, method: EncodedMethod): MethodSignature | null {
    const known = ofDex(this.#methods, place.dex);
    return this.#program.heads.kept(known, method.methodIndex, () => this.#findMethod(place, method), null);
  }

  #findMethod(place: SourceClass, method: EncodedMethod): MethodSignature | null {
    const { dex, type } = place;
    const { methodIndex, accessFlags } = method;
    const text = saidOfMethod(place, method);
    if (text === null || (accessFlags & (accBridge | accSynthetic)) !== 0) return null;
    const isStatic = (accessFlags & accStatic) !== 0;
    const name = dex.methodName(methodIndex);
    const proto = dex.methodProtoIndex(methodIndex);
    const taken = dex.protoParameters(proto);
    const hidden = name === '<init>' ? this.#hiddenParameters(type) : 0;
    if (text.takes.length !== taken.length - hidden || this.#program.records.of(type) !== null) return null;
    const around = isStatic ? noVariables : this.#program.heads.variablesOf(type);
    const { types } = this.#program;
    if (!types.areDeclarable(text.parameters, around)) return null;
    const declared = types.saidParameters(text.parameters, around, type);
    if (declared === null) return null;
    const { parameters, variables } = declared;
    const takes = text.takes.map((each) => types.said(each, variables, type));
    const gives = types.said(text.gives, variables, type);
    if (gives === null || takes.includes(null)) return null;
    const all = [...taken.slice(0, hidden).map(plainType), ...(takes as GenericType[])];
    const isTrue =
      erasure(gives, variables) === dex.protoReturnType(proto) &&
      all.every((each, index) => erasure(each, variables) === taken[index]);
    if (!isTrue || (parameters.length === 0 && !isGeneric(gives) && !all.some(isGeneric))) return null;
    const signature = { parameters, takes: all, gives };
    if (this.#hasGenericRival(place, method, { takes: takes as GenericType[], parameters, variables })) return null;
    // No lambda is one of a generic method.
    if (parameters.length > 0 && (accessFlags & accAbstract) !== 0 && this.#program.isMadeByLambdas(type)) return null;
    const isFree = name === '<init>' || (accessFlags & accPrivate) !== 0;
    return isFree || this.#overrides(place, name, taken, signature, variables) ? signature : null;
  }

  /** Whether of two methods of a name each may be meant for raw values: Java finds neither to be nearer. */
  #hasGenericRival(
    place: SourceClass,
    { methodIndex }: EncodedMethod,
    { takes, parameters, variables }: Pick<MethodSignature, 'takes' | 'parameters'> & { variables: Variables },
  ): boolean {
    const { dex } = place;
    const { relations, types } = this.#program;
    const takenBy = (index: number) => dex.protoParameters(dex.methodProtoIndex(index));
    const rivals = methodsCalled(place, dex.methodName(methodIndex));
    if (rivals.length === 1) return false;
    const taken = takenBy(methodIndex).slice(-takes.length);
    return rivals.some((other) => {
      if (other.methodIndex === methodIndex) return false;
      const others = takenBy(other.methodIndex).slice(-takes.length);
      if (others.length !== taken.length) return false;
      const isBelow = (a: readonly string[], b: readonly string[]) =>
        a.every((type, index) => relations.isAssignable(type, b[index]!));
      const [isUnder, isOver] = [isBelow(taken, others), isBelow(others, taken)];
      if (isUnder === isOver) return false;
      const said = saidOfMethod(place, other);
      if (said === null) return isOver && takes.some((type) => isOfGenericBound(type, parameters));
      if (said.takes.length !== takes.length) return false;
      if (said.parameters.length > 0) return parameters.length > 0;
      const [lower, upper] = isUnder ? [takes, said.takes] : [said.takes, takes];
      const isGiven = (type: GenericType) => type.kind === 'class' && type.arguments.length > 0;
      return lower.some((type, index) => {
        const above = upper[index]!;
        return isGiven(type) && isGiven(above) && !types.isSubtype(type, above, variables);
      });
    });
  }

  /** How many parameters of constructors compilers put before those of the source. */
  #hiddenParameters(type: string): number {
    if (this.#program.isEnumClass(type)) return 2;
    return this.#program.inner.of(type) === null ? 0 : 1;
  }

  /** Whether a method is an override in source too of all that it overrides in code. */
  #overrides(
    { type }: SourceClass,
    name: string,
    taken: readonly string[],
    signature: MethodSignature,
    variables: Variables,
  ): boolean {
    const { relations, types, heads } = this.#program;
    const own = ownType(type, heads.parametersOf(type));
    const called = `${name}(${taken.join('')})`;
    const isErased = signature.parameters.length === 0 && !signature.takes.some(isGeneric);
    let isKnown = true;
    for (const above of relations.above(type)) {
      if (above === type || above === object) continue;
      const place = this.#program.classOf(above);
      if (place === null && relations.factsOf(above) === null) isKnown = false;
      if (place === null && !above.startsWith('Ljava/')) isKnown = false;
      const other = this.#declared(above, called);
      if (other === undefined) continue;
      const known = types.asSuper(own, above, variables);
      const values = known === null ? new Map() : valuesOf(types.parametersOf(above), known.arguments);
      const said = known === null || types.isRaw(known) || !isExact(values) ? null : other;
      if (!this.#mayOverride(signature, said, values, variables, isErased)) return false;
    }
    // Of what Android's own classes declare, the tables have some only.
    return isErased || isKnown || !/^on[A-Z]/.test(name);
  }

  #mayOverride(
    signature: MethodSignature,
    other: MethodSignature | null,
    values: Values,
    variables: Variables,
    isErased: boolean,
  ): boolean {
    const { types } = this.#program;
    if (other === null) return isErased;
    const all = new Map(values);
    const isRenamed = other.parameters.length === signature.parameters.length;
    for (const [index, { name }] of other.parameters.entries()) {
      if (!isRenamed) all.delete(name);
      else all.set(name, { kind: 'exact', type: { kind: 'variable', name: signature.parameters[index]!.name } });
    }
    const takes = other.takes.map((each) => exactType(each, all));
    const gives = exactType(other.gives, all);
    const isEqual =
      isRenamed &&
      takes.every((each, index) => each !== null && isSame(each, signature.takes[index]!)) &&
      other.parameters.every(({ bounds }, index) => {
        const own = signature.parameters[index]!.bounds;
        const wanted = bounds.map((bound) => exactType(bound, all));
        return (
          own.length === wanted.length && own.every((bound, at) => wanted[at] !== null && isSame(bound, wanted[at]!))
        );
      });
    if (!isEqual && !isErased) return false;
    if (gives === null || !isGeneric(gives)) return true;
    if (!isEqual) return !isGeneric(signature.gives);
    return (
      types.isSubtype(signature.gives, gives, variables) || (gives.kind === 'class' && !isGeneric(signature.gives))
    );
  }

  /** What a class itself says of a method; undefined where it declares none that is known, null where its descriptor says all. */
  #declared(type: string, called: string): MethodSignature | null | undefined {
    const place = this.#program.classOf(type);
    if (place === null) return platformMethod(type, called) ?? undefined;
    const { dex } = place;
    const [name, list] = called.slice(0, -1).split('(') as [string, string];
    for (const method of methodsCalled(place, name)) {
      if ((method.accessFlags & accPrivate) !== 0) continue;
      if (dex.protoParameters(dex.methodProtoIndex(method.methodIndex)).join('') !== list) continue;
      const isWritten =
        this.#program.leftOutFor(place, method) === null && !isInheritedBridge(this.#program, place, method);
      if (isWritten) return this.ofMethod(place, method);
    }
    return undefined;
  }

  /** A field as source declares it; null where its descriptor says all. */
  ofField(place: SourceClass, { fieldIndex, accessFlags }: EncodedField): GenericType | null {
    const known = ofDex(this.#fields, place.dex);
    const find = () => {
      const text = signatureText(place.dex, place.annotations.ofFields.get(fieldIndex) ?? []);
      const signature = text === null ? null : fieldSignature(text);
      const around = (accessFlags & accStatic) === 0 ? this.#program.heads.variablesOf(place.type) : noVariables;
      const isUsable = signature !== null && this.#program.records.of(place.type) === null;
      return isUsable ? this.usable(signature, around, place.type, place.dex.fieldType(fieldIndex)) : null;
    };
    return this.#program.heads.kept(known, fieldIndex, find, null);
  }

  /** A type that a signature gives to what has a descriptor; null where source cannot say it, or the descriptor says all. */
  usable(signature: GenericType, variables: Variables, by: string, descriptor: string): GenericType | null {
    const said = this.#program.types.said(signature, variables, by);
    if (said === null || !isGeneric(said) || erasure(said, variables) !== descriptor) return null;
    return eachPart(said, (part) => part.kind !== 'variable' || variables.has(part.name)) ? said : null;
  }

  /** The field that an access means, where source declares it with more than its descriptor; null for another one. */
  findField(owner: string, name: string, type: string): { owner: string; type: GenericType; isStatic: boolean } | null {
    for (const above of this.#program.relations.above(owner)) {
      const place = this.#program.classOf(above);
      if (place === null) continue;
      const { dex, data } = place;
      for (const field of [...data.instanceFields, ...data.staticFields]) {
        if (dex.fieldName(field.fieldIndex) !== name || dex.fieldType(field.fieldIndex) !== type) continue;
        const said = this.ofField(place, field);
        return said === null ? null : { owner: above, type: said, isStatic: (field.accessFlags & accStatic) !== 0 };
      }
    }
    return null;
  }

  /**
   * The method that Java finds in a class, as source declares it; null where none is known to say more than its descriptor.
   */
  findMethod(owner: string, name: string, parameters: readonly string[]): FoundMethod | null {
    const list = joined(parameters);
    return this.#program.heads.kept(this.#found.of(owner, name), list, () => this.#search(owner, name, list));
  }

  #search(owner: string, name: string, list: string): FoundMethod | null {
    for (const above of name === '<init>' ? [owner] : this.#program.relations.above(owner)) {
      const place = this.#program.classOf(above);
      if (place === null) {
        const signature = platformMethod(above, `${name}(${list})`);
        if (signature !== null) return { owner: above, signature };
        continue;
      }
      const { dex } = place;
      for (const method of methodsCalled(place, name)) {
        if (dex.protoParameters(dex.methodProtoIndex(method.methodIndex)).join('') !== list) continue;
        if (this.#program.leftOutFor(place, method) !== null) continue;
        if (isInheritedBridge(this.#program, place, method)) continue;
        const signature = this.ofMethod(place, method);
        return { owner: above, signature, returns: dex.protoReturnType(dex.methodProtoIndex(method.methodIndex)) };
      }
    }
    return null;
  }
}

/** Whether a type is a variable of the method whose bound has arguments, or an array of such: Java infers no raw type for it. */
export const isOfGenericBound = (type: GenericType, parameters: readonly TypeParameter[]): boolean =>
  type.kind === 'array'
    ? isOfGenericBound(type.element, parameters)
    : type.kind === 'variable' && parameters.some(({ name, bounds }) => name === type.name && bounds.some(isGeneric));

function ofDex<T>(all: Map<Dex, Map<number, T>>, dex: Dex): Map<number, T> {
  let known = all.get(dex);
  if (known === undefined) {
    known = new Map();
    all.set(dex, known);
  }
  return known;
}

/** The type parameters of a method, and those around it. */
export const withParameters = (around: Variables, parameters: readonly TypeParameter[]): Variables =>
  parameters.length === 0
    ? around
    : new Map([...around, ...parameters.map(({ name, bounds }) => [name, bounds] as const)]);
