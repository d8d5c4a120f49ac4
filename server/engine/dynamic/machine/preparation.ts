// Turns a method's code into the stream that the interpreter runs. Knows no values and resolves nothing.

import { type ConstantTypes, constantTypes } from '../../code/constant-types.ts';
import { BadCode, type BodyInstruction, type MethodBody, methodBody } from '../../code/method-body.ts';
import { invokedParameters, invokedReturn, type Kind } from '../../code/operand-kinds.ts';
import { codeAt } from '../../formats/dex/code-item.ts';
import type { Dex } from '../../formats/dex/dex.ts';
import { payloadAt } from '../../formats/dex/instruction.ts';
import { CallSite, invokeKind } from './call-site.ts';
import type { Method } from './linked-class.ts';
import { flags } from './linked-class.ts';
import { machineOperations as own, PreparedMethod, type PreparedTry } from './prepared-method.ts';

const scratch = new DataView(new ArrayBuffer(8));

export function floatFromBits(bits: number): number {
  scratch.setInt32(0, bits);
  return scratch.getFloat32(0);
}

export function doubleFromBits(bits: bigint): number {
  scratch.setBigInt64(0, bits);
  return scratch.getFloat64(0);
}

/** What `packed-switch` and `sparse-switch` look the value up in. */
export interface PackedTable {
  readonly firstKey: number;
  readonly targets: Int32Array;
}

/** Registers that the arguments of a method take. */
function argumentRegisters(method: Method): number {
  let count = method.isStatic ? 0 : 1;
  for (const type of method.parameters) count += type === 'J' || type === 'D' ? 2 : 1;
  return count;
}

/** Decodes a method of a dex file. @throws BadCode for what Android's verifier refuses */
export function bodyOf(method: Method): MethodBody {
  const { dex } = method.owner;
  const code = dex === null ? null : codeAt(dex, method.codeOffset);
  if (dex === null || code === null) throw new BadCode('there is no code');
  if (code.units.length === 0) throw new BadCode('the code is empty');
  const expected = argumentRegisters(method);
  if (code.ins !== expected || code.registers < expected) {
    throw new BadCode(`${code.ins} registers of ${code.registers} for arguments, ${expected} are needed`);
  }
  return methodBody(dex, code);
}

/** What a method has in its code to compare with: strings, and numbers of constants and switches. */
export function literalsOf(method: Method): { texts: Set<string>; numbers: Set<number> } {
  const { dex } = method.owner;
  const texts = new Set<string>();
  const numbers = new Set<number>();
  if (dex === null || method.codeOffset === 0) return { texts, numbers };
  const { code, instructions } = bodyOf(method);
  for (const { opcode, index, literal, target } of instructions) {
    if (opcode.value === 0x1a || opcode.value === 0x1b) texts.add(dex.string(index));
    else if (opcode.value >= 0x12 && opcode.value <= 0x19) numbers.add(Number(literal));
    else if (opcode.isSwitch) {
      const table = payloadAt(code.units, target);
      if (table?.kind === 'sparse-switch') for (const key of table.keys) numbers.add(key);
      if (table?.kind === 'packed-switch')
        for (const place of table.targets.keys()) numbers.add(table.firstKey + place);
    }
  }
  return { texts, numbers };
}

/** @throws BadCode for what Android's verifier refuses */
export function prepare(method: Method): PreparedMethod {
  const dex = method.owner.dex!;
  const body = bodyOf(method);
  const parameters = method.isStatic ? method.parameters : [method.owner.descriptor, ...method.parameters];
  const types = constantTypes(dex, body, parameters, method.returns);
  return new Emitter(method, dex, body, types).emit();
}

/** Operations by mnemonic without the `/2addr`, `/16`, … that only say how operands are written. */
class Emitter {
  readonly #method: Method;
  readonly #dex: Dex;
  readonly #body: MethodBody;
  readonly #types: ConstantTypes;
  readonly #stream: number[] = [];
  readonly #pool: unknown[] = [];
  readonly #starts: number[] = [];
  /** Places in the stream that hold the position of an instruction until all are known. */
  readonly #branches: number[] = [];
  readonly #packed: { table: PackedTable; positions: readonly number[] }[] = [];
  readonly #sparse: Map<number, number>[] = [];
  #extraRegisters = 0;

  constructor(method: Method, dex: Dex, body: MethodBody, types: ConstantTypes) {
    this.#method = method;
    this.#dex = dex;
    this.#body = body;
    this.#types = types;
  }

  emit(): PreparedMethod {
    const { instructions, code } = this.#body;
    const stream = this.#stream;
    for (const [position, instruction] of instructions.entries()) {
      this.#starts.push(stream.length);
      const registers = this.#convert(position, instruction);
      const at = stream.length;
      this.#instruction(position, instruction, registers);
      stream[at] = ~stream[at]!;
      if (instruction.following < 0 && instruction.opcode.canContinue) stream.push(own.end);
    }
    stream.push(own.end);
    const starts = Int32Array.from(this.#starts);
    for (const place of this.#branches) stream[place] = starts[stream[place]!]!;
    for (const { table, positions } of this.#packed) {
      positions.forEach((position, index) => {
        table.targets[index] = starts[position]!;
      });
    }
    for (const table of this.#sparse) for (const [key, position] of table) table.set(key, starts[position]!);
    const count = argumentRegisters(this.#method);
    return new PreparedMethod({
      method: this.#method,
      dex: this.#dex,
      stream: Int32Array.from(stream),
      pool: this.#pool,
      registers: code.registers + this.#extraRegisters,
      argumentBase: code.registers - count,
      argumentRegisters: count,
      tries: this.#tries(starts, stream.length),
      starts,
      addresses: Int32Array.from(instructions, (instruction) => instruction.at),
      isSynchronized: (this.#method.accessFlags & flags.synchronized) !== 0,
    });
  }

  #tries(starts: Int32Array, length: number): PreparedTry[] {
    const { positions, tries, instructions } = this.#body;
    /** Stream place of the first instruction at or after an address. */
    const place = (address: number): number => {
      for (let at = address; at < positions.length; at++) {
        if (positions[at]! >= 0) return starts[positions[at]!]!;
      }
      return length;
    };
    const handler = (address: number): number => {
      const position = positions[address] ?? -1;
      if (position < 0 || position >= instructions.length) throw new BadCode(`a handler at 0x${address.toString(16)}`);
      return starts[position]!;
    };
    return tries.map((block) => ({
      start: place(block.start),
      end: place(block.end),
      handlers: [
        ...block.handlers.map(({ typeIndex, address }) => ({ type: this.#dex.type(typeIndex), at: handler(address) })),
        ...(block.catchAllAddress === null ? [] : [{ type: null, at: handler(block.catchAllAddress) }]),
      ],
    }));
  }

  /** Puts the conversions that an instruction needs before it; its registers, with what they come from replaced. */
  #convert(position: number, instruction: BodyInstruction): readonly number[] {
    const conversions = this.#types.conversions.get(position);
    if (conversions === undefined) return instruction.registers;
    const registers = [...instruction.registers];
    conversions.forEach(({ operand, to }, index) => {
      const from = registers[operand]!;
      // check-cast leaves its value where it read it.
      const isInPlace = instruction.opcode.value === 0x1f;
      const into = isInPlace ? from : this.#body.code.registers + index;
      if (!isInPlace) this.#extraRegisters = Math.max(this.#extraRegisters, index + 1);
      this.#stream.push(to === 'reference' ? own.toReference : to === 'float' ? own.toFloat : own.toDouble, into, from);
      registers[operand] = into;
    });
    return registers;
  }

  #poolIndex(value: unknown): number {
    return this.#pool.push(value) - 1;
  }

  #instruction(position: number, instruction: BodyInstruction, registers: readonly number[]): void {
    const stream = this.#stream;
    const { opcode, index, literal } = instruction;
    const { value } = opcode;
    const [a = 0, b = 0, c = 0] = registers;
    if (opcode.isInvoke) {
      stream.push(value, this.#poolIndex(this.#callSite(instruction)), registers.length, ...registers);
    } else if (opcode.isUnused) {
      stream.push(own.unused);
    } else if (value >= 0xd0 && value <= 0xe2) {
      // Literals of 16 bits do what those of 8 do; 0xd0…0xd7 are the first eight of 0xd8…
      stream.push(value < 0xd8 ? value + 8 : value, a, b, literal as number);
    } else if (value >= 0xb0 && value <= 0xcf) {
      stream.push(value - 0x20, a, a, b);
    } else if (value >= 0x90 && value <= 0xaf) {
      stream.push(value, a, b, c);
    } else if (value >= 0x7b && value <= 0x8f) {
      stream.push(value, a, b);
    } else if (value >= 0x44 && value <= 0x51) {
      stream.push(value, a, b, c);
    } else if (value >= 0x52 && value <= 0x5f) {
      stream.push(value < 0x59 ? 0x52 : 0x59, a, b, index);
    } else if (value >= 0x60 && value <= 0x6d) {
      stream.push(value < 0x67 ? 0x60 : 0x67, a, index);
    } else if (value >= 0x32 && value <= 0x37) {
      this.#branches.push(stream.push(value, a, b, instruction.targets[0]!) - 1);
    } else if (value >= 0x38 && value <= 0x3d) {
      this.#branches.push(stream.push(value, a, instruction.targets[0]!) - 1);
    } else if (value >= 0x2d && value <= 0x31) {
      stream.push(value, a, b, c);
    } else if (value >= 0x28 && value <= 0x2a) {
      this.#branches.push(stream.push(0x28, instruction.targets[0]!) - 1);
    } else if (value >= 0x12 && value <= 0x19) {
      this.#constant(position, a, literal);
    } else if (value >= 0x01 && value <= 0x09) {
      stream.push(0x01, a, b);
    } else if (value >= 0x0a && value <= 0x0c) {
      stream.push(0x0a, a);
    } else if (value >= 0x0f && value <= 0x11) {
      stream.push(0x0f, a);
    } else {
      this.#other(instruction, registers);
    }
  }

  #constant(position: number, register: number, literal: number | bigint): void {
    const stream = this.#stream;
    const { value } = this.#body.instructions[position]!.opcode;
    const isWide = value >= 0x16;
    const kind: Kind = this.#types.kinds.get(position) ?? (isWide ? 'long' : 'int');
    if (isWide) {
      const bits = BigInt(literal);
      stream.push(own.constPool, register, this.#poolIndex(kind === 'double' ? doubleFromBits(bits) : bits));
    } else if (kind === 'int') {
      stream.push(0x12, register, literal as number);
    } else {
      const content = kind === 'float' ? floatFromBits(literal as number) : null;
      stream.push(own.constPool, register, this.#poolIndex(content));
    }
  }

  #other(instruction: BodyInstruction, registers: readonly number[]): void {
    const stream = this.#stream;
    const { opcode, index } = instruction;
    const [a = 0, b = 0] = registers;
    switch (opcode.value) {
      case 0x00: // nop
      case 0x0e: // return-void
        stream.push(opcode.value);
        break;
      case 0x0d: // move-exception
      case 0x1d: // monitor-enter
      case 0x1e: // monitor-exit
      case 0x27: // throw
        stream.push(opcode.value, a);
        break;
      case 0x1a: // const-string
      case 0x1b: // const-string/jumbo
        stream.push(own.constString, a, index);
        break;
      case 0x1c: // const-class
      case 0x1f: // check-cast
      case 0x22: // new-instance
      case 0xfe: // const-method-handle
      case 0xff: // const-method-type
        stream.push(opcode.value, a, index);
        break;
      case 0x20: // instance-of
      case 0x23: // new-array
        stream.push(opcode.value, a, b, index);
        break;
      case 0x21: // array-length
        stream.push(opcode.value, a, b);
        break;
      case 0x24: // filled-new-array
      case 0x25: // filled-new-array/range
        stream.push(0x24, index, registers.length, ...registers);
        break;
      case 0x26: {
        const { units } = this.#body.code;
        const payload = instruction.target >= 0 ? payloadAt(units, instruction.target) : null;
        if (payload?.kind !== 'array-data') throw new BadCode('fill-array-data without its table');
        stream.push(opcode.value, a, this.#poolIndex(payload));
        break;
      }
      case 0x2b: // packed-switch
      case 0x2c: // sparse-switch
        stream.push(opcode.value, a, this.#poolIndex(this.#switchTable(instruction)));
        break;
      default:
        stream.push(own.unused);
    }
  }

  #switchTable(instruction: BodyInstruction): PackedTable | Map<number, number> {
    const payload = payloadAt(this.#body.code.units, instruction.target);
    if (payload?.kind === 'packed-switch') {
      const table = { firstKey: payload.firstKey, targets: new Int32Array(instruction.targets.length) };
      if (instruction.opcode.value !== 0x2b) throw new BadCode('a table of the other kind of switch');
      this.#packed.push({ table, positions: instruction.targets });
      return table;
    }
    if (payload?.kind !== 'sparse-switch' || instruction.opcode.value !== 0x2c) {
      throw new BadCode('a table of the other kind of switch');
    }
    const table = new Map<number, number>();
    payload.keys.forEach((key, index) => {
      if (!table.has(key)) table.set(key, instruction.targets[index]!);
    });
    this.#sparse.push(table);
    return table;
  }

  #callSite(instruction: BodyInstruction): CallSite {
    const dex = this.#dex;
    const { opcode, index } = instruction;
    const kind = invokeKind(opcode.mnemonic);
    const parameters = invokedParameters(dex, instruction);
    const signature = kind === 'custom' ? '' : dex.methodName(index) + dex.methodDescriptor(index);
    const site = new CallSite(kind, instruction, signature, parameters, invokedReturn(dex, instruction));
    const needed = parameters.reduce((sum, type) => sum + (type === 'J' || type === 'D' ? 2 : 1), 0);
    if (needed !== instruction.registers.length) {
      throw new BadCode(`${instruction.registers.length} registers for the ${needed} of ${signature}`);
    }
    return site;
  }
}
