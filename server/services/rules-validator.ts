// Says whether a text is rules that can be saved. Knows the outline of YARA's language, not its meaning.
import type { RuleDiagnostic } from '../contract/yara.ts';

/** What came of checking rules: how many there are, or what is wrong with them. */
export type RulesVerdict = { rulesCount: number } | { faults: RuleDiagnostic[] };

/** Checks the text of a ruleset before it is saved. */
export type RulesValidator = (rules: string) => Promise<RulesVerdict>;

interface Token {
  /** An identifier or a string as it stands, `/` for a whole regular expression, else one character. */
  text: string;
  offset: number;
}

/**
 * Comments and blanks, strings, regular expressions (YARA divides by a backslash, so that a slash begins nothing else),
 * words, single characters. What does not end reaches to the line's end, a comment to the text's: so it stays linear.
 */
const tokenPattern =
  /\s+|\/\/[^\n]*|\/\*(?:.*?\*\/|.*)|"[^"\\\n]*(?:\\[^\n][^"\\\n]*)*"?|\/[^/\\\n]*(?:\\[^\n][^/\\\n]*)*\/?|[A-Za-z_]\w*|./gsy;

function tokensOf(rules: string): Token[] {
  const tokens: Token[] = [];
  for (const { 0: text, index: offset } of rules.matchAll(tokenPattern)) {
    if (/^(?:\s|\/\/|\/\*)/.test(text)) continue;
    tokens.push({ text: text.length > 1 && text.startsWith('/') ? '/' : text, offset });
  }
  return tokens;
}

class OutlineError extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/** Reads the outline: imports, then rules with a name, tags and a body whose braces close. @throws OutlineError */
function namesOf(rules: string): Set<string> {
  const tokens = tokensOf(rules);
  const names = new Set<string>();
  let at = 0;
  const word = (what: string): string => {
    const token = tokens[at++];
    if (token === undefined) throw new OutlineError(`expected ${what}, found the end of the rules`, rules.length);
    if (!/^[A-Za-z_]/.test(token.text))
      throw new OutlineError(`expected ${what}, found \`${token.text}\``, token.offset);
    return token.text;
  };
  while (at < tokens.length) {
    const start = tokens[at]!;
    const keyword = word('a rule');
    if (keyword === 'import') {
      const name = tokens[at++];
      if (name?.text.startsWith('"') !== true) throw new OutlineError('expected the name of a module', start.offset);
      continue;
    }
    if (keyword === 'global' || keyword === 'private') continue;
    if (keyword !== 'rule') throw new OutlineError(`expected a rule, found \`${keyword}\``, start.offset);
    const name = word('the name of a rule');
    if (names.has(name)) throw new OutlineError(`duplicate rule \`${name}\``, tokens[at - 1]!.offset);
    names.add(name);
    if (tokens[at]?.text === ':') {
      at += 1;
      word('a tag');
      while (/^[A-Za-z_]/.test(tokens[at]?.text ?? '')) at += 1;
    }
    at = bodyEnd(tokens, at, name, rules.length);
  }
  return names;
}

/** The index behind the brace that closes a rule's body. */
function bodyEnd(tokens: readonly Token[], start: number, name: string, end: number): number {
  const opening = tokens[start];
  if (opening?.text !== '{') throw new OutlineError(`expected \`{\` after rule \`${name}\``, opening?.offset ?? end);
  let depth = 0;
  let hasCondition = false;
  for (let at = start; at < tokens.length; at++) {
    const { text, offset } = tokens[at]!;
    if (text === '{') depth += 1;
    if (text === '}') depth -= 1;
    if (depth === 1 && text === 'condition') hasCondition = true;
    if (depth > 0) continue;
    if (!hasCondition) throw new OutlineError(`rule \`${name}\` has no condition`, offset);
    return at + 1;
  }
  throw new OutlineError(`the body of rule \`${name}\` does not end`, opening.offset);
}

/** Where no engine compiles rules: takes what has their outline. */
export const validateOutline: RulesValidator = async (rules) => {
  try {
    return { rulesCount: namesOf(rules).size };
  } catch (error) {
    if (!(error instanceof OutlineError)) throw error;
    const before = rules.slice(0, error.offset).split('\n');
    const place = { line: before.length, column: before.at(-1)!.length + 1 };
    const end = { end_line: place.line, end_column: place.column + 1 };
    return { faults: [{ code: 'syntax-error', title: error.message, ...place, ...end, help: null }] };
  }
};
