// What readers of tokens share: a place that moves on, and one way to give up. Knows no grammar.
import type { Token } from './tokens.ts';

/** Thrown at tokens that a reader does not know. */
export class UnknownSyntax extends Error {}

/** How deep parentheses and the like may be nested. */
const maxDepth = 60;

export abstract class TokenReader {
  protected readonly tokens: readonly Token[];
  protected index: number;
  #depth = 0;

  constructor(tokens: readonly Token[], start = 0) {
    this.tokens = tokens;
    this.index = start;
  }

  /** Empty behind the end. */
  protected text(ahead = 0): string {
    return this.tokens[this.index + ahead]?.text ?? '';
  }

  /** @throws UnknownSyntax at the end, or where the next token is of another kind */
  protected next(kind?: Token['kind']): Token {
    const token = this.tokens[this.index];
    if (token === undefined || (kind !== undefined && token.kind !== kind)) throw new UnknownSyntax();
    this.index += 1;
    return token;
  }

  protected accept(text: string): boolean {
    if (this.text() !== text) return false;
    this.index += 1;
    return true;
  }

  /** @throws UnknownSyntax where another text is next */
  protected expect(text: string): void {
    if (!this.accept(text)) throw new UnknownSyntax();
  }

  /** @throws UnknownSyntax too deep within others */
  protected deeper<T>(read: () => T): T {
    this.#depth += 1;
    if (this.#depth > maxDepth) throw new UnknownSyntax();
    const result = read();
    this.#depth -= 1;
    return result;
  }
}
