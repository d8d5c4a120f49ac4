// Leaves early where the other way is the long one, so that what is done stands less deep. Knows no text.
import type { Statement } from '../expressions/tree.ts';
import { canComplete } from './jumps.ts';
import { negated } from './structure.ts';
import { eachList } from './walk.ts';

type If = Statement & { kind: 'if' };
/** What stands for going where execution goes anyway: behind the end of a method, to the next turn of a loop. */
type Leave = () => Statement;

const leaveMethod: Leave = () => ({ kind: 'return', value: null, at: 0 });
const maxGuard = 3;
/** Nesting from which on also an `if` without `else` is turned round. */
const deepNesting = 3;

/**
 * Changes the lists in place.
 * @param isVoid whether `return;` may stand in them: they are a method that returns nothing, no constructor and no initialiser
 */
export function leaveEarly(statements: Statement[], isVoid: boolean): void {
  inList(statements, isVoid ? leaveMethod : null);
}

/** @param leave null where execution goes on behind the list */
function inList(list: Statement[], leave: Leave | null): void {
  for (let index = 0; index < list.length; index++) {
    const statement = list[index]!;
    if (statement.kind === 'if') flatten(list, index, statement, leave);
    inner(statement, index === list.length - 1 ? leave : null);
  }
}

function inner(statement: Statement, leave: Leave | null): void {
  switch (statement.kind) {
    case 'if':
      inList(statement.yes, leave);
      inList(statement.no, leave);
      return;
    case 'synchronized':
      inList(statement.body, leave);
      return;
    case 'loop': {
      const { label, body, form } = statement;
      const next: Leave = () => ({ kind: 'jump', way: 'continue', label });
      if (form !== 'for') inList(body, next);
      else {
        // The last statement counts the turns.
        const last = body.pop()!;
        inList(body, next);
        body.push(last);
      }
      return;
    }
    default:
      for (const list of eachList(statement)) inList(list, null);
  }
}

/** Puts what stands in `else` behind the statement, where the other way does not come there. */
function flatten(list: Statement[], index: number, statement: If, leave: Leave | null): void {
  const isLast = index === list.length - 1;
  const end = isLast ? leave : null;
  if (statement.no.length === 0) {
    if (end === null || depthOf(statement.yes) < deepNesting || !canComplete(statement.yes)) return;
    statement.no = statement.yes;
    statement.yes = [end()];
    statement.condition = negated(statement.condition);
  } else if (canComplete(statement.yes)) {
    const isTurned = isGuard(statement.no) && (!canComplete(statement.no) || isLong(statement.yes));
    if (isTurned && (!canComplete(statement.no) || end !== null)) {
      [statement.yes, statement.no] = [statement.no, statement.yes];
      statement.condition = negated(statement.condition);
    } else if (end === null || !isGuard(statement.yes) || !isLong(statement.no)) return;
    if (canComplete(statement.yes)) statement.yes.push(end!());
  }
  list.splice(index + 1, 0, ...statement.no);
  statement.no = [];
}

const isSimple = (statement: Statement): boolean => eachList(statement).length === 0;

/** A few statements one after the other. */
const isGuard = (list: readonly Statement[]): boolean => list.length <= maxGuard && list.every(isSimple);

/** Whether statements, or one of the ways that they are, are several with some nested in them. */
function isLong(list: readonly Statement[]): boolean {
  const [only] = list;
  if (list.length === 1 && only?.kind === 'if') return isLong(only.yes) || isLong(only.no);
  return list.length > 1 && !list.every(isSimple);
}

const depthOf = (list: readonly Statement[]): number =>
  list.reduce((most, statement) => {
    const lists = eachList(statement);
    return lists.length === 0 ? most : Math.max(most, 1 + Math.max(...lists.map(depthOf)));
  }, 0);
