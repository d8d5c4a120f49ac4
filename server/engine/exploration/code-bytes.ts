// The instructions of a method as bytes that also other builds of the same code have. Knows no rule.
import { type CodeBytes, maxCodeBytes } from '../../contract/engine/code-bytes.ts';
import { methodsOf } from '../formats/dex/class-data.ts';
import { codeAt } from '../formats/dex/code-item.ts';
import { type Instruction, instructionsOf } from '../formats/dex/instruction.ts';
import type { InstructionFormat } from '../formats/dex/opcodes.ts';
import { codeTargetOf } from './code-references.ts';
import { ExplorationFault } from './fault.ts';
import { type OpenedApp, readable } from './opened-app.ts';

/** Code units that point into tables of the dex file, by format. https://source.android.com/docs/core/runtime/instruction-formats */
const indexUnits: Partial<Record<InstructionFormat, readonly number[]>> = {
  '21c': [1],
  '22c': [1],
  '31c': [1, 2],
  '35c': [1],
  '3rc': [1],
  '45cc': [1, 3],
  '4rcc': [1, 3],
};
/** Code units of one instruction that are told: payloads may be long. */
const maxUnits = 256;

/**
 * @throws ExplorationFault `bad-question` for what is no method, `not-found` where no code of it is in the app
 */
export function codeBytesOf(app: OpenedApp, { of, dex: wanted }: { of: string; dex?: string | undefined }): CodeBytes {
  const target = codeTargetOf(of);
  if (target.kind !== 'method') throw new ExplorationFault('bad-question', 'Only a method has code.', 'of');
  const place = app.tree.placesOf(target.class).find(({ dex }) => wanted === undefined || dex.where === wanted);
  const code =
    place === undefined
      ? null
      : readable(() => {
          const { dex, classIndex } = place;
          const method = methodsOf(dex, classIndex).find(
            ({ methodIndex }) =>
              dex.methodName(methodIndex) === target.name && dex.methodDescriptor(methodIndex) === target.descriptor,
          );
          return method === undefined ? null : codeAt(dex, method.codeOffset);
        });
  if (place === undefined || code === null)
    throw new ExplorationFault('not-found', 'the app has no code of this method');
  const instructions: CodeBytes['instructions'] = [];
  for (const one of instructionsOf(code.units)) {
    if (instructions.length === maxCodeBytes) return { dex: place.dex.where, instructions, is_cut: true };
    instructions.push({ address: one.at, pattern: patternOf(code.units, one) });
  }
  return { dex: place.dex.where, instructions, is_cut: false };
}

function patternOf(units: Uint16Array, { at, length, opcode, payload }: Instruction): string {
  const open = payload === null ? (indexUnits[opcode.format] ?? []) : [];
  const pairs = Array.from(units.subarray(at, at + Math.min(length, maxUnits)), (unit, index) =>
    open.includes(index)
      ? '?? ??'
      : [unit & 0xff, unit >> 8].map((byte) => byte.toString(16).padStart(2, '0')).join(' '),
  );
  return pairs.join(' ');
}
