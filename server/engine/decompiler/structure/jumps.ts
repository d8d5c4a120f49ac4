// Removes jumps to where execution goes anyway, and gives loops and branches the forms that this allows. Knows no graph.
import { effectsOf } from '../expressions/effects.ts';
import type { Expression, Label, Statement } from '../expressions/tree.ts';
import { stepOf } from '../language/counting.ts';
import { negated } from './structure.ts';
import { eachList, jumpsIn } from './walk.ts';

/** Places that falling out of a list is the same as: `b5`, `c5`, or `r` for a return of nothing. */
type Follow = ReadonlySet<string>;

const none: Follow = new Set();

type Jump = Statement & { kind: 'jump' };
type Return = Statement & { kind: 'return' };
/** Jumps and returns that do the same as leaving a block, by its label. */
type Renamed = ReadonlyMap<Label, Jump | Return>;

function keyOf(statement: Statement | undefined): string | null {
  if (statement?.kind === 'jump') return `${statement.way === 'break' ? 'b' : 'c'}${statement.label}`;
  return statement?.kind === 'return' && statement.value === null ? 'r' : null;
}

/** Nesting of `else` past which branches stay one after the other. */
const maxElse = 60;

export function withoutJumps(statements: Statement[]): Statement[] {
  return tidied(statements, new Set(['r']), new Map(), 0);
}

function tidied(statements: Statement[], follow: Follow, renamed: Renamed, depth: number): Statement[] {
  let list = statements;
  for (let index = 0; index < list.length; index++) {
    const statement = list[index]!;
    if (statement.kind !== 'if' || statement.no.length > 0 || depth > maxElse) continue;
    const key = keyOf(statement.yes.at(-1));
    const rest = list.slice(index + 1);
    if (rest.length === 0) continue;
    if (key === null || !follow.has(key)) {
      // What leaves from within is where execution goes anyway once the rest stands in `else`.
      if (!leavesTo(statement.yes, follow) || canComplete(statement.yes)) continue;
      statement.no = rest;
      list = list.slice(0, index + 1);
      continue;
    }
    // `return;` at the front of a long method stays what it is.
    if (key === 'r' && statement.yes.length === 1 && rest.length > 1) continue;
    statement.yes.pop();
    if (statement.yes.length > 0) statement.no = rest;
    else {
      statement.condition = negated(statement.condition);
      statement.yes = rest;
    }
    list = list.slice(0, index + 1);
  }
  const out: Statement[] = [];
  for (const [index, statement] of list.entries()) {
    const after = list[index + 1];
    const key = keyOf(after);
    const next = after === undefined ? follow : key !== null ? followOf(key, follow) : none;
    const isLeft = statement.kind === 'block' && after?.kind === 'return' && isPlain(after);
    one(statement, next, isLeft ? new Map([...renamed, [statement.label, after]]) : renamed, depth, out);
    if (isLeft && !canComplete(out)) break;
  }
  for (let key = keyOf(out.at(-1)); key !== null && follow.has(key); key = keyOf(out.at(-1))) out.pop();
  return out;
}

/** Whether a block is left from within branches alone, for a place that execution goes to. */
const leavesTo = (statements: readonly Statement[], follow: Follow): boolean =>
  statements.some((statement) => {
    if (statement.kind === 'jump') return statement.way === 'break' && follow.has(keyOf(statement)!);
    if (statement.kind === 'loop' || statement.kind === 'switch') return false;
    return eachList(statement).some((list) => leavesTo(list, follow));
  });

/** Whether a return gives back the same wherever it stands, and throws nothing. */
const isPlain = ({ value }: Return): boolean =>
  value === null || value.kind === 'local' || (isConstant(value) && effectsOf(value).mask === 0);

const followOf = (key: string, follow: Follow): Follow => (follow.has(key) ? follow : new Set([key]));

function one(statement: Statement, follow: Follow, renamed: Renamed, depth: number, out: Statement[]): void {
  switch (statement.kind) {
    case 'jump': {
      const same = statement.way === 'break' ? renamed.get(statement.label) : undefined;
      out.push(same === undefined ? statement : { ...same });
      return;
    }
    case 'if':
      branch(statement, follow, renamed, depth, out);
      return;
    case 'block':
      block(statement, follow, renamed, depth, out);
      return;
    case 'loop':
      loop(statement, follow, renamed, depth, out);
      return;
    case 'switch': {
      const inner = leaving(follow, statement.label, renamed);
      for (const each of statement.cases) {
        each.body = tidied(each.body, new Set([...follow, `b${statement.label}`]), inner, depth + 1);
        if (canComplete(each.body)) each.body.push({ kind: 'jump', way: 'break', label: statement.label });
      }
      out.push(statement);
      return;
    }
    case 'try':
      statement.body = tidied(statement.body, follow, renamed, depth + 1);
      for (const each of statement.catches) each.body = tidied(each.body, follow, renamed, depth + 1);
      out.push(statement);
      return;
    case 'synchronized':
      statement.body = tidied(statement.body, follow, renamed, depth + 1);
      out.push(statement);
      return;
    default:
      out.push(statement);
  }
}

function branch(
  statement: Statement & { kind: 'if' },
  follow: Follow,
  renamed: Renamed,
  depth: number,
  out: Statement[],
): void {
  statement.yes = tidied(statement.yes, follow, renamed, depth + 1);
  statement.no = tidied(statement.no, follow, renamed, depth + 1);
  if (statement.yes.length === 0) {
    if (statement.no.length === 0) {
      if ((effectsOf(statement.condition).mask & ~1) === 0) return;
    } else {
      statement.condition = negated(statement.condition);
      statement.yes = statement.no;
      statement.no = [];
    }
  }
  out.push(statement);
}

function block(
  statement: Statement & { kind: 'block' },
  follow: Follow,
  renamed: Renamed,
  depth: number,
  out: Statement[],
): void {
  const turn = [...follow].find((key) => key.startsWith('c'));
  const inner: Renamed =
    turn === undefined
      ? renamed
      : new Map([...renamed, [statement.label, { kind: 'jump', way: 'continue', label: Number(turn.slice(1)) }]]);
  statement.body = tidied(statement.body, new Set([...follow, `b${statement.label}`]), inner, depth + 1);
  if (jumpsIn(statement.body, statement.label) > 0) out.push(statement);
  else for (const inner of statement.body) out.push(inner);
}

/** Jumps that leave a loop or switch at its end may name it instead of the block around it. */
function leaving(follow: Follow, label: Label, renamed: Renamed): Renamed {
  const inner = new Map(renamed);
  for (const key of follow)
    if (key.startsWith('b')) inner.set(Number(key.slice(1)), { kind: 'jump', way: 'break', label });
  return inner;
}

function loop(
  statement: Statement & { kind: 'loop' },
  follow: Follow,
  renamed: Renamed,
  depth: number,
  out: Statement[],
): void {
  const { label } = statement;
  const body = tidied(statement.body, new Set([`c${label}`]), leaving(follow, label, renamed), depth + 1);
  out.push(statement);
  statement.body = body;
  const while_ = testedFirst(body, label);
  if (while_ !== null) {
    statement.form = 'while';
    statement.condition = while_.condition;
    statement.body = while_.body;
    for (const last of while_.behind) out.push(last);
    count(statement);
    return;
  }
  const last = body.at(-1);
  if (last?.kind !== 'if' || isFixed(last) || last.no.length > 0 || !isExit(last.yes, label)) return;
  if (jumpsIn(body, label, 'continue') > 0) return;
  statement.form = 'do';
  statement.condition = negated(last.condition);
  statement.body = body.slice(0, -1);
}

const isExit = (list: readonly Statement[], label: Label): boolean =>
  list.length === 1 && keyOf(list[0]) === `b${label}`;

/** A loop that begins by asking whether to go on; `behind` is what it does where it does not. */
function testedFirst(
  body: Statement[],
  label: Label,
): { condition: Expression; body: Statement[]; behind: Statement[] } | null {
  const [first] = body;
  if (first?.kind !== 'if' || isFixed(first)) return null;
  const { condition, yes, no } = first;
  if (no.length === 0) {
    if (isExit(yes, label)) return { condition: negated(condition), body: body.slice(1), behind: [] };
    if (isEnd(yes, body, label)) return { condition: negated(condition), body: body.slice(1), behind: yes };
    return null;
  }
  if (body.length > 1) return null;
  if (isExit(no, label)) return { condition, body: yes, behind: [] };
  if (isEnd(no, body, label)) return { condition, body: yes, behind: no };
  return isEnd(yes, body, label) ? { condition: negated(condition), body: no, behind: yes } : null;
}

/** Whether some statements of a loop's body never go on in it, and nothing else leaves the loop for what stands behind it. */
const isEnd = (statements: readonly Statement[], body: readonly Statement[], label: Label): boolean =>
  !canComplete(statements) && jumpsIn(body, label) === 0 && jumpsIn(statements, label, 'continue') === 0;

/** Where each turn ends by counting, a block before that is left to go on with the next turn. */
function count(statement: Statement & { kind: 'loop' }): void {
  const { body, label, condition } = statement;
  const [around, update] = body.slice(-2);
  if (update === undefined || around?.kind !== 'block' || condition === null) return;
  if (stepOf(update, condition, body) === null || jumpsIn(body, label, 'continue') > 0) return;
  statement.form = 'for';
  const next: Renamed = new Map([[around.label, { kind: 'jump', way: 'continue', label }]]);
  statement.body = [...body.slice(0, -2), ...renamedIn(around.body, next), update];
}

function renamedIn(statements: Statement[], renamed: Renamed): Statement[] {
  for (const [index, statement] of statements.entries()) {
    const same = statement.kind === 'jump' && statement.way === 'break' ? renamed.get(statement.label) : undefined;
    if (same !== undefined) statements[index] = { ...same };
    for (const list of eachList(statement)) renamedIn(list, renamed);
  }
  return statements;
}

/** Whether a condition may be one that javac works out, which would change what it calls reachable. */
function isFixed({ condition }: Statement & { kind: 'if' }): boolean {
  return isConstant(condition);
}

function isConstant(expression: Parameters<typeof effectsOf>[0]): boolean {
  switch (expression.kind) {
    case 'number':
    case 'wide':
    case 'string':
      return true;
    case 'relation':
    case 'junction':
    case 'arithmetic':
    case 'comparison':
      return isConstant(expression.left) && isConstant(expression.right);
    case 'not':
    case 'truth':
    case 'negation':
    case 'conversion':
    case 'cast':
      return isConstant(expression.operand);
    default:
      return false;
  }
}

/** Whether javac says that execution can go on behind some statements. https://docs.oracle.com/javase/specs/jls/se17/html/jls-14.html#jls-14.22 */
export function canComplete(statements: readonly Statement[]): boolean {
  return statements.every(completes);
}

function completes(statement: Statement): boolean {
  switch (statement.kind) {
    case 'jump':
    case 'return':
    case 'throw':
      return false;
    case 'if':
      return statement.no.length === 0 || canComplete(statement.yes) || canComplete(statement.no);
    case 'block':
      return canComplete(statement.body) || jumpsIn(statement.body, statement.label) > 0;
    case 'loop':
      return statement.form === 'forever' ? jumpsIn(statement.body, statement.label) > 0 : true;
    case 'switch': {
      if (!statement.cases.some(({ isDefault }) => isDefault)) return true;
      return canComplete(statement.cases.at(-1)?.body ?? []) || jumpsIn([statement], statement.label) > 0;
    }
    case 'try':
      if (statement.last !== undefined && !canComplete(statement.last)) return false;
      return canComplete(statement.body) || statement.catches.some(({ body }) => canComplete(body));
    case 'synchronized':
      return canComplete(statement.body);
    default:
      return true;
  }
}

/** Leaves out what javac would call unreachable. */
export function withoutUnreachable(statements: Statement[]): Statement[] {
  const out: Statement[] = [];
  for (const statement of statements) {
    // What ends each turn of a `for` is come to by `continue` too.
    const step = statement.kind === 'loop' && statement.form === 'for' ? statement.body.slice(-1) : [];
    for (const list of eachList(statement)) {
      const kept = [...withoutUnreachable(list.slice(0, list.length - step.length)), ...step];
      if (kept.length < list.length) list.splice(0, list.length, ...kept);
    }
    out.push(statement);
    if (!completes(statement)) break;
  }
  return out;
}
