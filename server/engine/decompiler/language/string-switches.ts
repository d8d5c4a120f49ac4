// Recognises a `switch` over strings in what javac makes of it: one over their hash codes, whose cases compare, and often a second
// one over a number that stands for the string. Knows no text.
import { parts } from '../expressions/effects.ts';
import type { Case, Expression, Label, Local, Statement } from '../expressions/tree.ts';
import { canComplete } from '../structure/jumps.ts';
import { eachList, jumpsIn, ownExpressions } from '../structure/walk.ts';

type Switch = Statement & { kind: 'switch' };
type Assignment = Statement & { kind: 'set' };

interface Test {
  readonly text: string;
  readonly body: Statement[];
}

/** Changes the lists in place. */
export function foldStringSwitches(statements: Statement[]): void {
  fold(statements, statements);
}

function fold(list: Statement[], whole: readonly Statement[]): void {
  for (let index = 0; index < list.length; index++) {
    const two = twoSwitches(list, index, whole);
    if (two !== null) {
      list.splice(index, two.length, ...two.statements);
    }
    const statement = list[index]!;
    const tests = statement.kind === 'switch' ? testsOf(statement) : null;
    if (statement.kind === 'switch' && tests !== null) list[index] = overTexts(statement, tests);
    for (const inner of eachList(list[index]!)) fold(inner, whole);
  }
}

/** The variable whose hash code is switched over; null where it is something else. */
function hashed({ value }: Switch): Local | null {
  if (value.kind !== 'call' || value.name !== 'hashCode' || value.object?.kind !== 'local') return null;
  return value.owner === 'Ljava/lang/String;' ? value.object.local : null;
}

/** `String.hashCode`, as its documentation defines it. */
function hashOf(text: string): number {
  let hash = 0;
  for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return hash;
}

/** What is done for each string; null where anything else is done too. */
function testsOf(statement: Switch): Test[] | null {
  const over = hashed(statement);
  if (over === null) return null;
  const isEnd = (list: readonly Statement[]) => list.length === 1 && isBreak(list[0]!, statement.label);
  const tests: Test[] = [];
  for (const { keys, isDefault, body } of statement.cases) {
    if (isDefault) {
      if (keys.length > 0 || !isEnd(body)) return null;
      continue;
    }
    const found = testsIn(body, over, statement.label);
    if (found === null || keys.length !== 1 || found.some(({ text }) => hashOf(text) !== keys[0])) return null;
    tests.push(...found);
  }
  const texts = new Set(tests.map(({ text }) => text));
  return tests.length > 0 && texts.size === tests.length ? tests : null;
}

const isBreak = (statement: Statement, label: Label): boolean =>
  statement.kind === 'jump' && statement.way === 'break' && statement.label === label;

/** The comparisons of a case, one after the other or each in the `else` of the one before. */
function testsIn(body: readonly Statement[], over: Local, label: Label): Test[] | null {
  const [first, ...rest] = body;
  if (first === undefined || isBreak(first, label)) return rest.length === 0 ? [] : null;
  if (first.kind !== 'if') return null;
  const { condition, yes, no } = first;
  const text = comparedText(condition, over);
  if (text !== null) {
    const others = testsIn([...no, ...rest], over, label);
    return others === null || (no.length > 0 && rest.length > 1) ? null : [{ text, body: yes }, ...others];
  }
  const other = condition.kind === 'not' ? comparedText(condition.operand, over) : null;
  if (other === null || no.length > 0 || yes.length !== 1 || !isBreak(yes[0]!, label)) return null;
  return [{ text: other, body: rest }];
}

function comparedText(condition: Expression, over: Local): string | null {
  const call = condition.kind === 'truth' ? condition.operand : condition;
  if (call.kind !== 'call' || call.name !== 'equals' || call.object?.kind !== 'local' || call.object.local !== over)
    return null;
  const [value] = call.values;
  return call.values.length === 1 && value?.kind === 'string' ? value.value : null;
}

function overTexts(statement: Switch, tests: readonly Test[]): Switch {
  const { label, value } = statement;
  const cases: Case[] = tests.map(({ text, body }) => ({ keys: [text], isDefault: false, body: ended(body, label) }));
  const end: Case = { keys: [], isDefault: true, body: [{ kind: 'jump', way: 'break', label }] };
  return { ...statement, value: switched(value), cases: [...cases, end] };
}

const switched = (value: Expression): Expression => (value as Expression & { kind: 'call' }).object!;

const ended = (body: Statement[], label: Label): Statement[] =>
  canComplete(body) ? [...body, { kind: 'jump', way: 'break', label }] : body;

/**
 * A first switch that only numbers the strings, and the second one over that number: with the number for all other strings set
 * before the first, or behind it in a block that the cases leave.
 */
function twoSwitches(
  list: readonly Statement[],
  index: number,
  whole: readonly Statement[],
): { length: number; statements: Statement[] } | null {
  const [a, b, c] = list.slice(index, index + 3);
  if (a?.kind === 'block' && b?.kind === 'switch') {
    const [first, other] = a.body.slice(-2);
    if (first?.kind !== 'switch' || !isNumbering(other)) return null;
    const joined = joinedSwitch(first, b, other, a.label, whole);
    if (joined === null || jumpsIn(a.body.slice(0, -2), a.label) > 0) return null;
    return { length: 2, statements: [...a.body.slice(0, -2), joined] };
  }
  if (!isNumbering(a) || b?.kind !== 'switch' || c?.kind !== 'switch') return null;
  const joined = joinedSwitch(b, c, a, null, whole);
  return joined === null ? null : { length: 3, statements: [joined] };
}

const isNumbering = (statement: Statement | undefined): statement is Assignment =>
  statement?.kind === 'set' && statement.value.kind === 'number';

function joinedSwitch(
  first: Switch,
  second: Switch,
  other: Assignment,
  left: Label | null,
  whole: readonly Statement[],
): Switch | null {
  const number = other.local;
  const tests = testsOf(first);
  if (tests === null || second.value.kind !== 'local' || second.value.local !== number) return null;
  const texts = new Map<number, string[]>();
  for (const { text, body } of tests) {
    const [set, jump, ...more] = body;
    if (!isNumbering(set) || set.local !== number || more.length > 0) return null;
    const isLeaving = jump === undefined ? left === null : isBreak(jump, left ?? first.label);
    if (!isLeaving) return null;
    const key = (set.value as Expression & { kind: 'number' }).value;
    texts.set(key, [...(texts.get(key) ?? []), text]);
  }
  // The tests' and the other's assignments, and what the second switch reads.
  if (standings(whole, number) !== tests.length + 2) return null;
  const rest = (other.value as Expression & { kind: 'number' }).value;
  if (texts.has(rest) || second.cases.some(({ keys }) => keys.includes(rest))) return null;
  const named = ({ keys, ...each }: Case): Case => ({
    ...each,
    keys: keys.flatMap((key) => texts.get(Number(key)) ?? []),
  });
  const cases = second.cases.map(named).filter(({ keys, isDefault }) => isDefault || keys.length > 0);
  return { ...second, value: switched(first.value), cases };
}

/** How often a variable stands in statements. */
function standings(statements: readonly Statement[], local: Local): number {
  const within = (expression: Expression): number =>
    (expression.kind === 'local' && expression.local === local ? 1 : 0) +
    parts(expression).reduce((sum, part) => sum + within(part), 0);
  let count = 0;
  for (const statement of statements) {
    if (statement.kind === 'set' && statement.local === local) count++;
    for (const expression of ownExpressions(statement)) count += within(expression);
    for (const list of eachList(statement)) count += standings(list, local);
  }
  return count;
}
