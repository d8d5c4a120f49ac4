// How one file names types: by import where nothing else could be meant, else in full. Knows no members.
import { binaryName, type Program } from './program.ts';
import type { Writer } from './writer.ts';

const primitives: Readonly<Record<string, string>> = {
  V: 'void',
  Z: 'boolean',
  B: 'byte',
  S: 'short',
  C: 'char',
  I: 'int',
  J: 'long',
  F: 'float',
  D: 'double',
};

export class TypeNames {
  readonly #program: Program;
  readonly #package: string;
  /** What each simple name means in this file. */
  readonly #meaning = new Map<string, string>();
  readonly #texts = new Map<string, string>();
  readonly #imports = new Set<string>();

  constructor(program: Program, top: string) {
    this.#program = program;
    this.#package = program.packageOf(top);
    const name = program.simpleName(top);
    this.#meaning.set(name, this.#package === '' ? name : `${this.#package}.${name}`);
  }

  get imports(): string[] {
    return [...this.#imports].sort();
  }

  /** Whether a class was named so far. */
  isNamed(type: string): boolean {
    return this.#texts.has(type);
  }

  /** A type as it stands in this file. */
  text(type: string): string {
    let text = this.#texts.get(type);
    // Some classes have no name that source can say.
    const named = text === undefined ? this.#program.local.namedAs(type) : type;
    if (named !== type) return this.text(named);
    if (text === undefined) {
      text = type.startsWith('[') ? `${this.text(type.slice(1))}[]` : (primitives[type] ?? this.#className(type));
      this.#texts.set(type, text);
    }
    return text;
  }

  write(writer: Writer, type: string): void {
    const element = type.replace(/^\[+/, '');
    if (element.length === 1) writer.text(this.text(type));
    else writer.symbol(this.text(element), element).text('[]'.repeat(type.length - element.length));
  }

  #className(type: string): string {
    const path = this.#path(type);
    const [top] = path as [string];
    const packageName = this.#program.packageOf(type);
    const full = packageName === '' ? top : `${packageName}.${top}`;
    const named = this.#isImported(full, packageName, top) ? top : full;
    return [named, ...path.slice(1)].join('.');
  }

  /** A class's names from that of its file on. */
  #path(type: string): string[] {
    if (this.#program.relations.placeOf(type) !== null) {
      const path: string[] = [];
      for (let at: string | null = type; at !== null; at = this.#program.outerOf(at))
        path.unshift(this.#program.simpleName(at));
      return path;
    }
    const name = binaryName(type);
    return /^[^$].*[^$]$/.test(name)
      ? name.split('$').map((part) => (/^[0-9]/.test(part) ? `_${part}` : part))
      : [name];
  }

  #isImported(full: string, packageName: string, name: string): boolean {
    const known = this.#meaning.get(name);
    if (known !== undefined) return known === full;
    if (this.#program.isNestedName(name)) return false;
    if (packageName !== this.#package) {
      if (this.#program.hasTopClass(this.#package, name)) return false;
      if (packageName !== 'java.lang') this.#imports.add(full);
    }
    this.#meaning.set(name, full);
    return true;
  }
}
