// What kind of value each operand of an instruction is read as, and what the instruction leaves. Knows no registers' contents.
import type { Dex } from '../formats/dex/dex.ts';
import type { Instruction } from '../formats/dex/instruction.ts';
import { callSiteAt } from '../formats/dex/method-handle.ts';

/** `any`: int or float, or 0 for null, as the rest of the method tells. */
export type Kind = 'any' | 'int' | 'float' | 'reference' | 'long' | 'double';

export function kindOf(descriptor: string): Kind {
  switch (descriptor.charCodeAt(0)) {
    case 0x46: // F
      return 'float';
    case 0x4a: // J
      return 'long';
    case 0x44: // D
      return 'double';
    case 0x4c: // L
    case 0x5b: // [
      return 'reference';
    default:
      return 'int';
  }
}

/** Parameter types of an invocation in the order of its registers, the receiver first. */
export function invokedParameters(dex: Dex, instruction: Instruction): readonly string[] {
  const { opcode, index, secondIndex } = instruction;
  if (opcode.index === 'call-site') return dex.protoParameters(callSitePrototype(dex, index));
  if (opcode.index === 'method-and-proto') return ['Ljava/lang/Object;', ...dex.protoParameters(secondIndex)];
  const parameters = dex.protoParameters(dex.methodProtoIndex(index));
  return opcode.mnemonic.startsWith('invoke-static') ? parameters : [dex.methodClass(index), ...parameters];
}

/** Index of the prototype a call site links to, -1 where it has none. */
function callSitePrototype(dex: Dex, index: number): number {
  const type = callSiteAt(dex, index)?.[2];
  return type?.kind === 'proto' ? type.index : -1;
}

export function invokedReturn(dex: Dex, { opcode, index, secondIndex }: Instruction): string {
  if (opcode.index === 'call-site') return dex.protoReturnType(callSitePrototype(dex, index));
  if (opcode.index === 'method-and-proto') return dex.protoReturnType(secondIndex);
  return dex.protoReturnType(dex.methodProtoIndex(index));
}

/** Kinds of the operands that arithmetic reads, by opcode: of the second and third, or of the first two for `/2addr`. */
function arithmeticKinds(value: number): readonly [Kind, Kind] {
  const group = value < 0xb0 ? value - 0x90 : value - 0xb0;
  if (group < 11) return ['int', 'int'];
  if (group < 19) return ['long', 'long'];
  if (group < 22) return ['long', 'int'];
  return group < 27 ? ['float', 'float'] : ['double', 'double'];
}

const kindList = (list: string): readonly Kind[] => list.split(' ') as Kind[];
/** Operands and results of `neg-int` to `int-to-short`, in the order of the opcodes. */
const conversionSources = kindList(
  'int int long long float double int int int long long long float float float double double double int int int',
);
const conversionResults = kindList(
  'int int long long float double long float double int float double int long double int long float int int int',
);

/**
 * Kinds of the operands by their place in `instruction.registers`; undefined for one that is only written.
 * `if-eq`, `if-ne`, `if-eqz`, `if-nez`, moves and `aput`s read whatever is there: 'any'.
 */
export function readKinds(dex: Dex, instruction: Instruction, returns: string): readonly (Kind | undefined)[] {
  const { value } = instruction.opcode;
  if (instruction.opcode.isInvoke) {
    const kinds: Kind[] = [];
    for (const type of invokedParameters(dex, instruction)) {
      const kind = kindOf(type);
      kinds.push(kind);
      if (kind === 'long' || kind === 'double') kinds.push('any');
    }
    return kinds;
  }
  if (value >= 0xd0 && value <= 0xe2) return [undefined, 'int'];
  if (value >= 0xb0) return value <= 0xcf ? arithmeticKinds(value) : [];
  if (value >= 0x90) return [undefined, ...arithmeticKinds(value)];
  if (value >= 0x7b) return [undefined, conversionSources[value - 0x7b]];
  if (value >= 0x67 && value <= 0x6d) return [kindOf(dex.fieldType(instruction.index))];
  if (value >= 0x59 && value <= 0x5f) return [kindOf(dex.fieldType(instruction.index)), 'reference'];
  if (value >= 0x52 && value <= 0x58) return [undefined, 'reference'];
  if (value >= 0x44 && value <= 0x4a) return [undefined, 'reference', 'int'];
  if (value === 0x4b || value === 0x4c) return ['any', 'reference', 'int'];
  if (value === 0x4d) return ['reference', 'reference', 'int'];
  if (value >= 0x4e && value <= 0x51) return ['int', 'reference', 'int'];
  if (value >= 0x3a && value <= 0x3d) return ['int'];
  if (value === 0x38 || value === 0x39) return ['any'];
  if (value >= 0x34 && value <= 0x37) return ['int', 'int'];
  switch (value) {
    case 0x01:
    case 0x02:
    case 0x03:
    case 0x04:
    case 0x05:
    case 0x06:
      return [undefined, 'any'];
    case 0x07:
    case 0x08:
    case 0x09:
    case 0x20: // instance-of
    case 0x21: // array-length
      return [undefined, 'reference'];
    case 0x0f:
    case 0x10:
    case 0x11:
      return [kindOf(returns)];
    case 0x1d:
    case 0x1e:
    case 0x1f: // check-cast
    case 0x26:
    case 0x27:
      return ['reference'];
    case 0x23:
      return [undefined, 'int'];
    case 0x24:
    case 0x25: {
      const kind = kindOf(dex.type(instruction.index).slice(1));
      return instruction.registers.map(() => kind);
    }
    case 0x2b:
    case 0x2c:
      return ['int'];
    case 0x2d:
    case 0x2e:
      return [undefined, 'float', 'float'];
    case 0x2f:
    case 0x30:
      return [undefined, 'double', 'double'];
    case 0x31:
      return [undefined, 'long', 'long'];
    case 0x32:
    case 0x33:
      return ['any', 'any'];
    default:
      return [];
  }
}

/**
 * Kind of what the instruction leaves in its first register; null where it leaves nothing there. Moves, constants of
 * numbers, `move-result` and `aget` depend on more than the instruction: the caller knows.
 */
export function writtenKind(dex: Dex, instruction: Instruction): Kind | null {
  const { value, isInvoke } = instruction.opcode;
  if (isInvoke) return null;
  if (value >= 0xd0 && value <= 0xe2) return 'int';
  if (value >= 0x90 && value <= 0xcf) return arithmeticKinds(value)[0];
  if (value >= 0x7b && value <= 0x8f) return conversionResults[value - 0x7b]!;
  if ((value >= 0x52 && value <= 0x58) || (value >= 0x60 && value <= 0x66)) {
    return kindOf(dex.fieldType(instruction.index));
  }
  if (value >= 0x47 && value <= 0x4a) return 'int';
  if (value >= 0x2d && value <= 0x31) return 'int';
  switch (value) {
    case 0x0d: // move-exception
    case 0x1a:
    case 0x1b:
    case 0x1c:
    case 0x1f: // check-cast
    case 0x22:
    case 0x23:
    case 0x46: // aget-object
    case 0xfe:
    case 0xff:
      return 'reference';
    case 0x20:
    case 0x21:
      return 'int';
    default:
      return null;
  }
}

/** Whether an instruction leaves something in its first register. */
export function writesFirst(value: number): boolean {
  if (value >= 0x01 && value <= 0x0d) return true;
  if (value >= 0x12 && value <= 0x1c) return true;
  if (value >= 0x20 && value <= 0x23) return true;
  if (value >= 0x2d && value <= 0x31) return true;
  if (value >= 0x44 && value <= 0x4a) return true;
  if (value >= 0x52 && value <= 0x58) return true;
  if (value >= 0x60 && value <= 0x66) return true;
  return (value >= 0x7b && value <= 0xe2) || value === 0xfe || value === 0xff;
}

/** `move` in all its forms, without those of a result or an exception. */
export const isMove = (value: number): boolean => value >= 0x01 && value <= 0x09;

/** A number or null: `const` in all its forms, without texts and classes. */
export const isConstant = (value: number): boolean => value >= 0x12 && value <= 0x19;
