// Cuts Java source, also what decompilers take for it, into tokens. Knows no grammar.

export interface Token {
  readonly kind: 'word' | 'literal' | 'sign';
  readonly text: string;
  /** Counted from 1. */
  readonly line: number;
}

/** White space and comments; words; literals of texts, characters and numbers; then signs, of which only these are longer than one character. */
const token =
  /(\s+|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$))|([\p{L}_$][\p{L}\p{N}_$]*)|("(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|\.?\d(?:[eEpP][+-]|[\w.])*)|(->|::|\.\.\.|[\s\S])/gu;

/** https://docs.oracle.com/javase/specs/jls/se17/html/jls-3.html */
export function javaTokens(source: string): Token[] {
  const tokens: Token[] = [];
  let line = 1;
  for (const [text, space, word, literal] of source.matchAll(token)) {
    if (space === undefined) {
      tokens.push({ kind: word !== undefined ? 'word' : literal !== undefined ? 'literal' : 'sign', text, line });
      continue;
    }
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) line++;
  }
  return tokens;
}
