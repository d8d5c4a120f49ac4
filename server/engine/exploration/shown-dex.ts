// A dex file as it reads with the names that analysts gave: indexes stay what they are, so that smali prints it as any other.
import { binaryName, type Program } from '../decompiler/printing/program.ts';
import { Findings } from '../findings.ts';
import { Dex } from '../formats/dex/dex.ts';

export class ShownDex extends Dex {
  readonly #dex: Dex;
  readonly #program: Program;
  readonly #types = new Map<string, string>();
  /** Symbols of the code by what they are called, as far as that was asked for and is another. */
  readonly renamed = new Map<string, string>();

  constructor(dex: Dex, program: Program) {
    super(dex.bytes, dex.header.offset, new Findings(), dex.where);
    this.#dex = dex;
    this.#program = program;
  }

  override type(index: number): string {
    const type = super.type(index);
    const element = type.replace(/^\[+/, '');
    if (!element.startsWith('L') || !this.#program.given.movesClasses) return type;
    const shown = this.#shown(element);
    return shown === element ? type : type.slice(0, -element.length) + shown;
  }

  /** The descriptor that goes with a class's name. */
  #shown(type: string): string {
    let shown = this.#types.get(type);
    if (shown === undefined) {
      shown = shownDescriptor(this.#program, type);
      this.#types.set(type, shown);
      if (shown !== type) this.renamed.set(shown, type);
    }
    return shown;
  }

  override fieldName(index: number): string {
    const [owner, name, type] = [this.#dex.fieldClass(index), this.#dex.fieldName(index), this.#dex.fieldType(index)];
    const shown = this.#program.givenField(owner, name, type) ?? name;
    this.#note(`${this.fieldClass(index)}->${shown}:${this.fieldType(index)}`, this.#dex.field(index));
    return shown;
  }

  override methodName(index: number): string {
    const [owner, name] = [this.#dex.methodClass(index), this.#dex.methodName(index)];
    const shown = this.#program.givenMethod(owner, name, this.#dex.methodDescriptor(index)) ?? name;
    this.#note(`${this.methodClass(index)}->${shown}${this.methodDescriptor(index)}`, this.#dex.method(index));
    return shown;
  }

  #note(shown: string, symbol: string): void {
    if (shown !== symbol) this.renamed.set(shown, symbol);
  }
}

function shownDescriptor(program: Program, type: string): string {
  const { given, relations } = program;
  if (relations.placeOf(type) === null) return type;
  const outer = program.outerOf(type);
  const name = given.classes.get(type);
  if (outer !== null) {
    const above = shownDescriptor(program, outer);
    if (name === undefined && above === outer) return type;
    const own = type.startsWith(`${outer.slice(0, -1)}$`) ? type.slice(outer.length, -1) : binaryName(type);
    return `${above.slice(0, -1)}$${name?.name.slice(name.name.lastIndexOf('$') + 1) || own};`;
  }
  const path = type.slice(1, -1).split('/').slice(0, -1);
  const isMoved = path.some((_, index) => given.packages.has(path.slice(0, index + 1).join('/')));
  if (name === undefined && !isMoved) return type;
  const folder =
    name?.packageName?.split('.') ??
    path.map((part, index) => given.packages.get(path.slice(0, index + 1).join('/')) ?? part);
  return `L${[...folder, name?.name ?? binaryName(type)].join('/')};`;
}
