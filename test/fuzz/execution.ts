// Runs one input of a target and says what was wrong with that, if anything. Knows no format.
import { isDeepStrictEqual } from 'node:util';
import { BrokenProperty, type FuzzTarget, refusalsOf, usualCpuTime } from './target.ts';

export interface Fault {
  kind: 'error' | 'slow' | 'unsteady';
  /** Faults of one cause have one signature. */
  signature: string;
  reason: string;
}

export interface Execution {
  fault: Fault | null;
  /** Milliseconds of this process. */
  cpuTime: number;
}

/** @param isTwice whether it is read once more, to see that it says the same */
export async function execute(target: FuzzTarget, input: Uint8Array, isTwice = false): Promise<Execution> {
  const before = process.cpuUsage();
  const first = await outcomeOf(target, input);
  const cpuTime = milliseconds(process.cpuUsage(before));
  const limit = (target.maxCpuTime ?? usualCpuTime)(input.length);
  if (first.fault !== null) return { fault: first.fault, cpuTime };
  if (cpuTime > limit) {
    const reason = `took ${Math.round(cpuTime)} ms of CPU for ${input.length} bytes, ${Math.round(limit)} are allowed`;
    return { fault: { kind: 'slow', signature: 'slow', reason }, cpuTime };
  }
  if (isTwice && !isDeepStrictEqual(first, await outcomeOf(target, input))) {
    return { fault: { kind: 'unsteady', signature: 'unsteady', reason: 'says something else each time' }, cpuTime };
  }
  return { fault: null, cpuTime };
}

interface Outcome {
  fault: Fault | null;
  /** What was read, or the refusal. */
  said: unknown;
}

async function outcomeOf(target: FuzzTarget, input: Uint8Array): Promise<Outcome> {
  try {
    const answer = target.run(input);
    return { fault: null, said: answer instanceof Promise ? await answer : answer };
  } catch (error) {
    if (refusalsOf(target).some((refusal) => error instanceof refusal)) return { fault: null, said: String(error) };
    return { fault: faultOf(error), said: null };
  }
}

function faultOf(error: unknown): Fault {
  if (!(error instanceof Error)) return { kind: 'error', signature: String(error), reason: `threw ${String(error)}` };
  if (error instanceof BrokenProperty) return { kind: 'error', signature: error.property, reason: error.message };
  const stack = error.stack ?? error.message;
  const places = [...stack.matchAll(/\/((?:server|test\/fuzz)\/[^:)]+:\d+):\d+/g)].map((match) => match[1]!);
  // Where something calls itself the innermost call is a matter of chance.
  const place = error instanceof RangeError && /call stack/.test(error.message) ? places.sort()[0] : places[0];
  return { kind: 'error', signature: `${error.name} ${place ?? error.message}`, reason: stack };
}

const milliseconds = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1000;
