// Recognises loops over the elements of an array or of what can be iterated. Knows no text.
import { effectsOf, parts } from '../expressions/effects.ts';
import type { Call, Expression, Local, Statement } from '../expressions/tree.ts';
import { replaceParts } from '../structure/replacement.ts';
import { eachList, jumpsIn, ownExpressions } from '../structure/walk.ts';
import { mentions, stepOf } from './counting.ts';

type Loop = Statement & { kind: 'loop' };
type Assignment = Statement & { kind: 'set' };

export interface EachLoop {
  readonly loop: Loop;
  /** Takes each element. */
  readonly element: Local;
  readonly iterated: Expression;
  /** What the code casts each element of an `Iterable` to, null where it takes objects; undefined for an array. */
  readonly cast: string | null | undefined;
  readonly body: readonly Statement[];
  /** Statements of the list that it stands for. */
  readonly length: number;
}

const iterator = 'Ljava/util/Iterator;';

const isCall = (expression: Expression, name: string, of: Local): expression is Call =>
  expression.kind === 'call' &&
  expression.name === name &&
  expression.owner === iterator &&
  expression.object?.kind === 'local' &&
  expression.object.local === of;

const isLocal = (expression: Expression | undefined, local: Local): boolean =>
  expression?.kind === 'local' && expression.local === local;

/** The variable of an iterator, where a statement makes one and the next loops while it has elements. */
function iteratorOf(first: Statement | undefined, loop: Statement | undefined): Local | null {
  if (first?.kind !== 'set' || first.value.kind !== 'call' || loop?.kind !== 'loop' || loop.form !== 'while')
    return null;
  const { name, values, object, returns, how } = first.value;
  if (how !== 'virtual' && how !== 'interface') return null;
  if (name !== 'iterator' || returns !== iterator || values.length > 0 || object === null || loop.condition === null)
    return null;
  const asked = loop.condition.kind === 'truth' ? loop.condition.operand : loop.condition;
  return isCall(asked, 'hasNext', first.local) ? first.local : null;
}

/** The array, the number of its elements and the place in it, where statements begin to count over it. */
function countOf(
  count: Statement | undefined,
  place: Statement | undefined,
  loop: Statement | undefined,
): { array: Local; number: Local; at: Local } | null {
  if (count?.kind !== 'set' || count.value.kind !== 'length' || count.value.array.kind !== 'local') return null;
  if (place?.kind !== 'set' || place.value.kind !== 'number' || place.value.value !== 0 || loop?.kind !== 'loop')
    return null;
  const { condition, body, form } = loop;
  if (condition?.kind !== 'relation' || condition.operator !== '<' || (form !== 'for' && form !== 'while')) return null;
  const [number, at, array] = [count.local, place.local, count.value.array.local];
  if (!isLocal(condition.left, at) || !isLocal(condition.right, number) || !array.isConstant) return null;
  const step = body.length === 0 ? null : stepOf(body.at(-1)!, condition, body);
  if (step?.local !== at || step.value.kind !== 'arithmetic' || step.value.operator !== '+') return null;
  if (step.value.right.kind !== 'number' || step.value.right.value !== 1) return null;
  return { array, number, at };
}

const isElement = (expression: Expression, array: Local, at: Local): boolean =>
  expression.kind === 'element' && isLocal(expression.array, array) && isLocal(expression.index, at);

/**
 * Gives each element a variable of its own where the first statement of a turn looks at it among other things: it is what is
 * worked out first.
 */
export function nameElements(statements: Statement[], temporary: (type: string) => Local): void {
  for (const [index, statement] of statements.entries()) {
    for (const list of eachList(statement)) nameElements(list, temporary);
    if (statement.kind !== 'loop' || statement.body.length === 0) continue;
    const [before, last] = [statements[index - 2], statements[index - 1]];
    const each = iteratorOf(last, statement);
    const counted = countOf(before, last, statement) ?? countOf(last, before, statement);
    const isSought = (part: Expression): boolean =>
      each !== null
        ? isCall(part.kind === 'cast' ? part.operand : part, 'next', each)
        : counted !== null && isElement(part, counted.array, counted.at);
    if (each === null && counted === null) continue;
    const [head] = statement.body as [Statement];
    if (head.kind === 'set' && isSought(head.value)) continue;
    const sought = head.kind === 'loop' ? null : firstOf(ownExpressions(head), isSought);
    if (sought === null) continue;
    const type =
      counted !== null ? counted.array.type.slice(1) : sought.kind === 'cast' ? sought.type : 'Ljava/lang/Object;';
    if (type === '') continue;
    const local = temporary(type);
    const value: Expression = { kind: 'local', local, at: sought.at };
    const named = replaceParts(head, (part) => (part === sought ? value : undefined));
    statement.body.splice(0, 1, { kind: 'set', local, value: sought, isDeclaration: false }, named);
  }
}

/** What is sought, where nothing that is worked out before it can be seen. */
function firstOf(expressions: readonly Expression[], isSought: (part: Expression) => boolean): Expression | null {
  for (const expression of expressions) {
    if (isSought(expression)) return expression;
    const isOpen = expression.kind !== 'choice' && expression.kind !== 'junction';
    const inner = parts(expression);
    const found = firstOf(isOpen ? inner : inner.slice(0, 1), isSought);
    if (found !== null) return found;
    // No element writes a variable that was read before it.
    if (effectsOf(expression).mask !== 0) return null;
  }
  return null;
}

/** The loop over elements that begins at a place of a list. */
export function eachLoop(statements: readonly Statement[], index: number): EachLoop | null {
  const first = statements[index];
  if (first?.kind !== 'set' || !first.isDeclaration) return null;
  const each = iteratorOf(first, statements[index + 1]);
  if (each !== null) return overIterable(statements, index, first as Assignment, statements[index + 1] as Loop);
  const over = overArray(statements, index);
  if (over !== null || first.local.hint !== null) return over;
  // Compilers give the array a variable.
  const behind = overArray(statements, index + 1);
  if (behind === null || !isLocal(behind.iterated, first.local)) return null;
  const others = [...behind.body, ...statements.slice(index + 1 + behind.length)];
  if (others.some((other) => mentions(other, first.local))) return null;
  return { ...behind, iterated: first.value, length: behind.length + 1 };
}

function overArray(statements: readonly Statement[], index: number): EachLoop | null {
  const [first, second, third] = [statements[index], statements[index + 1], statements[index + 2]];
  if (first?.kind !== 'set' || second?.kind !== 'set' || third?.kind !== 'loop') return null;
  const counted = countOf(first, second, third) ?? countOf(second, first, third);
  if (counted === null) return null;
  const { array, number, at } = counted;
  const loop = third as Loop;
  const [head, ...rest] = loop.body;
  if (!(first as Assignment).isDeclaration || !(second as Assignment).isDeclaration) return null;
  if (head?.kind !== 'set' || !head.isDeclaration || !isElement(head.value, array, at)) return null;
  const body = rest.slice(0, -1);
  if (loop.form === 'while' && jumpsIn(body, loop.label, 'continue') > 0) return null;
  const others = [...body, ...statements.slice(index + 3)];
  if (others.some((other) => mentions(other, number) || mentions(other, at))) return null;
  if (head.local.type !== array.type.slice(1)) return null;
  const iterated: Expression = { kind: 'local', local: array, at: head.value.at };
  return { loop, element: head.local, iterated, cast: undefined, body, length: 3 };
}

function overIterable(statements: readonly Statement[], index: number, first: Assignment, loop: Loop): EachLoop | null {
  const [head, ...body] = loop.body;
  if (!first.isDeclaration || head?.kind !== 'set' || !head.isDeclaration) return null;
  const { value } = head;
  if (!isCall(value.kind === 'cast' ? value.operand : value, 'next', first.local)) return null;
  if ([...body, ...statements.slice(index + 2)].some((other) => mentions(other, first.local))) return null;
  const iterated = (first.value as Call).object!;
  const cast = value.kind === 'cast' ? value.type : null;
  return { loop, element: head.local, iterated, cast, body, length: 2 };
}
