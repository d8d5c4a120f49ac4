// Whether classes that are written in one without a name look at the object around them for more than what it has captured, which
// source names by itself. Knows no trees.
import { BadCode } from '../../code/method-body.ts';
import { variablesOf, type Web } from '../../code/values/variables.ts';
import { allMethods, type EncodedMethod } from '../../formats/dex/class-data.ts';
import { Unsayable } from '../limits.ts';
import { methodFlow } from '../method-flow.ts';
import type { Program, SourceClass } from '../printing/program.ts';

const opcode = {
  move: 0x07,
  lastMove: 0x09,
  iget: 0x52,
  igetObject: 0x54,
  lastIget: 0x58,
  iput: 0x59,
  lastIput: 0x5f,
} as const;
/** Classes in each other that are looked into. */
const maxClasses = 50;
/** Copies that are followed. */
const maxCopies = 16;

/**
 * @param type of a class in the nameless one
 * @param around the nameless one
 * @param isCaptured whether a field of it, by name and type, holds what it has captured
 */
export function looksAround(
  program: Program,
  type: string,
  around: string,
  isCaptured: (key: string) => boolean,
): boolean {
  const within = [type];
  for (const each of within) {
    if (within.length > maxClasses) return true;
    within.push(...program.innerOf(each));
    const place = program.classOf(each)!;
    if (allMethods(place.data).some((method) => looks(place, method, around, isCaptured))) return true;
  }
  return false;
}

function looks(
  { dex, type }: SourceClass,
  method: EncodedMethod,
  around: string,
  isCaptured: (key: string) => boolean,
): boolean {
  if (method.codeOffset === 0) return false;
  const parameters = dex.protoParameters(dex.methodProtoIndex(method.methodIndex));
  try {
    const { flow } = methodFlow(dex, type, method);
    const { instructions } = flow.body;
    if (instructions.every(({ opcode: { value } }) => value !== opcode.igetObject) && !parameters.includes(around))
      return false;
    const { written, parameters: given } = variablesOf(flow);
    const isOnlyKept = (web: Web, copies = 0): boolean =>
      copies < maxCopies &&
      web.readers.every((reader) => {
        const { opcode: reading, index } = instructions[reader]!;
        const { value } = reading;
        if (value >= opcode.move && value <= opcode.lastMove) {
          const copy = written[reader];
          return copy === undefined || isOnlyKept(copy, copies + 1);
        }
        if (value >= opcode.iput && value <= opcode.lastIput) return dex.fieldType(index) === around;
        if (value < opcode.iget || value > opcode.lastIget || dex.fieldClass(index) !== around) return false;
        return isCaptured(`${dex.fieldName(index)}:${dex.fieldType(index)}`);
      });
    const first = given.length - parameters.length;
    const isGiven = parameters.some((each, place) => {
      const web = given[first + place];
      return each === around && web !== null && web !== undefined && !isOnlyKept(web);
    });
    return (
      isGiven ||
      instructions.some(({ opcode: { value }, index }, position) => {
        if (value !== opcode.igetObject || dex.fieldType(index) !== around) return false;
        const web = written[position];
        return web !== undefined && !isOnlyKept(web);
      })
    );
  } catch (error) {
    if (error instanceof BadCode || error instanceof Unsayable) return true;
    throw error;
  }
}
