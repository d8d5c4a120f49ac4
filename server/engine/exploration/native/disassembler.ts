// Bytes as instructions, by Capstone in WebAssembly. Knows no file and no symbol.
import openCapstone, { type Capstone } from '@alexaltea/capstone-js';
import type { InstructionSet } from '../../../contract/engine/native-code.ts';

export interface Instruction {
  address: number;
  size: number;
  mnemonic: string;
  operands: string;
}

/** Bytes that are given to Capstone at once: it copies them, and starts anew behind each that is no instruction. */
const windowLength = 1024;
const longestInstruction = 15;

/** Bytes that are no instruction are skipped by so many, as the processor would be. */
const unitOf: Readonly<Record<InstructionSet, number>> = { arm: 4, thumb: 2, arm64: 4, x86: 1, 'x86-64': 1 };

let capstone: Capstone | null = null;

/** Compiles Capstone where that was not done yet; whatever decodes comes after it. */
export async function prepareDisassembler(): Promise<void> {
  capstone ??= await openCapstone();
}

export class Disassembler {
  readonly #handles = new Map<InstructionSet, InstanceType<Capstone['Capstone']>>();

  /** Up to `count` instructions from the start of `bytes`; what is none is told as `.byte` or the like. */
  decode(bytes: Uint8Array, address: number, set: InstructionSet, count: number): Instruction[] {
    const instructions: Instruction[] = [];
    const unit = unitOf[set];
    let at = 0;
    while (at < bytes.length && instructions.length < count) {
      const end = Math.min(bytes.length, at + windowLength);
      // An instruction that the window cuts is read with the next one.
      const whole = end === bytes.length ? end : end - longestInstruction;
      const before = at;
      for (const one of this.#run(bytes.subarray(at, end), address + at, set, count - instructions.length)) {
        if (at >= whole) break;
        instructions.push({
          address: address + at,
          size: one.size,
          mnemonic: one.mnemonic,
          operands: one.op_str,
        });
        at += one.size;
      }
      if (at < whole && instructions.length < count && (at === before || end - at > longestInstruction)) {
        instructions.push(dataAt(bytes.subarray(at, at + unit), address + at));
        at += Math.min(unit, bytes.length - at);
      }
    }
    return instructions;
  }

  close(): void {
    for (const handle of this.#handles.values()) handle.close();
    this.#handles.clear();
  }

  #run(bytes: Uint8Array, address: number, set: InstructionSet, count: number) {
    try {
      return this.#handle(set).disasm(bytes, address, count);
    } catch (error) {
      // The first bytes are no instruction.
      if (typeof error === 'string') return [];
      // An instance that trapped is not used again.
      capstone = null;
      throw error;
    }
  }

  #handle(set: InstructionSet): InstanceType<Capstone['Capstone']> {
    const known = this.#handles.get(set);
    if (known !== undefined) return known;
    if (capstone === null) throw new Error('the disassembler is not prepared');
    const { Capstone: Handle, ARCH_ARM, ARCH_ARM64, ARCH_X86, MODE_ARM, MODE_THUMB, MODE_32, MODE_64 } = capstone;
    const words: Readonly<Record<InstructionSet, readonly [number, number]>> = {
      arm: [ARCH_ARM, MODE_ARM],
      thumb: [ARCH_ARM, MODE_THUMB],
      arm64: [ARCH_ARM64, MODE_ARM],
      x86: [ARCH_X86, MODE_32],
      'x86-64': [ARCH_X86, MODE_64],
    };
    const handle = new Handle(...words[set]);
    this.#handles.set(set, handle);
    return handle;
  }
}

/** Bytes that are no instruction, as an assembler takes them. */
export function dataAt(bytes: Uint8Array, address: number): Instruction {
  const name = { 2: '.short', 4: '.word' }[bytes.length] ?? '.byte';
  const text =
    name === '.byte'
      ? [...bytes].map((byte) => `0x${byte.toString(16).padStart(2, '0')}`).join(', ')
      : `0x${Buffer.from(bytes).readUIntLE(0, bytes.length).toString(16)}`;
  return { address, size: bytes.length, mnemonic: name, operands: text };
}
