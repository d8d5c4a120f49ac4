// Splits the text of YARA rules into tokens with their positions. Knows nothing of what rules mean.

/** `comment` is a comment that is never closed; closed comments are no tokens. */
export type TokenKind = 'word' | 'text' | 'regexp' | 'hex' | 'number' | 'variable' | 'punctuation' | 'comment';

export interface Token {
  readonly kind: TokenKind;
  /** Offsets in UTF-16 units; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const isWordStart = (code: number): boolean => (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95;
const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isWordPart = (code: number): boolean => isWordStart(code) || isDigit(code);
const newline = 10;
const quote = 34;
const asterisk = 42;
const slash = 47;
const backslash = 92;
const openBrace = 123;
const closeBrace = 125;

/**
 * All tokens but blanks and comments that are closed. Never fails: what is left open ends with its line (a text, a regular expression) or
 * with the rules (a comment, a hex string), and the compiler says so. Division is `\` in this language, so that `/` always
 * begins a regular expression or a comment.
 * @see https://yara.readthedocs.io/en/stable/writingrules.html
 */
export function tokenize(rules: string): Token[] {
  const tokens: Token[] = [];
  let position = 0;
  const add = (kind: TokenKind, end: number) => {
    tokens.push({ kind, start: position, end, text: rules.slice(position, end) });
    position = end;
  };
  while (position < rules.length) {
    const code = rules.charCodeAt(position);
    if (code <= 32 || code === 0xfeff || code === 0xa0) {
      position += 1;
    } else if (isWordStart(code)) {
      add('word', wordEnd(rules, position + 1));
    } else if (isDigit(code)) {
      add('number', numberEnd(rules, position));
    } else if (code === quote) {
      add('text', delimitedEnd(rules, position, quote));
    } else if (code === slash) {
      const next = rules.charCodeAt(position + 1);
      if (next === slash) position = lineEnd(rules, position);
      else if (next === asterisk && !rules.includes('*/', position + 2)) add('comment', rules.length);
      else if (next === asterisk) position = endOr(rules, '*/', position + 2, 2);
      else add('regexp', flagsEnd(rules, delimitedEnd(rules, position, slash)));
    } else if (
      code === 36 ||
      code === 35 ||
      code === 64 ||
      (code === 33 && isWordPart(rules.charCodeAt(position + 1)))
    ) {
      const end = wordEnd(rules, position + 1);
      add('variable', rules.charCodeAt(end) === asterisk && code === 36 ? end + 1 : end);
    } else if (code === openBrace && tokens.at(-1)?.text === '=') {
      add('hex', hexEnd(rules, position));
    } else {
      add('punctuation', position + 1);
    }
  }
  return tokens;
}

/** Tokens as text again, blanks between those that do not touch. */
export function textOfTokens(tokens: readonly Token[]): string {
  return tokens
    .map(({ start, text }, index) => (tokens[index - 1]?.end === start ? text : ` ${text}`))
    .join('')
    .trim();
}

function wordEnd(rules: string, from: number): number {
  let end = from;
  while (end < rules.length && isWordPart(rules.charCodeAt(end))) end += 1;
  return end;
}

/** `0x1F`, `10KB`, `1.5`; not the two dots of a range. */
function numberEnd(rules: string, from: number): number {
  const end = wordEnd(rules, from);
  if (rules[end] !== '.' || !isDigit(rules.charCodeAt(end + 1))) return end;
  return wordEnd(rules, end + 1);
}

const delimitedEnd = (rules: string, from: number, delimiter: number): number =>
  closingEnd(rules, from, delimiter) ?? lineEnd(rules, from);

const lineEnd = (rules: string, from: number): number => endOr(rules, '\n', from, 0);

/** Where a text or a regular expression ends, past its delimiter; null where its line ends before. */
function closingEnd(rules: string, from: number, delimiter: number): number | null {
  for (let end = from + 1; end < rules.length; end++) {
    const code = rules.charCodeAt(end);
    if (code === newline) return null;
    if (code === backslash && rules.charCodeAt(end + 1) !== newline) end += 1;
    else if (code === delimiter) return end + 1;
  }
  return null;
}

/** Whether a text or a regular expression has its end. */
export const isClosed = ({ kind, text }: Token): boolean =>
  (kind === 'text' || kind === 'regexp') && closingEnd(text, 0, kind === 'text' ? quote : slash) !== null;

function flagsEnd(rules: string, from: number): number {
  let end = from;
  while (rules[end] === 'i' || rules[end] === 's') end += 1;
  return end;
}

function hexEnd(rules: string, from: number): number {
  let end = from + 1;
  while (end < rules.length) {
    const code = rules.charCodeAt(end);
    if (code === closeBrace) return end + 1;
    if (code === slash && rules.charCodeAt(end + 1) === slash) end = endOr(rules, '\n', end, 0);
    else if (code === slash && rules.charCodeAt(end + 1) === asterisk) end = endOr(rules, '*/', end + 2, 2);
    else end += 1;
  }
  return rules.length;
}

function endOr(rules: string, closing: string, from: number, length: number): number {
  const found = rules.indexOf(closing, from);
  return found < 0 ? rules.length : found + length;
}
