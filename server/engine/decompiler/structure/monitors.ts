// Makes `synchronized` of a monitor that is entered and, on every way out, left again: as javac writes it, and whatever else is the
// same. Knows no graph. Every list still ends with its jump.
import { effectsOf } from '../expressions/effects.ts';
import { type Expression, effect, type Label, type Local, type Statement } from '../expressions/tree.ts';
import { eachList, liftFromBlocks, ownExpressions } from './walk.ts';

const throwable = 'Ljava/lang/Throwable;';

/** Whether the monitor is held where execution has come; `gone`: it does not come there. */
type State = 'held' | 'released' | 'gone';

/** The monitor is not entered and left as Java nests it. */
class NotNested extends Error {}

interface Labels {
  /** What execution comes to by leaving a label, where that releases a monitor: handlers that several `try` share. */
  readonly behind: Map<Label, readonly Statement[]>;
  /** The next one that no statement has. */
  next: Label;
}

/** Changes the lists in place. What is not nested as in Java keeps its single steps. */
export function joinMonitors(statements: Statement[]): void {
  const labels: Labels = { behind: new Map(), next: 0 };
  noteLabels(statements, labels);
  // What follows a block may be held too.
  liftFromBlocks(statements, (statement) => statement.kind === 'monitor' && statement.isEnter);
  join(statements, labels);
}

function noteLabels(statements: readonly Statement[], labels: Labels): void {
  for (const [index, statement] of statements.entries()) {
    for (const list of eachList(statement)) noteLabels(list, labels);
    if (statement.kind !== 'block' && statement.kind !== 'loop') continue;
    const { label } = statement;
    labels.next = Math.max(labels.next, label + 1);
    if (statements[index + 1]?.kind === 'monitor') labels.behind.set(label, statements.slice(index + 1, index + 3));
  }
}

function join(statements: Statement[], labels: Labels): void {
  for (const statement of statements) for (const list of eachList(statement)) join(list, labels);
  for (let index = statements.length - 1; index >= 0; index--) {
    const entered = statements[index]!;
    if (entered.kind !== 'monitor' || !entered.isEnter || !isFixed(entered.lock)) continue;
    const region = regionOf(entered.lock, statements.slice(index + 1), labels);
    if (region === null) continue;
    let joint: Statement[] = [{ kind: 'synchronized', lock: entered.lock, body: region.body }];
    for (const { label, statements: after } of region.left) joint = [{ kind: 'block', label, body: joint }, ...after];
    statements.splice(index, region.length + 1, ...joint);
  }
}

/** What runs once the monitor is released, on a way that leaves it by a jump to the end of a block of this label. */
interface Left {
  readonly label: Label;
  readonly statements: readonly Statement[];
}

interface Region {
  readonly body: Statement[];
  /** Of the statements that it is made of. */
  readonly length: number;
  readonly left: readonly Left[];
}

/** Names the same object wherever it stands. */
const isFixed = (lock: Expression): boolean =>
  lock.kind === 'class' || (lock.kind === 'local' && (lock.local.isConstant || lock.local.role === 'this'));

/** As many statements as run until the monitor is released, without what releases it; null where that is not what happens. */
function regionOf(lock: Expression, following: readonly Statement[], labels: Labels): Region | null {
  const held = new HeldMonitor(lock, labels);
  const body: Statement[] = [];
  try {
    let state: State = 'held';
    for (const [index, statement] of following.entries()) {
      state = held.one(statement, state, false, body);
      if (state === 'held') continue;
      if (state === 'released' && held.left.length > 0) held.leave(following.slice(index + 1), body);
      else return { body, length: index + 1, left: held.left };
      return { body, length: following.length, left: held.left };
    }
  } catch (error) {
    if (!(error instanceof NotNested)) throw error;
  }
  return null;
}

class HeldMonitor {
  readonly #lock: Expression;
  /** By label inside of the region, in which states it is jumped to. */
  readonly #reached = new Map<Label, { breaks: Set<State>; continues: Set<State> }>();

  readonly #labels: Labels;
  /** `try` around that keep their handlers. */
  #tries = 0;
  readonly left: Left[] = [];

  constructor(lock: Expression, labels: Labels) {
    this.#lock = lock;
    this.#labels = labels;
  }

  /**
   * @param isGuarded an exception is caught, releases the monitor, and is thrown on
   * @param out where what stands in the `synchronized` is added
   */
  one(statement: Statement, state: State, isGuarded: boolean, out: Statement[]): State {
    if (statement.kind === 'monitor') {
      if (statement.isEnter || state !== 'held' || !this.#isLock(statement.lock)) throw new NotNested();
      return 'released';
    }
    for (const expression of ownExpressions(statement)) this.#evaluated(expression, state, isGuarded);
    switch (statement.kind) {
      case 'jump':
        this.#jumped(statement.label, statement.way, state);
        out.push(statement);
        return 'gone';
      case 'return':
        if (state === 'held') throw new NotNested();
        out.push(statement);
        return 'gone';
      case 'throw':
        if (state === 'held' && !isGuarded) throw new NotNested();
        out.push(statement);
        return 'gone';
      case 'store':
        if (state === 'released') throw new NotNested();
        out.push(statement);
        return state;
      case 'do':
      case 'set':
      case 'declare':
      case 'comment':
        out.push(statement);
        return state;
      default:
        return this.#compound(statement, state, isGuarded, out);
    }
  }

  #isLock(other: Expression): boolean {
    const lock = this.#lock;
    if (lock.kind === 'local') return other.kind === 'local' && other.local === lock.local;
    return lock.kind === 'class' && other.kind === 'class' && other.type === lock.type;
  }

  /** After the release only what could as well run before it may follow. */
  #evaluated(expression: Expression, state: State, isGuarded: boolean): void {
    const { mask } = effectsOf(expression);
    const refused = state === 'released' ? mask : isGuarded ? 0 : mask & (effect.throws | effect.acts);
    if (refused !== 0) throw new NotNested();
  }

  #jumped(label: Label, way: 'break' | 'continue', state: State): void {
    const inside = this.#reached.get(label);
    if (inside !== undefined) inside[way === 'break' ? 'breaks' : 'continues'].add(state);
    else if (state === 'held') throw new NotNested();
  }

  #list(list: readonly Statement[], state: State, isGuarded: boolean): { list: Statement[]; state: State } {
    const out: Statement[] = [];
    let now = state;
    for (const [index, statement] of list.entries()) {
      // Execution does not come here: javac would call the rest unreachable.
      if (now === 'gone') break;
      const rest = list.slice(index);
      if (now === 'released' && !isGuarded && this.#tries === 0 && !rest.every(isQuiet)) {
        this.leave(rest, out);
        return { list: out, state: 'gone' };
      }
      now = this.one(statement, now, isGuarded, out);
    }
    return { list: out, state: now };
  }

  /** Has statements run behind the `synchronized`. */
  leave(statements: readonly Statement[], out: Statement[]): void {
    if (statements.length === 0 || leavesTo(statements).some((label) => this.#reached.has(label)))
      throw new NotNested();
    const label = this.#labels.next++;
    this.left.push({ label, statements });
    out.push({ kind: 'jump', way: 'break', label });
  }

  #compound(statement: Statement, state: State, isGuarded: boolean, out: Statement[]): State {
    const walked = (list: readonly Statement[]) => this.#list(list, state, isGuarded);
    switch (statement.kind) {
      case 'if': {
        const [yes, no] = [walked(statement.yes), walked(statement.no)];
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
        const body = walked(statement.body);
        // Each turn begins as the first.
        joined([state, body.state, ...reached.continues]);
        out.push({ ...statement, body: body.list });
        return joined([...reached.breaks, ...(statement.form === 'forever' ? [] : [state])]);
      }
      case 'switch': {
        const reached = this.#labelled(statement.label);
        const cases = statement.cases.map((each) => ({ ...each, ...walked(each.body) }));
        if (cases.some((each) => each.state !== 'gone')) throw new NotNested();
        out.push({ ...statement, cases: cases.map(({ keys, isDefault, list }) => ({ keys, isDefault, body: list })) });
        return joined([...reached.breaks]);
      }
      case 'synchronized': {
        const body = walked(statement.body);
        out.push({ ...statement, body: body.list });
        return body.state;
      }
      case 'try':
        return this.#try(statement, state, isGuarded, out);
      default:
        throw new NotNested();
    }
  }

  #try(statement: Statement & { kind: 'try' }, state: State, isGuarded: boolean, out: Statement[]): State {
    if (state !== 'held') throw new NotNested();
    const last = statement.catches.at(-1);
    const releases = last !== undefined && this.#isRelease(last.type, last.local, last.body);
    const others = releases ? statement.catches.slice(0, -1) : statement.catches;
    if (others.length > 0) this.#tries++;
    const body = this.#list(statement.body, state, isGuarded || releases);
    if (others.length > 0) this.#tries--;
    const catches = others.map((each) => ({ each, walked: this.#list(each.body, 'held', isGuarded) }));
    if (catches.length === 0) out.push(...body.list);
    else {
      out.push({
        ...statement,
        body: body.list,
        catches: catches.map(({ each, walked }) => ({ ...each, body: walked.list })),
      });
    }
    return joined([body.state, ...catches.map(({ walked }) => walked.state)]);
  }

  /** Releases the monitor, and throws what was caught. */
  #isRelease(type: string | null, caught: Local | null, body: readonly Statement[]): boolean {
    const [only] = body;
    const code = only?.kind === 'jump' && only.way === 'break' ? (this.#labels.behind.get(only.label) ?? body) : body;
    const [release, thrown] = code;
    return (
      (type === null || type === throwable) &&
      code.length === 2 &&
      release?.kind === 'monitor' &&
      !release.isEnter &&
      this.#isLock(release.lock) &&
      thrown?.kind === 'throw' &&
      thrown.value.kind === 'local' &&
      thrown.value.local === caught
    );
  }

  #labelled(label: Label) {
    const reached = { breaks: new Set<State>(), continues: new Set<State>() };
    this.#reached.set(label, reached);
    return reached;
  }
}

/** Whether a statement does nothing that others could tell from doing it earlier. */
function isQuiet(statement: Statement): boolean {
  if (statement.kind === 'jump') return true;
  if (statement.kind !== 'set' && statement.kind !== 'return') return false;
  return ownExpressions(statement).every((expression) => effectsOf(expression).mask === 0);
}

/** Labels outside of some statements that they jump to. */
function leavesTo(statements: readonly Statement[]): Label[] {
  return statements.flatMap((statement) => {
    if (statement.kind === 'jump') return [statement.label];
    const inner = eachList(statement).flatMap(leavesTo);
    return 'label' in statement ? inner.filter((label) => label !== statement.label) : inner;
  });
}

function joined(states: readonly State[]): State {
  const [state = 'gone', ...others] = new Set(states.filter((each) => each !== 'gone'));
  if (others.length > 0) throw new NotNested();
  return state;
}
