// Which method Java chooses for a call, of those that share their name and number of parameters. Knows no expressions.
import { platformOverloads } from '../../code/types/class-relations.ts';
import { isReference, object } from '../../code/values/operands.ts';
import { joined, MethodTable } from './method-table.ts';
import type { Program } from './program.ts';

/** Whether Java compiles a call as one of the very types that its arguments have. https://docs.oracle.com/javase/specs/jls/se17/html/jls-15.html#jls-15.12.3 */
export const isPolymorphic = (type: string, name: string): boolean =>
  (type === 'Ljava/lang/invoke/MethodHandle;' && /^invoke(?:Exact)?$/.test(name)) ||
  (type === 'Ljava/lang/invoke/VarHandle;' && /^(?:get|set|compareAnd|weakCompareAnd)/.test(name));

/** What the methods besides one take that a call of it might mean, by descriptor; null where there may be others than those that are known. */
export function rivals(
  program: Program,
  name: string,
  owner: string,
  parameters: readonly string[],
): ReadonlySet<string> | null {
  if (parameters.length === 0) return none;
  if (isPolymorphic(owner, name)) return null;
  let known = rivalsOf.get(program);
  if (known === undefined) {
    known = new MethodTable(maxKnown);
    rivalsOf.set(program, known);
  }
  const called = joined(parameters);
  const methods = known.of(owner, name);
  let others = methods.get(called);
  if (others === undefined) {
    others = findRivals(program, name, owner, called, parameters.length);
    methods.set(called, others);
  }
  return others;
}

const maxKnown = 10_000;
const rivalsOf = new WeakMap<Program, MethodTable<ReadonlySet<string> | null>>();

function findRivals(
  program: Program,
  name: string,
  owner: string,
  called: string,
  count: number,
): ReadonlySet<string> | null {
  const found = new Set<string>();
  for (const type of name === '<init>' ? [owner] : program.relations.above(owner)) {
    if (program.relations.placeOf(type) !== null || type === object) continue;
    const listed = platformOverloads(type, name);
    // What Java's own classes have above them that nobody can name is listed as theirs.
    if (listed === null && !(type !== owner && type.startsWith('Ljava/'))) return null;
    for (const each of listed ?? []) if (parametersOf(each).length === count) found.add(each);
  }
  for (const each of program.methodsNamed(owner, name, count).descriptors) found.add(each);
  found.delete(called);
  return found;
}

const none: ReadonlySet<string> = new Set();

/**
 * What a value is to Java where it chooses a method: of a type; `open` where Java may know more of it than this type; `lambda` where
 * it has none by itself.
 */
export interface Given {
  readonly type: string;
  readonly kind: 'typed' | 'open' | 'null' | 'lambda';
}

/**
 * Whether Java chooses a method for values that it takes without boxing.
 * https://docs.oracle.com/javase/specs/jls/se17/html/jls-15.html#jls-15.12.2
 */
export function isChosen(
  program: Program,
  parameters: readonly string[],
  others: ReadonlySet<string>,
  given: readonly Given[],
): boolean {
  for (const other of others) {
    const taken = parametersOf(other);
    if (!given.every((value, index) => mayBeTaken(program, value, taken[index]!))) continue;
    // The one whose parameters are all of the other's types is chosen.
    if (given.some(({ kind }, index) => kind === 'lambda' && taken[index] !== parameters[index])) return false;
    if (!parameters.every((type, index) => isBelow(program, type, taken[index]!))) return false;
  }
  return true;
}

/** Each type of a list of descriptors. */
const parametersOf = (descriptors: string): readonly string[] => descriptors.match(/\[*(?:L[^;]*;|.)/g) ?? [];

const widening: Readonly<Record<string, string>> = { B: 'SIJFD', S: 'IJFD', C: 'IJFD', I: 'JFD', J: 'FD', F: 'D' };

/** Whether values of a type are taken for another. https://docs.oracle.com/javase/specs/jls/se17/html/jls-4.html#jls-4.10 */
const isBelow = (program: Program, type: string, other: string): boolean =>
  type === other ||
  (isReference(type) ? program.relations.isAssignable(type, other) : widening[type]?.includes(other) === true);

function mayBeTaken(program: Program, { type, kind }: Given, parameter: string): boolean {
  if (!isReference(type)) return isBelow(program, type, parameter);
  if (!isReference(parameter)) return false;
  if (kind === 'null' || isBelow(program, type, parameter)) return true;
  const { relations } = program;
  if (kind === 'lambda') return relations.factsOf(parameter)?.isInterface !== false && !parameter.startsWith('[');
  return kind === 'open' ? mayShare(program, type, parameter) : !isKnown(program, type);
}

/** Whether a value of one type can be of another one, which is not above it. */
function mayShare(program: Program, type: string, other: string): boolean {
  // No class or other interface has arrays below it.
  if (other.startsWith('[') && !type.startsWith('[') && type !== object)
    return type === 'Ljava/lang/Cloneable;' || type === 'Ljava/io/Serializable;';
  if (type.startsWith('[') && other.startsWith('[')) {
    const [element, wanted] = [type.slice(1), other.slice(1)];
    return isReference(element) && isReference(wanted) && mayShare(program, element, wanted);
  }
  const { relations } = program;
  const [facts, wanted] = [relations.factsOf(type), relations.factsOf(other)];
  if (!isKnown(program, type) || !isKnown(program, other)) return true;
  if (facts?.isFinal === true || type.startsWith('[')) return false;
  return relations.isAssignable(other, type) || facts?.isInterface === true || wanted?.isInterface === true;
}

const isKnown = (program: Program, type: string): boolean => {
  const element = type.replace(/^\[+/, '');
  return !isReference(element) || program.relations.isWhole(element);
};
