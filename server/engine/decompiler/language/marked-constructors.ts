// Constructors that compilers make for others: told from the private ones by a last parameter for which nothing is given. Knows no trees.
import { BadCode } from '../../code/method-body.ts';
import { variablesOf, type Web } from '../../code/values/variables.ts';
import { allMethods } from '../../formats/dex/class-data.ts';
import { Unsayable } from '../limits.ts';
import { methodFlow } from '../method-flow.ts';
import type { Program } from '../printing/program.ts';
import type { Caller } from './class-uses.ts';

const opcode = { move: 0x01, lastMove: 0x09, const4: 0x12, const: 0x14 } as const;
/** Copies that are followed. */
const maxCopies = 16;

/** Whether the calls of a constructor in some code give null for its last parameter. @param maker class and descriptor */
export function givesNothing(program: Program, { dex, owner, methodIndex }: Caller, maker: string): boolean {
  const place = program.classOf(owner);
  const method = place === null ? undefined : allMethods(place.data).find((each) => each.methodIndex === methodIndex);
  if (place?.dex !== dex || method === undefined) return false;
  try {
    const { flow } = methodFlow(dex, owner, method);
    const { read } = variablesOf(flow);
    const { instructions } = flow.body;
    const isNull = (web: Web | undefined, copies = 0): boolean =>
      web !== undefined &&
      copies < maxCopies &&
      web.writers.every((writer) => {
        if (writer < 0) return false;
        const { opcode: written, literal } = instructions[writer]!;
        if (written.value >= opcode.move && written.value <= opcode.lastMove)
          return isNull(read[writer]?.[0], copies + 1);
        return written.value >= opcode.const4 && written.value <= opcode.const && Number(literal) === 0;
      });
    return instructions.every(({ opcode: { isInvoke, index: kind }, index }, position) => {
      if (!isInvoke || kind !== 'method' || dex.method(index) !== maker) return true;
      return read[position] === undefined || isNull(read[position].at(-1));
    });
  } catch (error) {
    if (error instanceof BadCode || error instanceof Unsayable) return false;
    throw error;
  }
}
