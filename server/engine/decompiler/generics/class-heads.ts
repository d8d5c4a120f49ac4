// The heads of classes as source says them: type parameters, and for which types they extend and implement generic classes, so that
// the methods that javac makes for those need not be written. Knows no text.
//
// What the signature says is believed where source made of it says the same as the code: for each method of the classes above
// that is one for other types there, the class and those below it have none that is not javac's own, or both.
import { BadCode } from '../../code/method-body.ts';
import { platformThrows } from '../../code/types/class-relations.ts';
import {
  type ClassSignature,
  classSignature,
  type GenericClass,
  type GenericType,
  type MethodSignature,
  methodSignature,
  type TypeArgument,
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
  type Variables,
  valuesOf,
} from '../../code/types/generic-types.ts';
import { platformMethod, platformMethods } from '../../code/types/platform-generics.ts';
import { isReference, object, throwable } from '../../code/values/operands.ts';
import type { Annotation } from '../../formats/dex/annotations.ts';
import { systemValue } from '../../formats/dex/annotations.ts';
import type { EncodedMethod } from '../../formats/dex/class-data.ts';
import type { Dex } from '../../formats/dex/dex.ts';
import type { Call, Expression } from '../expressions/tree.ts';
import { Unsayable } from '../limits.ts';
import type { MethodSource } from '../method.ts';
import { methodsCalled } from '../printing/named-methods.ts';
import type { Program, SourceClass } from '../printing/program.ts';
import { ownType, TypeRelations } from './type-relations.ts';

const accPublic = 0x1;
const accPrivate = 0x2;
const accStatic = 0x8;
const accBridge = 0x40;
const accSynthetic = 0x1000;
const accAnnotation = 0x2000;

/** A class's head beyond its type parameters. */
export interface ClassHead {
  /** What it extends, unless it is an interface, and implements. */
  readonly above: readonly GenericClass[];
  /** By the index of a method that javac makes the one that it calls. */
  readonly bridges: ReadonlyMap<number, Bridge>;
}

interface Bridge {
  readonly meant: EncodedMethod;
  /** The generic class above for whose method it is made. */
  readonly above: string;
  readonly name: string;
  readonly parameters: readonly string[];
}

/** A method of a generic class whose type parameters show in it. */
interface Contract {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly signature: MethodSignature;
  /** Checked exceptions. */
  readonly thrown: readonly string[];
  readonly isOpen: boolean;
}

interface Declared {
  readonly parameters: readonly TypeParameter[];
  readonly signature: ClassSignature | null;
}

const nothing: Declared = { parameters: [], signature: null };
/** Classes kept in mind. */
const maxKept = 10_000;
/** Classes below one, at most, for it to have a generic class above. */
const maxBelow = 2_000;
const maxNesting = 40;

export class ClassHeads {
  readonly #program: Program;
  readonly #declared = new Map<string, Declared>();
  readonly #heads = new Map<string, ClassHead>();
  /** Classes whose heads are being worked out, each for the one before it. */
  readonly #open: string[] = [];
  /** The first of them that was asked for meanwhile. */
  #asked = Infinity;
  readonly #contracts = new Map<string, readonly Contract[]>();
  #below: Map<string, string[]> | null = null;

  constructor(program: Program) {
    this.#program = program;
  }

  /** Type parameters, their bounds as the signature has them. */
  parametersOf(type: string): readonly TypeParameter[] {
    return this.#declaredBy(type).parameters;
  }

  /** Type variables that code of a class has in sight. */
  variablesOf(type: string): Variables {
    const around = this.#around(type);
    const parameters = this.parametersOf(type);
    if (parameters.length === 0) return around;
    return new Map([...around, ...parameters.map(({ name, bounds }) => [name, bounds] as const)]);
  }

  #around(type: string): Variables {
    const outer = this.#program.outerOf(type);
    return outer === null || this.#program.inner.of(type) === null ? noVariables : this.variablesOf(outer);
  }

  #declaredBy(type: string): Declared {
    let known = this.#declared.get(type);
    if (known === undefined) {
      this.#declared.set(type, nothing);
      known = this.#findDeclared(type);
      if (this.#declared.size >= maxKept) this.#declared.clear();
      this.#declared.set(type, known);
    }
    return known;
  }

  #findDeclared(type: string): Declared {
    const { relations } = this.#program;
    const place = this.#program.classOf(type);
    const facts = relations.factsOf(type);
    if (place === null || facts === null) return nothing;
    const text = signatureText(place.dex, place.annotations.ofClass);
    const signature = text === null ? null : classSignature(text);
    if (signature === null) return nothing;
    const isOwn =
      signature.superclass.descriptor === (facts.isInterface ? object : facts.superclass) &&
      signature.interfaces.length === facts.interfaces.length &&
      signature.interfaces.every(({ descriptor }, index) => descriptor === facts.interfaces[index]);
    if (!isOwn) return nothing;
    const flags = place.dex.classDef(place.classIndex).accessFlags;
    const { parameters } = signature;
    const isPlain =
      parameters.length === 0 ||
      this.#program.isEnumClass(type) ||
      (flags & accAnnotation) !== 0 ||
      this.#program.localCandidates.has(type) ||
      this.#program.records.of(type) !== null ||
      relations.isAssignable(type, throwable) ||
      !this.#program.types.areDeclarable(parameters, this.#around(type));
    return { parameters: isPlain ? [] : parameters, signature };
  }

  of(type: string): ClassHead {
    const known = this.#heads.get(type);
    if (known !== undefined) return known;
    // Names of methods depend on what is left out, and a class may be an argument of what it extends.
    const open = this.#open.indexOf(type);
    if (open >= 0 || this.#open.length > maxNesting) {
      this.#asked = Math.min(this.#asked, Math.max(0, open));
      return this.#plain(type);
    }
    const place = this.#open.push(type) - 1;
    const found = this.#find(type);
    this.#open.pop();
    // What was worked out from a head that is not known yet is worked out again.
    if (this.#asked < place) return found;
    this.#asked = Infinity;
    if (this.#heads.size >= maxKept) this.#heads.clear();
    this.#heads.set(type, found);
    return found;
  }

  /** Whether a class's head is being worked out. */
  isOpen(type: string): boolean {
    return this.#open.includes(type);
  }

  /** The other method of a class that one of it is made by javac for; null for none. */
  meantBy({ type }: SourceClass, method: EncodedMethod): EncodedMethod | null {
    if ((method.accessFlags & accBridge) === 0) return null;
    return this.of(type).bridges.get(method.methodIndex)?.meant ?? null;
  }

  /**
   * What javac makes a method for that a call means: source has none of it; null for any other method.
   * @param type of the object
   */
  bridgeOf(type: string, { name, parameters }: Call): (Bridge & { readonly place: SourceClass }) | null {
    const { relations } = this.#program;
    if (relations.placeOf(type) === null) return null;
    const called = parameters.join('');
    for (const at of relations.above(type)) {
      if (relations.placeOf(at) === null) continue;
      for (const bridge of this.of(at).bridges.values())
        if (bridge.name === name && bridge.parameters.join('') === called)
          return { ...bridge, place: this.#program.classOf(at)! };
    }
    return null;
  }

  #plain(type: string): ClassHead {
    const facts = this.#program.relations.factsOf(type);
    const above = [...(facts?.superclass == null ? [] : [facts.superclass]), ...new Set(facts?.interfaces)];
    return {
      above: above.map((descriptor) => ({ kind: 'class', descriptor, arguments: [] })),
      bridges: new Map(),
    };
  }

  #find(type: string): ClassHead {
    const place = this.#program.classOf(type);
    const plain = this.#plain(type);
    if (place === null) return plain;
    if (this.#program.isEnumClass(type)) {
      const [, ...interfaces] = plain.above;
      return { above: [TypeRelations.enumAbove(type), ...interfaces], bridges: new Map() };
    }
    const said = this.#saidAbove(type);
    if (said.every(({ arguments: given }) => given.length === 0) && !this.#isBelowGeneric(plain.above)) return plain;
    const bridges = new Map<number, Bridge>();
    const above: GenericClass[] = [];
    const reached = new Map<string, GenericClass>();
    for (const each of said) {
      const tried = reached.get(each.descriptor) ?? each;
      const isGood = this.#isGood(place, tried, reached, bridges);
      const taken = isGood ? tried : { ...each, arguments: [] };
      // It is below a raw class in another way.
      if (!isGood && !this.#isGood(place, taken, reached, bridges)) return plain;
      above.push(taken);
    }
    return { above, bridges };
  }

  /** What the signature of a class says that it extends and implements, raw where that cannot be. */
  #saidAbove(type: string): readonly GenericClass[] {
    const { signature } = this.#declaredBy(type);
    const variables = this.variablesOf(type);
    const wanted = signature === null ? [] : [signature.superclass, ...signature.interfaces];
    return this.#plain(type).above.map((each): GenericClass => {
      const own = wanted.find(({ descriptor }) => descriptor === each.descriptor);
      const known = own === undefined ? null : this.#program.types.said(own, variables, type);
      const isUsable =
        known?.kind === 'class' &&
        known.arguments.every(({ kind }) => kind === 'exact') &&
        eachPart(known, (part) => part.kind !== 'variable' || variables.has(part.name));
      return isUsable ? known : each;
    });
  }

  /** For which types the signatures of a class and those between say that it is below another one; null for a raw one. */
  #saidFor(type: string, above: string, depth = 0): readonly TypeArgument[] | null {
    if (type === above) return ownType(type, this.parametersOf(type)).arguments;
    if (depth > maxNesting) return null;
    const { relations } = this.#program;
    const next = this.#saidAbove(type).find((each) => relations.isAssignable(each.descriptor, above));
    if (next === undefined || this.#program.types.isRaw(next)) return null;
    const given = this.#saidFor(next.descriptor, above, depth + 1);
    if (given === null) return null;
    const of: GenericClass = { kind: 'class', descriptor: above, arguments: given };
    const exact = exactType(of, valuesOf(this.parametersOf(next.descriptor), next.arguments));
    return exact?.kind === 'class' ? exact.arguments : null;
  }

  #isBelowGeneric(above: readonly GenericClass[]): boolean {
    return above.some((each) => [...this.#closure(each)].some(({ arguments: given }) => given.length > 0));
  }

  /** A type with all above it. */
  #closure(type: GenericClass): GenericClass[] {
    const { types, relations } = this.#program;
    const found: GenericClass[] = [];
    const seen = new Set<string>();
    for (const descriptor of relations.above(type.descriptor)) {
      if (seen.has(descriptor)) continue;
      seen.add(descriptor);
      const above = types.asSuper(type, descriptor, noVariables);
      if (above !== null) found.push(above);
    }
    return found;
  }

  /**
   * Whether a class may be declared to be below a type. What is above it by that is noted, and what javac makes for it.
   * @param reached types above it by what is declared before
   */
  #isGood(
    place: SourceClass,
    type: GenericClass,
    reached: Map<string, GenericClass>,
    bridges: Map<number, Bridge>,
  ): boolean {
    const all = this.#closure(type);
    if (all.some((each) => !isSame(reached.get(each.descriptor) ?? each, each))) return false;
    const below = this.#classesBelow(place.type);
    if (below === null) return all.every(({ arguments: given }) => given.length === 0);
    const made = new Map<number, Bridge>();
    for (const each of all) {
      if (each.arguments.length === 0) continue;
      if (below.some((other) => this.#isRawBelow(other.type, place.type, each.descriptor))) return false;
      for (const contract of this.#contractsOf(each.descriptor)) {
        const found = this.#bridgesFor(place, each, contract);
        if (found === null) return false;
        const isMade = found.length > 0;
        if (below.some((other) => !this.#mayBeBelow(other, place.type, each, { contract, isMade }))) return false;
        for (const [index, bridge] of found) made.set(index, bridge);
      }
    }
    for (const each of all) reached.set(each.descriptor, each);
    for (const [index, bridge] of made) bridges.set(index, bridge);
    return true;
  }

  /** Whether a class is below a generic one for no types in another way than by one above it. */
  #isRawBelow(type: string, by: string, target: string): boolean {
    const { relations, types } = this.#program;
    return this.#saidAbove(type).some((each) => {
      const isOther = relations.isAssignable(each.descriptor, target) && !relations.isAssignable(each.descriptor, by);
      if (!isOther || relations.above(each.descriptor).some((above) => this.#open.includes(above))) return false;
      return types.asSuper(each, target, noVariables)?.arguments.length === 0;
    });
  }

  /** Whether a class below one may be so when that one is below a generic type. */
  #mayBeBelow(
    other: SourceClass,
    type: string,
    above: GenericClass,
    { contract, isMade }: { contract: Contract; isMade: boolean },
  ): boolean {
    const parameters = this.parametersOf(type);
    const given = this.#saidFor(other.type, type);
    // Of a raw class all above is raw, and what javac makes for types is for none there.
    if (given === null) return parameters.length > 0 && !isMade;
    const exact = exactType(above, valuesOf(parameters, given));
    return exact?.kind === 'class' && this.#bridgesFor(other, exact, contract) !== null;
  }

  /**
   * The methods of a class that javac makes for one of a generic class above it.
   * @returns null where the class has methods that source cannot have beside it
   */
  #bridgesFor(place: SourceClass, above: GenericClass, contract: Contract): [number, Bridge][] | null {
    const { types, relations } = this.#program;
    const { signature, name, parameters } = contract;
    const values = new Map(valuesOf(types.parametersOf(above.descriptor), above.arguments));
    if (!isExact(values)) return null;
    const declared = this.variablesOf(above.descriptor);
    for (const { name: own, bounds } of signature.parameters) {
      const [bound = plainType(object)] = bounds;
      values.set(own, { kind: 'exact', type: plainType(erasure(bound, declared)) });
    }
    const variables = this.variablesOf(place.type);
    const meantTypes = signature.takes.map((type) => erasure(exactType(type, values)!, variables));
    const given = erasure(exactType(signature.gives, values)!, variables);
    const [raw, wanted] = [parameters.join(''), meantTypes.join('')];
    const named = this.#methodsNamed(place, name);
    const isMade = (method: EncodedMethod) =>
      (method.accessFlags & accBridge) !== 0 && this.#program.covariantFor(place, method) !== null;
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
      if (other === null || relations.isAssignable(type, above.descriptor)) return true;
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
    const isThrown = own.every(
      (each) => each.kind === 'type' && thrown.some((allowed) => relations.isAssignable(dex.type(each.index), allowed)),
    );
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
  #contractsOf(type: string): readonly Contract[] {
    let known = this.#contracts.get(type);
    if (known === undefined) {
      known = [...(this.#program.classOf(type) === null ? platformContracts(type) : this.#ownContracts(type))];
      if (this.#contracts.size >= maxKept) this.#contracts.clear();
      this.#contracts.set(type, known);
    }
    return known;
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

  /** All classes of the app below one; null where there are too many. */
  #classesBelow(type: string): readonly SourceClass[] | null {
    if (this.#below === null) {
      this.#below = new Map();
      const { relations } = this.#program;
      for (const each of relations.appTypes) {
        const facts = relations.factsOf(each)!;
        for (const above of [facts.superclass, ...facts.interfaces]) {
          if (above === null || relations.placeOf(above) === null) continue;
          const list = this.#below.get(above);
          if (list === undefined) this.#below.set(above, [each]);
          else list.push(each);
        }
      }
    }
    const found = new Set<string>();
    const open = [type];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      for (const each of this.#below.get(at) ?? []) {
        if (found.has(each) || each === type) continue;
        found.add(each);
        open.push(each);
        if (found.size > maxBelow) return null;
      }
    }
    return [...found].map((each) => this.#program.classOf(each)!);
  }
}

function* platformContracts(type: string): Generator<Contract> {
  for (const called of platformMethods(type)) {
    const signature = platformMethod(type, called);
    const [name, list] = called.slice(0, -1).split('(') as [string, string];
    if (signature === null || name === '<init>') continue;
    const parameters = list.match(/\[*(?:L[^;]*;|.)/g) ?? [];
    yield { name, parameters, signature, thrown: thrownBy(type, name, parameters), isOpen: true };
  }
}

const thrownBy = (type: string, name: string, parameters: readonly string[]): readonly string[] =>
  platformThrows(type, name, parameters);

const isOfVariable = (type: GenericType): boolean =>
  type.kind === 'array' ? isOfVariable(type.element) : type.kind === 'variable';

const isPlain = ({ accessFlags }: EncodedMethod): boolean =>
  (accessFlags & (accStatic | accPrivate | accBridge | accSynthetic)) === 0;

/** The text of a signature in annotations. */
export function signatureText(dex: Dex, annotations: readonly Annotation[]): string | null {
  const value = systemValue(dex, annotations, 'Signature');
  if (value?.kind !== 'array') return null;
  return value.values.map((part) => (part.kind === 'string' ? dex.string(part.index) : '')).join('');
}

/** What a method's signature says; null where it has none that is one. */
export function saidOfMethod(
  { dex, annotations }: SourceClass,
  { methodIndex }: EncodedMethod,
): MethodSignature | null {
  const text = signatureText(dex, annotations.ofMethods.get(methodIndex) ?? []);
  return text === null ? null : methodSignature(text);
}
