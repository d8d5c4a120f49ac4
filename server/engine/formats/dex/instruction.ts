// Decodes single instructions and their payloads from code units. Knows no tables that the indexes point into.
//
// https://source.android.com/docs/core/runtime/instruction-formats
import { type Opcode, opcodes, opcodeValues, payloadIdents, payloadLength } from './opcodes.ts';

/** Data that stands among the instructions. Targets are relative to the switch that refers to the payload. */
export type Payload =
  | { readonly kind: 'packed-switch'; readonly firstKey: number; readonly targets: readonly number[] }
  | { readonly kind: 'sparse-switch'; readonly keys: readonly number[]; readonly targets: readonly number[] }
  | {
      readonly kind: 'array-data';
      readonly elementWidth: number;
      readonly elements: number;
      readonly data: Uint8Array;
    };
export type ArrayData = Extract<Payload, { kind: 'array-data' }>;

export interface Instruction {
  /** Position in code units from the start of the method. */
  readonly at: number;
  readonly opcode: Opcode;
  /** In code units; may reach past the end of the code, then `isTruncated` is set. */
  readonly length: number;
  /** In the order of the assembler's notation. For a range these are all of its registers. */
  readonly registers: readonly number[];
  /** Where a range of registers starts, even an empty one. */
  readonly rangeStart: number;
  readonly index: number;
  /** The prototype of `invoke-polymorphic`. */
  readonly secondIndex: number;
  /** Sign-extended and shifted as the instruction does; 64 bits wide for `const-wide` and `const-wide/high16`. */
  readonly literal: number | bigint;
  /** Position a branch goes to, or of the payload a switch or array uses, from the start of the method. */
  readonly target: number;
  /** Not null for the `nop`s that open a payload. */
  readonly payload: Payload | null;
  /** The code ends within it: operands past the end read as 0. */
  readonly isTruncated: boolean;
}

const constWideHigh16 = opcodeValues.get('const-wide/high16')!;

/** Decodes the instruction at `units[at]`; the code ends before `units[end]`. Unused opcodes are one unit long. */
export function instructionAt(units: Uint16Array, at: number, end: number = units.length): Instruction {
  const unit = units[at] ?? 0;
  const opcode = opcodes[unit & 0xff]!;
  const word = (position: number): number => (at + position < end ? units[at + position]! : 0);
  const wordPair = (position: number): number => word(position) | (word(position + 1) << 16);
  const high = unit >> 8;
  const lowNibble = high & 0xf;
  const highNibble = high >> 4;
  let registers: number[] = [];
  let rangeStart = 0;
  let index = 0;
  let secondIndex = 0;
  let literal: number | bigint = 0;
  let branch = 0;
  let { length } = opcode;
  let payload: Payload | null = null;
  switch (opcode.format) {
    case '10x': {
      const payloadUnits = payloadLength(units, at, end);
      if (payloadUnits > 0) {
        length = payloadUnits;
        payload = payloadAt(units, at, end);
      }
      break;
    }
    case '12x':
      registers = [lowNibble, highNibble];
      break;
    case '11n':
      registers = [lowNibble];
      literal = (unit << 16) >> 28;
      break;
    case '11x':
      registers = [high];
      break;
    case '10t':
      branch = (unit << 16) >> 24;
      break;
    case '20t':
      branch = (word(1) << 16) >> 16;
      break;
    case '22x':
      registers = [high, word(1)];
      break;
    case '21t':
      registers = [high];
      branch = (word(1) << 16) >> 16;
      break;
    case '21s':
      registers = [high];
      literal = (word(1) << 16) >> 16;
      break;
    case '21h':
      registers = [high];
      literal = opcode.value === constWideHigh16 ? BigInt.asIntN(64, BigInt(word(1)) << 48n) : word(1) << 16;
      break;
    case '21c':
      registers = [high];
      index = word(1);
      break;
    case '23x':
      registers = [high, word(1) & 0xff, word(1) >> 8];
      break;
    case '22b':
      registers = [high, word(1) & 0xff];
      literal = (word(1) << 16) >> 24;
      break;
    case '22t':
      registers = [lowNibble, highNibble];
      branch = (word(1) << 16) >> 16;
      break;
    case '22s':
      registers = [lowNibble, highNibble];
      literal = (word(1) << 16) >> 16;
      break;
    case '22c':
      registers = [lowNibble, highNibble];
      index = word(1);
      break;
    case '30t':
      branch = wordPair(1);
      break;
    case '32x':
      registers = [word(1), word(2)];
      break;
    case '31i':
      registers = [high];
      literal = wordPair(1);
      break;
    case '31t':
      registers = [high];
      branch = wordPair(1);
      break;
    case '31c':
      registers = [high];
      index = wordPair(1) >>> 0;
      break;
    case '35c':
    case '45cc': {
      const packed = word(2);
      const all = [packed & 0xf, (packed >> 4) & 0xf, (packed >> 8) & 0xf, packed >> 12, lowNibble];
      registers = all.slice(0, highNibble);
      index = word(1);
      if (opcode.format === '45cc') secondIndex = word(3);
      break;
    }
    case '3rc':
    case '4rcc':
      rangeStart = word(2);
      registers = Array.from({ length: high }, (_, position) => rangeStart + position);
      index = word(1);
      if (opcode.format === '4rcc') secondIndex = word(3);
      break;
    case '51l':
      registers = [high];
      literal = BigInt.asIntN(64, BigInt(wordPair(1) >>> 0) | (BigInt(wordPair(3) >>> 0) << 32n));
      break;
  }
  return {
    at,
    opcode,
    length,
    registers,
    rangeStart,
    index,
    secondIndex,
    literal,
    target: at + branch,
    payload,
    isTruncated: at + length > end,
  };
}

/** Decodes the payload at `units[at]`, cut to the code's end; null where there is none. */
export function payloadAt(units: Uint16Array, at: number, end: number = units.length): Payload | null {
  const wordPair = (position: number): number =>
    (position < end ? units[position]! : 0) | ((position + 1 < end ? units[position + 1]! : 0) << 16);
  const pairs = (position: number, count: number): number[] => {
    const room = Math.max(0, Math.min(count, (end - position) >> 1));
    return Array.from({ length: room }, (_, pair) => wordPair(position + pair * 2));
  };
  const size = at + 1 < end ? units[at + 1]! : 0;
  switch (units[at]) {
    case payloadIdents.packedSwitch:
      return { kind: 'packed-switch', firstKey: wordPair(at + 2), targets: pairs(at + 4, size) };
    case payloadIdents.sparseSwitch: {
      const keys = pairs(at + 2, size);
      const targets = pairs(at + 2 + size * 2, size);
      return { kind: 'sparse-switch', keys: keys.slice(0, targets.length), targets };
    }
    case payloadIdents.fillArrayData: {
      const elements = wordPair(at + 2) >>> 0;
      const from = Math.min(at + 4, end);
      const length = Math.min(elements * size, (end - from) * 2);
      const data = new Uint8Array(units.buffer, units.byteOffset + from * 2, length);
      return { kind: 'array-data', elementWidth: size, elements, data };
    }
    default:
      return null;
  }
}

/** Every instruction of a method in the order of its code, payloads included. */
export function* instructionsOf(units: Uint16Array): Generator<Instruction> {
  for (let at = 0; at < units.length; ) {
    const instruction = instructionAt(units, at);
    yield instruction;
    at += instruction.length;
  }
}
