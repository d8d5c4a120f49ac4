// Where in the code the constant stands that a branch wants: before it in its method, or where what it calls returns. Knows
// no run.
import type { AppMethod, AppMethods } from '../../code/app-methods.ts';
import { parameterBase } from '../../code/definitions.ts';
import { isConstant, isMove } from '../../code/operand-kinds.ts';
import type { CallPlace } from '../report/obstacles.ts';

/** Moves, and calls of the app's own, that are followed back. */
const maxDepth = 4;
const maxPlaces = 12;
const isReturn = (value: number): boolean => value >= 0x0f && value <= 0x11;

/**
 * Instructions that leave a constant in what an instruction works on.
 * @param position of the instruction in the method's body
 * @param fits which constants are wanted
 */
export function valuePlaces(
  methods: AppMethods,
  method: AppMethod,
  position: number,
  fits: (constant: number) => boolean,
): CallPlace[] {
  const found: CallPlace[] = [];
  const seen = new Set<string>();
  const follow = (within: AppMethod, at: number, depth: number): void => {
    const definitions = methods.definitionsOf(within);
    if (definitions === null || depth > maxDepth) return;
    const { instructions } = definitions.body;
    const [register] = instructions[at]!.registers;
    if (register === undefined) return;
    for (const definition of definitions.reaching(at, register)) {
      const key = `${within.key} ${definition}`;
      if (definition >= parameterBase || seen.has(key) || found.length >= maxPlaces) continue;
      seen.add(key);
      const { opcode, literal, at: address } = instructions[definition]!;
      if (isConstant(opcode.value) && fits(Number(literal)))
        found.push({ dex: within.place.dex, methodIndex: within.methodIndex, address });
      else if (isMove(opcode.value)) follow(within, definition, depth + 1);
      const call = definitions.calls.get(definition);
      const callee = call === undefined ? null : methods.find(call.owner, call.name, call.descriptor);
      const body = callee === null ? undefined : methods.definitionsOf(callee)?.body;
      body?.instructions.forEach((instruction, index) => {
        if (isReturn(instruction.opcode.value)) follow(callee!, index, depth + 1);
      });
    }
  };
  follow(method, position, 0);
  return found;
}
