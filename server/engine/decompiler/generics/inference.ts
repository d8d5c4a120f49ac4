// What a call of a generic method takes and gives, as Java infers it from its arguments. Knows no expressions.
//
// https://docs.oracle.com/javase/specs/jls/se17/html/jls-18.html: of it only what arguments say by themselves, and alike.
import type { GenericClass, GenericType, TypeArgument, TypeParameter } from '../../code/types/generic-signatures.ts';
import {
  eachPart,
  exactType,
  isGeneric,
  isSame,
  plainType,
  type Values,
  type Variables,
} from '../../code/types/generic-types.ts';
import type { TypeRelations } from './type-relations.ts';

const boxes: Readonly<Record<string, string>> = {
  Z: 'Ljava/lang/Boolean;',
  B: 'Ljava/lang/Byte;',
  C: 'Ljava/lang/Character;',
  D: 'Ljava/lang/Double;',
  F: 'Ljava/lang/Float;',
  I: 'Ljava/lang/Integer;',
  J: 'Ljava/lang/Long;',
  S: 'Ljava/lang/Short;',
};

interface Bounds {
  readonly equal: GenericType[];
  readonly lower: GenericType[];
  readonly upper: GenericType[];
}

export class Inference {
  readonly #types: TypeRelations;
  readonly #variables: Variables;
  readonly #bounds = new Map<string, Bounds>();
  readonly #parameters: readonly TypeParameter[];
  /** Something was met that says what no rule here knows. */
  #isOpen = false;

  constructor(types: TypeRelations, variables: Variables, parameters: readonly TypeParameter[]) {
    this.#types = types;
    this.#variables = variables;
    this.#parameters = parameters;
    for (const { name } of parameters) this.#bounds.set(name, { equal: [], lower: [], upper: [] });
  }

  /** Whether a type says something that is to be inferred. */
  mentions(type: GenericType): boolean {
    return !eachPart(type, (part) => part.kind !== 'variable' || !this.#bounds.has(part.name));
  }

  /** Whether nothing is known of what a type says that is to be inferred. */
  isFree(type: GenericType): boolean {
    return eachPart(type, (part) => {
      const bounds = part.kind === 'variable' ? this.#bounds.get(part.name) : undefined;
      return bounds === undefined || bounds.equal.length + bounds.lower.length + bounds.upper.length === 0;
    });
  }

  /** A value of a type is given for a parameter; null where Java knows more of it than is known here. */
  take(formal: GenericType, given: GenericType | null): void {
    if (!this.mentions(formal)) return;
    if (given === null) {
      this.#isOpen = true;
      return;
    }
    if (formal.kind === 'variable') {
      const box = given.kind === 'primitive' ? boxes[given.descriptor] : undefined;
      this.#bounds.get(formal.name)!.lower.push(box === undefined ? given : plainType(box));
      return;
    }
    if (formal.kind === 'array') {
      if (given.kind === 'array' && given.element.kind !== 'primitive') this.take(formal.element, given.element);
      else this.#isOpen = true;
      return;
    }
    if (formal.kind !== 'class') return;
    const above = this.#types.asSuper(given, formal.descriptor, this.#variables);
    if (above === null) this.#isOpen = true;
    // Of a raw type nothing follows.
    else if (above.arguments.length > 0) this.#takeArguments(formal, above);
  }

  #takeArguments(formal: GenericClass, given: GenericClass): void {
    for (const [index, wanted] of formal.arguments.entries()) {
      const argument = given.arguments[index];
      if (wanted.kind === 'any') continue;
      if (argument === undefined || argument.kind === 'any') {
        if (this.mentions(wanted.type)) this.#isOpen = true;
      } else this.#takeArgument(wanted, argument);
    }
  }

  #takeArgument(wanted: Exclude<TypeArgument, { kind: 'any' }>, given: Exclude<TypeArgument, { kind: 'any' }>): void {
    if (!this.mentions(wanted.type)) return;
    if (wanted.kind === 'exact') {
      if (given.kind === 'exact') this.same(wanted.type, given.type);
      else this.#isOpen = true;
    } else if (wanted.kind === 'extends') {
      // Of a wildcard Java infers what nobody can name.
      if (given.kind !== 'exact') this.#isOpen = true;
      else this.take(wanted.type, given.type);
    } else if (given.kind === 'extends' || wanted.type.kind !== 'variable') this.#isOpen = true;
    else this.#bounds.get(wanted.type.name)!.upper.push(given.type);
  }

  /** Two types are to be one. */
  same(formal: GenericType, given: GenericType): void {
    if (formal.kind === 'variable' && this.#bounds.has(formal.name)) {
      this.#bounds.get(formal.name)!.equal.push(given);
      return;
    }
    if (!this.mentions(formal)) return;
    if (formal.kind === 'array' && given.kind === 'array') this.same(formal.element, given.element);
    else if (formal.kind === 'class' && given.kind === 'class' && formal.descriptor === given.descriptor) {
      for (const [index, wanted] of formal.arguments.entries()) {
        const argument = given.arguments[index];
        if (wanted.kind === 'any') continue;
        if (argument === undefined || argument.kind !== wanted.kind) this.#isOpen = true;
        else this.same(wanted.type, argument.type);
      }
    } else this.#isOpen = true;
  }

  /** What is inferred; null where Java may infer something else, or nothing. */
  solve(): Values | null {
    if (this.#isOpen) return null;
    const values = new Map<string, TypeArgument>();
    for (const { name } of this.#parameters) {
      const { equal, lower, upper } = this.#bounds.get(name)!;
      const type = equal[0] ?? this.#highest(lower);
      if (type === null || type.kind === 'primitive') return null;
      const isGood =
        equal.every((each) => isSame(each, type)) &&
        lower.every((each) => this.#types.isSubtype(each, type, this.#variables)) &&
        upper.every((each) => this.#types.isSubtype(type, each, this.#variables));
      if (!isGood) return null;
      values.set(name, { kind: 'exact', type });
    }
    const isWithin = this.#parameters.every(({ name, bounds }) =>
      bounds.every((bound) => {
        const wanted = exactType(bound, values);
        const value = values.get(name)!;
        return wanted !== null && value.kind === 'exact' && this.#types.isSubtype(value.type, wanted, this.#variables);
      }),
    );
    return isWithin ? values : null;
  }

  /** The one of some types that all are of; null where none is. */
  #highest(lower: readonly GenericType[]): GenericType | null {
    return lower.find((each) => lower.every((other) => this.#types.isSubtype(other, each, this.#variables))) ?? null;
  }
}

/** Whether a raw type is taken for another one with no more than a warning, by which a method gives what its erasure gives. */
export const isUnchecked = (type: GenericType, raw: GenericType): boolean =>
  isGeneric(type) && !isGeneric(raw) && type.kind === 'class' && type.arguments.some(({ kind }) => kind !== 'any');
