// The bytes of an instruction that also other builds of the same code have. Knows no method and no rule.
import type { Instruction } from '../formats/dex/instruction.ts';
import type { InstructionFormat } from '../formats/dex/opcodes.ts';

type OpenUnits = Partial<Record<InstructionFormat, readonly number[]>>;

/** Code units that point into tables of the dex file, by format. https://source.android.com/docs/core/runtime/instruction-formats */
const indexUnits: OpenUnits = {
  '21c': [1],
  '22c': [1],
  '31c': [1, 2],
  '35c': [1],
  '3rc': [1],
  '45cc': [1, 3],
  '4rcc': [1, 3],
};
/** Code units that say how far a jump goes, which what stands between changes. */
const distanceUnits: OpenUnits = { '20t': [1], '21t': [1], '22t': [1], '30t': [1, 2], '31t': [1, 2] };
/** Numbers that may be ids of resources, which each build counts anew: those of an app begin with 0x7f. */
const idUnits: OpenUnits = { '31i': [1, 2], '21h': [1] };

/** Code units of one instruction that are told: payloads may be long. */
const maxUnits = 256;

const isResourceId = (units: Uint16Array, { at, opcode, length }: Instruction): boolean =>
  Object.hasOwn(idUnits, opcode.format) && (units[at + length - 1] ?? 0) >> 8 === 0x7f;

/**
 * Pairs of hexadecimal digits; `??` where the file's own tables are pointed into.
 * @param isLoose distances and ids of resources are open too
 */
export function instructionPattern(units: Uint16Array, instruction: Instruction, isLoose = false): string[] {
  const { at, length, opcode, payload } = instruction;
  const open = payload === null ? [...(indexUnits[opcode.format] ?? [])] : [];
  if (isLoose && payload === null) open.push(...(distanceUnits[opcode.format] ?? []));
  if (isLoose && isResourceId(units, instruction)) open.push(...idUnits[opcode.format]!);
  return Array.from(units.subarray(at, at + Math.min(length, maxUnits)), (unit, index) =>
    open.includes(index) ? ['??', '??'] : [unit & 0xff, unit >> 8].map((byte) => byte.toString(16).padStart(2, '0')),
  ).flat();
}
