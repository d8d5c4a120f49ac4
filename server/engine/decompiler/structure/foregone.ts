// Leads past a test of a number straight to where it goes, where each way to the test says the number: compilers take one step to say
// which of several things is so, and another one to do it. Knows no nesting.
import { loopNest } from '../../code/control-flow/loop-nest.ts';
import { parts } from '../expressions/effects.ts';
import type { Ending, Expression, Label, Local, Relation, Statement } from '../expressions/tree.ts';
import { entriesOf, lead, mayLead, type Node, waysFrom, waysOn } from './graph.ts';
import { ownExpressions } from './walk.ts';

/** Nodes that are asked for a variable's number, one before the other. */
const maxSteps = 8;

/** How often variables are read and written, in nodes that have no structure yet. */
export class Standings {
  readonly reads = new Map<Local, number>();
  readonly writes = new Map<Local, number>();

  constructor(nodes: readonly Node[]) {
    for (const { statements, ending, catches } of nodes) {
      for (const statement of statements) {
        for (const expression of ownExpressions(statement)) this.#count(expression);
        if (statement.kind === 'set') this.#write(statement.local);
      }
      const tested = testedBy(ending);
      if (tested !== null) this.#count(tested);
      for (const { local } of catches) if (local !== null) this.#write(local);
    }
  }

  #count(expression: Expression): void {
    if (expression.kind === 'local') this.reads.set(expression.local, (this.reads.get(expression.local) ?? 0) + 1);
    for (const part of parts(expression)) this.#count(part);
  }

  #write(local: Local): void {
    this.writes.set(local, (this.writes.get(local) ?? 0) + 1);
  }

  /** What is written once from now on is read the same everywhere. */
  unwrite(local: Local): void {
    const left = (this.writes.get(local) ?? 0) - 1;
    this.writes.set(local, left);
    if (left === 1 && local.role === 'local') local.isConstant = true;
  }
}

function testedBy(ending: Ending): Expression | null {
  if (ending.kind === 'branch') return ending.condition;
  return ending.kind === 'switch' ? ending.value : null;
}

/** Changes endings and statements in place. */
export function leadPastTests(nodes: readonly Node[]): void {
  const tests = nodes.flatMap((node, label) => {
    const local = node.statements.length === 0 ? soleLocal(node.ending) : null;
    return local === null ? [] : [{ label, local }];
  });
  if (tests.length === 0) return;
  const standings = new Standings(nodes);
  const wanted = tests.filter(({ local }) => (standings.reads.get(local) ?? 0) === 1 && local.hint === null);
  if (wanted.length === 0) return;
  const nest = loopNest(nodes.map(waysFrom));
  for (const { label, local } of wanted)
    if (nest.headOf[label] !== label) new Foregone(nodes, standings, label, local).lead();
}

/** The variable that alone says where an ending goes. */
function soleLocal(ending: Ending): Local | null {
  if (ending.kind === 'switch') return ending.value.kind === 'local' ? ending.value.local : null;
  return ending.kind === 'branch' ? testedLocal(ending.condition) : null;
}

function testedLocal(condition: Expression): Local | null {
  switch (condition.kind) {
    case 'not':
    case 'truth':
      return testedLocal(condition.operand);
    case 'local':
      return condition.local;
    case 'relation':
      return condition.left.kind === 'local' && condition.right.kind === 'number' && !/[FD]/.test(condition.type)
        ? condition.left.local
        : null;
    default:
      return null;
  }
}

/** A way to the test: from a node that sets the variable, by others that do not. */
interface Way {
  readonly setter: Node;
  readonly set: Statement & { kind: 'set' };
  /** The last node before the test. */
  readonly from: Node;
}

class Foregone {
  readonly #nodes: readonly Node[];
  readonly #standings: Standings;
  readonly #label: Label;
  readonly #local: Local;

  constructor(nodes: readonly Node[], standings: Standings, label: Label, local: Local) {
    this.#nodes = nodes;
    this.#standings = standings;
    this.#label = label;
    this.#local = local;
  }

  /** Where one way at most says no number, the test stays for that alone. */
  lead(): void {
    const entries = entriesOf(this.#nodes);
    const ways = entries[this.#label]?.map((from) => this.#wayFrom(from, entries));
    if (ways === undefined || ways.length < 2 || !ways.every((way) => way !== null)) return;
    const known = ways.filter(({ set }) => set.value.kind === 'number');
    const [open, ...more] = ways.filter(({ set }) => set.value.kind !== 'number');
    if (known.length === 0 || more.length > 0 || (open !== undefined && waysOn(open.from.ending).size > 1)) return;
    const setters = new Set(known.map(({ set }) => set));
    if (open !== undefined && setters.has(open.set)) return;
    if (this.#standings.writes.get(this.#local) !== setters.size + (open === undefined ? 0 : 1)) return;
    const { ending } = this.#nodes[this.#label]!;
    const moves = known.map(({ set, from }) => ({
      from,
      to: goesTo(ending, (set.value as Expression & { kind: 'number' }).value),
    }));
    if (!moves.every(({ from, to }) => mayLead(from.ending, this.#label, to))) return;
    for (const { from, to } of moves) lead(from, this.#label, to);
    for (const { setter, set } of known) {
      const place = setter.statements.indexOf(set);
      if (place < 0) continue;
      setter.statements.splice(place, 1);
      this.#standings.unwrite(this.#local);
    }
  }

  #wayFrom(last: Label, entries: readonly (Label[] | null)[]): Way | null {
    const from = this.#nodes[last]!;
    let label = last;
    for (let steps = 0; steps < maxSteps; steps++) {
      const setter = this.#nodes[label]!;
      const set = setter.statements.findLast((each) => each.kind === 'set' && each.local === this.#local);
      if (set?.kind === 'set') return { setter, set, from };
      const [before, ...others] = entries[label] ?? [];
      if (before === undefined || others.length > 0) return null;
      label = before;
    }
    return null;
  }
}

/** Where an ending goes that a variable alone says, for one number. */
function goesTo(ending: Ending, value: number): Label {
  if (ending.kind === 'switch') return ending.targets.find(({ key }) => key === value)?.to ?? ending.otherwise;
  if (ending.kind === 'branch') return holds(ending.condition, value) ? ending.yes : ending.no;
  throw new Error('not a test');
}

const relations: Record<Relation, (left: number, right: number) => boolean> = {
  '==': (left, right) => left === right,
  '!=': (left, right) => left !== right,
  '<': (left, right) => left < right,
  '>=': (left, right) => left >= right,
  '>': (left, right) => left > right,
  '<=': (left, right) => left <= right,
};

function holds(condition: Expression, value: number): boolean {
  switch (condition.kind) {
    case 'not':
      return !holds(condition.operand, value);
    case 'truth':
      return holds(condition.operand, value);
    case 'relation':
      return relations[condition.operator](value, (condition.right as Expression & { kind: 'number' }).value);
    default:
      return value !== 0;
  }
}
