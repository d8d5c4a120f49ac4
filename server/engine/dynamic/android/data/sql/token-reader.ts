// Goes through the words of a statement of SQLite. Knows names and lists, and no statement.
import { maxColumns } from './tables.ts';
import { SqlFault, type Token, tokensOf } from './tokens.ts';

/** Expressions and selects within each other. */
const maxDepth = 100;

/** Words that end an expression or a name and so are no alias. */
export const reserved: ReadonlySet<string> = new Set(
  'all and as asc between by case check collate constraint cross default desc distinct do else end escape except exists foreign from full glob group having if in indexed inner insert intersect into is isnull join left like limit match natural not notnull null offset on or order outer primary references regexp replace right select set table then union unique update using values when where'.split(
    ' ',
  ),
);

export class TokenReader {
  protected readonly sql: string;
  protected readonly tokens: readonly Token[];
  protected next = 0;
  #depth = 0;

  constructor(sql: string) {
    this.sql = sql;
    this.tokens = tokensOf(sql);
  }

  protected fault(): SqlFault {
    return new SqlFault(`near "${this.tokens[this.next]?.text ?? ''}": syntax error`);
  }

  protected peek(offset = 0): string {
    const token = this.tokens[this.next + offset];
    if (token === undefined || (token.kind !== 'word' && token.kind !== 'symbol')) return '';
    return token.text.toLowerCase();
  }

  protected take(...words: string[]): boolean {
    if (!words.every((word, index) => this.peek(index) === word)) return false;
    this.next += words.length;
    return true;
  }

  protected expect(word: string): void {
    if (!this.take(word)) throw this.fault();
  }

  protected name(): string {
    const token = this.tokens[this.next];
    if (token === undefined || (token.kind !== 'word' && token.kind !== 'quoted' && token.kind !== 'text'))
      throw this.fault();
    this.next++;
    return token.text;
  }

  /** The name of a table, without that of its database. */
  protected tableName(): string {
    const name = this.name();
    return this.take('.') ? this.name() : name;
  }

  protected alias(): string | null {
    if (this.take('as')) return this.name();
    const token = this.tokens[this.next];
    if (token?.kind === 'quoted' || (token?.kind === 'word' && !reserved.has(token.text.toLowerCase())))
      return this.name();
    return null;
  }

  protected list<Item>(item: () => Item, most = Number.POSITIVE_INFINITY): Item[] {
    const items = [item()];
    while (this.take(',')) {
      if (items.length >= most) throw new SqlFault(`more than ${most} terms`);
      items.push(item());
    }
    return items;
  }

  protected names(): string[] {
    this.expect('(');
    const names = this.list(() => {
      const name = this.name();
      if (this.take('collate')) this.name();
      if (!this.take('asc')) this.take('desc');
      return name;
    }, maxColumns);
    this.expect(')');
    return names;
  }

  /** Passes over what is in brackets, which begin here. */
  protected skipBrackets(): void {
    this.expect('(');
    for (let depth = 1; depth > 0; this.next++) {
      if (this.next >= this.tokens.length) throw this.fault();
      if (this.peek() === '(') depth++;
      else if (this.peek() === ')') depth--;
    }
  }

  protected deeper<Result>(read: () => Result): Result {
    if (this.#depth >= maxDepth) throw new SqlFault('Expression tree is too large');
    this.#depth++;
    const result = read();
    this.#depth--;
    return result;
  }

  /** Skips the rest of a column's or a table's constraint. */
  protected constraint(): void {
    while (this.next < this.tokens.length && this.peek() !== ',' && this.peek() !== ')') {
      if (this.peek() === '(') this.skipBrackets();
      else this.next++;
    }
  }
}
