// The search language: text to a syntax tree. Knows neither fields' meanings nor the database.

/** What a search says that it should not. `position`: offset in the text, in UTF-16 units. */
export class SearchError extends Error {
  readonly position: number;

  constructor(message: string, position: number) {
    super(message);
    this.name = 'SearchError';
    this.position = position;
  }
}

export type Comparison = '>' | '>=' | '<' | '<=';
/** One thing to look for; null: a bare word. Positions are those of the value, `at` that of the field. */
export type SearchValue =
  | { kind: 'text'; text: string; position: number; isPhrase: boolean; isPrefix: boolean; distance: number }
  /** What stands between braces. */
  | { kind: 'bytes'; text: string; position: number }
  | { kind: 'comparison'; comparison: Comparison; text: string; position: number }
  | { kind: 'range'; from: string; to: string; position: number };
export type SearchTree =
  | { kind: 'and' | 'or'; parts: SearchTree[] }
  | { kind: 'not'; part: SearchTree }
  | { kind: 'match'; field: string | null; at: number; value: SearchValue };

/** Longer than any search that people write, short enough to be read at once. */
const maxLength = 4000;
/** Parentheses and negations within each other. */
const maxDepth = 40;
/** Each term costs look-ups. */
const maxTerms = 100;
/** More edits than this match almost any word. */
const maxDistance = 2;

const blank = /[\s\0]/;
const endsWord = /[\s\0()"]/;

/** What the syntax of values hangs on. */
export interface FieldNature {
  /** Whether `-3` among a field's values is a number, rather than what has no 3. */
  isNumeric(field: string): boolean;
  /** Whether values may be bytes: `{dead ?? beef}`. */
  hasBytes(field: string): boolean;
}

class Parser {
  readonly #text: string;
  readonly #isNumeric: FieldNature['isNumeric'];
  readonly #hasBytes: FieldNature['hasBytes'];
  #at = 0;
  #terms = 0;

  constructor(text: string, { isNumeric, hasBytes }: FieldNature) {
    this.#text = text;
    this.#isNumeric = isNumeric;
    this.#hasBytes = hasBytes;
  }

  parse(): SearchTree | null {
    if (this.#isAtEnd()) return null;
    const tree = this.#either(null, 0);
    if (!this.#isAtEnd()) throw new SearchError('There is no "(" for this ")".', this.#at);
    return tree;
  }

  #isAtEnd(): boolean {
    while (this.#at < this.#text.length && blank.test(this.#text[this.#at]!)) this.#at += 1;
    return this.#at >= this.#text.length;
  }

  /** The operator that stands here as a word of its own, not consumed. */
  #operator(): 'and' | 'or' | 'not' | null {
    if (this.#isAtEnd()) return null;
    const found = /^(and|or|not)(?=[\s\0()"]|$)/i.exec(this.#text.slice(this.#at, this.#at + 4));
    if (found === null) return null;
    // `or:` would be a field, and is an unknown one: operators are never fields.
    return found[1]!.toLowerCase() as 'and' | 'or' | 'not';
  }

  #either(field: Field | null, depth: number): SearchTree {
    const parts = [this.#all(field, depth)];
    while (this.#operator() === 'or') {
      this.#at += 2;
      parts.push(this.#all(field, depth));
    }
    return parts.length === 1 ? parts[0]! : { kind: 'or', parts };
  }

  #all(field: Field | null, depth: number): SearchTree {
    const parts = [this.#one(field, depth)];
    for (;;) {
      const operator = this.#operator();
      if (operator === 'and') this.#at += 3;
      else if (operator === 'or' || this.#isAtEnd() || this.#text[this.#at] === ')') break;
      parts.push(this.#one(field, depth));
    }
    return parts.length === 1 ? parts[0]! : { kind: 'and', parts };
  }

  #one(field: Field | null, depth: number): SearchTree {
    if (depth > maxDepth) throw new SearchError('The search is nested too deeply.', this.#at);
    if (this.#isAtEnd()) throw new SearchError('A term is missing at the end.', this.#text.length);
    const operator = this.#operator();
    if (operator === 'not') {
      this.#at += 3;
      return { kind: 'not', part: this.#one(field, depth + 1) };
    }
    if (operator !== null) throw new SearchError(`A term is missing before "${operator.toUpperCase()}".`, this.#at);
    const character = this.#text[this.#at]!;
    const isNumber = field !== null && this.#isNumeric(field.name) && /\d/.test(this.#text[this.#at + 1] ?? '');
    if (character === '-' && !isNumber) {
      this.#at += 1;
      return { kind: 'not', part: this.#one(field, depth + 1) };
    }
    if (character === ')') throw new SearchError('A term is missing before ")".', this.#at);
    if (character === '(') return this.#group(field, depth);
    if (field === null) {
      const named = this.#fieldName();
      if (named !== null) {
        if (this.#isAtEnd()) throw new SearchError(`The field "${named.name}" has no value.`, this.#text.length);
        return this.#text[this.#at] === '(' ? this.#group(named, depth) : this.#match(named);
      }
    }
    return this.#match(field);
  }

  #group(field: Field | null, depth: number): SearchTree {
    const opening = this.#at;
    this.#at += 1;
    const tree = this.#either(field, depth + 1);
    if (this.#isAtEnd()) throw new SearchError('This "(" is not closed.', opening);
    this.#at += 1;
    return tree;
  }

  #fieldName(): Field | null {
    const found = /^([\p{L}\p{N}_.]+)[\s\0]*:/u.exec(this.#text.slice(this.#at));
    if (found === null) return null;
    const field = { name: found[1]!, at: this.#at };
    this.#at += found[0].length;
    return field;
  }

  #match(field: Field | null): SearchTree {
    this.#terms += 1;
    if (this.#terms > maxTerms) throw new SearchError(`More than ${maxTerms} terms are too many.`, this.#at);
    const value = this.#value(field);
    return { kind: 'match', field: field?.name ?? null, at: field?.at ?? value.position, value };
  }

  #value(field: Field | null): SearchValue {
    const position = this.#at;
    const rest = this.#text.slice(position);
    if (field !== null) {
      const comparison = /^(>=|<=|>|<)[\s\0]*/.exec(rest);
      if (comparison !== null) {
        this.#at += comparison[0].length;
        if (this.#isAtEnd() || /[()]/.test(this.#text[this.#at]!))
          throw new SearchError('A value is missing after the comparison.', this.#at);
        const start = this.#at;
        const text = this.#text[this.#at] === '"' ? this.#phrase() : this.#word();
        return { kind: 'comparison', comparison: comparison[1] as Comparison, text, position: start };
      }
      if (rest[0] === '[') return this.#range();
      if (rest[0] === '{' && this.#hasBytes(field.name)) return this.#bytes();
    }
    if (rest[0] === '"') {
      const text = this.#phrase();
      return { kind: 'text', text, position, isPhrase: true, isPrefix: false, distance: 0 };
    }
    const word = this.#word();
    if (word === '') throw new SearchError(`"${rest[0] ?? ''}" is not expected here.`, position);
    const fuzzy = /^(.+)~(\d*)$/s.exec(word);
    if (fuzzy !== null) {
      const distance = fuzzy[2] === '' ? maxDistance : Number(fuzzy[2]);
      if (distance > maxDistance)
        throw new SearchError(`An edit distance is at most ${maxDistance}.`, position + fuzzy[1]!.length);
      return { kind: 'text', text: fuzzy[1]!, position, isPhrase: false, isPrefix: false, distance };
    }
    const hasEnd = word.length > 1 && word.endsWith('*');
    const inner = hasEnd ? word.slice(0, -1) : word;
    // Words match in part anyway: a star before one only says so.
    const hasStart = inner.length > 1 && inner.startsWith('*');
    const text = hasStart ? inner.slice(1) : inner;
    return { kind: 'text', text, position, isPhrase: false, isPrefix: hasEnd && !hasStart, distance: 0 };
  }

  #word(): string {
    const start = this.#at;
    while (this.#at < this.#text.length && !endsWord.test(this.#text[this.#at]!)) this.#at += 1;
    return this.#text.slice(start, this.#at);
  }

  #phrase(): string {
    const start = this.#at;
    const end = this.#text.indexOf('"', start + 1);
    if (end === -1) throw new SearchError('This phrase is not closed.', start);
    this.#at = end + 1;
    const text = this.#text.slice(start + 1, end);
    if (text.trim() === '') throw new SearchError('This phrase is empty.', start);
    return text;
  }

  #bytes(): SearchValue {
    const position = this.#at;
    const end = this.#text.indexOf('}', position);
    if (end === -1) throw new SearchError('This "{" is not closed.', position);
    this.#at = end + 1;
    return { kind: 'bytes', text: this.#text.slice(position + 1, end), position };
  }

  #range(): SearchValue {
    const position = this.#at;
    const end = this.#text.indexOf(']', position);
    if (end === -1) throw new SearchError('This range is not closed.', position);
    const inside = this.#text.slice(position + 1, end);
    const found = /^\s*("[^"]*"|[^\s",]+)(?:\s*,\s*|\s+to\s+)("[^"]*"|[^\s",]+)\s*$/i.exec(inside);
    if (found === null) throw new SearchError('A range is written [a TO b] or [a, b].', position);
    this.#at = end + 1;
    const [from, to] = [found[1]!, found[2]!].map((bound) => bound.replaceAll('"', ''));
    return { kind: 'range', from: from!, to: to!, position };
  }
}

interface Field {
  name: string;
  at: number;
}

/**
 * Reads a search.
 * @returns null where there is nothing but blanks
 * @throws SearchError with the position of what is wrong
 */
export function parseSearch(text: string, nature: FieldNature): SearchTree | null {
  if (text.length > maxLength) throw new SearchError(`A search has at most ${maxLength} letters.`, maxLength);
  return new Parser(text, nature).parse();
}
