// Joins the `try` of each block to those that the source had: what may throw is covered by the same handlers as before, what is
// covered besides cannot throw. Knows no graph. Every list still ends with its jump.
import type { ClassRelations } from '../../code/types/class-relations.ts';
import { throwable } from '../../code/values/operands.ts';
import { effectsOf } from '../expressions/effects.ts';
import { type Catch, effect, type Label, type Local, type Statement } from '../expressions/tree.ts';
import { caughtTypes, eachList, jumpsIn } from './walk.ts';

/** What catches all that a statement throws, innermost first; null where it throws nothing. */
type Cover = readonly Catch[] | null;

const isSame = (a: Catch, b: Catch): boolean => a.type === b.type && a.handler === b.handler && a.local === b.local;

function sharedEnd(a: Cover, b: Cover): Cover {
  if (a === null) return b;
  if (b === null) return a;
  let length = 0;
  while (length < a.length && length < b.length && isSame(a[a.length - 1 - length]!, b[b.length - 1 - length]!))
    length++;
  return length === a.length ? a : a.slice(a.length - length);
}

const uncovered: Cover = [];

export function joinTries(statements: Statement[], relations: ClassRelations): Statement[] {
  if (!hasTry(statements)) return statements;
  shortenTries(statements);
  liftTails(statements);
  const joined = new Joiner(statements).list(statements, [], new Set());
  mergeCatches(joined, relations, () => true);
  return inlineHandlers(joined);
}

function hasTry(statements: readonly Statement[]): boolean {
  return statements.some((statement) => statement.kind === 'try' || eachList(statement).some(hasTry));
}

/** Of handlers inside of each other, past which no further one is looked for. */
const maxCover = 100;

/** Moves what a `try` ends with, and cannot throw, behind it. Changes the lists in place. */
function shortenTries(statements: Statement[]): void {
  for (let index = 0; index < statements.length; index++) {
    const statement = statements[index]!;
    for (const list of eachList(statement)) shortenTries(list);
    if (statement.kind !== 'try') continue;
    let end = statement.body.length;
    while (end > 1 && isQuiet(statement.body[end - 1]!)) end--;
    if (end < statement.body.length) statements.splice(index + 1, 0, ...statement.body.splice(end));
  }
}

const isQuiet = (statement: Statement): boolean =>
  !throwsItself(statement) && eachList(statement).every((list) => list.every(isQuiet));

/**
 * Moves what ends the code before a handler behind it, where the handler's own code is covered by a `try` and the end is not: one
 * `try` can then stand around both. Changes the lists in place.
 */
function liftTails(statements: Statement[]): void {
  const covers = new Joiner(statements);
  let label = highestLabel(statements) + 1;
  const lift = (list: Statement[]): void => {
    for (let index = 0; index < list.length; index++) {
      const block = list[index]!;
      for (const inner of eachList(block)) lift(inner);
      if (block.kind !== 'block' || !covers.isHandler(block.label)) continue;
      const [nearest] = covers.coverOf(list.slice(index + 1)) ?? [];
      if (nearest === undefined) continue;
      const start = tailOf(block.body, nearest, covers);
      if (start === null || jumpsIn(block.body.slice(start), block.label) > 0) continue;
      const tail = block.body.splice(start, block.body.length, { kind: 'jump', way: 'break', label });
      list.splice(index, list.length, { kind: 'block', label: label++, body: list.slice(index) }, ...tail);
    }
  };
  lift(statements);
}

/** Where what a handler does not cover begins, behind what it does; null where nothing of it can throw, or all is like that. */
function tailOf(body: readonly Statement[], handler: Catch, covers: Joiner): number | null {
  let start = body.length;
  let throwing = 0;
  for (; start > 0; start--) {
    const cover = covers.coverOf([body[start - 1]!]);
    if (cover?.some((each) => isSame(each, handler))) break;
    if (cover !== null) throwing = start;
  }
  if (start === 0 || throwing === 0) return null;
  return start;
}

function highestLabel(statements: readonly Statement[]): Label {
  let highest = 0;
  for (const statement of statements) {
    if (statement.kind === 'block' || statement.kind === 'loop' || statement.kind === 'switch') {
      highest = Math.max(highest, statement.label);
    }
    for (const list of eachList(statement)) highest = Math.max(highest, highestLabel(list));
  }
  return highest;
}

class Joiner {
  readonly #covers = new Map<Statement, Cover>();
  /** The code of handlers, by label. */
  readonly #behind = new Map<Label, readonly Statement[]>();
  /** By handler that takes everything what covers its code; null while that is asked for. */
  readonly #around = new Map<Label, Cover>();
  /** Handlers of each other's code that are asked for. */
  #depth = 0;

  constructor(statements: readonly Statement[]) {
    this.#noteHandlers(statements);
    this.#noteCode(statements);
  }

  #noteHandlers(statements: readonly Statement[]): void {
    for (const statement of statements) {
      for (const list of eachList(statement)) this.#noteHandlers(list);
      if (statement.kind === 'try') for (const { handler } of statement.catches) this.#behind.set(handler, []);
    }
  }

  #noteCode(statements: readonly Statement[]): void {
    for (const [index, statement] of statements.entries()) {
      for (const list of eachList(statement)) this.#noteCode(list);
      if (statement.kind !== 'block' || !this.isHandler(statement.label)) continue;
      this.#behind.set(statement.label, statements.slice(index + 1));
    }
  }

  isHandler(label: Label): boolean {
    return this.#behind.has(label);
  }

  /**
   * With the handlers that the source had around one that takes everything: compilers leave out what is never asked. They are those
   * of its own code.
   */
  #completed(catches: readonly Catch[]): Cover {
    const last = catches.at(-1);
    if (last === undefined || (last.type !== null && last.type !== throwable)) return catches;
    const around = this.#aroundOf(last.handler);
    return around === null || catches.length + around.length > maxCover ? catches : [...catches, ...around];
  }

  #aroundOf(handler: Label): Cover {
    let around = this.#around.get(handler);
    if (around !== undefined) return around;
    this.#around.set(handler, null);
    if (this.#depth === maxCover) return null;
    this.#depth++;
    around = this.coverOf(this.#behind.get(handler) ?? []);
    this.#depth--;
    this.#around.set(handler, around);
    return around;
  }

  /** What covers all of some statements. */
  coverOf(statements: readonly Statement[]): Cover {
    let cover: Cover = null;
    for (const statement of statements) {
      cover = sharedEnd(cover, this.#cover(statement));
      if (cover?.length === 0) break;
    }
    return cover;
  }

  #cover(statement: Statement): Cover {
    let cover = this.#covers.get(statement);
    if (cover !== undefined) return cover;
    cover = this.#coverOf(statement);
    this.#covers.set(statement, cover);
    return cover;
  }

  #coverOf(statement: Statement): Cover {
    if (statement.kind === 'try') return this.#completed(statement.catches);
    let cover: Cover = throwsItself(statement) ? uncovered : null;
    for (const list of eachList(statement)) for (const inner of list) cover = sharedEnd(cover, this.#cover(inner));
    return cover;
  }

  /** What covers a statement beyond what stands around it, as far as its handlers can be jumped to from here. */
  #wanted(statement: Statement, around: readonly Catch[], scope: ReadonlySet<Label>): Cover {
    const cover = this.#cover(statement);
    if (cover === null) return null;
    const [nearest] = around;
    const shared = nearest === undefined ? -1 : cover.findIndex((each) => isSame(each, nearest));
    let end = shared >= 0 ? shared : Math.max(0, cover.length - around.length);
    // Its own handlers can be jumped to; what was only added to complete them may stand elsewhere.
    while (statement.kind === 'try' && end > 0 && !scope.has(cover[end - 1]!.handler)) end--;
    let start = end;
    while (start > 0 && scope.has(cover[start - 1]!.handler)) start--;
    return cover.slice(start, end);
  }

  /** @param scope labels that can be jumped to from here */
  list(statements: readonly Statement[], around: readonly Catch[], scope: ReadonlySet<Label>): Statement[] {
    const out: Statement[] = [];
    for (let index = 0; index < statements.length; ) {
      const wanted = this.#wanted(statements[index]!, around, scope);
      if (wanted === null || wanted.length === 0) {
        this.#plain(statements[index]!, around, scope, out);
        index++;
        continue;
      }
      let shared: Cover = wanted;
      let end = index + 1;
      for (; end < statements.length; end++) {
        const next = sharedEnd(shared, this.#wanted(statements[end]!, around, scope));
        if (next === null || next.length === 0) break;
        shared = next;
      }
      if (this.#endsInThrow(shared![0]!.handler)) {
        while (end < statements.length && end > index + 1 && this.#cover(statements[end - 1]!) === null) end--;
      }
      const catches = (shared ?? []).map((each) => ({ ...each, body: each.body.map((inner) => ({ ...inner })) }));
      const body = this.list(statements.slice(index, end), [...(shared ?? []), ...around], scope);
      out.push({ kind: 'try', body, catches });
      index = end;
    }
    return out;
  }

  /** Whether a handler throws on in the end, as one does that cleans up. */
  #endsInThrow(handler: Label): boolean {
    return this.#behind.get(handler)?.at(-1)?.kind === 'throw';
  }

  #plain(statement: Statement, around: readonly Catch[], scope: ReadonlySet<Label>, out: Statement[]): void {
    if (statement.kind === 'try') {
      for (const inner of statement.body) out.push(inner);
      return;
    }
    const inner =
      statement.kind === 'block' || statement.kind === 'loop' ? new Set([...scope, statement.label]) : scope;
    switch (statement.kind) {
      case 'block':
      case 'loop':
        statement.body = this.list(statement.body, around, inner);
        break;
      case 'if':
        statement.yes = this.list(statement.yes, around, inner);
        statement.no = this.list(statement.no, around, inner);
        break;
      case 'switch':
        for (const each of statement.cases) each.body = this.list(each.body, around, inner);
        break;
    }
    out.push(statement);
  }
}

/** Whether a statement throws by itself, whatever stands in it. */
export function throwsItself(statement: Statement): boolean {
  const { throws, acts } = effect;
  const can = (mask: number) => (mask & (throws | acts)) !== 0;
  switch (statement.kind) {
    case 'do':
      return can(effectsOf(statement.expression).mask);
    case 'set':
      return can(effectsOf(statement.value).mask);
    case 'store': {
      const { target, value } = statement;
      const isOwn = target.kind === 'field' && !can(effectsOf(target).mask);
      return !isOwn || can(effectsOf(value).mask);
    }
    case 'return':
      return statement.value !== null && can(effectsOf(statement.value).mask);
    case 'throw':
      return true;
    case 'if':
      return can(effectsOf(statement.condition).mask);
    case 'switch':
      return can(effectsOf(statement.value).mask);
    case 'monitor':
      return statement.isEnter;
    default:
      return false;
  }
}

/**
 * Makes one `catch` of neighbours that go to the same handler, or end the same way at once: `catch (A | B e)`. Changes the statements
 * in place.
 * @param isRead whether a variable that takes an exception is read anywhere
 */
export function mergeCatches(
  statements: readonly Statement[],
  relations: ClassRelations,
  isRead: (local: Local) => boolean,
): void {
  for (const statement of statements) {
    for (const list of eachList(statement)) mergeCatches(list, relations, isRead);
    if (statement.kind !== 'try') continue;
    const merged: Catch[] = [];
    for (const each of statement.catches) {
      const last = merged.at(-1);
      if (last === undefined || last.type === null || each.type === null) {
        merged.push(each);
        continue;
      }
      const types = [...caughtTypes(last), ...caughtTypes(each)];
      const isShort = endsAlike(last, each, isRead);
      const isOne = isShort || (goesAlike(last, each) && isTyped(each.local, types, relations));
      if (!isOne || !areUnrelated(types, relations)) merged.push(each);
      else merged[merged.length - 1] = { ...last, local: isShort ? null : last.local, besides: types.slice(1) };
    }
    statement.catches = merged;
  }
}

const goesAlike = (a: Catch, b: Catch): boolean =>
  a.handler === b.handler && a.local === b.local && isJumpTo(a.body, a.handler) && isJumpTo(b.body, b.handler);

const isTyped = (local: Local | null, types: readonly string[], relations: ClassRelations): boolean =>
  local === null || nearestAbove(types, relations) === local.type;

/** Whether two handlers do nothing but return the same constant, or go on at the same place, where nobody asks for what they took. */
function endsAlike(
  { body: a, local }: Catch,
  { body: b, local: other }: Catch,
  isRead: (local: Local) => boolean,
): boolean {
  const [[first], [second]] = [a, b];
  if (a.length > 1 || b.length > 1) return false;
  if (first?.kind !== 'return') {
    if ([local, other].some((each) => each !== null && isRead(each))) return false;
    if (first === undefined || second === undefined) return first === second;
    return first.kind === 'jump' && second.kind === 'jump' && first.way === second.way && first.label === second.label;
  }
  if (second?.kind !== 'return') return false;
  const [one, two] = [first.value, second.value];
  if (one === null || two === null) return one === two;
  return one.kind === 'number' && two.kind === 'number' && one.value === two.value;
}

const areUnrelated = (types: readonly string[], relations: ClassRelations): boolean =>
  types.every((type, at) => types.every((other, index) => index === at || !relations.isAssignable(other, type)));

/** The class that Java takes for the type of what is caught; null where it is not known. */
function nearestAbove([first, ...others]: readonly string[], relations: ClassRelations): string | null {
  for (let at: string | null = first ?? null; at !== null; at = relations.factsOf(at)?.superclass ?? null) {
    const above = at;
    if (others.every((other) => relations.isAssignable(other, above))) return above;
  }
  return null;
}

/**
 * Puts a handler's code into the one `catch` that jumps to it. What stands behind its label leaves by jumps only, so that it can
 * stand anywhere inside of the labels that it names, but not under a `try` that it was not under.
 */
function inlineHandlers(statements: Statement[]): Statement[] {
  let list = statements;
  for (let index = 0; index < list.length; index++) {
    const statement = list[index]!;
    for (const inner of eachList(statement)) inlineInto(inner);
    if (statement.kind !== 'block') continue;
    const { label } = statement;
    if (jumpsIn([statement], label) !== 1) continue;
    const place = catchThatJumps(statement.body, label);
    if (place === null) continue;
    place.body = list.slice(index + 1);
    inlineInto(place.body);
    list = [...list.slice(0, index), ...statement.body];
    index--;
  }
  return list;
}

function inlineInto(list: Statement[]): void {
  const changed = inlineHandlers(list);
  if (changed !== list) list.splice(0, list.length, ...changed);
}

function catchThatJumps(statements: readonly Statement[], label: Label): Catch | null {
  for (const statement of statements) {
    if (statement.kind === 'try') {
      for (const each of statement.catches) {
        if (isJumpTo(each.body, label)) return each;
        const inner = catchThatJumps(each.body, label);
        if (inner !== null) return inner;
      }
      continue;
    }
    for (const list of eachList(statement)) {
      const found = catchThatJumps(list, label);
      if (found !== null) return found;
    }
  }
  return null;
}

function isJumpTo([first, ...rest]: readonly Statement[], label: Label): boolean {
  return rest.length === 0 && first?.kind === 'jump' && first.label === label && first.way === 'break';
}
