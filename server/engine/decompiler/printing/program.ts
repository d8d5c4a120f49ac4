// The classes of an app as source has them: which stands in which, and the names of all. Knows no code.

import type { ClassPlace } from '../../code/class-hierarchy.ts';
import { ClassRelations, outerName, platformNested } from '../../code/types/class-relations.ts';
import { isReference, object } from '../../code/values/operands.ts';
import { type Annotation, annotationsAt, type ClassAnnotations, systemValue } from '../../formats/dex/annotations.ts';
import { allMethods, type ClassData, classData, type EncodedMethod } from '../../formats/dex/class-data.ts';
import { codeAt } from '../../formats/dex/code-item.ts';
import type { Dex } from '../../formats/dex/dex.ts';
import { instructionAt } from '../../formats/dex/instruction.ts';
import { ClassHeads } from '../generics/class-heads.ts';
import { MemberSignatures } from '../generics/member-signatures.ts';
import { TypeRelations } from '../generics/type-relations.ts';
import { Accessors } from '../language/accessors.ts';
import { constantNames } from '../language/constant-names.ts';
import { EnumMaps } from '../language/enum-switches.ts';
import { InnerClasses } from '../language/inner-classes.ts';
import { lambdaInterfaces } from '../language/lambda-interfaces.ts';
import { lambdaMaker } from '../language/lambda-names.ts';
import { LocalClasses } from '../language/local-classes.ts';
import { QuietStarts } from '../language/quiet-starts.ts';
import { Records } from '../language/records.ts';
import { SealedClasses } from '../language/sealed-classes.ts';
import { GivenMembers } from '../names/given-members.ts';
import { type GivenNames, noNames } from '../names/given-names.ts';
import { identifier, typeIdentifier } from './identifiers.ts';
import { MemberNames } from './member-names.ts';
import { methodsCalled } from './named-methods.ts';

const accPrivate = 0x2;
const accStatic = 0x8;
const accBridge = 0x40;
const accSynthetic = 0x1000;
/** Classes whose members are kept at hand. */
const maxKept = 400;
/** Names of methods that are kept at hand with what they mean. */
const maxNames = 20_000;
const maxNesting = 40;
/** The platform's interface that says what its objects are compared with: javac makes the method that takes any object. */
const delayed = 'Ljava/util/concurrent/Delayed;';
/** Its own sub-interfaces are generic: written without arguments, all above them is raw and asks for `compareTo(Object)`. */
const scheduledFuture = 'Ljava/util/concurrent/ScheduledFuture;';
/** Packages that source names besides the app's own. */
const platformRoots = [
  'java',
  'javax',
  'android',
  'androidx',
  'dalvik',
  'kotlin',
  'kotlinx',
  'org',
  'com',
  'libcore',
  'sun',
];

/** Descriptors of parameters, and whether all classes above are known. */
interface MethodsNamed {
  readonly descriptors: ReadonlySet<string>;
  readonly isWhole: boolean;
}

export interface SourceClass extends ClassPlace {
  readonly type: string;
  readonly data: ClassData;
  readonly annotations: ClassAnnotations;
}

export class Program {
  readonly relations: ClassRelations;
  readonly #outer = new Map<string, string>();
  readonly #inner = new Map<string, string[]>();
  readonly #classes = new Map<string, SourceClass>();
  readonly #simpleNames = new Map<string, string>();
  /** Names of packages of the app, each with those above it: `a`, `a/b`. */
  readonly #packages = new Set<string>();
  readonly #roots = new Set<string>(platformRoots);
  /** Names of types and packages, which no variable may hide. */
  readonly #typeNames = new Set<string>();
  /** Classes that the app names and does not define, by the class in which each stands. */
  readonly #foreign = new Map<string, string[]>();
  readonly #foreignTypes = new Set<string>();
  readonly #dexes: readonly Dex[];
  #lambdaInterfaces: ReadonlySet<string> | undefined;
  readonly #isInDefaultPackage: boolean;
  readonly #members: MemberNames;
  readonly #methodsNamed = new Map<string, MethodsNamed>();
  /** By enum what its constants call themselves. */
  readonly #enumNames = new Map<string, ReadonlyMap<string, string>>();
  /** Names that analysts have given. */
  readonly given: GivenNames;
  readonly #givenMembers: GivenMembers;
  /** Top-level classes as they are called, where some are called otherwise than in the code. */
  #topNames: Set<string> | undefined;
  /** Classes that source may write where it makes their objects: anonymous ones, and what compilers make of lambdas. */
  readonly localCandidates = new Set<string>();
  readonly local: LocalClasses;
  readonly accessors: Accessors;
  readonly inner: InnerClasses;
  readonly enumMaps: EnumMaps;
  readonly records = new Records(this);
  readonly sealed = new SealedClasses(this);
  readonly #starts = new QuietStarts(this);
  readonly types = new TypeRelations(this);
  readonly heads = new ClassHeads(this);
  readonly signatures = new MemberSignatures(this);

  constructor(dexes: readonly Dex[], given: GivenNames = noNames) {
    this.#dexes = dexes;
    this.relations = new ClassRelations(dexes);
    this.given = given;
    this.#members = new MemberNames(this, dexes);
    this.#givenMembers = new GivenMembers(this, dexes);
    this.local = new LocalClasses(this, dexes);
    this.accessors = new Accessors(this, (place, method) => this.local.source(place, method));
    const callers = (member: string) => this.local.callers(member);
    this.inner = new InnerClasses(this, callers);
    this.enumMaps = new EnumMaps(this, callers);
    let isDefaultOnly = true;
    for (const type of this.relations.appTypes) {
      const parts = type.slice(1, -1).split('/');
      if (parts.length > 1) isDefaultOnly = false;
      for (let length = 1; length < parts.length; length++) this.#packages.add(parts.slice(0, length).join('/'));
      if (parts.length > 1) this.#roots.add(parts[0]!);
    }
    this.#isInDefaultPackage = isDefaultOnly;
    for (const type of this.relations.appTypes) this.#nest(type);
    for (const type of this.relations.appTypes) {
      this.#typeNames.add(this.simpleName(type));
    }
    for (const dex of dexes) {
      for (let index = 0; index < dex.typeCount; index++) {
        const type = dex.type(index);
        if (!type.startsWith('L') || this.relations.placeOf(type) !== null) continue;
        this.#foreignTypes.add(type);
        const name = binaryName(type);
        for (const part of name.split('$')) this.#typeNames.add(part);
        const outer = outerName(type);
        if (outer === null) continue;
        const list = this.#foreign.get(outer);
        if (list === undefined) this.#foreign.set(outer, [type]);
        else list.push(type);
      }
    }
  }

  #nest(type: string): void {
    const { dex, classIndex } = this.relations.placeOf(type)!;
    const { annotationsOffset, accessFlags } = dex.classDef(classIndex);
    const annotations = annotationsOffset === 0 ? [] : annotationsAt(dex, annotationsOffset).ofClass;
    const isLambda = (accessFlags & accSynthetic) !== 0 && lambdaMaker(type) !== null;
    const outer = enclosing(dex, annotations) ?? (isLambda ? lambdaMaker(type) : null);
    if (isLambda || systemValue(dex, annotations, 'InnerClass', 'name')?.kind === 'null')
      this.localCandidates.add(type);
    if (outer === null || outer === type || this.relations.placeOf(outer) === null) return;
    for (let at: string | undefined = outer, depth = 0; at !== undefined; at = this.#outer.get(at), depth++) {
      if (at === type || depth > maxNesting) return;
    }
    this.#outer.set(type, outer);
    const list = this.#inner.get(outer);
    if (list === undefined) this.#inner.set(outer, [type]);
    else list.push(type);
  }

  /** The class that one stands in, null for one of its own file. */
  outerOf(type: string): string | null {
    return this.#outer.get(type) ?? null;
  }

  innerOf(type: string): readonly string[] {
    return this.#inner.get(type) ?? [];
  }

  topOf(type: string): string {
    let top = type;
    for (let outer = this.outerOf(top); outer !== null; outer = this.outerOf(top)) top = outer;
    return top;
  }

  /** Whether a class is one that a compiler made of a lambda, by its name and flags. */
  isLambdaClass(type: string): boolean {
    return this.localCandidates.has(type) && lambdaMaker(type) !== null;
  }

  /** Whether source may make objects of an interface, or of one below it, by lambdas. */
  isMadeByLambdas(type: string): boolean {
    this.#lambdaInterfaces ??= lambdaInterfaces(this, this.#dexes);
    return this.#lambdaInterfaces.has(type);
  }

  /** Whether a class is the body of an enum's constant: only such extend enums. */
  isConstantBody(type: string): boolean {
    const above = this.relations.factsOf(type)?.superclass ?? null;
    return (
      above !== null &&
      this.relations.placeOf(above) !== null &&
      this.relations.factsOf(above)?.superclass === 'Ljava/lang/Enum;'
    );
  }

  /** Whether nobody sees that code of a class starts another one by making an object of it, or that has happened before. */
  startsNothing(type: string, owner: string): boolean {
    return this.relations.isAssignable(owner, type) || this.#starts.isQuiet(type);
  }

  /** What the app defines of a class, null where it does not. */
  classOf(type: string): SourceClass | null {
    const known = this.#classes.get(type);
    if (known !== undefined) return known;
    const place = this.relations.placeOf(type);
    if (place === null) return null;
    const { dex, classIndex } = place;
    const found: SourceClass = {
      ...place,
      type,
      data: classData(dex, classIndex),
      annotations: annotationsAt(dex, dex.classDef(classIndex).annotationsOffset),
    };
    if (this.#classes.size >= maxKept) this.#classes.delete(this.#classes.keys().next().value!);
    this.#classes.set(type, found);
    return found;
  }

  /** The package as source writes it, empty for none. */
  packageOf(type: string): string {
    const moved = this.given.movesClasses ? this.given.classes.get(this.topOf(type))?.packageName : null;
    if (moved != null) return moved;
    const end = type.lastIndexOf('/');
    if (end < 0) return this.#isInDefaultPackage || this.relations.placeOf(type) === null ? '' : 'defpackage';
    const parts = type.slice(1, end).split('/');
    const { packages } = this.given;
    const isOwn = packages.size > 0 && this.relations.placeOf(type) !== null;
    return parts
      .map((part, index) => (isOwn ? packages.get(parts.slice(0, index + 1).join('/')) : undefined) ?? identifier(part))
      .join('.');
  }

  /** Whether classes of the app stand in a package, `a/b`, or below it. */
  hasPackage(path: string): boolean {
    return this.#packages.has(path);
  }

  /** A class's name within what it stands in. */
  simpleName(type: string): string {
    let name = this.#simpleNames.get(type);
    if (name === undefined) {
      name = this.#nameOf(type);
      this.#simpleNames.set(type, name);
    }
    return name;
  }

  #nameOf(type: string): string {
    const binary = binaryName(type);
    const outer = this.outerOf(type);
    const given = this.given.classes.get(type)?.name;
    if (outer === null) {
      const name = typeIdentifier(given ?? binary);
      const isClash = this.#packages.has(type.slice(1, -1)) || this.#roots.has(name);
      return isClash ? `${name}_` : name;
    }
    const outerBinary = binaryName(outer);
    const own = binary.startsWith(`${outerBinary}$`) ? binary.slice(outerBinary.length + 1) : binary;
    let name = typeIdentifier(given?.slice(given.lastIndexOf('$') + 1) || own);
    if (this.isLambdaClass(type) && given === undefined) name = name.replace(/^\$+/, '_');
    const around = new Set<string>();
    for (let at: string | null = outer; at !== null; at = this.outerOf(at)) around.add(this.simpleName(at));
    while (around.has(name) || this.#roots.has(name)) name = `${name}_`;
    return name;
  }

  /** Whether a name means a type or a package somewhere, so that a variable of this name may hide it. */
  isTypeName(name: string): boolean {
    return this.#typeNames.has(name) || this.#roots.has(name);
  }

  /** The classes that stand in one, as far as they are known, each with its name. */
  *memberTypes(type: string): Generator<readonly [string, string]> {
    if (this.relations.placeOf(type) !== null)
      for (const each of this.innerOf(type)) yield [this.simpleName(each), each];
    else
      for (const each of [...platformNested(type), ...(this.#foreign.get(type) ?? [])])
        yield [each.slice(each.lastIndexOf('$') + 1, -1), each];
  }

  hasTopClass(packageName: string, name: string): boolean {
    if (this.given.movesClasses) {
      this.#topNames ??= new Set(
        [...this.relations.appTypes]
          .filter((type) => this.outerOf(type) === null)
          .map((type) => `${this.packageOf(type)}.${this.simpleName(type)}`),
      );
      return this.#topNames.has(`${packageName}.${name}`);
    }
    const path =
      packageName === '' || packageName === 'defpackage' ? name : `${packageName.replaceAll('.', '/')}/${name}`;
    return this.relations.placeOf(`L${path};`) !== null;
  }

  /** Whether the app's code names a class that it does not define. */
  isForeign(type: string): boolean {
    return this.#foreignTypes.has(type);
  }

  methodName(owner: string, name: string, descriptor: string): string {
    return this.givenMethod(owner, name, descriptor) ?? this.#members.method(owner, name, descriptor);
  }

  /** What analysts call a method; null where they call it nothing. */
  givenMethod(owner: string, name: string, descriptor: string): string | null {
    return this.#givenMembers.method(owner, name, descriptor);
  }

  givenField(owner: string, name: string, type: string): string | null {
    return this.#givenMembers.field(owner, name, type);
  }

  /** The class that a field is found in; the one that the code names where the app defines none. */
  fieldOwner(owner: string, name: string, type: string): string {
    return this.#members.fieldOwner(owner, name, type);
  }

  fieldName(owner: string, name: string, type: string): string {
    const isOfEnum = type === owner && this.isEnumClass(owner);
    const constant = isOfEnum ? this.#constantNames(owner).get(name) : undefined;
    const found = this.givenField(owner, name, type) ?? constant ?? this.#members.field(owner, name, type);
    // What a constant is called is what its `name()` gives: classes that it hides are named in full.
    if (!this.#isDefined(owner) || (isOfEnum && !this.#roots.has(found))) return found;
    if (this.isTypeName(found) && !(type.endsWith(`$${name};`) && type.startsWith(owner.slice(0, -1))))
      return `${found}_`;
    return found;
  }

  #constantNames(type: string): ReadonlyMap<string, string> {
    let names = this.#enumNames.get(type);
    if (names === undefined) {
      // Its own code names its constants.
      this.#enumNames.set(type, new Map());
      names = constantNames(this, this.classOf(type)!);
      this.#enumNames.set(type, names);
    }
    return names;
  }

  /** Whether a class of the app itself has a field. */
  hasField(owner: string, name: string, type: string): boolean {
    const known = this.classOf(owner);
    if (known === null) return false;
    const { dex, data } = known;
    return [...data.staticFields, ...data.instanceFields].some(
      ({ fieldIndex }) => dex.fieldName(fieldIndex) === name && dex.fieldType(fieldIndex) === type,
    );
  }

  /** Whether a class of the app itself has a field that source calls so. */
  hasFieldNamed(owner: string, name: string): boolean {
    const known = this.classOf(owner);
    if (known === null) return false;
    const { dex, data } = known;
    return [...data.staticFields, ...data.instanceFields].some(
      ({ fieldIndex }) => this.fieldName(owner, dex.fieldName(fieldIndex), dex.fieldType(fieldIndex)) === name,
    );
  }

  isPrivateField(owner: string, name: string): boolean {
    const known = this.classOf(owner);
    return (
      known?.data.instanceFields.some(
        ({ fieldIndex, accessFlags }) => (accessFlags & accPrivate) !== 0 && known.dex.fieldName(fieldIndex) === name,
      ) ?? false
    );
  }

  /** Whether the app defines it, and as an enum. */
  isEnumClass(type: string): boolean {
    return this.relations.placeOf(type) !== null && this.relations.factsOf(type)?.superclass === 'Ljava/lang/Enum;';
  }

  /** Whether a static field of an enum is javac's array of its constants, which `values()` copies, whatever it is called. */
  isValuesField(owner: string, name: string, type: string): boolean {
    if (type !== `[${owner}` || !this.isEnumClass(owner)) return false;
    const { dex, data } = this.classOf(owner)!;
    const found = data.staticFields.find(
      ({ fieldIndex }) => dex.fieldName(fieldIndex) === name && dex.fieldType(fieldIndex) === type,
    );
    if (found === undefined) return false;
    return name === '$VALUES' || name === 'ENUM$VALUES' || (found.accessFlags & accSynthetic) !== 0;
  }

  #isDefined(type: string): boolean {
    return this.relations.placeOf(type) !== null;
  }

  /** The methods of a name and number of parameters that a class of the app has or inherits from it, and whether all are known. */
  methodsNamed(owner: string, name: string, parameters: number): MethodsNamed {
    const key = `${owner} ${parameters} ${name}`;
    let known = this.#methodsNamed.get(key);
    if (known === undefined) {
      known = this.#findNamed(owner, name, parameters);
      if (this.#methodsNamed.size >= maxNames) this.#methodsNamed.clear();
      this.#methodsNamed.set(key, known);
    }
    return known;
  }

  #findNamed(owner: string, name: string, parameters: number): MethodsNamed {
    const descriptors = new Set<string>();
    let isWhole = true;
    const namedAs = this.#givenMembers.hasMethods ? this.#shownNames(owner, name, parameters) : null;
    for (const type of name === '<init>' ? [owner] : this.relations.above(owner)) {
      const known = this.classOf(type);
      if (known === null) {
        if (type !== 'Ljava/lang/Object;') isWhole = false;
        continue;
      }
      for (const { methodIndex } of namedAs === null ? methodsCalled(known, name) : allMethods(known.data)) {
        const own = known.dex.methodName(methodIndex);
        const list = known.dex.protoParameters(known.dex.methodProtoIndex(methodIndex));
        if (list.length !== parameters) continue;
        const isNamed =
          namedAs === null || namedAs.has(this.methodName(type, own, known.dex.methodDescriptor(methodIndex)));
        if (isNamed) descriptors.add(list.join(''));
      }
    }
    return { descriptors, isWhole };
  }

  /** What the methods of a name and number of parameters are called. */
  #shownNames(owner: string, name: string, parameters: number): Set<string> {
    const shown = new Set<string>();
    for (const type of this.relations.above(owner)) {
      const known = this.classOf(type);
      if (known === null) continue;
      const { dex } = known;
      for (const { methodIndex } of methodsCalled(known, name)) {
        if (dex.protoParameters(dex.methodProtoIndex(methodIndex)).length !== parameters) continue;
        shown.add(this.methodName(type, name, dex.methodDescriptor(methodIndex)));
      }
    }
    return shown;
  }

  /** The method that a call means, null where the app does not define it. */
  findMethod(owner: string, name: string, descriptor: string): { place: SourceClass; method: EncodedMethod } | null {
    for (const type of this.relations.above(owner)) {
      const place = this.classOf(type);
      if (place === null) continue;
      for (const method of methodsCalled(place, name))
        if (place.dex.methodDescriptor(method.methodIndex) === descriptor) return { place, method };
    }
    return null;
  }

  /** The other method of the class for which javac makes this one itself, since it knows more of what is taken or given; null for none. */
  leftOutFor(place: SourceClass, method: EncodedMethod): EncodedMethod | null {
    const { dex, data, type } = place;
    const { methodIndex, accessFlags } = method;
    if ((accessFlags & (accBridge | accSynthetic)) === 0 || (accessFlags & accStatic) !== 0) return null;
    const implementing = this.heads.meantBy(place, method);
    if (implementing !== null) return implementing;
    const name = dex.methodName(methodIndex);
    const proto = dex.methodProtoIndex(methodIndex);
    const parameters = dex.protoParameters(proto).join('');
    if (name === 'compareTo' && parameters === object && this.relations.isAssignable(type, delayed)) {
      if (this.relations.isAssignable(type, scheduledFuture)) return null;
      const isMeant = (other: EncodedMethod) => dex.methodName(other.methodIndex) === name;
      const descriptor = `(${delayed})I`;
      return (
        data.virtualMethods.find((other) => isMeant(other) && dex.methodDescriptor(other.methodIndex) === descriptor) ??
        null
      );
    }
    return this.covariantFor(place, method);
  }

  /** The other method of the class that gives more and takes the same, for which javac makes this one itself; null for none. */
  covariantFor({ dex, data }: SourceClass, { methodIndex, codeOffset }: EncodedMethod): EncodedMethod | null {
    const name = dex.methodName(methodIndex);
    const proto = dex.methodProtoIndex(methodIndex);
    const parameters = dex.protoParameters(proto).join('');
    const meant = methodsCalled({ dex, data }, name).filter(
      (other) =>
        other.methodIndex !== methodIndex &&
        (other.accessFlags & (accBridge | accSynthetic | accStatic | accPrivate)) === 0 &&
        dex.protoParameters(dex.methodProtoIndex(other.methodIndex)).join('') === parameters &&
        isReference(dex.protoReturnType(dex.methodProtoIndex(other.methodIndex))),
    );
    if (meant.length === 0 || !isReference(dex.protoReturnType(proto))) return null;
    const units = codeAt(dex, codeOffset)?.units;
    if (units === undefined) return meant[0]!;
    return meant.find((other) => calls(units, other.methodIndex)) ?? null;
  }
}

/** Whether code calls a method by a name that subclasses may define anew. */
function calls(units: Uint16Array, methodIndex: number): boolean {
  for (let at = 0; at < units.length; ) {
    const { opcode, index, length } = instructionAt(units, at);
    if (/^invoke-(?:virtual|interface)/.test(opcode.mnemonic) && index === methodIndex) return true;
    at += Math.max(1, length);
  }
  return false;
}

/** A class's name without its package: `Outer$Inner`. */
export const binaryName = (type: string): string => type.slice(Math.max(1, type.lastIndexOf('/') + 1), -1);

function enclosing(dex: Dex, annotations: readonly Annotation[]): string | null {
  const outer = systemValue(dex, annotations, 'EnclosingClass');
  if (outer?.kind === 'type') return dex.type(outer.index);
  const method = systemValue(dex, annotations, 'EnclosingMethod');
  return method?.kind === 'method' ? dex.methodClass(method.index) : null;
}
