// The instructions of a method as bytes that also other builds of the same code have. Knows no rule.
import { type CodeBytes, maxCodeBytes } from '../../contract/engine/code-bytes.ts';
import { instructionPattern } from '../code/instruction-pattern.ts';
import { methodsOf } from '../formats/dex/class-data.ts';
import { codeAt } from '../formats/dex/code-item.ts';
import { instructionsOf } from '../formats/dex/instruction.ts';
import { codeTargetOf } from './code-references.ts';
import { ExplorationFault } from './fault.ts';
import { type OpenedApp, readable } from './opened-app.ts';

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
    instructions.push({ address: one.at, pattern: instructionPattern(code.units, one).join(' ') });
  }
  return { dex: place.dex.where, instructions, is_cut: false };
}
