// Which generic types are below which, and what of a signature source can say. Knows no members.
import type { GenericClass, GenericType, TypeArgument, TypeParameter } from '../../code/types/generic-signatures.ts';
import {
  eachPart,
  erasure,
  exactType,
  isGeneric,
  isSame,
  noVariables,
  plainType,
  readType,
  type Variables,
  valuesOf,
} from '../../code/types/generic-types.ts';
import { platformClass } from '../../code/types/platform-generics.ts';
import { object } from '../../code/values/operands.ts';
import { typeIdentifier } from '../printing/identifiers.ts';
import type { Program } from '../printing/program.ts';

const accPublic = 0x1;
/** Steps from a class to one above it, and types in types: more only hostile code has. */
const maxDepth = 40;
const enumBase = 'Ljava/lang/Enum;';

export class TypeRelations {
  readonly #program: Program;

  constructor(program: Program) {
    this.#program = program;
  }

  /** The type parameters with which source declares a class. */
  parametersOf(type: string): readonly TypeParameter[] {
    return this.#program.relations.placeOf(type) === null
      ? (platformClass(type)?.parameters ?? [])
      : this.#program.heads.parametersOf(type);
  }

  /** Whether each object of a class belongs to one of a generic class: its type says more than its name. */
  isOfGeneric(type: string): boolean {
    if (this.#program.relations.placeOf(type) === null) return false;
    for (let at: string | null = this.#program.outerOf(type); at !== null; at = this.#program.outerOf(at)) {
      if (this.#program.heads.parametersOf(at).length > 0) return this.#program.inner.of(type) !== null;
    }
    return false;
  }

  /** What a class is declared to extend and implement. */
  declaredAbove(type: string): readonly GenericClass[] {
    const { relations } = this.#program;
    if (relations.placeOf(type) !== null) return this.#program.heads.of(type).above;
    const said = platformClass(type);
    if (said !== null) return [said.superclass, ...said.interfaces];
    const facts = relations.factsOf(type);
    const plain = [...(facts?.superclass == null ? [] : [facts.superclass]), ...(facts?.interfaces ?? [])];
    return plain.map((descriptor) => ({ kind: 'class', descriptor, arguments: [] }));
  }

  /** Whether a type of a generic class has no arguments, or one of a class in it none for that. */
  isRaw({ descriptor, arguments: given, isWithin }: GenericClass): boolean {
    if (given.length > 0) return false;
    return this.parametersOf(descriptor).length > 0 || (isWithin !== true && this.isOfGeneric(descriptor));
  }

  /** A type as one of a class above it; null where it is not known to be one. Of a raw type all above is raw. */
  asSuper(type: GenericType, target: string, variables: Variables): GenericClass | null {
    const { relations } = this.#program;
    let at = type;
    for (let step = 0; at.kind === 'variable' && step < maxDepth; step++) {
      const bounds: readonly GenericType[] = variables.get(at.name) ?? [];
      const bound = bounds.find((each) => relations.isAssignable(erasure(each, variables), target));
      if (bound === undefined) return null;
      at = bound;
    }
    return at.kind === 'class' && relations.isAssignable(at.descriptor, target) ? this.#above(at, target) : null;
  }

  #above(type: GenericClass, target: string): GenericClass | null {
    const { relations } = this.#program;
    let at = type;
    let isRaw = false;
    for (let step = 0; step < maxDepth; step++) {
      if (at.descriptor === target) return at;
      // All above a raw class is raw, whatever the classes between say.
      isRaw ||= this.isRaw(at);
      const direct: readonly GenericClass[] = this.declaredAbove(at.descriptor);
      const above = direct.find((each) => relations.isAssignable(each.descriptor, target));
      if (above === undefined) return target === object ? { kind: 'class', descriptor: object, arguments: [] } : null;
      if (isRaw) at = { ...above, arguments: [] };
      else {
        const values = valuesOf(this.parametersOf(at.descriptor), at.arguments);
        const read = readType(above, values, () => plainType(object));
        // What is above it has arguments that no type says: it is as good as raw.
        at = read?.kind === 'class' ? read : { ...above, arguments: [] };
      }
    }
    return null;
  }

  /** Whether all values of a type are known to be of another, without a warning. */
  isSubtype(type: GenericType, other: GenericType, variables: Variables, depth = 0): boolean {
    if (depth > maxDepth) return false;
    if (isSame(type, other)) return true;
    if (other.kind === 'variable' || other.kind === 'primitive' || type.kind === 'primitive') {
      if (type.kind !== 'variable') return false;
      return (variables.get(type.name) ?? []).some((bound) => this.isSubtype(bound, other, variables, depth + 1));
    }
    if (other.kind === 'array')
      return type.kind === 'array' && this.isSubtype(type.element, other.element, variables, depth + 1);
    if (other.arguments.length === 0)
      return this.#program.relations.isAssignable(erasure(type, variables), other.descriptor);
    const above = this.asSuper(type, other.descriptor, variables);
    if (above === null || above.arguments.length !== other.arguments.length) return false;
    return other.arguments.every((each, index) => this.#contains(each, above.arguments[index]!, variables, depth + 1));
  }

  #contains(wanted: TypeArgument, given: TypeArgument, variables: Variables, depth: number): boolean {
    if (wanted.kind === 'any') return true;
    if (wanted.kind === 'exact') return given.kind === 'exact' && isSame(given.type, wanted.type);
    if (wanted.kind === 'super')
      return (
        (given.kind === 'exact' || given.kind === 'super') && this.isSubtype(wanted.type, given.type, variables, depth)
      );
    if (given.kind === 'exact' || given.kind === 'extends')
      return this.isSubtype(given.type, wanted.type, variables, depth);
    return isSame(wanted.type, plainType(object));
  }

  /**
   * A type of a signature as source says it: raw where its arguments are not as many as the class has parameters, or not within
   * their bounds.
   * @param by the class that says it
   * @returns null for one that names what source cannot name there
   */
  said(type: GenericType, variables: Variables, by: string, depth = 0): GenericType | null {
    if (depth > maxDepth) return null;
    if (type.kind === 'primitive') return type;
    if (type.kind === 'variable') return variables.has(type.name) ? type : null;
    if (type.kind === 'array') {
      const element = this.said(type.element, variables, by, depth + 1);
      return element === null ? null : { kind: 'array', element };
    }
    if (!this.#isNamed(type.descriptor, by)) return null;
    const parameters = this.parametersOf(type.descriptor);
    const isPlain = parameters.length === 0 || type.arguments.length === 0 || this.isOfGeneric(type.descriptor);
    if (isPlain) return { kind: 'class', descriptor: type.descriptor, arguments: [] };
    if (type.arguments.length !== parameters.length) return null;
    const given: TypeArgument[] = [];
    for (const argument of type.arguments) {
      if (argument.kind === 'any') {
        given.push(argument);
        continue;
      }
      const said = this.said(argument.type, variables, by, depth + 1);
      if (said === null || said.kind === 'primitive') return null;
      given.push({ kind: argument.kind, type: said });
    }
    return this.#areWithin(given, parameters, variables) ? { ...type, arguments: given } : { ...type, arguments: [] };
  }

  #areWithin(given: readonly TypeArgument[], parameters: readonly TypeParameter[], variables: Variables): boolean {
    const values = valuesOf(parameters, given);
    return parameters.every(({ bounds }, index) => {
      const argument = given[index]!;
      if (argument.kind === 'any' || argument.kind === 'super') return true;
      return bounds.every((bound) => {
        const wanted = exactType(bound, values);
        if (wanted === null) return argument.kind === 'extends';
        if (this.isSubtype(argument.type, wanted, variables)) return true;
        // For which types a class is below its bound may be asked while that is worked out.
        const own = erasure(argument.type, variables);
        if (this.#program.heads.isOpen(own))
          return this.#program.relations.isAssignable(own, erasure(wanted, variables));
        if (argument.kind === 'exact') return false;
        const [a, b] = [erasure(argument.type, variables), erasure(wanted, variables)];
        return !isGeneric(wanted) && this.#program.relations.isAssignable(b, a);
      });
    });
  }

  /** Whether source of a class can name another one. */
  #isNamed(type: string, by: string): boolean {
    const { relations } = this.#program;
    if (relations.placeOf(type) === null) return relations.factsOf(type) !== null || this.#program.isForeign(type);
    if (this.#program.localCandidates.has(type) && this.#program.local.of(type) !== null) return false;
    if (this.#program.topOf(type) === this.#program.topOf(by)) return true;
    const folder = (name: string) => name.slice(0, name.lastIndexOf('/') + 1);
    if (folder(type) === folder(by)) return true;
    for (let at: string | null = type; at !== null; at = this.#program.outerOf(at)) {
      const { dex, classIndex } = relations.placeOf(at)!;
      if ((dex.classDef(classIndex).accessFlags & accPublic) === 0) return false;
    }
    return true;
  }

  /** What source may say of type parameters: null where a bound makes no sense. */
  saidParameters(
    parameters: readonly TypeParameter[],
    around: Variables,
    by: string,
  ): { parameters: readonly TypeParameter[]; variables: Variables } | null {
    const variables = new Map<string, readonly GenericType[]>(around);
    for (const { name, bounds } of parameters) variables.set(name, bounds);
    const said: TypeParameter[] = [];
    for (const { name, bounds } of parameters) {
      const known = bounds.map((bound) => this.said(bound, variables, by));
      if (known.includes(null)) return null;
      said.push({ name, bounds: known as GenericType[] });
    }
    for (const { name, bounds } of said) variables.set(name, bounds);
    return { parameters: said, variables };
  }

  /** Whether type parameters may be declared so, whatever their bounds are called. */
  areDeclarable(parameters: readonly TypeParameter[], around: Variables): boolean {
    const names = parameters.map(({ name }) => name);
    const known = new Set([...names, ...around.keys()]);
    return (
      new Set(names).size === names.length &&
      parameters.every(({ name, bounds }, index) => {
        if (around.has(name) || typeIdentifier(name) !== name || this.#program.isTypeName(name)) return false;
        const [first, ...others] = bounds;
        // A variable that bounds one stands alone, before it, and is no bound of itself.
        if (first?.kind === 'variable' && !(around.has(first.name) || names.indexOf(first.name) < index)) return false;
        if (first?.kind === 'variable' && others.length > 0) return false;
        if (first?.kind === 'array' || new Set(bounds.map((each) => erasure(each, noVariables))).size < bounds.length)
          return false;
        if (others.some((each) => each.kind !== 'class' || !this.#program.relations.isInterface(each.descriptor)))
          return false;
        return bounds.every((bound) => eachPart(bound, (part) => part.kind !== 'variable' || known.has(part.name)));
      })
    );
  }

  /** The class of an enum's constants says for what it is one. */
  static enumAbove(type: string): GenericClass {
    return {
      kind: 'class',
      descriptor: enumBase,
      arguments: [{ kind: 'exact', type: { kind: 'class', descriptor: type, arguments: [] } }],
    };
  }
}

/** A type of a class for its own type parameters. */
export const ownType = (type: string, parameters: readonly TypeParameter[]): GenericClass => ({
  kind: 'class',
  descriptor: type,
  arguments: parameters.map(({ name }) => ({ kind: 'exact', type: { kind: 'variable', name } })),
});
