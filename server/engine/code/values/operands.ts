// What an instruction reads from its registers and leaves in one, with descriptors. Knows no contents of registers.
import type { Dex } from '../../formats/dex/dex.ts';
import { callSiteAt } from '../../formats/dex/method-handle.ts';
import { BadCode, type BodyInstruction, type MethodBody } from '../method-body.ts';
import { invokedParameters, invokedReturn } from '../operand-kinds.ts';

/**
 * A descriptor, or what only the surroundings tell: `?` a value compared with another, `=` a value that is moved, `[` an array
 * whose type says what its elements are.
 */
export type OperandType = string;

export interface Operand {
  /** The first one of a pair. */
  readonly register: number;
  readonly type: OperandType;
}

export interface Operands {
  readonly reads: readonly Operand[];
  readonly write: Operand | null;
}

export const object = 'Ljava/lang/Object;';
export const throwable = 'Ljava/lang/Throwable;';
export const isWide = (type: string): boolean => type === 'J' || type === 'D';
export const isReference = (type: string): boolean => type.charCodeAt(0) === 0x4c || type.charCodeAt(0) === 0x5b;
const isType = (type: string): boolean => /^\[*(?:[ZBSCIJFD]|L.+;)$/s.test(type);

const arithmetic = ['I', 'J', 'F', 'D'] as const;
const sources = 'IIJJFDIIIJJJFFFDDDIII';
const results = 'IIJJFDJFDIFDIJDIJFBCS';
const elementTypes = ['I', 'J', object, 'Z', 'B', 'C', 'S'] as const;
const nothing: Operands = { reads: [], write: null };

/** The type that arithmetic of an opcode from `add-int` or `add-int/2addr` on works in, and that of its second operand. */
export function arithmeticTypes(value: number): readonly [string, string] {
  const group = value < 0xb0 ? value - 0x90 : value - 0xb0;
  if (group < 11) return ['I', 'I'];
  if (group < 22) return ['J', group < 19 ? 'J' : 'I'];
  const type = arithmetic[group < 27 ? 2 : 3]!;
  return [type, type];
}

/** Operands of an invocation or `filled-new-array`: two registers hold one wide value. */
function passed(types: readonly string[], registers: readonly number[]): Operand[] {
  const operands: Operand[] = [];
  let place = 0;
  for (const type of types) {
    const register = registers[place];
    if (register === undefined || !isType(type)) throw new BadCode('arguments that do not fit what is called');
    operands.push({ register, type });
    place += isWide(type) ? 2 : 1;
  }
  if (place !== registers.length) throw new BadCode('arguments that do not fit what is called');
  return operands;
}

/** What `move-result` takes from the instruction before it. */
function resultType(dex: Dex, body: MethodBody, position: number): string {
  const before = body.instructions[position - 1];
  if (before === undefined || before.following !== position) throw new BadCode('a result of nothing');
  const { isInvoke, value } = before.opcode;
  const type = isInvoke ? invokedReturn(dex, before) : value === 0x24 || value === 0x25 ? dex.type(before.index) : 'V';
  if (!isType(type)) throw new BadCode('a result of nothing');
  return type;
}

/**
 * @param returns descriptor of what the method returns
 * @throws BadCode where an index points nowhere
 */
export function operandsOf(dex: Dex, body: MethodBody, position: number, returns: string): Operands {
  const instruction = body.instructions[position]!;
  const { registers, index, opcode } = instruction;
  const { value } = opcode;
  const [a = 0, b = 0, c = 0] = registers;
  const write = (type: string, ...reads: Operand[]): Operands => ({ reads, write: { register: a, type } });
  const read = (...reads: Operand[]): Operands => ({ reads, write: null });
  const at = (register: number, type: string): Operand => ({ register, type });
  const type = () => checkedType(dex.type(index));
  if (opcode.isInvoke) return read(...invocation(dex, instruction));
  if (value >= 0x01 && value <= 0x09) return write('=', at(b, '='));
  if (value >= 0x0a && value <= 0x0c) return write(resultType(dex, body, position));
  if (value >= 0x12 && value <= 0x15) return write('constant');
  if (value >= 0x16 && value <= 0x19) return write('wide');
  if (value >= 0xd0 && value <= 0xe2) return write('I', at(b, 'I'));
  if (value >= 0x90 && value <= 0xcf) {
    const [result, second] = arithmeticTypes(value);
    return value < 0xb0 ? write(result, at(b, result), at(c, second)) : write(result, at(a, result), at(b, second));
  }
  if (value >= 0x7b && value <= 0x8f) return write(results[value - 0x7b]!, at(b, sources[value - 0x7b]!));
  if (value >= 0x52 && value <= 0x6d) return fieldAccess(dex, instruction);
  if (value >= 0x44 && value <= 0x4a) {
    const element = elementTypes[value - 0x44]!;
    return { reads: [at(b, '['), at(c, 'I')], write: { register: a, type: value <= 0x46 ? '[' : element } };
  }
  if (value >= 0x4b && value <= 0x51) {
    return read(at(a, value <= 0x4d ? '[' : elementTypes[value - 0x4b]!), at(b, '['), at(c, 'I'));
  }
  if (value >= 0x3a && value <= 0x3d) return read(at(a, 'I'));
  if (value >= 0x34 && value <= 0x37) return read(at(a, 'I'), at(b, 'I'));
  if (value >= 0x2d && value <= 0x31) {
    const operand = value <= 0x2e ? 'F' : value <= 0x30 ? 'D' : 'J';
    return write('I', at(b, operand), at(c, operand));
  }
  switch (value) {
    case 0x0d:
      return write('exception');
    case 0x0f:
    case 0x10:
    case 0x11:
      if (returns === 'V') throw new BadCode('a value returned where none is declared');
      return read(at(a, returns));
    case 0x1a:
    case 0x1b:
      if (dex.stringOrNull(index) === null) throw new BadCode(`string ${index} is not there`);
      return write('Ljava/lang/String;');
    case 0x1c:
      type();
      return write('Ljava/lang/Class;');
    case 0x1d:
    case 0x1e:
      return read(at(a, object));
    case 0x1f:
      return write(type(), at(a, object));
    case 0x20:
      type();
      return write('Z', at(b, object));
    case 0x21:
      return write('I', at(b, '['));
    case 0x22:
      return write(type());
    case 0x23:
      return write(type(), at(b, 'I'));
    case 0x24:
    case 0x25:
      return read(
        ...passed(
          registers.map(() => type().slice(1)),
          registers,
        ),
      );
    case 0x26:
      return read(at(a, '['));
    case 0x27:
      return read(at(a, throwable));
    case 0x2b:
    case 0x2c:
      return read(at(a, 'I'));
    case 0x32:
    case 0x33:
      return read(at(a, '?'), at(b, '?'));
    case 0x38:
    case 0x39:
      return read(at(a, '?'));
    case 0xfe:
      return write('Ljava/lang/invoke/MethodHandle;');
    case 0xff:
      return write('Ljava/lang/invoke/MethodType;');
    default:
      return nothing;
  }
}

function checkedType(type: string): string {
  if (!isType(type)) throw new BadCode(`${type} is no type`);
  return type;
}

function invocation(dex: Dex, instruction: BodyInstruction): Operand[] {
  const { index, opcode, registers } = instruction;
  if (opcode.index === 'call-site' ? callSiteAt(dex, index) === null : index >= dex.methodCount) {
    throw new BadCode(`what is called, ${index}, is not there`);
  }
  return passed(invokedParameters(dex, instruction), registers);
}

function fieldAccess(dex: Dex, { opcode: { value }, registers, index }: BodyInstruction): Operands {
  const [a = 0, b = 0] = registers;
  if (index >= dex.fieldCount) throw new BadCode(`field ${index} is not there`);
  const type = checkedType(dex.fieldType(index));
  const owner = { register: b, type: checkedType(dex.fieldClass(index)) };
  const field = { register: a, type };
  if (value <= 0x58) return { reads: [owner], write: field };
  if (value <= 0x5f) return { reads: [field, owner], write: null };
  return value <= 0x66 ? { reads: [], write: field } : { reads: [field], write: null };
}
