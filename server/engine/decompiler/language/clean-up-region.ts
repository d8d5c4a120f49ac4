// Follows code that is to be cleaned up after on every way out of it, and takes the copies of that out. Knows no text.
import { effectsOf } from '../expressions/effects.ts';
import type { Catch, Expression, Label, Local, Statement } from '../expressions/tree.ts';
import { throwsItself } from '../structure/tries.ts';
import { eachList, ownExpressions } from '../structure/walk.ts';
import { mentions } from './counting.ts';

/** What is done on every way out, and where it stands for what is thrown. */
export interface CleanUp {
  /** Whether a `catch` does it and throws on. */
  handles(caught: Catch): boolean;
  /**
   * How many statements do it on a way out, 0 for none.
   * @param isUsed whether something surely ran before that throws unless there is something to clean up
   */
  copyAt(list: readonly Statement[], index: number, isUsed: boolean): number;
  /** Whether evaluating a part of an expression throws unless there is something to clean up. */
  uses(part: Expression): boolean;
  /** Whether nothing is to be cleaned up where a condition holds. */
  isIdle(condition: Expression): boolean;
  /** Whether a statement, or what it evaluates, may not be moved before the copy. */
  conflicts(statement: Statement): boolean;
}

/** `due`: it is still to be cleaned up where execution has come; `gone`: it does not come there. */
type State = 'due' | 'done' | 'gone';

/** The code is left, or may be, without having been cleaned up after. */
class NotCleaned extends Error {}

export interface Region {
  /** Without what cleans up. */
  readonly body: Statement[];
  /** Of the statements that it is made of, what cleans up behind them among these. */
  readonly length: number;
}

/** As many statements from a place on as are cleaned up after on every way out; null where they are not. */
export function regionFrom(list: readonly Statement[], start: number, cleanUp: CleanUp): Region | null {
  try {
    return new RegionWalk(cleanUp).from(list, start);
  } catch (error) {
    if (error instanceof NotCleaned) return null;
    throw error;
  }
}

class RegionWalk {
  readonly #cleanUp: CleanUp;
  /** By label inside of the region, in which states it is jumped to. */
  readonly #reached = new Map<Label, { breaks: Set<State>; continues: Set<State> }>();
  /** Something that ran for sure would have thrown, if nothing were to be cleaned up. */
  #isUsed = false;
  /** Statements around that may leave out what stands in them. */
  #branches = 0;
  #isCaught = false;

  constructor(cleanUp: CleanUp) {
    this.#cleanUp = cleanUp;
  }

  from(list: readonly Statement[], start: number): Region | null {
    const body: Statement[] = [];
    let state: State = 'due';
    let index = start;
    while (index < list.length && state === 'due') {
      const copied = this.#copyAt(list, index, false);
      if (copied > 0) {
        state = 'done';
        index += copied;
      } else {
        state = this.#one(list[index]!, state, false, body);
        index++;
      }
    }
    return state === 'due' || !this.#isCaught ? null : { body, length: index - start };
  }

  #copyAt(list: readonly Statement[], index: number, isGuarded: boolean): number {
    return isGuarded ? 0 : this.#cleanUp.copyAt(list, index, this.#isUsed);
  }

  #list(list: readonly Statement[], state: State, isGuarded: boolean): { list: Statement[]; state: State } {
    const out: Statement[] = [];
    let now = state;
    for (let index = 0; index < list.length && now !== 'gone'; ) {
      const copied = now === 'due' ? this.#copyAt(list, index, isGuarded) : 0;
      if (copied > 0) now = 'done';
      else now = this.#one(list[index]!, now, isGuarded, out);
      index += Math.max(copied, 1);
    }
    return { list: out, state: now };
  }

  /** @param isGuarded what is thrown is cleaned up after */
  #one(statement: Statement, state: State, isGuarded: boolean, out: Statement[]): State {
    if (state === 'done') this.#moved(statement);
    else if (!isGuarded && statement.kind !== 'try' && throwsItself(statement)) throw new NotCleaned();
    for (const expression of ownExpressions(statement)) this.#evaluated(expression);
    switch (statement.kind) {
      case 'jump': {
        const inside = this.#reached.get(statement.label);
        if (inside !== undefined) inside[statement.way === 'break' ? 'breaks' : 'continues'].add(state);
        else if (state === 'due') throw new NotCleaned();
        out.push(statement);
        return 'gone';
      }
      case 'return':
        if (state === 'due') throw new NotCleaned();
        out.push(statement);
        return 'gone';
      case 'throw':
        out.push(statement);
        return 'gone';
      case 'do':
      case 'set':
      case 'store':
      case 'declare':
      case 'comment':
        out.push(statement);
        return state;
      case 'try':
        return this.#try(statement, state, isGuarded, out);
      default:
        this.#branches++;
        try {
          return this.#compound(statement, state, isGuarded, out);
        } finally {
          this.#branches--;
        }
    }
  }

  #evaluated(expression: Expression): void {
    if (this.#branches === 0 && !this.#isUsed) this.#isUsed = this.#cleanUp.uses(expression);
  }

  /** What stands behind a copy is done before it: only what nobody could tell from that may stand there. */
  #moved(statement: Statement): void {
    const isPlain = ['jump', 'return', 'set', 'comment'].includes(statement.kind);
    const isQuiet = ownExpressions(statement).every((expression) => effectsOf(expression).mask === 0);
    if (!isPlain || !isQuiet || this.#cleanUp.conflicts(statement)) throw new NotCleaned();
  }

  #compound(statement: Statement, state: State, isGuarded: boolean, out: Statement[]): State {
    const walked = (list: readonly Statement[]) => this.#list(list, state, isGuarded);
    switch (statement.kind) {
      case 'if': {
        const isIdle = state === 'due' && this.#cleanUp.isIdle(statement.condition);
        const yes = isIdle ? this.#idle(statement.yes, isGuarded) : walked(statement.yes);
        const no = walked(statement.no);
        out.push({ ...statement, yes: yes.list, no: no.list });
        return joined([yes.state, no.state]);
      }
      case 'block': {
        const reached = this.#labelled(statement.label);
        const body = walked(statement.body);
        out.push({ ...statement, body: body.list });
        return joined([body.state, ...reached.breaks]);
      }
      case 'loop': {
        const reached = this.#labelled(statement.label);
        const isFor = statement.form === 'for';
        const body = walked(isFor ? statement.body.slice(0, -1) : statement.body);
        // Each turn begins as the first.
        joined([state, body.state, ...reached.continues]);
        // Turns that are cut short count too.
        const counted = isFor ? walked(statement.body.slice(-1)).list : [];
        if (isFor && counted.length === 0) throw new NotCleaned();
        out.push({ ...statement, body: [...body.list, ...counted] });
        return joined([...reached.breaks, ...(statement.form === 'forever' ? [] : [state])]);
      }
      case 'switch': {
        const reached = this.#labelled(statement.label);
        const cases = statement.cases.map((each) => ({ ...each, ...walked(each.body) }));
        if (cases.some((each) => each.state !== 'gone' && each.state !== state)) throw new NotCleaned();
        const isTotal = cases.some(({ isDefault }) => isDefault);
        out.push({ ...statement, cases: cases.map(({ keys, isDefault, list }) => ({ keys, isDefault, body: list })) });
        return joined([...reached.breaks, cases.at(-1)?.state ?? state, ...(isTotal ? [] : [state])]);
      }
      case 'synchronized': {
        const body = walked(statement.body);
        out.push({ ...statement, body: body.list });
        return body.state;
      }
      default:
        throw new NotCleaned();
    }
  }

  /** Where nothing is to be cleaned up, that may be done or not. */
  #idle(list: readonly Statement[], isGuarded: boolean): { list: Statement[]; state: State } {
    try {
      return this.#list(list, 'due', isGuarded);
    } catch (error) {
      if (!(error instanceof NotCleaned)) throw error;
      const walked = this.#list(list, 'done', isGuarded);
      return { list: walked.list, state: walked.state === 'done' ? 'due' : walked.state };
    }
  }

  #try(statement: Statement & { kind: 'try' }, state: State, isGuarded: boolean, out: Statement[]): State {
    if (state !== 'due' || statement.last !== undefined || statement.resources !== undefined) {
      if (!isGuarded || state !== 'due') throw new NotCleaned();
      this.#closed(statement, new Set());
      out.push(statement);
      return 'due';
    }
    const last = statement.catches.at(-1);
    const isHandled = last !== undefined && this.#cleanUp.handles(last);
    if (isHandled) this.#isCaught = true;
    const others = isHandled ? statement.catches.slice(0, -1) : statement.catches;
    // What is thrown may be caught, so that it goes on.
    if (others.length > 0) this.#branches++;
    const body = this.#list(statement.body, state, isGuarded || isHandled);
    if (others.length === 0) {
      out.push(...body.list);
      return body.state;
    }
    const catches = others.map((each) => ({ each, walked: this.#list(each.body, 'due', isGuarded) }));
    this.#branches--;
    // A copy that another handler covers is not one that leaves everything behind it.
    if (others.length > 0 && body.state === 'done') throw new NotCleaned();
    out.push({
      ...statement,
      body: body.list,
      catches: catches.map(({ each, walked }) => ({ ...each, body: walked.list })),
    });
    return joined([body.state, ...catches.map(({ walked }) => walked.state)]);
  }

  /** Refuses what leaves a statement other than at its end or by what it throws. */
  #closed(statement: Statement, labels: ReadonlySet<Label>): void {
    if (statement.kind === 'return') throw new NotCleaned();
    if (statement.kind === 'jump' && !labels.has(statement.label)) throw new NotCleaned();
    const inner = 'label' in statement ? new Set([...labels, statement.label]) : labels;
    for (const list of eachList(statement)) for (const each of list) this.#closed(each, inner);
  }

  #labelled(label: Label) {
    const reached = { breaks: new Set<State>(), continues: new Set<State>() };
    this.#reached.set(label, reached);
    return reached;
  }
}

function joined(states: readonly State[]): State {
  const [state = 'gone', ...others] = new Set(states.filter((each) => each !== 'gone'));
  if (others.length > 0) throw new NotCleaned();
  return state;
}

/** Variables that some statements write and do not declare. */
export function writtenIn(statements: readonly Statement[]): Set<Local> {
  const written = new Set<Local>();
  const declared = new Set<Local>();
  const visit = (list: readonly Statement[]): void => {
    for (const statement of list) {
      if (statement.kind === 'declare' || (statement.kind === 'set' && statement.isDeclaration))
        declared.add(statement.local);
      else if (statement.kind === 'set') written.add(statement.local);
      for (const inner of eachList(statement)) visit(inner);
    }
  };
  visit(statements);
  for (const local of declared) written.delete(local);
  return written;
}

/** The statements that declare, at their own level, what others mention. */
export function declaredFor(statements: readonly Statement[], others: readonly Statement[]): Map<Statement, Local> {
  const found = new Map<Statement, Local>();
  for (const each of statements) {
    if (each.kind !== 'declare' && (each.kind !== 'set' || !each.isDeclaration)) continue;
    if (others.some((other) => mentions(other, each.local))) found.set(each, each.local);
  }
  return found;
}
