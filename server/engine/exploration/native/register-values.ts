// What a register holds at an instruction where that can be told from those before it: addresses and words of the library.
// Where ways meet, only what holds on each of them is known. Knows no symbol.
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
/** What stands between functions and blocks, and is not run. */
const fills = /^(?:nop|int3|hint|udf|\.)/;
/** Loops inside of loops that are gone through for what still holds; then nothing is known where ways meet. */
const maxRounds = 8;

/** Leaves in `known` what `other` says too. @returns whether anything was left out */
function narrow(known: Registers, other: Registers): boolean {
  let isLess = false;
  for (const [name, held] of known) {
    const same = other.get(name);
    const isSame =
      same !== undefined &&
      ('value' in held ? 'value' in same && same.value === held.value : 'slot' in same && same.slot === held.slot);
    if (isSame) continue;
    known.delete(name);
    isLess = true;
  }
  return isLess;
}

/** One look through the code of a function after the other, until what holds where ways meet changes no more. */
class Flow {
  readonly #instructions: readonly Instruction[];
  readonly #memory: Memory;
  readonly #set: InstructionSet;
  readonly #initial: Registers;
  /** By the address of an instruction, what holds on each way that leads there by a jump. */
  readonly #coming = new Map<number, Registers>();
  /** Code that no way is known to lead to. */
  #unreached: number[] = [];
  #told: (Told | null)[] = [];

  constructor(instructions: readonly Instruction[], memory: Memory, set: InstructionSet, initial: Registers) {
    this.#instructions = instructions;
    this.#memory = memory;
    this.#set = set;
    this.#initial = initial;
  }

  run(): (Told | null)[] {
    let rounds = 0;
    while (this.#changes()) {
      if (++rounds === maxRounds) for (const state of this.#coming.values()) state.clear();
    }
    if (this.#unreached.length === 0) return this.#told;
    // Tables of addresses, or handlers of exceptions, lead there.
    for (const address of this.#unreached) this.#coming.set(address, new Map());
    while (this.#changes()) {
      if (++rounds >= maxRounds) for (const state of this.#coming.values()) state.clear();
    }
    return this.#told;
  }

  /** Whether a jump back brought less than was taken for granted where it leads. */
  #changes(): boolean {
    let isChanged = false;
    const step = steps[this.#set];
    const registers: Registers = new Map(this.#initial);
    let isReached = true;
    this.#unreached = [];
    this.#told = this.#instructions.map((one) => {
      const coming = this.#coming.get(one.address);
      if (coming !== undefined) {
        if (isReached) narrow(registers, coming);
        else for (const [name, held] of coming) registers.set(name, held);
        isReached = true;
      }
      if (!isReached && !fills.test(one.mnemonic)) this.#unreached.push(one.address);
      const told = step(one, registers, this.#memory, this.#set);
      if (told?.kind === 'jump' && isReached) {
        const known = this.#coming.get(told.address);
        if (known === undefined) this.#coming.set(told.address, new Map(registers));
        const isLess = known === undefined || narrow(known, registers);
        isChanged ||= isLess && told.address <= one.address;
      }
      if (endsFlow.test(one.mnemonic)) isReached = false;
      if (!isReached) registers.clear();
      return told;
    });
    return isChanged;
  }
}

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
  return new Flow(instructions, memory, set, initial).run();
}
