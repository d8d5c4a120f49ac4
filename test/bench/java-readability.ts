// Counts in Java source what makes it hard to read. Knows no decompiler: all are counted alike.
import { javaTokens, type Token } from './java-tokens.ts';

export interface Readability {
  /** Methods, constructors and initialisers with a body. */
  methods: number;
  /** Lines of these. */
  lines: number;
  /** Of these, longer than 120 characters. */
  longLines: number;
  labels: number;
  casts: number;
  /** Variables and parameters that are declared. */
  variables: number;
  /** Called by a number alone: `v12`, `var3`, `p0`. */
  unnamed: number;
  /** Called after their type: `string2`, `i3`; single letters too, whoever chose them. */
  calledByType: number;
  /** Sum of how deep the braces of each method are nested at most. */
  depth: number;
  /** Methods nested more than four deep. */
  deep: number;
}

export const nothingRead = (): Readability => ({
  methods: 0,
  lines: 0,
  longLines: 0,
  labels: 0,
  casts: 0,
  variables: 0,
  unnamed: 0,
  calledByType: 0,
  depth: 0,
  deep: 0,
});

const primitives = new Set(['boolean', 'byte', 'short', 'char', 'int', 'long', 'float', 'double']);
const keywords = new Set(
  'abstract assert break case catch class continue default do else enum extends final finally for goto if implements import instanceof interface native new package private protected public return static strictfp super switch synchronized this throw throws transient try void volatile while'.split(
    ' ',
  ),
);
const classWords = new Set(['class', 'interface', 'enum', 'record']);

/** What a brace opens. Where a class stands within a method, its methods are counted by themselves. */
interface Open {
  readonly kind: 'class' | 'method' | 'block' | 'values';
  readonly line: number;
  /** The name of an enum, whose constants may have bodies. */
  readonly enumName?: string | undefined;
  /** Deepest block of a method so far, and the one that is open. */
  most: number;
  now: number;
}

/** Adds what a source file has to what was read before. */
export function readInto(sum: Readability, source: string): void {
  const tokens = javaTokens(source);
  const lengths = source.split('\n').map(({ length }) => length);
  const open: Open[] = [];
  /** For each parenthesis whether it belongs to the creation of an object. */
  const made: boolean[] = [];
  let wasMade = false;
  let head = 0;
  for (let at = 0; at < tokens.length; at++) {
    const { text, line } = tokens[at]!;
    const around = open.at(-1);
    const isCode = around?.kind === 'method' || around?.kind === 'block';
    if (text === '(') {
      made.push(isMaking(tokens, at));
      if (isCast(tokens, at)) sum.casts++;
    } else if (text === ')') wasMade = made.pop() ?? false;
    else if (text === '{') {
      const opened = whatOpens(tokens, head, at, around, wasMade);
      const method = opened.kind === 'block' ? innermostMethod(open) : undefined;
      if (method !== undefined) method.most = Math.max(method.most, ++method.now);
      if (opened.kind === 'method') countParameters(sum, tokens, head, at);
      open.push({ ...opened, line, most: 0, now: 0 });
    } else if (text === '}') {
      const closed = open.pop();
      const method = closed?.kind === 'block' ? innermostMethod(open) : undefined;
      if (method !== undefined) method.now--;
      if (closed?.kind === 'method') countMethod(sum, closed, line, lengths);
    } else if (isCode && isStart(tokens, at)) {
      if (tokens[at]!.kind === 'word' && !keywords.has(text) && tokens[at + 1]?.text === ':') sum.labels++;
      else countDeclared(sum, tokens, at);
    }
    if (text === ';' || text === '{' || text === '}') head = at + 1;
  }
}

const innermostMethod = (open: readonly Open[]): Open | undefined => {
  const innermost = open.findLast(({ kind }) => kind === 'method' || kind === 'class');
  return innermost?.kind === 'method' ? innermost : undefined;
};

function countMethod(sum: Readability, { line: from, most }: Open, line: number, lengths: readonly number[]): void {
  sum.methods++;
  sum.lines += line - from + 1;
  for (let each = from; each <= line; each++) if (lengths[each - 1]! > 120) sum.longLines++;
  sum.depth += most;
  if (most > 4) sum.deep++;
}

/** Whether `new` and the name of a class stand before a parenthesis. */
function isMaking(tokens: readonly Token[], at: number): boolean {
  let depth = 0;
  for (let before = at - 1; before >= 0; before--) {
    const { text, kind } = tokens[before]!;
    if (text === 'new') return true;
    if (text === '>') depth++;
    else if (text === '<') depth--;
    else if (depth <= 0 && text !== '.' && (kind !== 'word' || keywords.has(text))) return false;
  }
  return false;
}

function whatOpens(
  tokens: readonly Token[],
  head: number,
  at: number,
  around: Open | undefined,
  wasMade: boolean,
): Pick<Open, 'kind' | 'enumName'> {
  const before = tokens[at - 1]?.text;
  const words = tokens.slice(head, at);
  const named = words.findIndex(
    ({ text }, index) => classWords.has(text) && words[index - 1]?.text !== '.' && words[index + 1]?.kind === 'word',
  );
  const isHead = named >= 0 && !words.slice(0, named).some(({ text }) => text === '(' && words[0]!.text !== '@');
  if (isHead) return { kind: 'class', enumName: words[named]!.text === 'enum' ? words[named + 1]!.text : undefined };
  if (before === ')' && wasMade) return { kind: 'class' };
  if (around === undefined || around.kind === 'values') return { kind: 'values' };
  if (around.kind !== 'class')
    return {
      kind: /^(?:[\])>}:;{]|->|else|do|try|finally)$/.test(before ?? '') && before !== ']' ? 'block' : 'values',
    };
  if (words.some(({ text }) => text === '=')) return { kind: before === '->' ? 'block' : 'values' };
  const parenthesis = words.findIndex(({ text }) => text === '(');
  if (
    around.enumName !== undefined &&
    (parenthesis === 1 || (parenthesis < 0 && words.length === 1 && before !== 'static'))
  )
    return { kind: words[0]!.text === around.enumName ? 'method' : 'class' };
  return { kind: 'method' };
}

/** Whether a parenthesis is that of a cast. https://docs.oracle.com/javase/specs/jls/se17/html/jls-15.html#jls-15.16 */
function isCast(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1];
  if (before?.kind === 'word' && !/^(?:return|throw|case|else|do|assert)$/.test(before.text)) return false;
  if (before?.kind === 'literal' || before?.text === ']' || before?.text === ')') {
    if (before.text !== ')' || !isCast(tokens, openOf(tokens, at - 1))) return false;
  }
  const end = endOfType(tokens, at + 1, true);
  if (end < 0 || tokens[end]?.text !== ')') return false;
  const behind = tokens[end + 1];
  if (behind === undefined) return false;
  const isPrimitive = end === at + 2 && primitives.has(tokens[at + 1]!.text);
  if (behind.kind !== 'sign') return behind.text !== 'instanceof';
  return (
    behind.text === '(' || behind.text === '!' || behind.text === '~' || (isPrimitive && /^[-+]$/.test(behind.text))
  );
}

function openOf(tokens: readonly Token[], close: number): number {
  let depth = 0;
  for (let at = close; at >= 0; at--) {
    if (tokens[at]!.text === ')') depth++;
    else if (tokens[at]!.text === '(' && --depth === 0) return at;
  }
  return 0;
}

/** The place behind a type; -1 where none stands. @param isJoined several types with `&` or `|` between may stand there */
function endOfType(tokens: readonly Token[], from: number, isJoined = false): number {
  let at = from;
  const first = tokens[at];
  if (first?.kind !== 'word' || keywords.has(first.text)) return -1;
  at++;
  while (tokens[at]?.text === '.' && tokens[at + 1]?.kind === 'word') at += 2;
  if (tokens[at]?.text === '<') {
    let depth = 0;
    for (; at < tokens.length; at++) {
      const { text, kind } = tokens[at]!;
      if (text === '<') depth++;
      else if (text === '>') {
        if (--depth === 0) break;
      } else if (kind === 'literal' || (kind === 'sign' && !/^[.,?&[\]]$/.test(text))) return -1;
    }
    at++;
    while (tokens[at]?.text === '.' && tokens[at + 1]?.kind === 'word') at += 2;
  }
  while (tokens[at]?.text === '[' && tokens[at + 1]?.text === ']') at += 2;
  if (tokens[at]?.text === '...') at++;
  if (isJoined && /^[&|]$/.test(tokens[at]?.text ?? '') && tokens[at + 1]?.text !== tokens[at]!.text)
    return endOfType(tokens, at + 1, true);
  return at;
}

/** Whether a statement may start: also in the head of a `for`, `try` or `catch`. */
function isStart(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1]?.text ?? '';
  if (/^[;{}]$/.test(before) || before === 'final' || before === '->' || before === ')') return true;
  if (before === ':') return tokens[at - 2]?.text !== '?';
  return before === '(' && /^(?:for|try|catch)$/.test(tokens[at - 2]?.text ?? '');
}

function countDeclared(sum: Readability, tokens: readonly Token[], at: number): void {
  const end = endOfType(tokens, at, tokens[at - 2]?.text === 'catch');
  const name = tokens[end];
  if (end < 0 || name?.kind !== 'word' || keywords.has(name.text)) return;
  const isCaught = tokens[at - 1]?.text === '(' && tokens[end + 1]?.text === ')';
  if (/^[=;:,]$/.test(tokens[end + 1]?.text ?? '') || isCaught) countName(sum, tokens.slice(at, end), name.text);
}

function countParameters(sum: Readability, tokens: readonly Token[], head: number, at: number): void {
  let from = head;
  // The parenthesis of an annotation comes first.
  for (let place = head; place < at; place++)
    if (tokens[place]!.text === '(' && tokens[place - 2]?.text !== '@') from = place;
  while (++from < at) {
    if (tokens[from]!.text === 'final') continue;
    const end = endOfType(tokens, from);
    if (end < 0 || tokens[end]?.kind !== 'word') return;
    countName(sum, tokens.slice(from, end), tokens[end]!.text);
    from = end + 1;
    if (tokens[from]?.text !== ',') return;
  }
}

function countName(sum: Readability, type: readonly Token[], name: string): void {
  sum.variables++;
  if (/^(?:v|p|r|var|arg|param|local|lv)_?\d[\d_]*$/.test(name)) sum.unnamed++;
  else if (isOfType(type, name)) sum.calledByType++;
}

function isOfType(type: readonly Token[], name: string): boolean {
  const base = name.replace(/_?[\d_]*$/, '').toLowerCase();
  if (base.length <= 1) return true;
  const generic = type.findIndex(({ text }) => text === '<');
  const simple = (generic < 0 ? type : type.slice(0, generic)).findLast(({ kind }) => kind === 'word')?.text ?? '';
  const isArray = type.some(({ text }) => text === '[' || text === '...');
  if (isArray && base === 'array') return true;
  if (simple === 'boolean' && base === 'flag') return true;
  const words = simple.split(/(?=\p{Lu})|\$/u).filter((word) => word !== '');
  const said = words.map((_, index) => words.slice(index).join('').toLowerCase());
  return said.some((word) => base === word || (isArray && base === `${word}s`));
}
