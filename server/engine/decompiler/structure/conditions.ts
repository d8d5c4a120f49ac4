// Joins branches into conditions of `&&` and `||`, and the two ways of a branch that write one variable into a choice. Each is
// evaluated when and if the code does. Knows no nesting.
import { effectsOf } from '../expressions/effects.ts';
import { type Ending, type Expression, effect, type Label, type Local } from '../expressions/tree.ts';
import { type Node, waysOn } from './graph.ts';
import { negated } from './structure.ts';

/** Nesting that javac's own recursion can take. */
const maxDepth = 40;

type Branch = Ending & { kind: 'branch' };

/** Changes endings and statements in place; what was joined into another block is reached no more. */
export function joinConditions(nodes: Node[], returns: string): void {
  new Joining(nodes, returns).run();
}

class Joining {
  readonly #nodes: Node[];
  readonly #returns: string;
  /** Ways into each node. */
  readonly #entries: Int32Array;
  /** How often each variable is written. */
  readonly #writes = new Map<Local, number>();

  constructor(nodes: Node[], returns: string) {
    this.#nodes = nodes;
    this.#returns = returns;
    this.#entries = new Int32Array(nodes.length);
    this.#entries[0] = 1;
    for (const node of nodes) {
      this.#count(node, 1);
      for (const statement of node.statements) if (statement.kind === 'set') this.#countWrite(statement.local);
      for (const { local } of node.catches) if (local !== null) this.#countWrite(local);
    }
  }

  #countWrite(local: Local): void {
    this.#writes.set(local, (this.#writes.get(local) ?? 0) + 1);
  }

  run(): void {
    for (let label = this.#nodes.length - 1; label >= 0; label--) {
      const node = this.#nodes[label]!;
      while (node.ending.kind === 'branch' && (this.#joined(label, node.ending) || this.#chosen(node, node.ending)));
    }
  }

  /** Takes the condition of a node that only this one leads to, and that does nothing else, into this one's. */
  #joined(label: Label, { condition, yes, no, ...rest }: Branch): boolean {
    for (const [way, other, isYes] of [
      [no, yes, false],
      [yes, no, true],
    ] as const) {
      const { ending, statements } = this.#nodes[way]!;
      if (way === label || this.#entries[way] !== 1 || statements.length > 0 || ending.kind !== 'branch') continue;
      const isTurned = isYes ? ending.yes === other : ending.no === other;
      if (!isTurned && (isYes ? ending.no : ending.yes) !== other) continue;
      const right = isTurned ? negated(ending.condition) : ending.condition;
      if (effectsOf(condition).depth + effectsOf(right).depth > maxDepth) continue;
      const operator = isYes ? '&&' : '||';
      const joined: Expression = { kind: 'junction', operator, left: condition, right, at: condition.at };
      const onward = isTurned === isYes ? ending.no : ending.yes;
      this.#nodes[label]!.ending = {
        ...rest,
        condition: joined,
        ...(isYes ? { yes: onward, no } : { yes, no: onward }),
      };
      this.#leave(way);
      this.#entries[onward]!++;
      return true;
    }
    return false;
  }

  #chosen(node: Node, { condition, yes, no }: Branch): boolean {
    const [first, second] = [this.#nodes[yes]!, this.#nodes[no]!];
    if (this.#entries[yes] !== 1 || this.#entries[no] !== 1 || first === node || second === node) return false;
    const [a, b] = [first.statements[0], second.statements[0]];
    if (first.statements.length !== 1 || second.statements.length !== 1) return false;
    if (a?.kind === 'return' && b?.kind === 'return') {
      const value = this.#returns === 'Z' && a.value !== null && b.value !== null && truth(condition, a.value, b.value);
      if (!value || !(isAsCaught(node, first, a.value!) && isAsCaught(node, second, b.value!))) return false;
      node.statements.push({ kind: 'return', value, at: a.at });
      node.ending = { kind: 'leave' };
      this.#leave(yes);
      this.#leave(no);
      return true;
    }
    if (a?.kind !== 'set' || b?.kind !== 'set' || a.local !== b.local || a.value.kind === 'start') return false;
    const { local } = a;
    if (first.ending.kind !== 'goto' || second.ending.kind !== 'goto' || first.ending.to !== second.ending.to)
      return false;
    const value = choice(condition, a.value, b.value, local.type);
    if (value === null || !(isAsCaught(node, first, a.value) && isAsCaught(node, second, b.value))) return false;
    node.statements.push({ kind: 'set', local, value, isDeclaration: false });
    node.ending = first.ending;
    this.#leave(yes);
    this.#leave(no);
    this.#entries[first.ending.to]!++;
    const writes = this.#writes.get(local)! - 1;
    this.#writes.set(local, writes);
    if (writes === 1 && local.role === 'local') local.isConstant = true;
    return true;
  }

  /** A node that nothing leads to any more. */
  #leave(label: Label): void {
    this.#count(this.#nodes[label]!, -1);
    this.#entries[label] = 0;
  }

  /** A handler is never the place that one way leads to. */
  #count({ ending, catches }: Node, by: 1 | -1): void {
    for (const way of waysOn(ending)) this.#entries[way]! += by;
    for (const { handler } of catches) this.#entries[handler]! += 2 * by;
  }
}

/** Whether a value may be worked out in one node instead of another: what it throws is caught alike. */
function isAsCaught(to: Node, from: Node, value: Expression): boolean {
  if ((effectsOf(value).mask & (effect.throws | effect.acts)) === 0) return true;
  return (
    to.catches.length === from.catches.length &&
    to.catches.every(({ type, local, handler }, index) => {
      const other = from.catches[index]!;
      return type === other.type && local === other.local && handler === other.handler;
    })
  );
}

const isNumber = (expression: Expression, value: number): boolean =>
  expression.kind === 'number' && expression.value === value;

/** A boolean that is one value where a condition holds and another where not; null where it takes more than operators. */
function truth(condition: Expression, yes: Expression, no: Expression): Expression | null {
  const of = (operand: Expression): Expression => ({ kind: 'truth', operand, at: operand.at });
  const join = (operator: '&&' | '||', left: Expression, right: Expression): Expression => ({
    ...{ kind: 'junction', operator, left, right: of(right), at: condition.at },
  });
  if (isNumber(yes, 1)) return isNumber(no, 0) ? condition : join('||', condition, no);
  if (isNumber(no, 0)) return isNumber(yes, 0) ? null : join('&&', condition, yes);
  if (isNumber(yes, 0)) return isNumber(no, 1) ? negated(condition) : join('&&', negated(condition), no);
  return isNumber(no, 1) ? join('||', negated(condition), yes) : null;
}

function choice(condition: Expression, yes: Expression, no: Expression, type: string): Expression | null {
  if (condition.kind === 'not') return choice(condition.operand, no, yes, type);
  const value: Expression = (type === 'Z' ? truth(condition, yes, no) : null) ?? {
    kind: 'choice',
    condition,
    yes,
    no,
    type,
    at: condition.at,
  };
  return effectsOf(value).depth > maxDepth ? null : value;
}
