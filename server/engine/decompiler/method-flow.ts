// A method's code cut into blocks, within the limits. Knows no statements.
import { blocksOf } from '../code/control-flow/blocks.ts';
import { BadCode, methodBody } from '../code/method-body.ts';
import { isWide, type Operands, operandsOf } from '../code/values/operands.ts';
import type { MethodFlow } from '../code/values/variables.ts';
import type { EncodedMethod } from '../formats/dex/class-data.ts';
import { codeAt } from '../formats/dex/code-item.ts';
import type { Dex } from '../formats/dex/dex.ts';
import { limits, Unsayable } from './limits.ts';

const accStatic = 0x8;

/**
 * A method's code with the types of its parameters, the receiver's first, and of its result, and the steps of work that it warrants.
 * @throws BadCode, Unsayable
 */
export function methodFlow(
  dex: Dex,
  owner: string,
  { methodIndex, codeOffset, accessFlags }: EncodedMethod,
): { flow: MethodFlow; parameters: string[]; returns: string; steps: number } {
  const code = codeAt(dex, codeOffset);
  if (code === null) throw new BadCode('no code');
  if (code.units.length > limits.methodUnits) throw new Unsayable(`${code.units.length} code units`);
  const proto = dex.methodProtoIndex(methodIndex);
  const parameters = [...((accessFlags & accStatic) !== 0 ? [] : [owner]), ...dex.protoParameters(proto)];
  const returns = dex.protoReturnType(proto);
  const body = methodBody(dex, code);
  const blocks = blocksOf(dex, body);
  const edges = blocks.reduce((sum, { handlers }) => sum + handlers.length, 0);
  if (edges > limits.handlerEdges) throw new Unsayable(`${edges} ways to handlers`);
  // Each may stand within all others, and what is declared in it is looked for in each.
  const handlers = new Set(blocks.flatMap((block) => block.handlers.map((handler) => handler.block))).size;
  const steps = code.units.length + edges + Math.ceil(handlers ** 2 / 8);
  const operands: (Operands | undefined)[] = [];
  for (const { first, last } of blocks) {
    for (let position = first; position <= last; position++)
      operands[position] = operandsOf(dex, body, position, returns);
  }
  let register = code.registers - code.ins;
  const registers = parameters.map((type) => {
    const at = register;
    register += isWide(type) ? 2 : 1;
    return at;
  });
  if (register !== code.registers) throw new BadCode('parameters that do not fit the registers');
  return { flow: { body, blocks, operands, parameters: registers }, parameters, returns, steps };
}
