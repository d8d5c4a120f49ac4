// The heads of classes as source says them: type parameters, and for which types they extend and implement generic classes, so that
// the methods that javac makes for those need not be written. Knows no text.
//
// What the signature says is believed where source made of it says the same as the code: for each method of the classes above
// that is one for other types there, the class and those below it have none that is not javac's own, or both.
import {
  type ClassSignature,
  classSignature,
  type GenericClass,
  type TypeArgument,
  type TypeParameter,
} from '../../code/types/generic-signatures.ts';
import { eachPart, exactType, isSame, noVariables, type Variables, valuesOf } from '../../code/types/generic-types.ts';
import { object, throwable } from '../../code/values/operands.ts';
import type { EncodedMethod } from '../../formats/dex/class-data.ts';
import type { Call } from '../expressions/tree.ts';
import type { Program, SourceClass } from '../printing/program.ts';
import { type Bridge, Bridges } from './bridges.ts';
import { firstBounds, signatureText } from './signature-texts.ts';
import { ownType, TypeRelations } from './type-relations.ts';

const accBridge = 0x40;
const accAnnotation = 0x2000;

/** A class's head beyond its type parameters. */
export interface ClassHead {
  /** What it extends, unless it is an interface, and implements. */
  readonly above: readonly GenericClass[];
  /** By the index of a method that javac makes the one that it calls. */
  readonly bridges: ReadonlyMap<number, Bridge>;
}

interface Declared {
  readonly parameters: readonly TypeParameter[];
  readonly signature: ClassSignature | null;
}

/** What was found out while a head was not known: `asked` is the place of the first of these. */
interface Unsure {
  readonly value: unknown;
  readonly asked: number;
}

const nothing: Declared = { parameters: [], signature: null };
/** Classes, methods and fields kept in mind, of each kind. */
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
  /** By how many are being worked out: what was found out from those, by the cache that it belongs to. */
  readonly #unsure: Map<object, Map<unknown, Unsure>>[] = [];
  readonly #bridges: Bridges;
  #below: Map<string, string[]> | null = null;

  constructor(program: Program) {
    this.#program = program;
    this.#bridges = new Bridges(program);
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
    const parameters = firstBounds(signature.parameters);
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
    const place = this.#open.length;
    return this.kept(this.#heads, type, () => {
      this.#open.push(type);
      const found = this.#find(type);
      this.#open.pop();
      this.#unsure.length = place + 1;
      // It asked for itself.
      if (this.#asked >= place) this.#asked = Infinity;
      return found;
    });
  }

  /** Whether a class's head is being worked out. */
  isOpen(type: string): boolean {
    return this.#open.includes(type);
  }

  /**
   * What is found out from heads, kept in a cache, or as long as a head that it was found out from is not known.
   * @param meanwhile what is answered where it is asked for itself
   */
  kept<K, T>(cache: Map<K, T>, key: K, find: () => T, meanwhile?: T): T {
    const known = cache.get(key);
    if (known !== undefined) return known;
    const place = this.#open.length;
    const unsure = this.#unsure[place]?.get(cache)?.get(key);
    if (unsure !== undefined) {
      this.#asked = Math.min(this.#asked, unsure.asked);
      return unsure.value as T;
    }
    const before = this.#asked;
    this.#asked = Infinity;
    if (meanwhile !== undefined) cache.set(key, meanwhile);
    const value = find();
    cache.delete(key);
    const asked = this.#asked;
    this.#asked = Math.min(before, asked);
    if (asked < place) this.#keepUnsure(place, cache, key, { value, asked });
    else {
      if (cache.size >= maxKept) cache.clear();
      cache.set(key, value);
    }
    return value;
  }

  #keepUnsure(place: number, cache: object, key: unknown, found: Unsure): void {
    this.#unsure[place] ??= new Map();
    const known = this.#unsure[place].get(cache);
    if (known === undefined) this.#unsure[place].set(cache, new Map([[key, found]]));
    else known.set(key, found);
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
    const parameters = this.parametersOf(place.type);
    const saidBelow = below.map((other) => {
      const given = this.#saidFor(other.type, place.type);
      return { other, values: given === null ? null : valuesOf(parameters, given) };
    });
    for (const each of all) {
      if (each.arguments.length === 0) continue;
      if (below.some((other) => this.#isRawBelow(other.type, place.type, each.descriptor))) return false;
      const belowFor = saidBelow.map(({ other, values }) => ({
        other,
        above: values === null ? null : exactType(each, values),
      }));
      for (const contract of this.#bridges.contractsOf(each.descriptor)) {
        const found = this.#bridges.of(place, each, contract);
        if (found === null) return false;
        // Of a raw class all above is raw, and what javac makes for types is for none there.
        const isRawGood = parameters.length > 0 && found.length === 0;
        const isBelow = belowFor.every(({ other, above }, index) =>
          saidBelow[index]!.values === null
            ? isRawGood
            : above?.kind === 'class' && this.#bridges.of(other, above, contract) !== null,
        );
        if (!isBelow) return false;
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
