// Reads the generic signatures of classes. Knows nothing of what the classes are: a signature is what a stranger says.
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
export function classSignature(text: string): ClassSignature | null {
  if (text.length > maxLength) return null;
  try {
    return new SignatureReader(text).ofClass();
  } catch (error) {
    if (error instanceof Malformed) return null;
    throw error;
  }
}

/** The descriptor of a type without its arguments; null for one that a variable is part of. */
export function erased(type: GenericType): string | null {
  switch (type.kind) {
    case 'variable':
      return null;
    case 'array': {
      const element = erased(type.element);
      return element === null ? null : `[${element}`;
    }
    default:
      return type.descriptor;
  }
}
