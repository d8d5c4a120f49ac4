// What the running code takes the result of a call for, read off the cast that follows. Knows no values.
import { BadCode } from '../../code/method-body.ts';
import { bodyOf } from './preparation.ts';
import type { TraceEntry } from './throwable-state.ts';

const moveResultObject = 0x0c;
const checkCast = 0x1f;
/** Instructions between a call and the cast of its result. */
const maxBetween = 12;

/**
 * The class to which the app's code casts what the call returns that it is in; null where it casts it to none soon.
 * @param trace of the running thread, innermost first
 */
export function castOfResult(trace: readonly TraceEntry[]): string | null {
  const running = trace.find(({ method }) => method.owner.isApp);
  const dex = running?.method.owner.dex;
  if (running === undefined || !dex || running.method.codeOffset === 0) return null;
  try {
    const { instructions, positions } = bodyOf(running.method);
    const call = positions[running.address] ?? -1;
    const result = instructions[call + 1];
    if (call < 0 || result?.opcode.value !== moveResultObject) return null;
    const [register] = result.registers;
    const cast = instructions
      .slice(call + 2, call + 2 + maxBetween)
      .find(({ opcode, registers }) => opcode.value === checkCast && registers[0] === register);
    return cast === undefined ? null : dex.type(cast.index);
  } catch (error) {
    if (error instanceof BadCode) return null;
    throw error;
  }
}
