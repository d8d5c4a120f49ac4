// The instructions of a method by address, its try blocks, and where control can go. Knows no values and no dex tables but code items.
import { type Code, type TryBlock, tryBlocksOf } from '../formats/dex/code-item.ts';
import type { Dex } from '../formats/dex/dex.ts';
import { type Instruction, instructionAt, payloadAt } from '../formats/dex/instruction.ts';

/** An instruction with the places it can go on at, as positions in `MethodBody.instructions`. */
export interface BodyInstruction extends Instruction {
  /** Next in the code, -1 where it cannot go on there. */
  readonly following: number;
  /** Branch and switch targets. */
  readonly targets: readonly number[];
}

export interface MethodBody {
  readonly code: Code;
  readonly instructions: readonly BodyInstruction[];
  /** Position of the instruction at an address in code units, -1 where none starts. */
  readonly positions: Int32Array;
  readonly tries: readonly TryBlock[];
}

/** Code that Android's verifier refuses. */
export class BadCode extends Error {}

/**
 * Decodes a method and checks what running it relies on: every branch hits an instruction, every register is there.
 * @throws BadCode
 */
export function methodBody(dex: Dex, code: Code): MethodBody {
  const { units } = code;
  const decoded: Instruction[] = [];
  const positions = new Int32Array(units.length).fill(-1);
  for (let at = 0; at < units.length; ) {
    const instruction = instructionAt(units, at);
    if (instruction.payload === null) {
      // Data that only looks like instructions may follow the code's end; it counts when something leads there.
      positions[at] = decoded.length;
      decoded.push(instruction);
    }
    at += Math.max(1, instruction.length);
  }
  const positionAt = (address: number): number => {
    const position = positions[address] ?? -1;
    if (position < 0) throw new BadCode(`branch to 0x${address.toString(16)}, where no instruction is`);
    return position;
  };
  const instructions = decoded.map((instruction, position): BodyInstruction => {
    const { opcode, at, length } = instruction;
    for (const register of instruction.registers) {
      if (register >= code.registers) throw new BadCode(`register v${register} of ${code.registers}`);
    }
    const follows = positions[at + length] === position + 1 && position + 1 < decoded.length;
    return {
      ...instruction,
      following: opcode.canContinue && follows ? position + 1 : -1,
      targets: opcode.canBranch
        ? [positionAt(instruction.target)]
        : opcode.isSwitch
          ? switchTargets(code, instruction).map(positionAt)
          : [],
    };
  });
  return { code, instructions, positions, tries: tryBlocksOf(dex, code) };
}

function switchTargets(code: Code, { at, target }: Instruction): number[] {
  const payload = target >= 0 && target < code.units.length ? payloadAt(code.units, target) : null;
  if (payload === null || payload.kind === 'array-data') throw new BadCode('a switch without its table');
  return payload.targets.map((distance) => at + distance);
}

/** Positions where control goes on after an instruction that throws nothing. */
export const waysOn = ({ following, targets }: BodyInstruction): readonly number[] =>
  following < 0 ? targets : [following, ...targets];

/** Positions of the handlers that an exception at this address may go to. */
export function handlerPositions(body: MethodBody, address: number): number[] {
  const found: number[] = [];
  for (const block of body.tries) {
    if (address < block.start || address >= block.end) continue;
    for (const handler of block.handlers) found.push(body.positions[handler.address] ?? -1);
    if (block.catchAllAddress !== null) found.push(body.positions[block.catchAllAddress] ?? -1);
  }
  return found.filter((position) => position >= 0);
}
