// Splits rules that a compiler has taken into names, strings and conditions. Knows nothing of what they mean.
import { type Token, tokenize } from './tokens.ts';

export interface OutlinedString {
  /** With its sign: `$a`; `$` alone where it has no name. */
  identifier: string;
  /** The token behind the equals sign. */
  value: string;
  /** Words and signs behind the value. */
  modifiers: string[];
}

export interface OutlinedRule {
  name: string;
  /** Offsets of its flags, and past its closing brace. */
  start: number;
  end: number;
  isPrivate: boolean;
  isGlobal: boolean;
  strings: OutlinedString[];
  /** What stands behind `condition:`, without the closing brace. */
  condition: Token[];
}

/** The rules of a text, in order. */
export function outlineRules(text: string): OutlinedRule[] {
  const tokens = tokenize(text);
  const rules: OutlinedRule[] = [];
  const flags = new Map<string, Token>();
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index]!;
    if (token.text === 'private' || token.text === 'global') flags.set(token.text, token);
    if (token.text !== 'rule') continue;
    const end = endOfRule(tokens, index);
    const name = tokens[index + 1]?.text ?? '';
    const [first = token] = flags.values();
    rules.push({
      name,
      start: first.start,
      end: tokens[end]?.end ?? text.length,
      isPrivate: flags.has('private'),
      isGlobal: flags.has('global'),
      ...partsOf(tokens, index, end),
    });
    flags.clear();
    index = end;
  }
  return rules;
}

/** The index of the closing brace; hex strings are tokens of their own, with theirs. */
function endOfRule(tokens: readonly Token[], start: number): number {
  let end = start;
  while (end < tokens.length && tokens[end]!.text !== '}') end += 1;
  return end;
}

function partsOf(tokens: readonly Token[], start: number, end: number): Pick<OutlinedRule, 'strings' | 'condition'> {
  const sectionAt = (name: string, from: number) => {
    for (let index = from; index < end; index++) {
      if (tokens[index]!.text === name && tokens[index + 1]?.text === ':') return index + 2;
    }
    return end;
  };
  const strings = sectionAt('strings', start);
  const condition = sectionAt('condition', strings === end ? start : strings);
  return {
    strings: strings === end ? [] : stringsIn(tokens.slice(strings, Math.max(strings, condition - 2))),
    condition: tokens.slice(condition, end),
  };
}

function stringsIn(tokens: readonly Token[]): OutlinedString[] {
  const strings: OutlinedString[] = [];
  for (const [index, { kind, text }] of tokens.entries()) {
    if (kind === 'variable') strings.push({ identifier: text, value: tokens[index + 2]?.text ?? '', modifiers: [] });
    else if (tokens[index - 1]?.text !== '=' && text !== '=') strings.at(-1)?.modifiers.push(text);
  }
  return strings;
}
