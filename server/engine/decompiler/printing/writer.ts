// Collects the text of a file with what its parts show. Knows no Java.
import type { Local } from '../expressions/tree.ts';
import { limits, Unsayable } from '../limits.ts';

/** A range of the text, and the symbol it names or the code that it was made of. */
export interface Span {
  readonly start: number;
  readonly end: number;
  /** `Lcom/a/B;`, `Lcom/a/B;->name:I`, `Lcom/a/B;->name(I)V` */
  readonly symbol?: string;
  readonly isDeclaration?: true;
  /** Address in code units within the method that `symbol` names. */
  readonly address?: number;
}

/** Where the name of a method's variable stands. */
export interface VariablePlace {
  readonly start: number;
  /** Of the method. */
  readonly method: string;
  readonly key: string;
  readonly name: string;
}

export class Writer {
  readonly spans: Span[] = [];
  readonly variables: VariablePlace[] = [];
  #parts: string[] = [];
  #length = 0;
  #indent = '';
  #method = '';

  get length(): number {
    return this.#length;
  }

  text(text: string): this {
    this.#parts.push(text);
    this.#length += text.length;
    if (this.#length > limits.sourceCharacters) throw new Unsayable('the class has grown too long');
    return this;
  }

  symbol(text: string, symbol: string, isDeclaration = false): this {
    const start = this.#length;
    this.text(text);
    this.spans.push({ start, end: this.#length, symbol, ...(isDeclaration ? { isDeclaration } : {}) });
    return this;
  }

  /** Writes the name of a variable. */
  local({ name, key, method = this.#method }: Local): this {
    if (key !== undefined && this.#method !== '' && name !== 'this')
      this.variables.push({ start: this.#length, method, key, name });
    return this.text(name);
  }

  /** The method whose code is being written, empty for none. */
  get method(): string {
    return this.#method;
  }

  /** Writes something that shows the code at an address, where it stands within a method. */
  addressed(address: number, write: () => void): void {
    const start = this.#length;
    write();
    const last = this.spans.at(-1);
    const isKnown = last?.address === address && last.start === start && last.end === this.#length;
    if (this.#method !== '' && !isKnown) this.spans.push({ start, end: this.#length, symbol: this.#method, address });
  }

  /** Writes what shows code of a method, by its descriptor. */
  inMethod(method: string, write: () => void): void {
    const before = this.#method;
    this.#method = method;
    try {
      write();
    } finally {
      this.#method = before;
    }
  }

  line(): this {
    return this.text(`\n${this.#indent}`);
  }

  /** Writes lines deeper. */
  indented(write: () => void): void {
    const before = this.#indent;
    this.#indent += '    ';
    write();
    this.#indent = before;
  }

  /** A mark to come back to where what was written turns out wrong. */
  mark(): { parts: number; length: number; spans: number; variables: number; indent: string } {
    const [spans, variables] = [this.spans.length, this.variables.length];
    return { parts: this.#parts.length, length: this.#length, spans, variables, indent: this.#indent };
  }

  rewind({ parts, length, spans, variables, indent }: ReturnType<Writer['mark']>): void {
    this.#parts.length = parts;
    this.spans.length = spans;
    this.variables.length = variables;
    this.#length = length;
    this.#indent = indent;
  }

  toString(): string {
    const text = this.#parts.join('');
    this.#parts = [text];
    return text;
  }
}
