// Values that wait for the one place that reads them, so that they are written there: only where nothing that can be seen happens
// in another order than in the code. Knows no instructions.
import { commute, effectsOf } from './effects.ts';
import { type Expression, effect, type Local, type Statement } from './tree.ts';

interface Waiting {
  readonly local: Local;
  readonly expression: Expression;
}

/** More would make long blocks slow; the oldest is written down. */
const maxWaiting = 32;
/** Nesting that javac's own recursion can take. */
const maxDepth = 40;

export class Pending {
  readonly #statements: Statement[];
  #waiting: Waiting[] = [];
  /** A handler reads variables as they are when something is thrown. */
  readonly #isInTry: boolean;

  constructor(statements: Statement[], isInTry: boolean) {
    this.#statements = statements;
    this.#isInTry = isInTry;
  }

  /** Takes a value that is read once, later in the block. */
  add(local: Local, expression: Expression): void {
    if (effectsOf(expression).depth > maxDepth) {
      this.emit({ kind: 'set', local, value: expression, isDeclaration: false });
      return;
    }
    this.#waiting.push({ local, expression });
    if (this.#waiting.length > maxWaiting) this.#flush(new Set([0]));
  }

  /**
   * What stands for each of the variables that are read now, in the order in which Java will evaluate them: the value that waits,
   * or the variable after the value was written to it.
   * @param named places among them that have to be variables
   */
  take(locals: readonly (Local | null)[], named: ReadonlySet<number> | null = null): (Expression | null)[] {
    const places = locals.map((local) =>
      local === null ? -1 : this.#waiting.findIndex((waiting) => waiting.local === local),
    );
    const inlined = new Set(places.filter((place, index) => place >= 0 && named?.has(index) !== true));
    for (let isChanged = true; isChanged; ) {
      isChanged = false;
      for (const place of inlined) {
        if (this.#canMove(place, places, inlined)) continue;
        inlined.delete(place);
        isChanged = true;
      }
    }
    const taken = places.map((place) => (inlined.has(place) ? this.#waiting[place]! : null));
    const written = new Set(places.filter((place) => place >= 0 && !inlined.has(place)));
    this.#flush(written, inlined);
    const gone = new Set(taken);
    this.#waiting = this.#waiting.filter((waiting) => !gone.has(waiting));
    return taken.map((waiting) => waiting?.expression ?? null);
  }

  /** Whether a waiting value may be evaluated after all that wait behind it but those that are evaluated after it anyway. */
  #canMove(place: number, places: readonly number[], inlined: ReadonlySet<number>): boolean {
    const { mask } = effectsOf(this.#waiting[place]!.expression);
    if (mask === 0) return true;
    const rank = places.indexOf(place);
    for (let later = place + 1; later < this.#waiting.length; later++) {
      if (inlined.has(later) && places.indexOf(later) > rank) continue;
      if (!commute(mask, effectsOf(this.#waiting[later]!.expression).mask)) return false;
    }
    return true;
  }

  /** Adds a statement; what it must not overtake is written down before it. */
  emit(statement: Statement): void {
    const { mask, assigned } = statementEffects(statement);
    const written = new Set<number>();
    this.#waiting.forEach(({ expression }, place) => {
      const effects = effectsOf(expression);
      const isTouched =
        assigned !== null &&
        (effects.locals.includes(assigned) ||
          (this.#isInTry && !assigned.isConstant && (effects.mask & (effect.throws | effect.acts)) !== 0));
      if (isTouched || !commute(effects.mask, mask)) written.add(place);
    });
    this.#flush(written);
    this.#statements.push(statement);
  }

  flushAll(): void {
    this.#flush(new Set(this.#waiting.keys()));
  }

  /** Writes down some values, and what must come before them. */
  #flush(places: ReadonlySet<number>, kept: ReadonlySet<number> = new Set()): void {
    if (places.size === 0) return;
    const written = new Set<number>();
    for (let place = this.#waiting.length - 1; place >= 0; place--) {
      if (kept.has(place)) continue;
      const { mask } = effectsOf(this.#waiting[place]!.expression);
      const isBefore = [...written].some((later) => !commute(mask, effectsOf(this.#waiting[later]!.expression).mask));
      if (places.has(place) || isBefore) written.add(place);
    }
    this.#waiting.forEach(({ local, expression }, place) => {
      if (written.has(place)) {
        this.#statements.push({ kind: 'set', local, value: expression, isDeclaration: false });
      }
    });
    this.#waiting = this.#waiting.filter((_, place) => !written.has(place));
  }
}

function statementEffects(statement: Statement): { mask: number; assigned: Local | null } {
  switch (statement.kind) {
    case 'do':
      return { mask: effectsOf(statement.expression).mask, assigned: null };
    case 'set':
      return { mask: effectsOf(statement.value).mask, assigned: statement.local };
    case 'comment':
      return { mask: 0, assigned: null };
    default:
      return { mask: effect.reads | effect.throws | effect.acts, assigned: null };
  }
}
