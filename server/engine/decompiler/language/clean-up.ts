// Recognises `finally` and `try` with a resource in what compilers make of them: what is done in the end stands once for each way
// out. Knows no text.
import type { ClassRelations } from '../../code/types/class-relations.ts';
import { throwable } from '../../code/values/operands.ts';
import type { Call, Expression, Label, Local, Statement } from '../expressions/tree.ts';
import { canComplete } from '../structure/jumps.ts';
import { eachList } from '../structure/walk.ts';
import { mentions } from './counting.ts';

type Try = Statement & { kind: 'try' };

/**
 * Changes the lists in place, whose variables are declared.
 * https://docs.oracle.com/javase/specs/jls/se17/html/jls-14.html#jls-14.20
 */
export function foldCleanUp(statements: Statement[], relations: ClassRelations): void {
  for (let index = 0; index < statements.length; index++) {
    for (const list of eachList(statements[index]!)) foldCleanUp(list, relations);
    const statement = statements[index]!;
    if (statement.kind !== 'try') continue;
    let first = index - 1;
    while (statements[first]?.kind === 'declare') first--;
    const before = statements[first];
    if (before !== undefined && isResource(before, statement, statements, index, relations)) {
      const isFollowed = canComplete(statement.body);
      const made = withResource(before as Statement & { kind: 'set' }, statement);
      statements.splice(index, isFollowed ? 2 : 1, made);
      statements.splice(first, 1);
      index--;
    } else {
      const length = lengthOfFinally(statement, statements.slice(index + 1));
      if (length === null) continue;
      statement.last = statement.catches[0]!.body.slice(0, -1);
      if (length > 0) statement.last = statements.splice(index + 1, length);
      statement.catches = [];
    }
    joinInner(statements[index] as Try);
  }
}

/** One `try` is enough where another is all that stands in it. */
function joinInner(statement: Try): void {
  const [only] = statement.body;
  if (statement.body.length !== 1 || only?.kind !== 'try' || only.last !== undefined) return;
  if (statement.catches.length > 0 || statement.resource !== undefined) return;
  statement.body = only.body;
  statement.catches = only.catches;
  if (only.resource !== undefined) statement.resource = only.resource;
}

/** What the handler does that takes everything and throws it on; null for any other statement. */
function thrownOn({ catches, last, resource }: Try): { caught: Local; body: Statement[] } | null {
  const [only] = catches;
  if (catches.length !== 1 || only === undefined || last !== undefined || resource !== undefined) return null;
  if ((only.type !== null && only.type !== throwable) || only.besides !== undefined || only.local === null) return null;
  const thrown = only.body.at(-1);
  if (thrown?.kind !== 'throw' || !isLocal(thrown.value, only.local)) return null;
  return { caught: only.local, body: only.body.slice(0, -1) };
}

/** How many statements behind a `try` are what its handler does before it throws on; null where the two are no `finally`. */
function lengthOfFinally(statement: Try, following: readonly Statement[]): number | null {
  const handler = thrownOn(statement);
  if (handler === null || handler.body.length === 0 || !isClosed(statement.body) || !isClosed(handler.body))
    return null;
  if (handler.body.some((each) => mentions(each, handler.caught))) return null;
  if (!canComplete(handler.body)) return null;
  if (!canComplete(statement.body)) return 0;
  const count = handler.body.length;
  return new Twins().areAlike(handler.body, following.slice(0, count)) ? count : null;
}

/** Whether a `try` closes what the statement before it opened, however it is left, as `try` with a resource does. */
function isResource(
  opened: Statement,
  statement: Try,
  list: readonly Statement[],
  index: number,
  relations: ClassRelations,
): boolean {
  const handler = thrownOn(statement);
  if (handler === null || opened.kind !== 'set' || !opened.isDeclaration || !isClosed(statement.body)) return false;
  const { local, value } = opened;
  if (!local.isConstant || local.role !== 'local' || local.captors !== undefined) return false;
  if (!relations.isAssignable(local.type, 'Ljava/lang/AutoCloseable;')) return false;
  const [only, ...more] = handler.body;
  const isMade = value.kind === 'call' && value.how === 'new';
  const closing = only === undefined || more.length > 0 ? null : unlessNull(only, local, isMade);
  if (closing === null || !closesInHandler(closing, local, handler.caught)) return false;
  const isFollowed = canComplete(statement.body);
  const end = isFollowed ? list[index + 1] : undefined;
  const last = end === undefined ? null : unlessNull(end, local, isMade);
  if (isFollowed && (last === null || closeOf(last, local) === null)) return false;
  return !list.slice(index + (isFollowed ? 2 : 1)).some((each) => mentions(each, local));
}

function withResource(opened: Statement & { kind: 'set' }, { body, catches }: Try): Try {
  const { local } = opened;
  const [closing] = catches[0]!.body;
  const inner = unlessNull(closing!, local, true) as Try;
  return { kind: 'try', resource: { opened, close: closeOf(inner.body[0]!, local)! }, body, catches: [] };
}

/** What is done with a resource where there is one; one that is made there is never null. */
function unlessNull(statement: Statement, local: Local, isMade: boolean): Statement | null {
  if (statement.kind !== 'if') return isMade ? statement : null;
  const { condition, yes, no } = statement;
  if (condition.kind !== 'relation' || condition.operator !== '!=' || !isLocal(condition.left, local)) return null;
  const { right } = condition;
  return right.kind === 'number' && right.value === 0 && yes.length === 1 && no.length === 0 ? yes[0]! : null;
}

/** Whether a statement closes a resource, and adds what that throws to what was thrown before. */
function closesInHandler(statement: Statement, local: Local, caught: Local): boolean {
  if (statement.kind !== 'try' || statement.body.length !== 1 || statement.catches.length !== 1) return false;
  if (statement.last !== undefined || statement.resource !== undefined) return false;
  const [only] = statement.catches;
  const [added] = only!.body;
  if (
    (only!.type !== null && only!.type !== throwable) ||
    only!.local === null ||
    only!.body.length !== 1 ||
    added?.kind !== 'do'
  )
    return false;
  const call = added.expression;
  if (call.kind !== 'call' || call.name !== 'addSuppressed' || call.owner !== throwable) return false;
  if (call.object === null || !isLocal(call.object, caught) || !isLocal(call.values[0]!, only!.local)) return false;
  return closeOf(statement.body[0]!, local) !== null;
}

/** The call of a statement that closes what a variable holds; null for any other. */
function closeOf(statement: Statement, local: Local): Call | null {
  if (statement.kind !== 'do' || statement.expression.kind !== 'call') return null;
  const { name, owner, values, object, how } = statement.expression;
  const isClose = name === 'close' && values.length === 0 && (how === 'virtual' || how === 'interface');
  return isClose && object !== null && isLocal(object, local) && owner === local.type ? statement.expression : null;
}

const isLocal = (expression: Expression, local: Local): boolean =>
  expression.kind === 'local' && expression.local === local;

/** Whether statements are left at their end alone, or by what is thrown. */
function isClosed(statements: readonly Statement[], labels: ReadonlySet<Label> = new Set()): boolean {
  return statements.every((statement) => {
    if (statement.kind === 'return') return false;
    if (statement.kind === 'jump') return labels.has(statement.label);
    const inner =
      statement.kind === 'loop' || statement.kind === 'block' || statement.kind === 'switch'
        ? new Set([...labels, statement.label])
        : labels;
    return eachList(statement).every((list) => isClosed(list, inner));
  });
}

/** Tells whether two copies of code are the same but for their addresses and the names of what each declares. */
class Twins {
  readonly #pairs = new Map<unknown, unknown>();

  areAlike(a: unknown, b: unknown): boolean {
    if (Object.is(a, b)) return true;
    if (Array.isArray(a)) {
      return Array.isArray(b) && a.length === b.length && a.every((each, index) => this.areAlike(each, b[index]));
    }
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
    const [one, other] = [a as Record<string, unknown>, b as Record<string, unknown>];
    const keys = Object.keys(one);
    if (keys.length !== Object.keys(other).length) return false;
    this.#pair(one, other);
    return keys.every((key) => this.#isAlike(key, one[key], other[key]));
  }

  /** Notes what both declare: a variable or a label. */
  #pair(one: Record<string, unknown>, other: Record<string, unknown>): void {
    const isDeclared = (each: Record<string, unknown>) =>
      each.kind === 'declare' || each.isDeclaration === true || 'handler' in each;
    if (isDeclared(one) && isDeclared(other) && one.local !== null && other.local !== null) {
      const [first, second] = [one.local as Local, other.local as Local];
      if (first.type === second.type) this.#pairs.set(first, second);
    }
    if ('label' in one && one.kind !== 'jump') this.#pairs.set(one.label, other.label);
  }

  #isAlike(key: string, one: unknown, other: unknown): boolean {
    if (key === 'at' || key === 'handler') return true;
    if (key !== 'local' && key !== 'label') return this.areAlike(one, other);
    return this.#pairs.has(one) ? this.#pairs.get(one) === other : one === other;
  }
}
