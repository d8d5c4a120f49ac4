// Gives what a class within a method captures names that Java lets it have: of variables that nothing writes again. Knows no text.
import { commute, effectsOf, parts } from '../expressions/effects.ts';
import {
  type Call,
  type Expression,
  effect,
  type LinkedLambda,
  type Local,
  type Statement,
} from '../expressions/tree.ts';
import { Unsayable } from '../limits.ts';
import { replaceIn, replaceParts } from '../structure/replacement.ts';
import { eachList, jumpsIn, ownExpressions } from '../structure/walk.ts';

type Fixed = (type: string) => ReadonlySet<number> | null;

/** What is asked of the classes around. */
export interface CapturingPlace {
  /** Arguments of a class's constructor that it captures. */
  readonly fixed: Fixed;
  /** Whether `this` has no name for a class in it: it is one of a class that has none. */
  readonly isNameless: boolean;
  /** Whether a class in it asks `this` for more than what it has captured. */
  readonly needsName: (type: string) => boolean;
  readonly temporary: (type: string) => Local;
}

/**
 * Changes the lists in place.
 * @returns the variables that this made
 * @throws Unsayable where no statement can stand before what makes an object
 */
export function nameCaptured(statements: Statement[], place: CapturingPlace): readonly Local[] {
  const made: Local[] = [];
  if (!statements.some((statement) => makesIn(statement, place.fixed))) return made;
  const settled = new Set<Local>();
  declared(statements, settled);
  const naming: Naming = { ...place, settled, made, self: null };
  nameIn(statements, naming);
  if (naming.self !== null) statements.unshift(naming.self);
  return made;
}

interface Naming extends CapturingPlace {
  /** Variables that have their value where they are declared, and keep it. */
  readonly settled: ReadonlySet<Local>;
  readonly made: Local[];
  /** Names `this` for the classes in the method. */
  self: (Statement & { kind: 'set' }) | null;
}

type Making = Call | LinkedLambda;

const isMaking = (part: Expression, fixed: Fixed): part is Making =>
  part.kind === 'lambda'
    ? part.captured.length > 0
    : part.kind === 'call' && part.how === 'new' && (fixed(part.owner)?.size ?? 0) > 0;

const makes = (expression: Expression, fixed: Fixed): boolean =>
  isMaking(expression, fixed) || parts(expression).some((part) => makes(part, fixed));

const makesIn = (statement: Statement, fixed: Fixed): boolean =>
  ownExpressions(statement).some((expression) => makes(expression, fixed)) ||
  eachList(statement).some((list) => list.some((inner) => makesIn(inner, fixed)));

function declared(statements: readonly Statement[], into: Set<Local>): void {
  for (const statement of statements) {
    if (statement.kind === 'set' && statement.isDeclaration && statement.local.isConstant) into.add(statement.local);
    if (statement.kind === 'try') {
      for (const { local } of statement.catches) if (local?.isConstant) into.add(local);
      for (const { opened } of statement.resources ?? []) into.add(opened.local);
    }
    for (const list of eachList(statement)) declared(list, into);
  }
}

function nameIn(list: Statement[], naming: Naming): void {
  for (let index = 0; index < list.length; index++) {
    const statement = list[index]!;
    for (const inner of eachList(statement)) nameIn(inner, naming);
    if (!ownExpressions(statement).some((expression) => makes(expression, naming.fixed))) continue;
    if (statement.kind === 'loop') nameInCondition(statement, naming);
    else {
      const before: Statement[] = [];
      list[index] = renamed(statement, before, naming);
      list.splice(index, 0, ...before);
      index += before.length;
    }
  }
}

/** The statement with each captured value as a variable, which `before` sets. */
function renamed(statement: Statement, before: Statement[], naming: Naming): Statement {
  let seen = 0;
  const by = (part: Expression): Expression | undefined => {
    if (!isMaking(part, naming.fixed)) {
      // What is evaluated before a captured value must not mind that this is evaluated first.
      seen |= effectsOf(part).mask;
      return undefined;
    }
    const places = part.kind === 'lambda' ? null : naming.fixed(part.owner);
    const values = (part.kind === 'lambda' ? part.captured : part.values).map((value, place) => {
      if (places?.has(place) === false) return replaceIn(value, by);
      if (naming.isNameless && part.kind === 'call' && isThis(value)) {
        // What keeps it as something else than the object around asks it by a name.
        const isNamed = part.parameters[place] !== value.local.type || naming.needsName(part.owner);
        if (isNamed) return { ...value, local: selfOf(naming, value, part.owner) };
      }
      if (isSteady(value, naming.settled)) return value;
      if (value.kind !== 'local' && !commute(seen & ~effect.throws, effectsOf(value).mask))
        throw new Unsayable('an object that keeps what is worked out in the middle of a statement');
      const type = part.kind === 'lambda' ? capturedType(part, place) : part.parameters[place]!;
      const local = naming.temporary(value.kind === 'local' ? value.local.type : type);
      if (part.kind === 'call') local.captors = new Set([part.owner]);
      naming.made.push(local);
      before.push({ kind: 'set', local, value, isDeclaration: true });
      return { kind: 'local', local, at: value.at } as const;
    });
    return part.kind === 'lambda' ? { ...part, captured: values } : { ...part, values };
  };
  return replaceParts(statement, by);
}

const isThis = (value: Expression): value is Expression & { kind: 'local' } =>
  value.kind === 'local' && value.local.role === 'this';

/** The variable that names `this` for a class in the method. */
function selfOf(naming: Naming, value: Expression & { kind: 'local' }, captor: string): Local {
  if (naming.self === null) {
    const local = naming.temporary(value.local.type);
    local.suggested = 'self';
    naming.made.push(local);
    naming.self = { kind: 'set', local, value, isDeclaration: true };
  }
  const { local } = naming.self;
  local.captors = new Set(local.captors).add(captor);
  return local;
}

/** What a lambda's method takes for a captured value. */
function capturedType({ target }: LinkedLambda, place: number): string {
  const isInstance = target.how !== 'static' && target.how !== 'new';
  return (isInstance ? [target.owner, ...target.parameters] : target.parameters)[place]!;
}

/** A value that source may write wherever it stands for the captured one. */
const isSteady = (value: Expression, settled: ReadonlySet<Local>): boolean =>
  value.kind === 'number' ||
  value.kind === 'wide' ||
  value.kind === 'string' ||
  value.kind === 'class' ||
  (value.kind === 'local' &&
    (settled.has(value.local) ||
      value.local.role === 'this' ||
      (value.local.role === 'parameter' && value.local.isConstant)));

/** A condition with an object in it is asked within the loop. */
function nameInCondition(loop: Statement & { kind: 'loop' }, naming: Naming): void {
  const { condition, label } = loop;
  const before: Statement[] = [];
  const test: Statement = {
    kind: 'if',
    condition: { kind: 'not', operand: condition!, at: condition!.at },
    yes: [{ kind: 'jump', way: 'break', label }],
    no: [],
  };
  const named = renamed(test, before, naming);
  if (before.length === 0) return;
  if (loop.form !== 'while' && (loop.form !== 'do' || jumpsIn(loop.body, label, 'continue') > 0))
    throw new Unsayable('an object that a loop makes to ask whether it goes on');
  loop.body = loop.form === 'while' ? [...before, named, ...loop.body] : [...loop.body, ...before, named];
  loop.form = 'forever';
  loop.condition = null;
}
