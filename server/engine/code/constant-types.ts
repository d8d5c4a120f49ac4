// Finds out what a method uses its constants as: Dalvik's have no type, 0 is an int, 0.0f and null. Knows no values of registers.
import type { Dex } from '../formats/dex/dex.ts';
import type { MethodBody } from './method-body.ts';
import { invokedReturn, isConstant, type Kind, kindOf, readKinds, writtenKind } from './operand-kinds.ts';
import { RegisterFlow, type RegisterState } from './register-flow.ts';

export interface ConstantTypes {
  /** By position of the constant's instruction. */
  readonly kinds: ReadonlyMap<number, Kind>;
  /** Operands, by the reading instruction's position, that must be converted first: one constant serves two types. */
  readonly conversions: ReadonlyMap<number, readonly { operand: number; to: Kind }[]>;
}

/** What may be in a register: a kind, the type of an array whose elements' kind matters, the constants that may reach it. */
interface Content {
  readonly kind: Kind | null;
  readonly array: string | null;
  /** Positions of instructions. */
  readonly constants: readonly number[];
}

const nothing: Content = { kind: null, array: null, constants: [] };
/** Generated code of a megabyte stays below. */
const maxContents = 30_000;
/** Constants that reach one register; with more the first ones decide for all. */
const maxReaching = 64;

/** @param returns descriptor of what the method returns; `parameters` with the receiver first */
export function constantTypes(
  dex: Dex,
  body: MethodBody,
  parameters: readonly string[],
  returns: string,
): ConstantTypes {
  if (!body.instructions.some(({ opcode }) => isConstant(opcode.value)))
    return { kinds: new Map(), conversions: new Map() };
  return new Inference(dex, body, returns).run(parameters);
}

class Inference {
  readonly #dex: Dex;
  readonly #body: MethodBody;
  readonly #returns: string;
  readonly #contents: Content[] = [nothing];
  readonly #ids = new Map<string, number>();
  readonly #merges = new Map<number, number>();
  readonly #uses = new Map<number, Set<Kind>>();
  readonly #constantIds = new Map<number, number>();

  constructor(dex: Dex, body: MethodBody, returns: string) {
    this.#dex = dex;
    this.#body = body;
    this.#returns = returns;
  }

  run(parameters: readonly string[]): ConstantTypes {
    const { registers, ins } = this.#body.code;
    const first = new Int32Array(registers);
    let register = registers - ins;
    for (const type of parameters) {
      if (register < registers) first[register] = this.#typed(type);
      register += type === 'J' || type === 'D' ? 2 : 1;
    }
    const flow = new RegisterFlow(
      this.#body,
      {
        merge: (a, b) => this.#merge(a, b),
        write: (position, state) => this.#write(position, state),
        isSpent: () => this.#contents.length > maxContents,
      },
      first,
    );
    flow.forEach((position, state) => {
      this.#collect(position, state);
    });
    return this.#decide(flow);
  }

  #merge(a: number, b: number): number {
    const key = a * 0x100000 + b;
    const known = this.#merges.get(key);
    if (known !== undefined) return known;
    const [left, right] = [this.#contents[a]!, this.#contents[b]!];
    const kind = left.kind === right.kind || right.kind === null ? left.kind : (left.kind ?? right.kind);
    const array =
      left.array === right.array || right.array === null ? left.array : left.array === null ? right.array : null;
    const constants =
      right.constants.length === 0
        ? left.constants
        : [...new Set([...left.constants, ...right.constants])].sort((x, y) => x - y).slice(0, maxReaching);
    const merged = this.#intern({ kind, array, constants });
    this.#merges.set(key, merged);
    return merged;
  }

  #intern(content: Content): number {
    const key = `${content.kind} ${content.array} ${content.constants.join()}`;
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = this.#contents.push(content) - 1;
    this.#ids.set(key, id);
    return id;
  }

  #typed(descriptor: string): number {
    const kind = kindOf(descriptor);
    return this.#intern({ kind, array: /^\[+[FD]$/.test(descriptor) ? descriptor : null, constants: [] });
  }

  #write(position: number, state: RegisterState): void {
    const instruction = this.#body.instructions[position]!;
    const { value } = instruction.opcode;
    const target = instruction.registers[0] ?? -1;
    if (isConstant(value)) {
      let id = this.#constantIds.get(position);
      if (id === undefined) {
        id = this.#intern({ kind: null, array: null, constants: [position] });
        this.#constantIds.set(position, id);
      }
      state[target] = id;
    } else if (value >= 0x01 && value <= 0x09) {
      state[target] = state[instruction.registers[1]!]!;
    } else if (value >= 0x0a && value <= 0x0c) {
      state[target] = this.#typed(this.#resultType(position));
    } else if (value >= 0x44 && value <= 0x46) {
      const array = this.#contents[state[instruction.registers[1]!]!]!.array;
      const element = array?.slice(1) ?? (value === 0x44 ? 'I' : value === 0x45 ? 'J' : 'Ljava/lang/Object;');
      state[target] = this.#typed(element);
    } else if (value === 0x1f || value === 0x23) {
      state[target] = this.#typed(this.#dex.type(instruction.index));
    } else if ((value >= 0x52 && value <= 0x58) || (value >= 0x60 && value <= 0x66)) {
      state[target] = this.#typed(this.#dex.fieldType(instruction.index));
    } else {
      const kind = writtenKind(this.#dex, instruction);
      if (kind !== null) state[target] = this.#intern({ kind, array: null, constants: [] });
    }
  }

  #resultType(position: number): string {
    const before = this.#body.instructions[position - 1];
    if (before?.opcode.isInvoke) return invokedReturn(this.#dex, before);
    return before === undefined ? 'I' : this.#dex.type(before.index);
  }

  /** What each operand is read as here: by the instruction, or by what stands next to it. */
  #kinds(position: number, state: RegisterState): (Kind | undefined)[] {
    const instruction = this.#body.instructions[position]!;
    const kinds = [...readKinds(this.#dex, instruction, this.#returns)];
    const content = (operand: number) => this.#contents[state[instruction.registers[operand] ?? 0] ?? 0]!;
    const { value } = instruction.opcode;
    if (value === 0x32 || value === 0x33) {
      kinds[0] = content(1).kind ?? 'any';
      kinds[1] = content(0).kind ?? 'any';
    } else if (value === 0x4b || value === 0x4c) {
      const element = content(1).array?.slice(1);
      kinds[0] = element === undefined ? (value === 0x4b ? 'int' : 'long') : kindOf(element);
    }
    return kinds;
  }

  #collect(position: number, state: RegisterState): void {
    const { registers } = this.#body.instructions[position]!;
    this.#kinds(position, state).forEach((kind, operand) => {
      if (kind === undefined || kind === 'any') return;
      for (const constant of this.#contents[state[registers[operand] ?? 0] ?? 0]!.constants) {
        const uses = this.#uses.get(constant);
        if (uses === undefined) this.#uses.set(constant, new Set([kind]));
        else uses.add(kind);
      }
    });
  }

  #decide(flow: RegisterFlow): ConstantTypes {
    const { instructions } = this.#body;
    const kinds = new Map<number, Kind>();
    /** Constants that cannot be all that they are used as. */
    const shared = new Set<number>();
    for (const [constant, uses] of this.#uses) {
      const isWide = instructions[constant]!.opcode.value >= 0x16;
      const isZero = instructions[constant]!.literal === 0;
      if (isWide) {
        kinds.set(constant, uses.has('double') && !uses.has('long') ? 'double' : 'long');
        if (uses.has('double') && uses.has('long')) shared.add(constant);
      } else if (uses.has('reference')) {
        const isOnlyReference = uses.size === 1 && isZero;
        kinds.set(constant, isOnlyReference ? 'reference' : 'int');
        if (!isOnlyReference) shared.add(constant);
      } else if (uses.has('float')) {
        const isOnlyFloat = uses.size === 1;
        kinds.set(constant, isOnlyFloat ? 'float' : 'int');
        if (!isOnlyFloat && !isZero) shared.add(constant);
      }
    }
    const conversions = new Map<number, { operand: number; to: Kind }[]>();
    if (shared.size > 0) {
      const find = (position: number, state: RegisterState) => {
        const { registers, opcode } = instructions[position]!;
        // A move keeps what it moves: the conversion waits for the real use.
        if (opcode.value >= 0x07 && opcode.value <= 0x09) return;
        this.#kinds(position, state).forEach((kind, operand) => {
          if (kind !== 'reference' && kind !== 'float' && kind !== 'double') return;
          const content = this.#contents[state[registers[operand] ?? 0] ?? 0]!;
          if (!content.constants.some((constant) => shared.has(constant))) return;
          // An int that stands for a float cannot be told from a float once both are mixed.
          if (kind === 'float' && content.kind !== null) return;
          const list = conversions.get(position);
          if (list === undefined) conversions.set(position, [{ operand, to: kind }]);
          else list.push({ operand, to: kind });
        });
      };
      flow.forEach(find);
    }
    return { kinds, conversions };
  }
}
