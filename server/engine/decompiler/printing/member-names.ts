// Names of members in source, where a dex file has several that Java could not tell apart: methods that differ in what they return,
// fields that differ in type. Knows no code.
import { isReference } from '../../code/values/operands.ts';
import type { EncodedMethod } from '../../formats/dex/class-data.ts';
import type { Dex } from '../../formats/dex/dex.ts';
import { identifier } from './identifiers.ts';
import { methodsCalled } from './named-methods.ts';
import type { Program, SourceClass } from './program.ts';

const accPrivate = 0x2;
const accStatic = 0x8;
const maxKept = 20_000;
/** What every class has from Object keeps its name. */
const ofObject =
  /^(?:equals\(Ljava\/lang\/Object;\)Z|hashCode\(\)I|toString\(\)Ljava\/lang\/String;|clone\(\)L|finalize\(\)V)/;

interface Found {
  readonly place: SourceClass;
  readonly method: EncodedMethod;
  readonly returns: string;
}

const descriptorOf = ({ place, method }: Found): string => place.dex.methodDescriptor(method.methodIndex);

const isInherited = ({ method }: Found): boolean => (method.accessFlags & (accPrivate | accStatic)) === 0;

export class MemberNames {
  readonly #program: Program;
  /** By name the parameters that some methods share which return something else: others keep what they are called. */
  readonly #shared: ReadonlyMap<string, ReadonlySet<string>>;
  /** Names of fields of several types. */
  readonly #sharedFields: ReadonlySet<string>;
  readonly #known = new Map<string, number>();

  constructor(program: Program, dexes: readonly Dex[]) {
    this.#program = program;
    this.#shared = sharedMethods(program, dexes);
    this.#sharedFields = sharedFields(program, dexes);
  }

  field(owner: string, name: string, type: string): string {
    const own = this.#program.relations.placeOf(owner) === null ? name : withoutOuterName(name);
    if (!this.#sharedFields.has(name)) return identifier(own);
    return numbered(
      own,
      this.#kept(`${owner}->${name}:${type}`, () => {
        const types = this.#fieldTypes(this.fieldOwner(owner, name, type), name);
        return Math.max(0, types.indexOf(type));
      }),
    );
  }

  /** The class that a field is found in; the one that the code names where the app defines none. */
  fieldOwner(owner: string, name: string, type: string): string {
    if (!this.#sharedFields.has(name)) return owner;
    const { relations } = this.#program;
    return relations.above(owner).find((above) => this.#fieldTypes(above, name).includes(type)) ?? owner;
  }

  #fieldTypes(owner: string, name: string): string[] {
    const place = this.#program.classOf(owner);
    if (place === null) return [];
    const { staticFields, instanceFields } = place.data;
    return [...staticFields, ...instanceFields]
      .filter(({ fieldIndex }) => place.dex.fieldName(fieldIndex) === name)
      .map(({ fieldIndex }) => place.dex.fieldType(fieldIndex));
  }

  method(owner: string, name: string, descriptor: string): string {
    const shared = name.startsWith('<') ? undefined : this.#shared.get(name);
    if (shared?.has(descriptor.slice(0, descriptor.indexOf(')') + 1)) !== true) return methodIdentifier(name);
    const number = this.#methodNumber(owner, name, descriptor);
    return number === 0 ? methodIdentifier(name) : numbered(name, number);
  }

  #methodNumber(owner: string, name: string, descriptor: string): number {
    const end = descriptor.indexOf(')') + 1;
    return this.#kept(`${owner}->${name}${descriptor}`, () => {
      const found = this.#found(owner, name, descriptor.slice(0, end));
      return this.#numberAmong(found, name, descriptor.slice(end));
    });
  }

  #kept(key: string, find: () => number): number {
    let known = this.#known.get(key);
    if (known === undefined) {
      if (this.#known.size > maxKept) this.#known.clear();
      // Classes that extend each other in a circle come back here.
      this.#known.set(key, 0);
      known = find();
      this.#known.set(key, known);
    }
    return known;
  }

  /** The app's methods of a name and parameters in a class and all above it. */
  #found(owner: string, name: string, parameters: string): Found[] {
    return this.#program.relations.above(owner).flatMap((type) => {
      const place = this.#program.classOf(type);
      if (place === null) return [];
      return methodsCalled(place, name)
        .map((method) => ({ place, method, descriptor: place.dex.methodDescriptor(method.methodIndex) }))
        .filter(({ descriptor }) => descriptor.startsWith(parameters))
        .map(({ descriptor, ...rest }) => ({ ...rest, returns: descriptor.slice(parameters.length) }));
    });
  }

  /** An overriding method has the number of the topmost one that it overrides; that one stands behind all that are in its way. */
  #numberAmong(found: readonly Found[], name: string, returns: string): number {
    const same = found.filter((each) => each.returns === returns);
    const [nearest] = same;
    if (nearest === undefined) return 0;
    const meant = this.#program.leftOutFor(nearest.place, nearest.method);
    if (meant !== null)
      return this.#methodNumber(nearest.place.type, name, nearest.place.dex.methodDescriptor(meant.methodIndex));
    const root = isInherited(nearest) ? (same.findLast(isInherited) ?? nearest) : nearest;
    const { type } = root.place;
    const parameters = descriptorOf(root).slice(0, -returns.length);
    const around = this.#found(type, name, parameters);
    const above = around.filter(({ place }) => place.type !== type);
    const isNew = (each: Found) =>
      each.place.type === type &&
      !this.#isLeftOut(each.place, each.method) &&
      !(isInherited(each) && above.some((higher) => isInherited(higher) && higher.returns === each.returns));
    const own = around.filter(isNew);
    const ways = above.filter((higher) => own.some((each) => this.#isInTheWay(higher, around, each.returns)));
    const first = Math.max(0, ...ways.map((each) => this.#methodNumber(each.place.type, name, descriptorOf(each)) + 1));
    const rank = (each: Found) => (ofObject.test(name + descriptorOf(each)) ? 0 : isInherited(each) ? 1 : 2);
    const order = own.sort((a, b) => rank(a) - rank(b));
    return (
      first +
      Math.max(
        0,
        order.findIndex((each) => each.returns === returns),
      )
    );
  }

  #isLeftOut(place: SourceClass, method: EncodedMethod): boolean {
    return this.#program.leftOutFor(place, method) !== null;
  }

  /** Whether Java would take a method for one that another overrides, and the code does not. */
  #isInTheWay(higher: Found, around: readonly Found[], returns: string): boolean {
    if ((higher.method.accessFlags & accPrivate) !== 0 || higher.returns === returns) return false;
    const first = around.find((each) => each.returns === higher.returns)!;
    if (this.#isLeftOut(first.place, first.method)) return false;
    const isAbstract = higher.method.codeOffset === 0;
    const isNarrower =
      isReference(returns) &&
      isReference(higher.returns) &&
      this.#program.relations.isAssignable(returns, higher.returns);
    return !(isAbstract && isNarrower);
  }
}

/** The body of a lambda that stays a method is not called what javac would call its own. */
const methodIdentifier = (name: string): string =>
  /^lambda\$.*\$\d+$/s.test(name) ? `${identifier(name)}_` : identifier(name);

/** javac's own field for the object around an inner class: a class may have both. */
const withoutOuterName = (name: string): string => (/^this\$\d+\$*$/.test(name) ? `${name}_` : name);

const numbered = (name: string, number: number): string =>
  number === 0 ? identifier(name) : `${identifier(name)}$${number + 1}`;

/** Looks at the tables of names alone: whoever is not among these needs no look at classes. */
function sharedMethods({ relations }: Program, dexes: readonly Dex[]): Map<string, Set<string>> {
  const returned = new Map<string, string>();
  const shared = new Map<string, Set<string>>();
  for (const dex of dexes) {
    const parameters = new Map<number, string>();
    for (let index = 0; index < dex.methodCount; index++) {
      if (relations.placeOf(dex.methodClass(index)) === null) continue;
      const proto = dex.methodProtoIndex(index);
      let list = parameters.get(proto);
      if (list === undefined) {
        list = `(${dex.protoParameters(proto).join('')})`;
        parameters.set(proto, list);
      }
      const name = dex.methodName(index);
      const key = name + list;
      const returns = dex.protoReturnType(proto);
      const known = returned.get(key);
      if (known === undefined) returned.set(key, returns);
      else if (known !== returns) shared.set(name, (shared.get(name) ?? new Set()).add(list));
    }
  }
  return shared;
}

function sharedFields({ relations }: Program, dexes: readonly Dex[]): Set<string> {
  const types = new Map<string, string>();
  const shared = new Set<string>();
  for (const dex of dexes) {
    for (let index = 0; index < dex.fieldCount; index++) {
      if (relations.placeOf(dex.fieldClass(index)) === null) continue;
      const [name, type] = [dex.fieldName(index), dex.fieldType(index)];
      const known = types.get(name);
      if (known === undefined) types.set(name, type);
      else if (known !== type) shared.add(name);
    }
  }
  return shared;
}
