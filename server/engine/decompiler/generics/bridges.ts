// The methods that javac makes for those of generic classes above one, and whether a class's code has just these. Knows no text.
import { BadCode } from '../../code/method-body.ts';
import { platformThrows } from '../../code/types/class-relations.ts';
import type { GenericClass, GenericType, MethodSignature } from '../../code/types/generic-signatures.ts';
import { erasure, exactType, isExact, isGeneric, isSame, plainType, valuesOf } from '../../code/types/generic-types.ts';
import { platformMethod, platformMethods } from '../../code/types/platform-generics.ts';
import { isReference, object } from '../../code/values/operands.ts';
import { systemValue } from '../../formats/dex/annotations.ts';
import type { EncodedMethod } from '../../formats/dex/class-data.ts';
import type { Expression } from '../expressions/tree.ts';
import { isInheritedBridge } from '../language/inherited-bridges.ts';
import { Unsayable } from '../limits.ts';
import type { MethodSource } from '../method.ts';
import { methodsCalled } from '../printing/named-methods.ts';
import type { Program, SourceClass } from '../printing/program.ts';
import { saidOfMethod, signatureText } from './signature-texts.ts';

const accPublic = 0x1;
const accPrivate = 0x2;
const accStatic = 0x8;
const accBridge = 0x40;
const accSynthetic = 0x1000;

/** A method that javac makes. */
export interface Bridge {
  readonly meant: EncodedMethod;
  /** The generic class above for whose method it is made. */
  readonly above: string;
  readonly name: string;
  readonly parameters: readonly string[];
}

/** A method of a generic class whose type parameters show in it. */
export interface Contract {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly signature: MethodSignature;
  /** Checked exceptions. */
  readonly thrown: readonly string[];
  readonly isOpen: boolean;
}

export class Bridges {
  readonly #program: Program;
  readonly #contracts = new Map<string, readonly Contract[]>();

  constructor(program: Program) {
    this.#program = program;
  }

  /**
   * The methods of a class that javac makes for one of a generic class above it.
   * @returns null where the class has methods that source cannot have beside it
   */
  of(place: SourceClass, above: GenericClass, contract: Contract): [number, Bridge][] | null {
    const { types, relations } = this.#program;
    const { signature, name, parameters } = contract;
    const values = new Map(valuesOf(types.parametersOf(above.descriptor), above.arguments));
    if (!isExact(values)) return null;
    const declared = this.#program.heads.variablesOf(above.descriptor);
    for (const { name: own, bounds } of signature.parameters) {
      const [bound = plainType(object)] = bounds;
      values.set(own, { kind: 'exact', type: plainType(erasure(bound, declared)) });
    }
    const variables = this.#program.heads.variablesOf(place.type);
    const meantTypes = signature.takes.map((type) => erasure(exactType(type, values)!, variables));
    const given = erasure(exactType(signature.gives, values)!, variables);
    const [raw, wanted] = [parameters.join(''), meantTypes.join('')];
    const named = this.#methodsNamed(place, name);
    const isMade = (method: EncodedMethod) =>
      (method.accessFlags & accBridge) !== 0 &&
      (this.#program.covariantFor(place, method) !== null || isInheritedBridge(this.#program, place, method));
    const shown = named.filter(({ taken, method }) => taken === wanted && !isMade(method));
    const meant = shown.filter(({ method }) => (method.accessFlags & accBridge) === 0);
    const gives = exactType(signature.gives, values)!;
    const isFree = signature.takes.every((type) => !isGeneric(exactType(type, values)!));
    const isFitting = shown.every(
      ({ returns, method }) =>
        (returns === given || (isReference(returns) && relations.isAssignable(returns, given))) &&
        (!isFree || !isOfVariable(gives) || this.#isSaidToGive(place, method, gives)),
    );
    if (!isFitting || !this.#isInheritedSo(place, above, contract, { raw, wanted, given })) return null;
    if (raw === wanted) return [];
    const made = named.filter(({ taken }) => taken === raw);
    if (made.length === 0) return meant.length === 0 ? [] : null;
    const [bridge] = made;
    const [target] = meant;
    if (made.length !== 1 || meant.length !== 1 || bridge === undefined || target === undefined) return null;
    const isKept =
      isPlain(target.method) &&
      (target.method.accessFlags & accPublic) === (bridge.method.accessFlags & accPublic) &&
      this.#isCalledSo(place, above.descriptor, contract, target.method);
    if (!isKept || !this.#isBridge(place, bridge.method, { name, types: meantTypes, raw: parameters })) return null;
    return [[bridge.method.methodIndex, { meant: target.method, above: above.descriptor, name, parameters }]];
  }

  /** Whether a method's own signature says that it gives a type. */
  #isSaidToGive(place: SourceClass, method: EncodedMethod, gives: GenericType): boolean {
    const said = (method.accessFlags & (accBridge | accSynthetic)) === 0 ? saidOfMethod(place, method) : null;
    return said !== null && isSame(said.gives, gives);
  }

  /** Whether no other class above one has a method that would be the contract's for other types. */
  #isInheritedSo(
    place: SourceClass,
    above: GenericClass,
    { name }: Contract,
    { raw, wanted, given }: { raw: string; wanted: string; given: string },
  ): boolean {
    const { relations } = this.#program;
    return relations.above(place.type).every((type) => {
      const other = type === place.type ? null : this.#program.classOf(type);
      // What stands above the generic class is asked by itself, for the types that it has there.
      const isRelated =
        relations.isAssignable(type, above.descriptor) || relations.isAssignable(above.descriptor, type);
      if (other === null || isRelated) return true;
      return this.#methodsNamed(other, name).every(
        ({ taken, returns, method }) =>
          (method.accessFlags & accPrivate) !== 0 ||
          ((taken !== raw || raw === wanted) &&
            (taken !== wanted || (raw === wanted && (returns === given || relations.isAssignable(returns, given))))),
      );
    });
  }

  #methodsNamed(place: SourceClass, name: string) {
    const { dex } = place;
    const found: { method: EncodedMethod; taken: string; returns: string }[] = [];
    for (const method of methodsCalled(place, name)) {
      const proto = dex.methodProtoIndex(method.methodIndex);
      found.push({ method, taken: dex.protoParameters(proto).join(''), returns: dex.protoReturnType(proto) });
    }
    return found;
  }

  /** Whether a method keeps the contract's name, and throws nothing that it would not let it. */
  #isCalledSo(
    { dex, type, annotations }: SourceClass,
    above: string,
    { name, parameters, thrown, isOpen }: Contract,
    { methodIndex }: EncodedMethod,
  ): boolean {
    const throws = systemValue(dex, annotations.ofMethods.get(methodIndex) ?? [], 'Throws');
    const own = throws?.kind === 'array' ? throws.values : [];
    const { relations } = this.#program;
    const isAllowed = (exception: string) =>
      relations.isUnchecked(exception) === true || thrown.some((allowed) => relations.isAssignable(exception, allowed));
    const isThrown = own.every((each) => each.kind === 'type' && isAllowed(dex.type(each.index)));
    const shown = this.#program.methodName(type, name, dex.methodDescriptor(methodIndex));
    if (isOpen) return isThrown && shown === name;
    const found = this.#program.classOf(above);
    const meant =
      found === null ? undefined : this.#methodsNamed(found, name).find(({ taken }) => taken === parameters.join(''));
    if (found === null || meant === undefined) return false;
    const descriptor = found.dex.methodDescriptor(meant.method.methodIndex);
    return isThrown && shown === this.#program.methodName(above, name, descriptor);
  }

  /** The methods of a class in which its type parameters show. */
  contractsOf(type: string): readonly Contract[] {
    return this.#program.heads.kept(this.#contracts, type, () => [
      ...(this.#program.classOf(type) === null ? platformContracts(type) : this.#ownContracts(type)),
    ]);
  }

  *#ownContracts(type: string): Generator<Contract> {
    const { dex, data, annotations } = this.#program.classOf(type)!;
    const place = this.#program.classOf(type)!;
    for (const method of data.virtualMethods) {
      if ((method.accessFlags & (accStatic | accPrivate | accBridge)) !== 0) continue;
      const signature = this.#program.signatures.ofMethod(place, method);
      if (signature === null) continue;
      // What throws a type variable throws what its caller says: source of it does not.
      const isOpen = signatureText(dex, annotations.ofMethods.get(method.methodIndex) ?? [])?.includes('^T') === true;
      const throws = systemValue(dex, annotations.ofMethods.get(method.methodIndex) ?? [], 'Throws');
      const thrown =
        throws?.kind === 'array' && !isOpen
          ? throws.values.flatMap((each) => (each.kind === 'type' ? [dex.type(each.index)] : []))
          : [];
      const proto = dex.methodProtoIndex(method.methodIndex);
      const [name, parameters] = [dex.methodName(method.methodIndex), dex.protoParameters(proto)];
      yield { name, parameters, signature, thrown, isOpen: false };
    }
  }

  /** Whether a method does what javac's own does: it casts what it is given, and calls the method for those types. */
  #isBridge(
    place: SourceClass,
    bridge: EncodedMethod,
    meant: { name: string; types: readonly string[]; raw: readonly string[] },
  ): boolean {
    if ((bridge.accessFlags & accBridge) === 0 || (bridge.accessFlags & accStatic) !== 0) return false;
    let source: MethodSource;
    try {
      source = this.#program.local.source(place, bridge);
    } catch (error) {
      if (error instanceof BadCode || error instanceof Unsayable) return false;
      throw error;
    }
    const [only, ...rest] = source.statements;
    const call = only?.kind === 'return' ? only.value : only?.kind === 'do' ? only.expression : null;
    if (call?.kind !== 'call' || rest.length > 0 || call.owner !== place.type) return false;
    if (call.how !== 'virtual' && call.how !== 'interface') return false;
    if (call.name !== meant.name || call.parameters.join() !== meant.types.join()) return false;
    const isParameter = (value: Expression | null, index: number) =>
      value?.kind === 'local' && value.local === source.parameters[index];
    return (
      isParameter(call.object, 0) &&
      call.values.every((value, index) => {
        if (meant.types[index] === meant.raw[index]) return isParameter(value, index + 1);
        return value.kind === 'cast' && value.type === meant.types[index] && isParameter(value.operand, index + 1);
      })
    );
  }
}

function* platformContracts(type: string): Generator<Contract> {
  for (const called of platformMethods(type)) {
    const signature = platformMethod(type, called);
    const [name, list] = called.slice(0, -1).split('(') as [string, string];
    if (signature === null || name === '<init>') continue;
    const parameters = list.match(/\[*(?:L[^;]*;|.)/g) ?? [];
    yield { name, parameters, signature, thrown: platformThrows(type, name, parameters) ?? [], isOpen: true };
  }
}

const isOfVariable = (type: GenericType): boolean =>
  type.kind === 'array' ? isOfVariable(type.element) : type.kind === 'variable';

const isPlain = ({ accessFlags }: EncodedMethod): boolean =>
  (accessFlags & (accStatic | accPrivate | accBridge | accSynthetic)) === 0;
