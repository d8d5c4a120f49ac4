// Which class extends and implements which: of the app, of Java's platform and of Android's. Knows no code.
import { readFileSync } from 'node:fs';
import { type Dex, noIndex } from '../../formats/dex/dex.ts';
import type { ClassPlace } from '../class-hierarchy.ts';
import { isReference, object } from '../values/operands.ts';

/** What a class is declared as. */
export interface ClassFacts {
  /** Null for Object, interfaces and what is not known. */
  readonly superclass: string | null;
  readonly interfaces: readonly string[];
  readonly isInterface: boolean;
  readonly isFinal: boolean;
}

interface JavaTable {
  classes: Record<string, string>;
  throws: Record<string, string>;
  overloads: Record<string, string>;
  varargs: Record<string, 'g' | 't'>;
}
interface AndroidTable {
  extends: Record<string, string[]>;
  implements: Record<string, string[]>;
}

const accFinal = 0x10;
const accInterface = 0x200;
/** Classes and interfaces above one: more only a hostile file has, in a circle maybe. */
const maxAbove = 256;
/** Classes for which what is above them is kept in mind. */
const maxKept = 8_000;
const descriptorOf = (name: string): string => (name.startsWith('[') ? name : `L${name};`);

interface Platform extends Pick<JavaTable, 'throws' | 'overloads' | 'varargs'> {
  /** Classes that stand in one. */
  readonly nested: Map<string, string[]>;
  readonly facts: Map<string, ClassFacts>;
  readonly isJava: (type: string) => boolean;
}

let platform: Platform | null = null;
/** By the name of the platform's class. */
const throwers = new Map<string, Set<string>>();
/** By the type and the name of the method. */
const overloads = new Map<string, Map<string, readonly string[]>>();
const noNames: ReadonlySet<string> = new Set();

function readTable<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`../../../../resources/${name}`, import.meta.url), 'utf8')) as T;
}

function readPlatform(): Platform {
  const facts = new Map<string, ClassFacts>();
  const java = readTable<JavaTable>('java-classes.json');
  for (const [name, line] of Object.entries(java.classes)) {
    const [flag, ...above] = line.split(' ').filter((word) => word !== '');
    const types = above.map(descriptorOf);
    const isInterface = flag === 'i';
    facts.set(descriptorOf(name), {
      superclass: isInterface ? null : (types[0] ?? null),
      interfaces: isInterface ? types : types.slice(1),
      isInterface,
      isFinal: flag === 'f',
    });
  }
  const android = readTable<AndroidTable>('android-classes.json');
  const found = new Map<
    string,
    { superclass: string | null; interfaces: string[]; isInterface: boolean; isFinal: false }
  >();
  const entry = (name: string) => {
    const type = descriptorOf(name);
    let known = found.get(type);
    if (known === undefined) {
      known = { superclass: object, interfaces: [], isInterface: false, isFinal: false };
      found.set(type, known);
    }
    return known;
  };
  for (const [superclass, names] of Object.entries(android.extends)) {
    for (const name of names) entry(name).superclass = descriptorOf(superclass);
  }
  for (const [type, names] of Object.entries(android.implements)) {
    entry(type).isInterface = true;
    for (const name of names) entry(name).interfaces.push(descriptorOf(type));
  }
  for (const [type, known] of found) {
    if (!facts.has(type)) facts.set(type, known.isInterface ? { ...known, superclass: null } : known);
  }
  const nested = new Map<string, string[]>();
  for (const type of facts.keys()) {
    const outer = outerName(type);
    if (outer === null) continue;
    const list = nested.get(outer);
    if (list === undefined) nested.set(outer, [type]);
    else list.push(type);
  }
  const { throws, overloads, varargs, classes } = java;
  return { facts, nested, throws, overloads, varargs, isJava: (type) => classes[type.slice(1, -1)] !== undefined };
}

/** A class with all above it. */
interface Above {
  readonly list: readonly string[];
  readonly set: ReadonlySet<string>;
}

export class ClassRelations {
  readonly #places = new Map<string, ClassPlace>();
  readonly #facts = new Map<string, ClassFacts | null>();
  readonly #above = new Map<string, Above>();

  /** @param dexes of one class loader: the first definition of a class counts */
  constructor(dexes: readonly Dex[]) {
    for (const dex of dexes) {
      for (let classIndex = 0; classIndex < dex.classCount; classIndex++) {
        const name = dex.className(classIndex);
        if (!this.#places.has(name)) this.#places.set(name, { dex, classIndex });
      }
    }
  }

  /** Where the app defines a class; null where it does not. */
  placeOf(type: string): ClassPlace | null {
    return this.#places.get(type) ?? null;
  }

  get appTypes(): IterableIterator<string> {
    return this.#places.keys();
  }

  /** Null for a class that neither the app nor a table has. */
  factsOf(type: string): ClassFacts | null {
    let facts = this.#facts.get(type);
    if (facts === undefined) {
      facts = this.#appFacts(type) ?? platformFacts(type);
      this.#facts.set(type, facts);
    }
    return facts;
  }

  #appFacts(type: string): ClassFacts | null {
    const place = this.#places.get(type);
    if (place === undefined) return null;
    const { dex, classIndex } = place;
    const { superclassIndex, interfacesOffset, accessFlags } = dex.classDef(classIndex);
    const isInterface = (accessFlags & accInterface) !== 0;
    return {
      superclass: superclassIndex === noIndex || isInterface ? null : dex.type(superclassIndex),
      interfaces: dex.typeList(interfacesOffset).map((index) => dex.type(index)),
      isInterface,
      isFinal: (accessFlags & accFinal) !== 0,
    };
  }

  /** A class with all above it, itself first; superclasses before interfaces. */
  above(type: string): readonly string[] {
    return this.#allAbove(type).list;
  }

  #allAbove(type: string): Above {
    let known = this.#above.get(type);
    if (known === undefined) {
      const set = this.#findAbove(type);
      known = { list: [...set], set };
      if (this.#above.size >= maxKept) this.#above.clear();
      this.#above.set(type, known);
    }
    return known;
  }

  #findAbove(type: string): ReadonlySet<string> {
    const seen = new Set<string>();
    for (let at: string | null = type; at !== null && !seen.has(at) && seen.size < maxAbove; ) {
      seen.add(at);
      at = this.factsOf(at)?.superclass ?? null;
    }
    for (const each of seen) {
      if (seen.size > maxAbove) break;
      for (const one of this.factsOf(each)?.interfaces ?? []) seen.add(one);
    }
    return seen;
  }

  /** Whether every class above one is known. */
  isWhole(type: string): boolean {
    return this.above(type).every((each) => this.factsOf(each) !== null);
  }

  /** Whether a value of one type is known to be of another. */
  isAssignable(from: string, to: string): boolean {
    if (from === to) return true;
    if (!isReference(from) || !isReference(to)) return false;
    if (to === object) return true;
    if (from.startsWith('[')) {
      if (to.startsWith('[')) return this.isAssignable(from.slice(1), to.slice(1));
      return to === 'Ljava/lang/Cloneable;' || to === 'Ljava/io/Serializable;';
    }
    if (to.startsWith('[')) return false;
    return this.#allAbove(from).set.has(to);
  }

  /** The nearest type that values of both are known to be of. */
  join(a: string, b: string): string {
    if (this.isAssignable(a, b)) return b;
    if (this.isAssignable(b, a)) return a;
    if (a.startsWith('[') && b.startsWith('[') && isReference(a.slice(1)) && isReference(b.slice(1))) {
      return `[${this.join(a.slice(1), b.slice(1))}`;
    }
    if (a.startsWith('[') || b.startsWith('[')) return object;
    const shared = this.above(a).filter((type) => type !== object && this.isAssignable(b, type));
    return shared[0] ?? object;
  }

  isInterface(type: string): boolean {
    return this.factsOf(type)?.isInterface ?? false;
  }

  /** Whether javac lets an exception of a type go unsaid: true and false as far as it is known, else null. */
  isUnchecked(type: string): boolean | null {
    if (this.isAssignable(type, 'Ljava/lang/RuntimeException;') || this.isAssignable(type, 'Ljava/lang/Error;'))
      return true;
    return this.isWhole(type) ? false : null;
  }
}

function platformFacts(type: string): ClassFacts | null {
  platform ??= readPlatform();
  return platform.facts.get(type) ?? null;
}

/** The class that one stands in by its name: `La/B;` of `La/B$C;`. */
export function outerName(type: string): string | null {
  const end = type.lastIndexOf('$');
  return end <= type.lastIndexOf('/') + 1 || end === type.length - 2 ? null : `${type.slice(0, end)};`;
}

/** Classes of the platform that stand in one of it. */
export function platformNested(type: string): readonly string[] {
  platform ??= readPlatform();
  return platform.nested.get(type) ?? [];
}

/**
 * Checked exceptions that a method declares which a class of the Java platform has itself: none where it throws less than one above it.
 * Null where no class above it declares any, or the class has no such method.
 */
export function platformThrows(owner: string, name: string, parameters: readonly string[]): readonly string[] | null {
  platform ??= readPlatform();
  const line = platform.throws[`${owner.slice(1, -1)}->${name}(${parameters.join('')})`];
  if (line === undefined) return null;
  return line === '' ? [] : line.split(' ').map(descriptorOf);
}

/** Names of the platform class's own methods and constructors of which some declare checked exceptions. */
export function platformThrowers(owner: string): ReadonlySet<string> {
  platform ??= readPlatform();
  if (throwers.size === 0) {
    for (const [method, thrown] of Object.entries(platform.throws)) {
      if (thrown === '') continue;
      const [type, name] = method.slice(0, method.indexOf('(')).split('->') as [string, string];
      const names = throwers.get(type);
      if (names === undefined) throwers.set(type, new Set([name]));
      else names.add(name);
    }
  }
  return throwers.get(owner.slice(1, -1)) ?? noNames;
}

/**
 * What the methods take that a class of the platform declares under a name of which it, or one below, has several with as many
 * parameters, `ILjava/lang/Object;` each; null for a class of which that is not known.
 */
export function platformOverloads(type: string, name: string): readonly string[] | null {
  platform ??= readPlatform();
  if (!platform.isJava(type)) return null;
  let known = overloads.get(type);
  if (known === undefined) {
    known = new Map();
    for (const line of platform.overloads[type.slice(1, -1)]?.split(' ') ?? []) {
      const [method, ...parameters] = line.split('(') as [string, ...string[]];
      known.set(
        method,
        parameters.map((each) => each.slice(0, -1)),
      );
    }
    overloads.set(type, known);
  }
  return known.get(name) ?? [];
}

/** Of a method of the Java platform that gathers its last values in an array, and is the only one of its name: what it says of their type; null for another. */
export function platformGathers(owner: string, name: string, parameters: string): 'generic' | 'fixed' | null {
  platform ??= readPlatform();
  const said = platform.varargs[`${owner.slice(1, -1)}->${name}(${parameters})`];
  return said === undefined ? null : said === 'g' ? 'generic' : 'fixed';
}
