// Reads generic signatures of classes, methods and fields. Knows nothing of what the classes are: a signature is what a stranger says.
//
// https://docs.oracle.com/javase/specs/jvms/se17/html/jvms-4.html#jvms-4.7.9.1

/** A type as generic code says it. */
export type GenericType =
  | { readonly kind: 'primitive'; readonly descriptor: string }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'array'; readonly element: GenericType }
  | GenericClass;

export interface GenericClass {
  readonly kind: 'class';
  /** Of the class without arguments: `Ljava/util/Map$Entry;`. */
  readonly descriptor: string;
  /** Of the class itself and then of those around it; none for a raw type. */
  readonly arguments: readonly TypeArgument[];
  /** Of the object that code is about: what is around its class is known, too. */
  readonly isWithin?: true;
}

/** `?` has no bound. */
export type TypeArgument =
  | { readonly kind: 'exact' | 'extends' | 'super'; readonly type: GenericType }
  | { readonly kind: 'any' };

export interface TypeParameter {
  readonly name: string;
  readonly bounds: readonly GenericType[];
}

export interface ClassSignature {
  readonly parameters: readonly TypeParameter[];
  readonly superclass: GenericClass;
  readonly interfaces: readonly GenericClass[];
}

export interface MethodSignature {
  readonly parameters: readonly TypeParameter[];
  readonly takes: readonly GenericType[];
  readonly gives: GenericType;
}

/** Of compilers' signatures the longest are some thousand characters long, and nested some ten deep. */
const maxLength = 65_535;
const maxDepth = 64;

class Malformed extends Error {}

class SignatureReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  ofClass(): ClassSignature {
    const parameters = this.#take('<') ? this.#until('>', () => this.#parameter()) : [];
    const superclass = this.#class(0);
    const interfaces: GenericClass[] = [];
    while (this.#at < this.#text.length) interfaces.push(this.#class(0));
    return { parameters, superclass, interfaces };
  }

  ofMethod(): MethodSignature {
    const parameters = this.#take('<') ? this.#until('>', () => this.#parameter()) : [];
    this.#expect('(');
    const takes: GenericType[] = [];
    while (!this.#take(')')) takes.push(this.#any('ZBSCIJFD'));
    const gives = this.#any('VZBSCIJFD');
    // What it throws.
    while (this.#take('^')) this.#reference(0);
    this.#end();
    return { parameters, takes, gives };
  }

  ofField(): GenericType {
    const type = this.#reference(0);
    this.#end();
    return type;
  }

  #end(): void {
    if (this.#at < this.#text.length) throw new Malformed();
  }

  #any(primitives: string): GenericType {
    const descriptor = this.#text[this.#at] ?? ' ';
    if (!primitives.includes(descriptor)) return this.#reference(0);
    this.#at++;
    return { kind: 'primitive', descriptor };
  }

  #parameter(): TypeParameter {
    const name = this.#name();
    const bounds: GenericType[] = [];
    this.#expect(':');
    // There is none where the first bound is an interface.
    if (this.#text[this.#at] !== ':' && this.#isReference()) bounds.push(this.#reference(0));
    while (this.#take(':')) bounds.push(this.#reference(0));
    return { name, bounds };
  }

  #isReference(): boolean {
    return 'LT['.includes(this.#text[this.#at] ?? ' ');
  }

  #reference(depth: number): GenericType {
    if (depth > maxDepth) throw new Malformed();
    if (this.#take('T')) {
      const name = this.#name();
      this.#expect(';');
      return { kind: 'variable', name };
    }
    if (!this.#take('[')) return this.#class(depth);
    const first = this.#text[this.#at] ?? ' ';
    if (!'ZBSCIJFD'.includes(first)) return { kind: 'array', element: this.#reference(depth + 1) };
    this.#at++;
    return { kind: 'array', element: { kind: 'primitive', descriptor: first } };
  }

  #class(depth: number): GenericClass {
    if (depth > maxDepth) throw new Malformed();
    this.#expect('L');
    const names = [this.#name('/')];
    let given: TypeArgument[] = [];
    do {
      const own = this.#take('<') ? this.#until('>', () => this.#argument(depth + 1)) : [];
      given = [...own, ...given];
      if (!this.#take('.')) break;
      names.push(this.#name());
    } while (names.length <= maxDepth);
    this.#expect(';');
    return { kind: 'class', descriptor: `L${names.join('$')};`, arguments: given };
  }

  #argument(depth: number): TypeArgument {
    if (this.#take('*')) return { kind: 'any' };
    const kind = this.#take('+') ? 'extends' : this.#take('-') ? 'super' : 'exact';
    return { kind, type: this.#reference(depth) };
  }

  /** @param also a character that may stand in the name */
  #name(also = ''): string {
    const start = this.#at;
    while (this.#at < this.#text.length) {
      const character = this.#text[this.#at]!;
      if ('.;[/<>:'.includes(character) && character !== also) break;
      this.#at++;
    }
    if (this.#at === start) throw new Malformed();
    return this.#text.slice(start, this.#at);
  }

  /** One item at least. */
  #until<T>(end: string, read: () => T): T[] {
    const items = [read()];
    while (!this.#take(end)) items.push(read());
    return items;
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  #expect(character: string): void {
    if (!this.#take(character)) throw new Malformed();
  }
}

/** What a class says of itself; null for what is no such signature. */
export const classSignature = (text: string): ClassSignature | null => read(text, (reader) => reader.ofClass());

/** What a method says of itself; null for what is no such signature. */
export const methodSignature = (text: string): MethodSignature | null => read(text, (reader) => reader.ofMethod());

/** What a field or a variable says of itself; null for what is no such signature. */
export const fieldSignature = (text: string): GenericType | null => read(text, (reader) => reader.ofField());

function read<T>(text: string, by: (reader: SignatureReader) => T): T | null {
  if (text.length > maxLength) return null;
  try {
    return by(new SignatureReader(text));
  } catch (error) {
    if (error instanceof Malformed) return null;
    throw error;
  }
}
