// Declares each variable in the innermost list that has all of it, with its first value where that is written there. Knows no names.
import { throwable } from '../../code/values/operands.ts';
import { parts } from '../expressions/effects.ts';
import type { Catch, Expression, Local, Statement } from '../expressions/tree.ts';
import { eachList, ownExpressions } from './walk.ts';

/** How often each variable stands in what was counted. */
type Counts = Map<Local, number>;

/** @param temporary makes a variable of a type for what a `catch` takes */
export function declareLocals(statements: Statement[], temporary: (type: string) => Local): Local[] {
  const counts = new Occurrences();
  const whole = counts.ofList(statements);
  nameCaught(statements, whole, counts, temporary);
  return placeDeclarations(statements);
}

/** Declares again what statements have in which much was moved. Returns the variables. */
export function redeclareLocals(statements: Statement[]): Local[] {
  withoutDeclarations(statements);
  return placeDeclarations(statements);
}

function withoutDeclarations(list: Statement[]): void {
  for (const statement of list) {
    if (statement.kind === 'set') statement.isDeclaration = false;
    for (const inner of eachList(statement)) withoutDeclarations(inner);
  }
  const kept = list.filter(({ kind }) => kind !== 'declare');
  if (kept.length < list.length) list.splice(0, list.length, ...kept);
}

function placeDeclarations(statements: Statement[]): Local[] {
  const fresh = new Occurrences();
  const locals = [...fresh.ofList(statements).keys()].filter(({ role }) => role === 'local');
  for (const local of locals) {
    const place = placeOf(statements, local, fresh);
    if (place === null) continue;
    if (place.first !== null) place.first.isDeclaration = true;
    else place.list.splice(place.list.indexOf(place.before), 0, { kind: 'declare', local });
  }
  return locals;
}

function count(into: Counts, expression: Expression): void {
  if (expression.kind === 'local') into.set(expression.local, (into.get(expression.local) ?? 0) + 1);
  for (const part of parts(expression)) count(into, part);
}

function add(into: Counts, from: Counts): void {
  for (const [local, number] of from) into.set(local, (into.get(local) ?? 0) + number);
}

/** The first statement of a list that has a variable, and whether others have it. */
interface Standing {
  readonly first: Statement;
  isOnly: boolean;
}

class Occurrences {
  readonly #statements = new Map<Statement, Counts>();
  readonly #lists = new Map<Statement[], Counts>();
  readonly #standing = new Map<Statement[], Map<Local, Standing>>();

  /** Where a variable stands in a list; undefined where it does not. */
  standing(list: Statement[], local: Local): Standing | undefined {
    let standing = this.#standing.get(list);
    if (standing === undefined) {
      standing = new Map();
      for (const first of list) {
        for (const each of this.of(first).keys()) {
          const known = standing.get(each);
          if (known === undefined) standing.set(each, { first, isOnly: true });
          else known.isOnly = false;
        }
      }
      this.#standing.set(list, standing);
    }
    return standing.get(local);
  }

  ofList(list: Statement[]): Counts {
    let counts = this.#lists.get(list);
    if (counts === undefined) {
      counts = new Map();
      for (const statement of list) add(counts, this.of(statement));
      this.#lists.set(list, counts);
    }
    return counts;
  }

  /** What stands in a statement itself, not in its lists. */
  own(statement: Statement): Counts {
    const counts: Counts = new Map();
    for (const expression of ownExpressions(statement)) count(counts, expression);
    if (statement.kind === 'set') counts.set(statement.local, (counts.get(statement.local) ?? 0) + 1);
    return counts;
  }

  of(statement: Statement): Counts {
    let counts = this.#statements.get(statement);
    if (counts === undefined) {
      counts = this.own(statement);
      for (const list of eachList(statement)) add(counts, this.ofList(list));
      if (statement.kind === 'try') {
        for (const local of declaredBy(statement)) counts.set(local, (counts.get(local) ?? 0) + 1);
      }
      this.#statements.set(statement, counts);
    }
    return counts;
  }
}

/** Variables that a `try` declares itself, for its resources and for what it catches. */
function declaredBy({ resources = [], catches }: Statement & { kind: 'try' }): Local[] {
  return [
    ...resources.map(({ opened }) => opened.local),
    ...catches.flatMap(({ local }) => (local === null ? [] : [local])),
  ];
}

/** What a `catch` takes is its own variable where nothing outside of it looks at that. */
function nameCaught(
  statements: readonly Statement[],
  whole: Counts,
  counts: Occurrences,
  temporary: (type: string) => Local,
): void {
  for (const statement of statements) {
    for (const list of eachList(statement)) nameCaught(list, whole, counts, temporary);
    if (statement.kind !== 'try') continue;
    for (const each of statement.catches) {
      const { local } = each;
      if (local === null) {
        (each as { -readonly [K in keyof Catch]: Catch[K] }).local = temporary(
          each.besides === undefined ? (each.type ?? throwable) : 'Ljava/lang/Exception;',
        );
        continue;
      }
      const inside = counts.ofList(each.body).get(local) ?? 0;
      if (whole.get(local) === inside + 1 && (local.isConstant || !isWritten(each.body, local))) continue;
      const caught = temporary(local.type);
      (each as { -readonly [K in keyof Catch]: Catch[K] }).local = caught;
      const value: Expression = { kind: 'local', local: caught, at: 0 };
      each.body.unshift({ kind: 'set', local, value, isDeclaration: false });
    }
  }
}

const isWritten = (list: readonly Statement[], local: Local): boolean =>
  list.some(
    (each) => (each.kind === 'set' && each.local === local) || eachList(each).some((inner) => isWritten(inner, local)),
  );

interface Place {
  readonly list: Statement[];
  readonly before: Statement;
  /** The statement that writes the first value, where it can declare the variable. */
  readonly first: (Statement & { kind: 'set' }) | null;
}

function placeOf(list: Statement[], local: Local, counts: Occurrences): Place | null {
  const standing = counts.standing(list, local);
  if (standing === undefined) return null;
  const { first: statement, isOnly } = standing;
  const here: Place = { list, before: statement, first: null };
  if (statement.kind === 'set' && statement.local === local) {
    return counts.own(statement).get(local) === 1 ? { ...here, first: statement } : here;
  }
  if (statement.kind === 'try' && declaredBy(statement).includes(local)) return null;
  if (!isOnly || counts.own(statement).has(local)) return here;
  const lists = eachList(statement).filter((inner) => counts.ofList(inner).has(local));
  if (lists.length !== 1) return here;
  const inner = placeOf(lists[0]!, local, counts);
  if (inner === null) return null;
  // A value may come from the turn before.
  return statement.kind === 'loop' && inner.first === null ? here : inner;
}
