// What operands of instructions say, and what the steps through them share. Knows no instruction set.
import type { InstructionSet } from '../../../contract/engine/native-code.ts';
import type { Instruction } from './disassembler.ts';

/** What an instruction has to do with an address: goes there, reads the word there, names it, goes where the word leads. */
export interface Told {
  kind: 'call' | 'jump' | 'load' | 'address' | 'through';
  address: number;
}

export interface Memory {
  /** The word at an address as it stands in the file; null where it is none of the file's. */
  wordAt(address: number): number | null;
  byteAt(address: number): number | null;
}

/** A value, or what the word at an address holds once the library is loaded. */
export type Held = { value: number } | { slot: number };
export type Registers = Map<string, Held>;

/** What one instruction does to the registers. */
export type Step = (instruction: Instruction, registers: Registers, memory: Memory, set: InstructionSet) => Told | null;

/** The number of an immediate as Capstone writes it: `#0x10`, `#-8`, `0x1234`. */
export function immediate(text: string | undefined): number | null {
  const match = /^#?(-?)(0x[0-9a-f]+|\d+)$/.exec(text?.trim() ?? '');
  return match === null ? null : (match[1] === '-' ? -1 : 1) * Number(match[2]);
}

/** Operands apart; brackets and braces stay whole. */
export const operandsOf = (text: string): string[] =>
  text.match(/(?:\[[^\]]*\]!?|\{[^}]*\}|[^,[{])+/g)?.map((one) => one.trim()) ?? [];

export const heldValue = (held: Held | undefined): number | null =>
  held !== undefined && 'value' in held ? held.value : null;
