// Which classes implement interfaces of the Java platform for types of their own, as `Comparator<Foo>`, so that the method that
// javac makes for the interface need not be written. Knows no text.
//
// What the signature says is believed where source made of it says the same as the code: the class has the method for those types
// and the one that calls it, and nothing else in the app may see the difference.
import { BadCode } from '../../code/method-body.ts';
import { classSignature, erased, type GenericClass } from '../../code/types/class-signatures.ts';
import { isReference, object } from '../../code/values/operands.ts';
import { systemValue } from '../../formats/dex/annotations.ts';
import type { EncodedMethod } from '../../formats/dex/class-data.ts';
import type { Call, Expression } from '../expressions/tree.ts';
import { Unsayable } from '../limits.ts';
import type { MethodSource } from '../method.ts';
import type { Program, SourceClass } from '../printing/program.ts';

/** The abstract method of an interface that its arguments show in. */
interface Contract {
  readonly name: string;
  /** Which argument each parameter is of. */
  readonly takes: readonly number[];
  /** The argument it gives, or a primitive. */
  readonly gives: number | string;
}

const contracts: ReadonlyMap<string, Contract> = new Map([
  ['Ljava/lang/Comparable;', { name: 'compareTo', takes: [0], gives: 'I' }],
  ['Ljava/util/Comparator;', { name: 'compare', takes: [0, 0], gives: 'I' }],
  ['Ljava/util/Iterator;', { name: 'next', takes: [], gives: 0 }],
  ['Ljava/util/concurrent/Callable;', { name: 'call', takes: [], gives: 0 }],
  ['Ljava/util/function/BiConsumer;', { name: 'accept', takes: [0, 1], gives: 'V' }],
  ['Ljava/util/function/BiFunction;', { name: 'apply', takes: [0, 1], gives: 2 }],
  ['Ljava/util/function/BiPredicate;', { name: 'test', takes: [0, 1], gives: 'Z' }],
  ['Ljava/util/function/Consumer;', { name: 'accept', takes: [0], gives: 'V' }],
  ['Ljava/util/function/Function;', { name: 'apply', takes: [0], gives: 1 }],
  ['Ljava/util/function/Predicate;', { name: 'test', takes: [0], gives: 'Z' }],
  ['Ljava/util/function/Supplier;', { name: 'get', takes: [], gives: 0 }],
]);

const contractNames: ReadonlySet<string> = new Set([...contracts.values()].map(({ name }) => name));

const accPublic = 0x1;
const accStatic = 0x8;
const accBridge = 0x40;
const accVarargs = 0x80;
const accSynthetic = 0x1000;

/** A method that javac makes, and the one that it calls. */
interface Bridge {
  readonly made: EncodedMethod;
  readonly meant: EncodedMethod;
}

interface Implemented {
  /** Of the interface, descriptors. */
  readonly arguments: readonly string[];
  readonly bridge: Bridge | null;
}

const none: ReadonlyMap<string, Implemented> = new Map();
/** Classes kept in mind. */
const maxKept = 10_000;

/** Whether a call may be one of a method that takes objects for an interface's own types. */
export const isContract = ({ name, parameters }: Call): boolean => parameters.length > 0 && contractNames.has(name);

export class InterfaceArguments {
  readonly #program: Program;
  readonly #known = new Map<string, ReadonlyMap<string, Implemented>>();
  #extended: Set<string> | null = null;

  constructor(program: Program) {
    this.#program = program;
  }

  /** What a class implements an interface for: descriptors, none where source does not say so. */
  of(type: string, implemented: string): readonly string[] {
    return this.#of(type).get(implemented)?.arguments ?? [];
  }

  /** The other method of a class that one of it is made by javac for; null for none. */
  meantBy({ type }: SourceClass, method: EncodedMethod): EncodedMethod | null {
    if ((method.accessFlags & accBridge) === 0) return null;
    for (const { bridge } of this.#of(type).values())
      if (bridge !== null && bridge.made.methodIndex === method.methodIndex) return bridge.meant;
    return null;
  }

  /**
   * The interface that a call has to be made by, since the class of its object is written with arguments; null where it needs none.
   * @param type of the object
   */
  calledBy(type: string, { name, parameters }: Call): string | null {
    for (const [implemented, { bridge }] of this.#of(type)) {
      if (bridge === null || contracts.get(implemented)!.name !== name) continue;
      if (parameters.every((each) => each === object)) return implemented;
    }
    return null;
  }

  #of(type: string): ReadonlyMap<string, Implemented> {
    let known = this.#known.get(type);
    if (known === undefined) {
      // Names of methods depend on what is left out.
      this.#known.set(type, none);
      known = this.#find(type);
      if (this.#known.size >= maxKept) this.#known.clear();
      this.#known.set(type, known);
    }
    return known;
  }

  #find(type: string): ReadonlyMap<string, Implemented> {
    const { relations } = this.#program;
    const facts = relations.placeOf(type) === null ? null : relations.factsOf(type);
    if (facts === null || facts.isInterface || !facts.interfaces.some((each) => contracts.has(each))) return none;
    if (this.#program.isEnumClass(type) || this.#isExtended(type)) return none;
    const place = this.#program.classOf(type)!;
    const said = saidInterfaces(place, facts.superclass, facts.interfaces);
    if (said === null) return none;
    const found = new Map<string, Implemented>();
    for (const each of said) {
      const others = [facts.superclass, ...facts.interfaces].filter((other) => other !== each.descriptor);
      // A class implements an interface for the same types everywhere.
      if (others.some((other) => other !== null && relations.isAssignable(other, each.descriptor))) continue;
      const implemented = this.#implemented(place, each);
      if (implemented !== null) found.set(each.descriptor, implemented);
    }
    return found;
  }

  #implemented(place: SourceClass, said: GenericClass): Implemented | null {
    const contract = contracts.get(said.descriptor);
    if (contract === undefined) return null;
    const { takes, gives, name } = contract;
    const types = said.arguments.map((each) => (each.kind === 'exact' ? erased(each.type) : null));
    const count = Math.max(...takes, typeof gives === 'number' ? gives : 0) + 1;
    if (types.length !== count || types.includes(null)) return null;
    const given = types as string[];
    const { relations } = this.#program;
    const fits = (returns: string) =>
      typeof gives === 'string'
        ? returns === gives
        : isReference(returns) && relations.isAssignable(returns, given[gives]!);
    const named = place.data.virtualMethods.filter(({ methodIndex }) => place.dex.methodName(methodIndex) === name);
    const shape = (method: EncodedMethod) => {
      const proto = place.dex.methodProtoIndex(method.methodIndex);
      return { parameters: place.dex.protoParameters(proto).join(''), returns: place.dex.protoReturnType(proto) };
    };
    const wanted = takes.map((index) => given[index]!).join('');
    const raw = takes.map(() => object).join('');
    const meant = named.filter((each) => {
      const { parameters, returns } = shape(each);
      return parameters === wanted && fits(returns) && isPlain(each) && this.#isCalledSo(place, each);
    });
    if (meant.length !== 1) return null;
    if (wanted === raw) return { arguments: given, bridge: null };
    const made = named.filter((each) => shape(each).parameters === raw);
    const [bridge] = made;
    if (
      made.length !== 1 ||
      bridge === undefined ||
      shape(bridge).returns !== (typeof gives === 'string' ? gives : object)
    )
      return null;
    if (!this.#isBridge(place, bridge, { name, types: takes.map((index) => given[index]!) })) return null;
    return { arguments: given, bridge: { made: bridge, meant: meant[0]! } };
  }

  /** Whether a method keeps its name, and throws nothing that the interface would not let it. */
  #isCalledSo({ dex, type, annotations }: SourceClass, { methodIndex }: EncodedMethod): boolean {
    const name = dex.methodName(methodIndex);
    const throws = systemValue(dex, annotations.ofMethods.get(methodIndex) ?? [], 'Throws');
    return (
      (throws === null || name === 'call') &&
      this.#program.methodName(type, name, dex.methodDescriptor(methodIndex)) === name
    );
  }

  /** Whether a method does what javac's own does: it casts what it is given, and calls the method for those types. */
  #isBridge(place: SourceClass, bridge: EncodedMethod, meant: { name: string; types: readonly string[] }): boolean {
    if ((bridge.accessFlags & accBridge) === 0) return false;
    let source: MethodSource;
    try {
      source = this.#program.local.source(place, bridge);
    } catch (error) {
      if (error instanceof BadCode || error instanceof Unsayable) return false;
      throw error;
    }
    const [only, ...rest] = source.statements;
    const call = only?.kind === 'return' ? only.value : only?.kind === 'do' ? only.expression : null;
    if (call?.kind !== 'call' || rest.length > 0 || call.how !== 'virtual' || call.owner !== place.type) return false;
    if (call.name !== meant.name || call.parameters.join() !== meant.types.join()) return false;
    const isParameter = (value: Expression | null, index: number) =>
      value?.kind === 'local' && value.local === source.parameters[index];
    return (
      isParameter(call.object, 0) &&
      call.values.every((value, index) => {
        if (meant.types[index] === object) return isParameter(value, index + 1);
        return value.kind === 'cast' && value.type === meant.types[index] && isParameter(value.operand, index + 1);
      })
    );
  }

  #isExtended(type: string): boolean {
    if (this.#extended === null) {
      this.#extended = new Set();
      const { relations } = this.#program;
      for (const each of relations.appTypes) {
        const superclass = relations.factsOf(each)?.superclass ?? null;
        if (superclass !== null && relations.placeOf(superclass) !== null) this.#extended.add(superclass);
      }
    }
    return this.#extended.has(type);
  }
}

const isPlain = ({ accessFlags }: EncodedMethod): boolean =>
  (accessFlags & (accPublic | accStatic | accBridge | accVarargs | accSynthetic)) === accPublic;

/** The interfaces as the signature says them, where it says those that the class has, and has no variables. */
function saidInterfaces(
  { dex, annotations }: SourceClass,
  superclass: string | null,
  interfaces: readonly string[],
): readonly GenericClass[] | null {
  const value = systemValue(dex, annotations.ofClass, 'Signature');
  if (value?.kind !== 'array') return null;
  const text = value.values.map((part) => (part.kind === 'string' ? dex.string(part.index) : '')).join('');
  const said = classSignature(text);
  if (said === null || said.superclass.descriptor !== superclass) return null;
  const isSame =
    said.interfaces.length === interfaces.length &&
    said.interfaces.every(({ descriptor }, index) => descriptor === interfaces[index]);
  return isSame && new Set(interfaces).size === interfaces.length ? said.interfaces : null;
}
