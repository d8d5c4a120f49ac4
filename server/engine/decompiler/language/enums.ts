// Recognises the constants of an enum in its static initialiser, so that the class can be written as one. Knows no text.
import type { EncodedMethod } from '../../formats/dex/class-data.ts';
import { parts } from '../expressions/effects.ts';
import type { Call, Expression, Local, Statement } from '../expressions/tree.ts';
import { Unsayable } from '../limits.ts';
import type { SourceClass } from '../printing/program.ts';
import { replaceIn, replaceParts, valuesFor } from '../structure/replacement.ts';
import { eachList, ownExpressions } from '../structure/walk.ts';

/** Methods that javac gives each enum. */
const givenMethods = /^(?:values\(\)\[|valueOf\(Ljava\/lang\/String;\)L|\$values\(\)\[)/;
/** The name and the ordinal, which javac passes before what the source passes. */
export const givenParameters = 2;

export interface EnumConstant {
  readonly field: string;
  readonly call: Call;
  /** The class of the constant's own body, null where it has none. */
  readonly body: string | null;
}

export interface EnumShape {
  readonly constants: readonly EnumConstant[];
  /** What the static initialiser does besides. */
  readonly rest: Statement[];
}

export const isEnum = (superclass: string | null, flags: number): boolean =>
  superclass === 'Ljava/lang/Enum;' && (flags & 0x4000) !== 0;

/** Whether javac makes a method itself. */
export const isGiven = ({ dex }: SourceClass, { methodIndex }: EncodedMethod): boolean =>
  givenMethods.test(dex.methodName(methodIndex) + dex.methodDescriptor(methodIndex));

const staticField = (expression: Expression, owner: string) =>
  expression.kind === 'field' && expression.object === null && expression.owner === owner ? expression : null;

/**
 * @param statements those of the static initialiser
 * @param isValues whether a static field holds the array that `values()` copies
 * @throws Unsayable where they are not what javac makes of constants
 */
export function enumShape(
  type: string,
  statements: readonly Statement[],
  isValues: (field: Expression & { kind: 'field' }) => boolean,
): EnumShape {
  const constants: EnumConstant[] = [];
  const made = new Map<Local, Expression>();
  const rest: Statement[] = [];
  const arrays = new Set<Local>();
  for (const [index, statement] of statements.entries()) {
    const replaced = made.size === 0 ? statement : replaceParts(statement, valuesFor(made));
    if (replaced.kind === 'set' && isCreation(replaced.value, type) && !rest.some(isCode)) {
      const next = statements[index + 1];
      const target = next?.kind === 'store' ? staticField(next.target, type) : null;
      const isStored = next?.kind === 'store' && next.value.kind === 'local' && next.value.local === replaced.local;
      if (target === null || !isStored) throw new Unsayable('an enum that is not made as javac makes one');
      constants.push(constantOf(type, target.name, replaced.value));
      made.set(replaced.local, target);
    } else if (replaced.kind === 'store' && staticField(replaced.target, type) !== null) {
      const target = staticField(replaced.target, type)!;
      const { value } = replaced;
      if (isCreation(value, type) && target.type === type) {
        if (rest.some(isCode)) throw new Unsayable('an enum whose constants are made between other things');
        constants.push(constantOf(type, target.name, replaceIn(value, valuesFor(numbersIn(rest))) as Call));
      } else if (isValues(target)) {
        if (value.kind === 'local') arrays.add(value.local);
      } else if (value !== target && !(value.kind === 'field' && value.name === target.name)) rest.push(replaced);
    } else rest.push(replaced);
  }
  return { constants, rest: withoutFilling(rest, type, arrays) };
}

/** @param arrays those that are or were kept for `values()` */
function withoutFilling(rest: readonly Statement[], type: string, arrays: ReadonlySet<Local>): Statement[] {
  const others = rest.filter((statement) => !fills(statement, arrays));
  if (others.some((statement) => statement.kind === 'set' && isCreation(statement.value, type)))
    throw new Unsayable('an enum whose constants are made between other things');
  const isKept = (local: Local) => mentions(others, local);
  if (![...arrays].some(isKept)) return others;
  // The code goes on with the array that it made: one of its own does as well where nobody writes to it.
  return rest.filter((statement) => {
    if (!fills(statement, arrays)) return true;
    if (statement.kind !== 'set' || !isKept(statement.local)) return false;
    if (statement.value.kind !== 'array' || !others.every((other) => isOnlyRead(other, statement.local)))
      throw new Unsayable('an enum whose array of constants is used');
    return true;
  });
}

/** Whether statements look at an array's elements and its length, and do nothing else with it. */
function isOnlyRead(statement: Statement, array: Local): boolean {
  const isArray = (part: Expression) => part.kind === 'local' && part.local === array;
  const within = (part: Expression): boolean => {
    if (isArray(part)) return false;
    if (part.kind === 'length' && isArray(part.array)) return true;
    if (part.kind === 'element' && isArray(part.array)) return within(part.index);
    return parts(part).every(within);
  };
  const isWritten =
    statement.kind === 'store' && statement.target.kind === 'element' && isArray(statement.target.array);
  return (
    !isWritten &&
    !(statement.kind === 'set' && statement.local === array) &&
    ownExpressions(statement).every(within) &&
    eachList(statement).every((list) => list.every((each) => isOnlyRead(each, array)))
  );
}

const isNumber = (statement: Statement) => statement.kind === 'set' && statement.value.kind === 'number';

const isCode = (statement: Statement): boolean => statement.kind !== 'declare' && !isNumber(statement);

/** What variables are that nothing but numbers was written to: compilers pass one to a constant and count with it later on. */
function numbersIn(statements: readonly Statement[]): Map<Local, Expression> {
  const numbers = new Map<Local, Expression>();
  for (const statement of statements) if (statement.kind === 'set') numbers.set(statement.local, statement.value);
  return numbers;
}

function isCreation(value: Expression, type: string): value is Call {
  if (value.kind !== 'call' || value.how !== 'new') return false;
  return value.owner === type || value.owner.startsWith(`${type.slice(0, -1)}$`);
}

function constantOf(type: string, field: string, call: Call): EnumConstant {
  const [name, ordinal] = call.values;
  if (name?.kind !== 'string' || ordinal?.kind !== 'number') {
    throw new Unsayable('an enum whose constants have no name and number');
  }
  return { field, call, body: call.owner === type ? null : call.owner };
}

/** Whether a statement only makes one of the arrays, or puts something into it. */
function fills(statement: Statement, arrays: ReadonlySet<Local>): boolean {
  if (statement.kind === 'set') return arrays.has(statement.local);
  if (statement.kind !== 'store' || statement.target.kind !== 'element') return false;
  const { array } = statement.target;
  return array.kind === 'local' && arrays.has(array.local);
}

/** Takes the name and the ordinal out of a constructor of an enum, where they are only passed on. */
export function withoutGiven(statements: Statement[], [name, ordinal]: readonly Local[], owner: string): Statement[] {
  const place = statements.findIndex(
    ({ kind, ...rest }) =>
      kind === 'do' && 'expression' in rest && rest.expression.kind === 'call' && rest.expression.how === 'constructor',
  );
  const call = statements[place];
  if (call?.kind !== 'do' || call.expression.kind !== 'call' || name === undefined || ordinal === undefined) {
    throw new Unsayable('a constructor of an enum that calls no other one');
  }
  const { values, parameters } = call.expression;
  const isPassed = (value: Expression | undefined, local: Local) => value?.kind === 'local' && value.local === local;
  // Shrinkers write what is passed to the only constant into its constructor.
  const passesOn =
    (isPassed(values[0], name) || values[0]?.kind === 'string') &&
    (isPassed(values[1], ordinal) || (values[1]?.kind === 'number' && values[1].value === 0));
  if (!passesOn) throw new Unsayable('a constructor of an enum that changes its name or number');
  const others = statements.filter((_, index) => index !== place);
  if (mentions(others, name) || mentions(others, ordinal)) {
    throw new Unsayable('a constructor of an enum that looks at its name or number');
  }
  if (call.expression.owner !== owner) return others;
  const expression = {
    ...call.expression,
    values: values.slice(givenParameters),
    parameters: parameters.slice(givenParameters),
  };
  return statements.map((statement, index) => (index === place ? { kind: 'do', expression } : statement));
}

/** Whether statements read or write a variable. */
export function mentions(statements: readonly Statement[], local: Local): boolean {
  const within = (expression: Expression): boolean =>
    (expression.kind === 'local' && expression.local === local) || parts(expression).some(within);
  return statements.some(
    (statement) =>
      (statement.kind === 'set' && statement.local === local) ||
      ownExpressions(statement).some(within) ||
      eachList(statement).some((list) => mentions(list, local)),
  );
}
