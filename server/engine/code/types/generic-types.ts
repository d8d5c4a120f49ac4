// What generic types are made of and become where variables have values. Knows no classes.
import { isReference, object } from '../values/operands.ts';
import type { GenericClass, GenericType, TypeArgument, TypeParameter } from './generic-signatures.ts';

/** What type variables stand for, by name. */
export type Values = ReadonlyMap<string, TypeArgument>;

/** Bounds of the type variables in sight, by name. */
export type Variables = ReadonlyMap<string, readonly GenericType[]>;

export const noVariables: Variables = new Map();

/** A class without arguments, an array or a primitive. */
export function plainType(descriptor: string): GenericType {
  if (descriptor.startsWith('[')) return { kind: 'array', element: plainType(descriptor.slice(1)) };
  if (!isReference(descriptor)) return { kind: 'primitive', descriptor };
  return { kind: 'class', descriptor, arguments: [] };
}

/** Whether a type says more than a descriptor. */
export const isGeneric = (type: GenericType): boolean =>
  type.kind === 'variable' ||
  (type.kind === 'array' ? isGeneric(type.element) : type.kind === 'class' && type.arguments.length > 0);

/** How many bounds lead from a variable to a class, at most: none is its own. */
const maxBounds = 32;

/** The descriptor that a type has in code. */
export function erasure(type: GenericType, variables: Variables): string {
  let prefix = '';
  let at = type;
  for (let step = 0; step < maxBounds; step++) {
    if (at.kind === 'array') {
      prefix += '[';
      at = at.element;
    } else if (at.kind === 'variable') {
      const [first] = variables.get(at.name) ?? [];
      if (first === undefined) return prefix + object;
      at = first;
    } else return prefix + at.descriptor;
  }
  return prefix + object;
}

/** Whether two types are the same. */
export function isSame(a: GenericType, b: GenericType): boolean {
  if (a.kind === 'variable') return b.kind === 'variable' && a.name === b.name;
  if (a.kind === 'array') return b.kind === 'array' && isSame(a.element, b.element);
  if (a.kind !== b.kind || a.descriptor !== (b as typeof a).descriptor) return false;
  if (a.kind === 'primitive') return true;
  const [first, second] = [a.arguments, (b as GenericClass).arguments];
  return first.length === second.length && first.every((each, index) => isSameArgument(each, second[index]!));
}

const isSameArgument = (a: TypeArgument, b: TypeArgument): boolean =>
  a.kind === 'any' || b.kind === 'any' ? a.kind === b.kind : a.kind === b.kind && isSame(a.type, b.type);

/** Whether all of a type holds for each part of it. */
export function eachPart(type: GenericType, holds: (part: GenericType) => boolean): boolean {
  if (!holds(type)) return false;
  if (type.kind === 'array') return eachPart(type.element, holds);
  if (type.kind !== 'class') return true;
  return type.arguments.every((argument) => argument.kind === 'any' || eachPart(argument.type, holds));
}

/** What the parameters of a class are, given the arguments of a type of it. */
export const valuesOf = (parameters: readonly TypeParameter[], given: readonly TypeArgument[]): Values =>
  new Map(parameters.map(({ name }, index) => [name, given[index] ?? { kind: 'any' }]));

/** Whether no wildcard is among the values. */
export const isExact = (values: Values): boolean => [...values.values()].every(({ kind }) => kind === 'exact');

/**
 * A type as it is read where variables have values: a wildcard at its top is what is known of it.
 * @param bound of a variable about which a wildcard says nothing
 * @returns null for what no type says
 */
export function readType(type: GenericType, values: Values, bound: (name: string) => GenericType): GenericType | null {
  if (type.kind === 'variable') {
    const value = values.get(type.name);
    if (value === undefined) return type;
    return value.kind === 'exact' || value.kind === 'extends' ? value.type : bound(type.name);
  }
  if (type.kind === 'array') {
    const element = readType(type.element, values, bound);
    return element === null ? null : { kind: 'array', element };
  }
  if (type.kind === 'primitive' || type.arguments.length === 0) return type;
  const given = type.arguments.map((argument) => readArgument(argument, values));
  return given.includes(null) ? null : { ...type, arguments: given as TypeArgument[] };
}

function readArgument(argument: TypeArgument, values: Values): TypeArgument | null {
  if (argument.kind === 'any') return argument;
  const { kind, type } = argument;
  if (type.kind !== 'variable') {
    const exact = exactType(type, values);
    return exact === null ? null : { kind, type: exact };
  }
  const value = values.get(type.name);
  if (value === undefined) return argument;
  if (value.kind === 'exact') return { kind, type: value.type };
  if (kind === 'exact') return value;
  if (kind === 'super') return value.kind === 'super' ? value : null;
  return value.kind === 'extends' ? value : { kind: 'any' };
}

/** A type in which each variable is what its value says exactly; null where one is a wildcard. */
export function exactType(type: GenericType, values: Values): GenericType | null {
  switch (type.kind) {
    case 'primitive':
      return type;
    case 'variable': {
      const value = values.get(type.name);
      if (value === undefined) return type;
      return value.kind === 'exact' ? value.type : null;
    }
    case 'array': {
      const element = exactType(type.element, values);
      return element === null ? null : { kind: 'array', element };
    }
    default: {
      if (type.arguments.length === 0) return type;
      const given: TypeArgument[] = [];
      for (const argument of type.arguments) {
        if (argument.kind === 'any') given.push(argument);
        else {
          const exact = exactType(argument.type, values);
          if (exact === null) return null;
          given.push({ kind: argument.kind, type: exact });
        }
      }
      return { ...type, arguments: given };
    }
  }
}

/** A type of which all values are taken for one where variables have values; null where none is known. */
export function takenType(type: GenericType, values: Values): GenericType | null {
  const exact = exactType(type, values);
  if (exact !== null) return exact;
  if (type.kind === 'variable') {
    const value = values.get(type.name);
    return value?.kind === 'super' ? value.type : null;
  }
  if (type.kind !== 'class') return null;
  const given: TypeArgument[] = [];
  for (const argument of type.arguments) {
    const known = argument.kind === 'any' ? argument : takenArgument(argument, values);
    if (known === null) return null;
    given.push(known);
  }
  return { ...type, arguments: given };
}

function takenArgument({ kind, type }: Exclude<TypeArgument, { kind: 'any' }>, values: Values): TypeArgument | null {
  const exact = exactType(type, values);
  if (exact !== null) return { kind, type: exact };
  const value = type.kind === 'variable' ? values.get(type.name) : undefined;
  // What takes all above a type takes what takes all above one below it.
  if (kind === 'super' && value?.kind === 'extends') return { kind, type: value.type };
  if (kind === 'extends' && value?.kind === 'super') return { kind, type: value.type };
  return null;
}
