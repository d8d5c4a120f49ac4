// How one file names types: by import where nothing else could be meant, else in full. Knows no members.
import type { GenericType, TypeParameter } from '../../code/types/generic-signatures.ts';
import { object } from '../../code/values/operands.ts';
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
  /** Classes that stand in one of this file, or are inherited by one: null where a name means several. */
  readonly #members = new Map<string, string | null>();
  /** Constants of the enums in it, each of which hides a class of its name. */
  readonly #constants = new Set<string>();
  readonly #top: string;
  /** What stands in the class of the file is not in sight where its own head is written. */
  #isInHead = false;

  constructor(program: Program, top: string) {
    this.#program = program;
    this.#top = top;
    this.#noteMembers(top, new Set());
    this.#package = program.packageOf(top);
    const name = program.simpleName(top);
    this.#meaning.set(name, this.#package === '' ? name : `${this.#package}.${name}`);
  }

  #noteMembers(type: string, seen: Set<string>): void {
    for (const each of this.#program.relations.above(type)) {
      if (seen.has(each)) continue;
      seen.add(each);
      for (const [name, member] of this.#program.memberTypes(each))
        this.#members.set(name, (this.#members.get(name) ?? member) === member ? member : null);
    }
    if (this.#program.isEnumClass(type)) {
      const { dex, data } = this.#program.classOf(type)!;
      for (const { fieldIndex } of data.staticFields) {
        if (dex.fieldType(fieldIndex) === type)
          this.#constants.add(this.#program.fieldName(type, dex.fieldName(fieldIndex), type));
      }
    }
    for (const inner of this.#program.innerOf(type)) this.#noteMembers(inner, seen);
  }

  /** Writes the head of the file's class. */
  inHead(write: () => void): void {
    const texts = new Map(this.#texts);
    this.#isInHead = true;
    this.#texts.clear();
    write();
    this.#isInHead = false;
    this.#texts.clear();
    for (const [type, text] of texts) this.#texts.set(type, text);
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

  /** Writes a type with its arguments. */
  writeGeneric(writer: Writer, type: GenericType): void {
    switch (type.kind) {
      case 'primitive':
        this.write(writer, type.descriptor);
        return;
      case 'variable':
        writer.text(type.name);
        return;
      case 'array':
        this.writeGeneric(writer, type.element);
        writer.text('[]');
        return;
    }
    this.write(writer, type.descriptor);
    for (const [index, argument] of type.arguments.entries()) {
      writer.text(index === 0 ? '<' : ', ');
      if (argument.kind !== 'exact') writer.text('?');
      if (argument.kind === 'any') continue;
      if (argument.kind !== 'exact') writer.text(` ${argument.kind} `);
      this.writeGeneric(writer, argument.type);
    }
    if (type.arguments.length > 0) writer.text('>');
  }

  /** Writes a class or interface above a class: with what it extends or implements it for, where source says that. */
  writeAbove(writer: Writer, type: string, by: string): void {
    const above = this.#program.heads.of(by).above.find(({ descriptor }) => descriptor === type);
    if (above === undefined) this.write(writer, type);
    else this.writeGeneric(writer, above);
  }

  /** Writes type parameters with their bounds; nothing for none. */
  writeParameters(writer: Writer, parameters: readonly TypeParameter[]): void {
    for (const [index, { name, bounds }] of parameters.entries()) {
      writer.text(`${index === 0 ? '<' : ', '}${name}`);
      const said = bounds.filter((bound) => bound.kind !== 'class' || bound.descriptor !== object);
      for (const [place, bound] of said.entries()) {
        writer.text(place === 0 ? ' extends ' : ' & ');
        this.writeGeneric(writer, bound);
      }
    }
    if (parameters.length > 0) writer.text('>');
  }

  #className(type: string): string {
    const path = this.#path(type);
    if (this.#isInConstant(type)) return path.join('.');
    const [top, second] = path as [string, string | undefined];
    const isNear = second !== undefined && !this.#isInHead && this.#program.topOf(type) === this.#top;
    const isSeen = isNear && this.#members.get(second) === this.#nestedIn(type);
    // A field of this name would hide it, as that of a companion does.
    // By its name alone an inner class of a generic one is of a type with arguments, which not all places take.
    const isNamed = !isSeen || !this.#program.types.isOfGeneric(this.#nestedIn(type));
    const isHidden = isSeen && (this.#constants.has(second) || this.#program.hasFieldNamed(this.#top, second));
    if (isSeen && isNamed && !isHidden) return path.slice(1).join('.');
    const packageName = this.#program.packageOf(type);
    const full = packageName === '' ? top : `${packageName}.${top}`;
    const named = !this.#constants.has(top) && this.#isImported(full, packageName, top) ? top : full;
    return [named, ...path.slice(1)].join('.');
  }

  /** The class around one, or itself, that stands right in the class of the file. */
  #nestedIn(type: string): string {
    const outer = this.#program.outerOf(type);
    return outer === null || outer === this.#top ? type : this.#nestedIn(outer);
  }

  /** Whether a class stands in the body of an enum's constant, where alone it is known. */
  #isInConstant(type: string): boolean {
    const outer = this.#program.outerOf(type);
    return outer !== null && (this.#program.isConstantBody(outer) || this.#isInConstant(outer));
  }

  /** A class's names from that of its file on, or of what stands in a class that has no name. */
  #path(type: string): string[] {
    if (this.#program.relations.placeOf(type) !== null) {
      const path: string[] = [];
      for (let at: string | null = type; at !== null; at = this.#program.outerOf(at)) {
        if (at !== type && this.#program.isConstantBody(at)) break;
        path.unshift(this.#program.simpleName(at));
      }
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
    if (this.#members.has(name)) return false;
    if (packageName !== this.#package) {
      if (this.#program.hasTopClass(this.#package, name)) return false;
      if (packageName !== 'java.lang') this.#imports.add(full);
    }
    this.#meaning.set(name, full);
    return true;
  }
}
