// Recognises `finally` and `try` with a resource in what compilers make of them: what is done in the end stands once for each way
// out. Knows no text.
import type { ClassRelations } from '../../code/types/class-relations.ts';
import { throwable } from '../../code/values/operands.ts';
import { effectsOf, parts } from '../expressions/effects.ts';
import type { Call, Catch, Expression, Label, Local, Statement } from '../expressions/tree.ts';
import { canComplete } from '../structure/jumps.ts';
import { eachList, jumpsIn } from '../structure/walk.ts';
import { type CleanUp, declaredFor, regionFrom, writtenIn } from './clean-up-region.ts';
import { mentions } from './counting.ts';
import { Twins } from './twins.ts';

type Try = Statement & { kind: 'try' };

/**
 * Changes the lists in place, whose variables are declared.
 * https://docs.oracle.com/javase/specs/jls/se17/html/jls-14.html#jls-14.20
 * @returns whether anything is recognised: variables may now be declared further in
 */
export function foldCleanUp(statements: Statement[], relations: ClassRelations): boolean {
  let isFolded = false;
  for (let index = 0; index < statements.length; index++) {
    const first = foldAt(statements, index, relations);
    if (first !== null) {
      isFolded = true;
      index = first;
    }
    for (const list of eachList(statements[index]!)) if (foldCleanUp(list, relations)) isFolded = true;
  }
  return isFolded;
}

/** What takes everything that code throws, cleans up, and throws it on. */
interface Handler {
  readonly caught: Local;
  readonly code: readonly Statement[];
  /** Whether a `catch` is this handler, or goes to it. */
  handles(caught: Catch): boolean;
}

/** Folds what begins at a place of a list; returns where it stands then, null where nothing is folded. */
function foldAt(list: Statement[], index: number, relations: ClassRelations): number | null {
  const statement = list[index]!;
  if (statement.kind === 'block') {
    const behind = handlerBehind(statement.label, list.slice(index + 1));
    if (behind !== null)
      return foldBefore(list, [...list.slice(0, index), ...statement.body], index, behind, relations);
    const within = statement.body.findIndex(({ kind }) => kind !== 'declare');
    const inner = statement.body[within];
    const code = statement.body.slice(within + 1);
    const handler = inner?.kind === 'block' ? handlerBehind(inner.label, code) : null;
    if (handler !== null && inner?.kind === 'block') {
      const left = { ...statement, body: [...statement.body.slice(0, within), ...inner.body] };
      return foldBefore(list, list.with(index, left), index, handler, relations);
    }
  }
  const first = firstHandler(statement);
  return first === null ? null : fold(list, index, first, relations);
}

/**
 * Folds the code before a handler that stands behind its block.
 * @param flat the list without the handler, and with what stood in the block in its place
 */
function foldBefore(
  list: Statement[],
  flat: Statement[],
  index: number,
  handler: Handler & { label: Label },
  relations: ClassRelations,
): number | null {
  const start = flat.findIndex((each, place) => place >= index && jumpsIn([each], handler.label) > 0);
  const at = start < 0 ? null : fold(flat, start, handler, relations);
  if (at === null || jumpsIn(flat, handler.label) > 0) return null;
  list.splice(0, list.length, ...flat);
  return at;
}

/** The handler of the `try` that a statement begins with. */
function firstHandler(statement: Statement): Handler | null {
  if (statement.kind === 'block') {
    const first = statement.body.find(({ kind }) => kind !== 'declare');
    return first === undefined ? null : firstHandler(first);
  }
  if (statement.kind !== 'try' || statement.last !== undefined || statement.resources !== undefined) return null;
  const last = statement.catches.at(-1);
  if (last === undefined || !takesAll(last) || last.local === null) return null;
  const code = thrownOn(last.body, last.local);
  return code === null ? null : { caught: last.local, code, handles: (each) => each === last };
}

/** The handler that a block's label leads to. */
function handlerBehind(label: Label, code: readonly Statement[]): (Handler & { label: Label }) | null {
  const thrown = code.at(-1);
  if (thrown?.kind !== 'throw' || thrown.value.kind !== 'local') return null;
  const caught = thrown.value.local;
  const done = thrownOn(code, caught);
  if (done === null) return null;
  const handles = (each: Catch): boolean => {
    const jump = each.body.at(-1);
    if (!takesAll(each) || jump?.kind !== 'jump' || jump.label !== label || jump.way !== 'break') return false;
    if (each.body.length === 1) return each.local === caught;
    const [set] = each.body;
    return each.body.length === 2 && set?.kind === 'set' && set.local === caught && isLocal(set.value, each.local);
  };
  return { caught, code: done, label, handles };
}

const takesAll = ({ type, besides }: Catch): boolean => (type === null || type === throwable) && besides === undefined;

/** What a handler does before it throws on what it took; null for any other. */
function thrownOn(body: readonly Statement[], caught: Local): readonly Statement[] | null {
  const thrown = body.at(-1);
  if (body.length < 2 || thrown?.kind !== 'throw' || !isLocal(thrown.value, caught)) return null;
  const code = body.slice(0, -1);
  return canComplete(code) && isClosed(code) ? code : null;
}

/** Makes a `try` with a resource, or with `finally`, of what begins at a place of a list; returns where it stands, or null. */
function fold(list: Statement[], index: number, handler: Handler, relations: ClassRelations): number | null {
  let first = index - 1;
  while (first >= 0 && isBetween(list[first]!)) first--;
  for (let place = index - 1; place >= first && place >= 0; place--) {
    const opened = list[place]!;
    if (opened.kind !== 'set' || !opened.isDeclaration) continue;
    const closing = resourceOf(opened, handler, relations);
    if (closing !== null)
      return replaced(
        list,
        place + 1,
        closing.cleanUp,
        place,
        (body) => ({
          kind: 'try',
          resources: [{ opened, close: closing.close }],
          body,
          catches: [],
        }),
        opened.local,
      );
  }
  if (handler.code.some((each) => mentions(each, handler.caught))) return null;
  return replaced(list, index, finallyOf(handler), index, (body) => ({
    kind: 'try',
    body,
    catches: [],
    last: [...handler.code],
  }));
}

/** Whether a statement may stand between what opens a resource and what uses it. */
const isBetween = (statement: Statement): boolean =>
  statement.kind === 'declare' ||
  statement.kind === 'if' ||
  (statement.kind === 'set' && effectsOf(statement.value).mask === 0);

/** @param opened what has to be unknown behind the statements */
function replaced(
  list: Statement[],
  start: number,
  cleanUp: CleanUp,
  place: number,
  made: (body: Statement[]) => Try,
  opened?: Local,
): number | null {
  const region = regionFrom(list, start, cleanUp);
  if (region === null) return null;
  const after = list.slice(start + region.length);
  if (opened !== undefined && after.some((each) => mentions(each, opened))) return null;
  const outlasting = declaredFor(region.body, after);
  const body = region.body.flatMap((each): Statement[] => {
    if (!outlasting.has(each)) return [each];
    return each.kind === 'set' ? [{ ...each, isDeclaration: false }] : [];
  });
  const declared = [...outlasting.values()].map((local): Statement => ({ kind: 'declare', local }));
  list.splice(place, start - place + region.length, ...declared, made(withoutLastJump(body)));
  return place + declared.length;
}

/** A block that is all there is need not be left at its end. */
function withoutLastJump(body: Statement[]): Statement[] {
  const block = body.at(-1);
  const jump = block?.kind === 'block' ? block.body.at(-1) : undefined;
  if (block?.kind !== 'block' || jump?.kind !== 'jump' || jump.label !== block.label) return body;
  const rest = block.body.slice(0, -1);
  return [...body.slice(0, -1), ...(jumpsIn(rest, block.label) > 0 ? [{ ...block, body: rest }] : rest)];
}

function finallyOf({ code, handles }: Handler): CleanUp {
  const written = writtenIn(code);
  return {
    handles,
    copyAt: (list, index) => copyOf(list, index, code.length, (copy) => new Twins().areAlike(code, copy)),
    uses: () => false,
    isIdle: () => false,
    conflicts: (statement) =>
      [...written].some((local) => mentions(statement, local)) ||
      (statement.kind === 'set' && code.some((each) => mentions(each, statement.local))),
  };
}

/** How a handler closes what a statement opened, as `try` with a resource does; null where it does not. */
function resourceOf(
  { local, value }: Statement & { kind: 'set' },
  handler: Handler,
  relations: ClassRelations,
): { cleanUp: CleanUp; close: Call } | null {
  if (!local.isConstant || local.role !== 'local' || local.captors !== undefined) return null;
  if (!relations.isAssignable(local.type, 'Ljava/lang/AutoCloseable;')) return null;
  const [only, ...more] = handler.code;
  const isMade = value.kind === 'call' && value.how === 'new';
  const uses = (part: Expression): boolean => {
    if (part.kind === 'call' && part.object !== null && part.how !== 'new' && isLocal(part.object, local)) return true;
    if (part.kind === 'junction') return uses(part.left);
    return part.kind === 'choice' ? uses(part.condition) : parts(part).some(uses);
  };
  const closing = only === undefined || more.length > 0 ? null : unlessNull(only, local, isMade);
  const close = closing === null ? null : closeInHandler(closing, local, handler.caught);
  if (close === null) return null;
  const isClose = (statement: Statement, isUsed: boolean): boolean => {
    const done = unlessNull(statement, local, isMade || isUsed);
    return done !== null && closes(done, local);
  };
  return {
    close,
    cleanUp: {
      handles: handler.handles,
      copyAt: (list, index, isUsed) => copyOf(list, index, 1, ([copy]) => isClose(copy!, isUsed)),
      uses,
      isIdle: (condition) => isRelation(condition, '==', local),
      conflicts: (statement) => mentions(statement, local),
    },
  };
}

/** The number of statements of a copy, whose last branch may end as what follows it does. */
function copyOf(
  list: readonly Statement[],
  index: number,
  length: number,
  isCopy: (copy: readonly Statement[]) => boolean,
): number {
  const copy = list.slice(index, index + length);
  // What a copy works out for what follows it would not be there.
  if (copy.length < length || declaredFor(copy, list.slice(index + length)).size > 0) return 0;
  if (isCopy(copy)) return length;
  const [last, after] = [copy.at(-1)!, list[index + length]];
  if (last.kind !== 'if' || last.no.length > 0 || after === undefined) return 0;
  const end = last.yes.at(-1);
  if (end?.kind !== 'jump' && end?.kind !== 'return') return 0;
  if (!new Twins().areAlike(end, after)) return 0;
  return isCopy([...copy.slice(0, -1), { ...last, yes: last.yes.slice(0, -1) }]) ? length : 0;
}

/** Makes one `try` of two where the second is all that stands in the first. Changes the lists in place. */
export function joinNested(statements: readonly Statement[]): void {
  for (const statement of statements) {
    for (const list of eachList(statement)) joinNested(list);
    if (statement.kind === 'try') joinInner(statement);
  }
}

function joinInner(statement: Try): void {
  const [only] = statement.body;
  if (statement.body.length !== 1 || only?.kind !== 'try' || only.last !== undefined) return;
  if (statement.resources !== undefined && (only.resources === undefined || only.catches.length > 0)) return;
  if (statement.catches.length > 0 && only.catches.length > 0) return;
  statement.body = only.body;
  if (only.catches.length > 0) statement.catches = only.catches;
  if (only.resources !== undefined) statement.resources = [...(statement.resources ?? []), ...only.resources];
}

/** What is done with a resource where there is one; one that is surely there is never null. */
function unlessNull(statement: Statement, local: Local, isThere: boolean): Statement | null {
  if (statement.kind !== 'if') return isThere ? statement : null;
  const { condition, yes, no } = statement;
  return isRelation(condition, '!=', local) && yes.length === 1 && no.length === 0 ? yes[0]! : null;
}

/** Whether a variable is compared with null. */
const isRelation = (condition: Expression, operator: '==' | '!=', local: Local): boolean =>
  condition.kind === 'relation' &&
  condition.operator === operator &&
  isLocal(condition.left, local) &&
  condition.right.kind === 'number' &&
  condition.right.value === 0;

/** The call that closes a resource where what that throws is added to what was thrown before; null where it is not. */
function closeInHandler(statement: Statement, local: Local, caught: Local): Call | null {
  if (statement.kind !== 'try' || statement.body.length !== 1 || statement.catches.length !== 1) return null;
  if (statement.last !== undefined || statement.resources !== undefined) return null;
  const [only] = statement.catches;
  const [added] = only!.body;
  if (!takesAll(only!) || only!.local === null || only!.body.length !== 1 || added?.kind !== 'do') return null;
  const call = added.expression;
  if (call.kind !== 'call' || call.name !== 'addSuppressed' || call.owner !== throwable) return null;
  if (call.object === null || !isLocal(call.object, caught) || !isLocal(call.values[0]!, only!.local)) return null;
  const closing = statement.body[0]!;
  if (!closes(closing, local) || closing.kind !== 'do' || closing.expression.kind !== 'call') return null;
  // Java asks the class of the variable for what closing throws.
  return { ...closing.expression, owner: local.type };
}

/** Whether a statement closes what a variable holds. */
function closes(statement: Statement, local: Local): boolean {
  if (statement.kind !== 'do' || statement.expression.kind !== 'call') return false;
  const { name, values, object, how } = statement.expression;
  const isClose = name === 'close' && values.length === 0 && (how === 'virtual' || how === 'interface');
  return isClose && object !== null && isLocal(object, local);
}

const isLocal = (expression: Expression, local: Local | null): boolean =>
  expression.kind === 'local' && expression.local === local;

/** Whether statements are left at their end alone, or by what is thrown. */
function isClosed(statements: readonly Statement[], labels: ReadonlySet<Label> = new Set()): boolean {
  return statements.every((statement) => {
    if (statement.kind === 'return') return false;
    if (statement.kind === 'jump') return labels.has(statement.label);
    const inner = 'label' in statement ? new Set([...labels, statement.label]) : labels;
    return eachList(statement).every((list) => isClosed(list, inner));
  });
}
