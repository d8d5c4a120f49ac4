// The values of a method as its source names them: variables, constants and copies that stand where they are read. Knows no
// statements but the copies of parameters.
import { isThrowing } from '../../code/control-flow/blocks.ts';
import type { ClassRelations } from '../../code/types/class-relations.ts';
import { variableTypes } from '../../code/types/variable-types.ts';
import { debugNames, type Named } from '../../code/values/debug-names.ts';
import { isReference, object } from '../../code/values/operands.ts';
import { type MethodFlow, type Variables, variablesOf, type Web } from '../../code/values/variables.ts';
import type { Dex } from '../../formats/dex/dex.ts';
import type { Accessors } from '../language/accessors.ts';
import { intOperation } from './int-constants.ts';
import type { Expression, Local, Statement } from './tree.ts';

type Unplaced<T> = T extends unknown ? Omit<T, 'at'> : never;
/** What is read of a variable: itself, or the constant that it always is. */
export type Source = { readonly local: Local } | { readonly literal: Unplaced<Expression> };

/** Writers of a variable that its key looks at. */
const maxWriters = 1000;

export interface MethodFacts {
  readonly dex: Dex;
  readonly flow: MethodFlow;
  readonly relations: ClassRelations;
  /** Descriptor of the class. */
  readonly owner: string;
  /** Descriptors, the receiver's first. */
  readonly parameters: readonly string[];
  readonly isStatic: boolean;
  readonly isConstructor: boolean;
  /** Descriptor of the method, with class and name. */
  readonly method: string;
  /** Arguments of a class's constructor that have to be variables, by their places; null for most classes. */
  readonly fixedArguments: (type: string) => ReadonlySet<number> | null;
  readonly accessors: Accessors;
  /** Whether making an object of a class runs no static initialiser that anything could be seen of. */
  readonly startsNothing: (type: string) => boolean;
}

/** Variables that copies of one value are followed through. */
const maxCopies = 64;

export class MethodValues {
  readonly dex: Dex;
  readonly flow: MethodFlow;
  readonly owner: string;
  readonly variables: Variables;
  /** What stands in the method's head, the receiver first. */
  readonly parameters: readonly Local[];
  /** Statements that give parameters another type, or another name to what is written to them. */
  readonly parameterCopies: readonly Statement[];
  readonly #facts: MethodFacts;
  readonly #types: readonly string[];
  readonly #roots: Web[] = [];
  readonly #locals: (Local | undefined)[] = [];
  readonly #literals: (Unplaced<Expression> | null | undefined)[] = [];
  readonly #uses: Int32Array;
  readonly #readers: Int32Array;
  readonly #hints: (web: Web) => Named | null;
  #nextLocal: number;

  /** @throws BadCode */
  constructor(facts: MethodFacts) {
    const { dex, flow } = facts;
    this.#facts = facts;
    this.dex = dex;
    this.flow = flow;
    this.owner = facts.owner;
    this.variables = variablesOf(flow);
    const { webs } = this.variables;
    this.#types = variableTypes(flow, this.variables, facts.parameters, facts.relations);
    for (const web of webs) this.#roots[web.id] = this.#root(web);
    this.#uses = new Int32Array(webs.length);
    this.#readers = new Int32Array(webs.length).fill(-1);
    this.#countUses();
    this.#hints = debugNames(dex, flow, this.variables, facts.isStatic);
    this.#nextLocal = webs.length + facts.parameters.length;
    const copies: Statement[] = [];
    this.parameters = facts.parameters.map((type, index) => this.#parameter(type, index, copies));
    this.parameterCopies = copies;
  }

  #parameter(type: string, index: number, copies: Statement[]): Local {
    const web = this.variables.parameters[index]!;
    const isThis = index === 0 && !this.#facts.isStatic;
    const isPlain = this.#types[web.id] === type && (!isThis || web.writers.length === 1);
    const local: Local = {
      id: isPlain ? web.id : this.variables.webs.length + index,
      type,
      ...this.#named(web),
      role: isThis ? 'this' : 'parameter',
      method: this.#facts.method,
      key: `p${index - (this.#facts.isStatic ? 0 : 1)}`,
      isConstant: !isPlain || web.writers.length === 1,
      name: '',
    };
    if (isPlain) this.#locals[web.id] = local;
    else if (web.readers.length > 0) {
      const value: Expression = { kind: 'local', local, at: 0 };
      copies.push({ kind: 'set', local: this.#local(web), value, isDeclaration: false });
    }
    return local;
  }

  /**
   * The web that one is only a copy of; itself where it is none. What several copies write is one where all of them come from one
   * value, through each other too, as phi functions whose operands are one value and themselves.
   */
  #root(web: Web): Web {
    if (!this.#isCopied(web)) return web;
    const copies = new Set([web]);
    let root: Web | null = null;
    for (const copy of copies) {
      for (const writer of copy.writers) {
        const read = this.variables.read[writer]![0]!;
        const from = this.#roots[read.id] ?? read;
        if (this.#isCopied(from)) copies.add(from);
        else if (from.writers.length !== 1 || (root !== null && root !== from)) return web;
        else root = from;
      }
      if (copies.size > maxCopies) return web;
    }
    return root ?? web;
  }

  /** Whether moves alone write it. */
  #isCopied({ writers }: Web): boolean {
    return writers.every((writer) => {
      if (writer < 0) return false;
      const { value } = this.flow.body.instructions[writer]!.opcode;
      return value >= 0x01 && value <= 0x09;
    });
  }

  rootOf(web: Web): Web {
    return this.#roots[web.id]!;
  }

  /** Whether nothing needs to write it: it is a copy, or a constant. */
  isReplaced(web: Web): boolean {
    return this.rootOf(web) !== web || this.#literal(web) !== null;
  }

  #literal(web: Web): Unplaced<Expression> | null {
    let known = this.#literals[web.id];
    if (known === undefined) {
      // What it is made of may be made of it, in a loop.
      this.#literals[web.id] = null;
      known = this.#literalOf(web);
      this.#literals[web.id] = known;
    }
    return known;
  }

  #literalOf(web: Web): Unplaced<Expression> | null {
    const [writer] = web.writers;
    if (web.writers.length !== 1 || writer === undefined || writer < 0) return null;
    const { opcode, literal, index } = this.flow.body.instructions[writer]!;
    const { value } = opcode;
    const operation = intOperation(value);
    if (operation !== null) return this.#computed(web, writer, value >= 0xd0 ? Number(literal) : null, operation);
    if (value >= 0x12 && value <= 0x15) return { kind: 'number', value: Number(literal) };
    if (value >= 0x16 && value <= 0x19) return { kind: 'wide', value: BigInt(literal) };
    if (value === 0x1a || value === 0x1b) return { kind: 'string', value: this.dex.string(index) };
    return value === 0x1c ? { kind: 'class', type: this.dex.type(index) } : null;
  }

  /** Arithmetic with numbers alone, whose result nobody named. */
  #computed(
    web: Web,
    writer: number,
    literal: number | null,
    operation: (a: number, b: number) => number | null,
  ): Unplaced<Expression> | null {
    if (this.#hints(web) !== null) return null;
    const [left = null, right = literal] = this.variables.read[writer]!.map((read) => {
      const operand = this.#literal(this.rootOf(read));
      return operand?.kind === 'number' ? operand.value : null;
    });
    const value = left === null || right === null ? null : operation(left, right);
    return value === null ? null : { kind: 'number', value };
  }

  source(web: Web): Source {
    const root = this.rootOf(web);
    const literal = this.#literal(root);
    return literal === null ? { local: this.#local(root) } : { literal };
  }

  #named(web: Web): { hint: string | null; said?: string } {
    const named = this.#hints(web);
    if (named === null) return { hint: null };
    return named.signature === null ? { hint: named.name } : { hint: named.name, said: named.signature };
  }

  #local(web: Web): Local {
    let local = this.#locals[web.id];
    if (local === undefined) {
      local = {
        id: web.id,
        type: this.#types[web.id]!,
        ...this.#named(web),
        role: 'local',
        method: this.#facts.method,
        key: this.#keyOf(web),
        isConstant: web.writers.length === 1,
        name: '',
      };
      this.#locals[web.id] = local;
    }
    return local;
  }

  #keyOf({ register, writers }: Web): string {
    const first = Math.min(
      ...writers.slice(0, maxWriters).filter((writer) => writer >= 0),
      this.flow.body.instructions.length,
    );
    return `v${register}@${(this.flow.body.instructions[first]?.at ?? 0).toString(16)}`;
  }

  /** By position of a `new-instance` what stands for the class's start, where that can be seen. */
  readonly starts = new Map<number, Local>();

  /** What stands for the start of the class that an instruction makes an object of; null where nothing can be seen of it. */
  startAt(position: number): Local | null {
    const type = this.dex.type(this.flow.body.instructions[position]!.index);
    if (this.#facts.startsNothing(type)) return null;
    let local = this.starts.get(position);
    if (local === undefined) {
      local = this.temporary('I');
      this.starts.set(position, local);
    }
    return local;
  }

  /** A variable that the code does not have. */
  temporary(type: string): Local {
    const id = this.#nextLocal++;
    const key = `t${id - this.variables.webs.length - this.#facts.parameters.length}`;
    return { id, type, hint: null, role: 'local', key, method: this.#facts.method, isConstant: true, name: '' };
  }

  /** The same, written more than once. */
  variable(type: string): Local {
    return { ...this.temporary(type), isConstant: false };
  }

  /** Places that read it, copies of it included; a constructor's own object is not read. */
  usesOf(web: Web): number {
    return this.#uses[this.rootOf(web).id]!;
  }

  /** The last position that reads it, -1 for none. */
  readerOf(web: Web): number {
    return this.#readers[this.rootOf(web).id]!;
  }

  #countUses(): void {
    const { read, written } = this.variables;
    for (const { first, last } of this.flow.blocks) {
      for (let position = first; position <= last; position++) {
        const web = written[position];
        const { opcode, index } = this.flow.body.instructions[position]!;
        if (web !== undefined && opcode.value <= 0x09 && this.rootOf(web) !== web) continue;
        const isConstruction = opcode.isInvoke && opcode.index === 'method' && this.dex.methodName(index) === '<init>';
        read[position]!.forEach((source, operand) => {
          if (operand === 0 && isConstruction && !this.isThis(source)) return;
          const { id } = this.rootOf(source);
          this.#uses[id]!++;
          this.#readers[id] = position;
        });
      }
    }
  }

  /** Whether it is the object whose constructor this is. */
  isThis(web: Web): boolean {
    return this.#facts.isConstructor && this.rootOf(web).writers.includes(-1);
  }

  fixedArguments(type: string): ReadonlySet<number> | null {
    return this.#facts.fixedArguments(type);
  }

  get accessors(): Accessors {
    return this.#facts.accessors;
  }

  typeOf(web: Web): string {
    return this.#types[web.id]!;
  }

  /** What `==` compares two variables as. */
  comparedAs(a: Web, b: Web): string {
    const types = [this.typeOf(a), this.typeOf(b)];
    if (types.some(isReference)) return object;
    return types.every((type) => type === 'Z') ? 'Z' : 'I';
  }

  /** The type of an array that is filled with elements of a width in bytes. */
  arrayType(web: Web, width: number): string {
    const type = this.typeOf(web);
    const fitting: Record<number, string> = { 1: 'BZ', 2: 'CS', 4: 'IF', 8: 'JD' };
    const letters = fitting[width] ?? 'I';
    return type.length === 2 && type.startsWith('[') && letters.includes(type[1]!) ? type : `[${letters[0]}`;
  }

  /** What a handler writes its exception to, null where it does not look at it. */
  caught(block: number): Local | null {
    const { first } = this.flow.blocks[block]!;
    if (this.flow.body.instructions[first]!.opcode.value !== 0x0d) return null;
    const web = this.variables.written[first]!;
    return this.usesOf(web) === 0 && web.writers.length === 1 ? null : this.#local(web);
  }

  /** Whether anything in a block can throw. */
  throwsIn(block: number): boolean {
    const { first, last } = this.flow.blocks[block]!;
    for (let position = first; position <= last; position++) {
      if (isThrowing(this.flow.body.instructions[position]!)) return true;
    }
    return false;
  }
}
