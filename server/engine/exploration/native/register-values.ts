// What a register holds at an instruction where that can be told from those before it: addresses and words of the library.
// Forgets at every join of control flow rather than guess. Knows no symbol.
import type { InstructionSet } from '../../../contract/engine/native-code.ts';
import { armStep } from './arm-values.ts';
import { arm64Step } from './arm64-values.ts';
import type { Instruction } from './disassembler.ts';
import type { Memory, Registers, Step, Told } from './operands.ts';
import { x86Step } from './x86-values.ts';

const steps: Readonly<Record<InstructionSet, Step>> = {
  arm: armStep,
  thumb: armStep,
  arm64: arm64Step,
  x86: x86Step,
  'x86-64': x86Step,
};

/** Nothing goes on behind these. */
const endsFlow = /^(?:b|b\.w|br|braa|brab|ret|retaa|retab|bx|jmp|hlt|ud2|udf|brk)$/;

/**
 * @param initial what the registers hold at first
 * @returns for each instruction what it tells, null where it tells nothing
 */
export function toldBy(
  instructions: readonly Instruction[],
  memory: Memory,
  set: InstructionSet,
  initial: Registers = new Map(),
): (Told | null)[] {
  const step = steps[set];
  const joins = new Set<number>();
  for (const one of instructions) {
    // Where a jump leads does not depend on registers.
    const told = step(one, new Map(), memory, set);
    if (told?.kind === 'jump') joins.add(told.address);
  }
  const registers: Registers = new Map(initial);
  return instructions.map((one) => {
    if (joins.has(one.address)) registers.clear();
    const told = step(one, registers, memory, set);
    if (endsFlow.test(one.mnemonic)) registers.clear();
    return told;
  });
}
