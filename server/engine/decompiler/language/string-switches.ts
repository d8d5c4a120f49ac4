// Recognises a `switch` over strings in what compilers make of it: tests of a hash code, and behind each comparisons with the strings
// that have it. What of that was merged, turned round or shared is the same graph. Knows no nesting.
import { object } from '../../code/values/operands.ts';
import type { Ending, Expression, Label, Local, Statement } from '../expressions/tree.ts';
import { Standings } from '../structure/foregone.ts';
import type { Node } from '../structure/graph.ts';

const string = 'Ljava/lang/String;';
/** Classes whose methods a string is asked by. */
const owners: ReadonlySet<string> = new Set([string, object]);

/** A test of a hash code with the variable that it stands in, where it is looked at more than once. */
interface Hashed {
  readonly over: Local;
  readonly call: Expression;
  readonly hash: (Statement & { kind: 'set' }) | null;
}

/** What is known of a `switch` as far as it is followed. */
interface Found {
  /** By text. */
  readonly targets: Map<string, Label>;
  /** Hash codes that were asked for: the first test of one counts. */
  readonly hashes: Set<number>;
  /** How often the variable of the hash code was read. */
  reads: number;
  /** Where everything else goes; null for several places. */
  otherwise: Label | null | undefined;
}

/** Changes endings and statements in place; the nodes that only compare are reached no more. */
export function joinStringSwitches(nodes: readonly Node[]): void {
  let standings: Standings | null = null;
  for (const node of nodes) {
    const hashed = hashedBy(node);
    if (hashed === null) continue;
    const found: Found = { targets: new Map(), hashes: new Set(), reads: 0, otherwise: undefined };
    follow(nodes, node.ending, hashed, found);
    const { targets, otherwise } = found;
    if (targets.size < (node.ending.kind === 'switch' ? 1 : 2) || otherwise == null) continue;
    if (hashed.hash !== null) {
      standings ??= new Standings(nodes);
      if (standings.reads.get(hashed.hash.local) !== found.reads) continue;
      node.statements.splice(node.statements.indexOf(hashed.hash), 1);
    }
    const value: Expression = { kind: 'local', local: hashed.over, at: hashed.call.at };
    const texts = Array.from(targets, ([key, to]) => ({ key, to }));
    node.ending = { kind: 'switch', value, targets: texts, otherwise };
  }
}

function hashedBy({ statements, ending }: Node): Hashed | null {
  const tested = testedBy(ending);
  if (tested === null) return null;
  const directly = hashedOf(tested);
  if (directly !== null) return { over: directly, call: tested, hash: null };
  if (tested.kind !== 'local' || !tested.local.isConstant) return null;
  // Numbers may be written between that and the test.
  const written = new Set<Local>();
  for (const set of statements.toReversed()) {
    if (set.kind !== 'set') return null;
    const over = set.local === tested.local ? hashedOf(set.value) : null;
    if (over !== null) return written.has(over) ? null : { over, call: set.value, hash: set };
    if (set.value.kind !== 'number') return null;
    written.add(set.local);
  }
  return null;
}

/** What an ending compares with numbers. */
function testedBy(ending: Ending): Expression | null {
  if (ending.kind === 'switch') return ending.value;
  return ending.kind === 'branch' ? (comparedNumber(ending.condition)?.left ?? null) : null;
}

function comparedNumber(condition: Expression): { left: Expression; value: number; isEqual: boolean } | null {
  if (condition.kind !== 'relation' || condition.right.kind !== 'number' || condition.type !== 'I') return null;
  const { operator, left, right } = condition;
  return operator === '==' || operator === '!=' ? { left, value: right.value, isEqual: operator === '==' } : null;
}

/** The variable whose hash code a value is. */
function hashedOf(value: Expression): Local | null {
  if (value.kind !== 'call' || value.name !== 'hashCode' || value.owner !== string) return null;
  return value.values.length === 0 && value.object?.kind === 'local' ? value.object.local : null;
}

/** Follows the tests of one hash code from an ending on. */
function follow(nodes: readonly Node[], first: Ending, hashed: Hashed, found: Found): void {
  for (let ending = first, steps = 0; steps < nodes.length; steps++) {
    let next: Label;
    found.reads++;
    if (ending.kind === 'switch') {
      for (const { key, to } of ending.targets) compared(nodes, Number(key), to, hashed.over, found);
      next = ending.otherwise;
    } else {
      const { condition, yes, no } = ending as Ending & { kind: 'branch' };
      const { value, isEqual } = comparedNumber(condition)!;
      compared(nodes, value, isEqual ? yes : no, hashed.over, found);
      next = isEqual ? no : yes;
    }
    const node = nodes[next]!;
    const tested = hashed.hash === null || node.statements.length > 0 ? null : testedBy(node.ending);
    if (tested?.kind !== 'local' || tested.local !== hashed.hash?.local) {
      goesOn(found, next);
      return;
    }
    ending = node.ending;
  }
  found.otherwise = null;
}

/** Takes the comparisons with strings of one hash code, and where it goes on behind them. */
function compared(nodes: readonly Node[], hash: number, first: Label, over: Local, found: Found): void {
  if (found.hashes.has(hash)) return;
  found.hashes.add(hash);
  let label = first;
  for (let steps = 0; steps < nodes.length; steps++) {
    const { statements, ending } = nodes[label]!;
    const test = statements.length === 0 && ending.kind === 'branch' ? equalText(ending.condition, over) : null;
    if (test === null || ending.kind !== 'branch' || hashOf(test.text) !== hash) break;
    const { text, isEqual } = test;
    const to = isEqual ? ending.yes : ending.no;
    if (!found.targets.has(text)) found.targets.set(text, to);
    label = isEqual ? ending.no : ending.yes;
  }
  goesOn(found, label);
}

function goesOn(found: Found, label: Label): void {
  found.otherwise = found.otherwise === undefined || found.otherwise === label ? label : null;
}

/** The text that a condition compares a variable with, and whether it asks for the same one. */
function equalText(condition: Expression, over: Local): { text: string; isEqual: boolean } | null {
  if (condition.kind === 'not') {
    const test = equalText(condition.operand, over);
    return test === null ? null : { ...test, isEqual: !test.isEqual };
  }
  const call = condition.kind === 'truth' ? condition.operand : condition;
  if (call.kind !== 'call' || call.name !== 'equals' || call.object?.kind !== 'local' || call.object.local !== over)
    return null;
  const [value] = call.values;
  const isObjects = call.parameters.join('') === object && call.returns === 'Z' && owners.has(call.owner);
  return isObjects && value?.kind === 'string' ? { text: value.value, isEqual: true } : null;
}

/** `String.hashCode`, as its documentation defines it. */
function hashOf(text: string): number {
  let hash = 0;
  for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return hash;
}
