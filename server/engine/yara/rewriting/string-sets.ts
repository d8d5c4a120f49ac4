// Sets of strings in conditions that YARA counts otherwise than YARA-X. Knows tokens, no rules.
import { maxOperandTokens, type Parentheses } from '../language/parentheses.ts';
import type { Replacement } from '../language/position-map.ts';
import { type Token, textOfTokens } from '../language/tokens.ts';

/** Comparisons of names with the wildcards of one condition; further sets stay as they are. */
const maxCompared = 5_000_000;
/** Characters of the sets of one condition that are written out. */
const maxWritten = 5_000_000;

/** A set behind `of`, from its opening parenthesis or `them`. */
interface StringSet {
  start: number;
  end: number;
  /** Index behind its last token. */
  next: number;
  /** Its members; `them` has one. */
  members: readonly string[];
}

/** The largest number of strings that the engine accepts in a set; no rule has as many. */
const mostStrings = 0x7fff_ffff;
/** Holds the number of strings within one expression. */
const many = '__many';

/**
 * Replacements in a condition, in no order. YARA counts a string once for each time that a set names it, YARA-X once;
 * a number of strings that turns out to be 0 means none of them to YARA, one that is undefined all of them.
 * @param identifiers the rule's strings
 * @param zero a global that is 0, with which the compiler knows no number beforehand
 */
export function exactSets(
  condition: readonly Token[],
  parentheses: Parentheses,
  identifiers: readonly string[],
  zero: string,
): Replacement[] {
  const replacements: Replacement[] = [];
  const budget = { compared: maxCompared, written: maxWritten };
  for (const [index, { text }] of condition.entries()) {
    const quantifier = condition[index - 1];
    if (text !== 'of' || quantifier === undefined || /^(?:any|all|none)$/.test(quantifier.text)) continue;
    const set = setAt(condition, index + 1);
    const next = condition[set?.next ?? condition.length]?.text ?? '';
    // Strings that have to stand at a place take no expressions.
    if (set === null || next === 'in' || next === 'at') continue;
    const repeated = repeatedNames(set, identifiers, budget);
    if (next === ':') {
      const loop = repeated === null ? null : writtenLoop(condition, parentheses, index, set, repeated);
      budget.written -= loop?.text.length ?? 0;
      if (loop !== null && budget.written >= 0) replacements.push(loop);
      continue;
    }
    const written = repeated === null ? writtenSet(set) : `(${repeated.map((name) => `(${name})`).join(',')})`;
    const isShare = quantifier.text === '%';
    const computed = computedBefore(condition, parentheses, isShare ? index - 2 : index - 1);
    if (computed !== null) {
      const meant = isShare ? shareOf(written) : numberOf(written);
      replacements.push({ start: computed.start, end: computed.start, text: `(with ${many}=` });
      replacements.push({ start: computed.end, end: set.end, text: `+${zero} : (${meant}))` });
    } else if (repeated !== null) {
      replacements.push({ start: set.start, end: set.end, text: written });
    }
    if (quantifier.kind === 'number' && Number(quantifier.text) > mostStrings) {
      replacements.push({ start: quantifier.start, end: quantifier.end, text: String(mostStrings) });
    }
  }
  return replacements;
}

/** The last tokens of numbers of rules that may be negative or undefined, and of shares of them that may be 0. */
export function doubtfulRuleSets(condition: readonly Token[], parentheses: Parentheses): Token[] {
  return condition.filter((last, index) => {
    const isSet = condition[index + 1]?.text === 'of' && condition[index + 2]?.text === '(';
    if (!isSet || condition[index + 3]?.kind !== 'word') return false;
    if (last.text === '%') return parentheses.has(index - 1);
    if (last.kind === 'number') return condition[index - 1]?.text === '-';
    const number = condition.slice(parentheses.get(index) ?? index, index + 1);
    return (
      number.length > maxOperandTokens ||
      !number.every(({ kind, text }) => kind === 'number' || /^(?:any|all|none|filesize|[+*()]|#.*)$/.test(text))
    );
  });
}

const shareOf = (set: string): string => `${many}<=0 or (${many})% of ${set}`;
const numberOf = (set: string): string =>
  `${many}<0 or ${many}==0 and none of ${set} or ${many}>0 and ${many}<=${mostStrings} and (${many}) of ${set} or not defined ${many} and all of ${set}`;

/** What a body of a loop may hold to be said of each string by itself. */
const plainToken = /^(?:and|or|not|at|in|true|false|filesize|[+*\\%&|~.,()[\]<>=!]|[$#@!]\w*|\d\w*)$/;

/** `for 2 of ($a, $a) : ($ at 0)` as `2 of (($a at 0), ($a at 0))`; null for a loop with a body that has to stay one. */
function writtenLoop(
  condition: readonly Token[],
  parentheses: Parentheses,
  of: number,
  set: StringSet,
  names: readonly string[],
): Replacement | null {
  const [first, quantifier] = [condition[of - 2], condition[of - 1]!];
  const open = set.next + 1;
  const close = parentheses.get(open);
  if (close === undefined || close - open > maxOperandTokens) return null;
  const body = condition.slice(open, close + 1);
  const holds = (pattern: RegExp) => body.some(({ text }) => pattern.test(text));
  const isUnequal = (index: number) => body[index + 1]?.text === '=' && body[index + 1]!.start === body[index]!.end;
  const isSign = (index: number) => {
    const { text } = body[index]!;
    return /^[$#@]$/.test(text) || (text === '!' && !isUnequal(index));
  };
  // Comparisons with the size bound the engine's search; a place is not counted from 0.
  const isOther = (holds(/^filesize$/) && holds(/^[<>=]$/)) || (holds(/^\[$/) && holds(/^0$/));
  const isPlain = body.every(({ text }) => plainToken.test(text)) && !isOther && body.some((_, index) => isSign(index));
  if (first?.text !== 'for' || quantifier.kind !== 'number' || Number(quantifier.text) === 0 || !isPlain) return null;
  const ofString = (name: string) =>
    textOfTokens(body.map((token, index) => (isSign(index) ? { ...token, text: token.text + name } : token)));
  const text = `${quantifier.text} of (${names.map((name) => ofString(name.slice(1))).join(',')})`;
  return { start: first.start, end: condition[close]!.end, text };
}

const writtenSet = ({ members }: StringSet): string => (members[0] === 'them' ? 'them' : `(${members.join(',')})`);

/** `#a`, or an expression in parentheses, that ends with a token; null for anything else. */
function computedBefore(
  condition: readonly Token[],
  parentheses: Parentheses,
  last: number,
): { start: number; end: number } | null {
  const first = condition[last]?.text.startsWith('#') === true ? last : parentheses.get(last);
  if (first === undefined) return null;
  // An operand of a sum is not such a number.
  if (!/^(?:and|or|not|[(:])?$/.test(condition[first - 1]?.text ?? '')) return null;
  return { start: condition[first]!.start, end: condition[last]!.end };
}

function setAt(condition: readonly Token[], index: number): StringSet | null {
  const first = condition[index];
  if (first?.text === 'them') return { start: first.start, end: first.end, next: index + 1, members: ['them'] };
  if (first?.text !== '(') return null;
  const members: string[] = [];
  let next = index + 1;
  for (; condition[next] !== undefined && condition[next]!.text !== ')'; next++) {
    const { kind, text } = condition[next]!;
    if (kind === 'variable' && text.startsWith('$')) members.push(text);
    else if (text !== ',') return null;
  }
  const last = condition[next];
  return last === undefined ? null : { start: first.start, end: last.end, next: next + 1, members };
}

/** All names of a set, those that it has more than once as often; null where there are none such. */
function repeatedNames(
  { members }: StringSet,
  identifiers: readonly string[],
  budget: { compared: number; written: number },
): string[] | null {
  if (members.length < 2) return null;
  const names: string[] = [];
  for (const member of members) {
    if (!member.endsWith('*')) {
      names.push(member);
      continue;
    }
    budget.compared -= identifiers.length;
    if (budget.compared < 0) return null;
    for (const name of identifiers) if (name.startsWith(member.slice(0, -1))) names.push(name);
  }
  // A string without a name cannot be named twice.
  if (new Set(names).size === names.length || names.includes('$')) return null;
  for (const name of names) budget.written -= name.length;
  return budget.written < 0 ? null : names;
}
