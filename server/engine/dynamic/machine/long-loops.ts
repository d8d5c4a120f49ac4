// Loops that keep a sandbox busy until it gives up: one that ends by its own counter alone is cut short, as a device would
// reach its end. Knows control flow, no values.

import { naturalLoops } from '../../code/control-flow/loops.ts';
import type { BodyInstruction, MethodBody } from '../../code/method-body.ts';
import { writesFirst } from '../../code/operand-kinds.ts';
import type { Dex } from '../../formats/dex/dex.ts';
import type { JavaThread } from './java-thread.ts';
import { bodyOf } from './preparation.ts';
import type { PreparedMethod } from './prepared-method.ts';

interface Loop {
  readonly positions: ReadonlySet<number>;
  /** Where it goes on behind the loop, as a position. */
  readonly exit: number;
  /** It does nothing but compute in registers. */
  readonly isPure: boolean;
  /** How often it was left before its time. */
  timesLeft: number;
}

/** A loop that was left before is not worth as much again. */
const shareAgain = 1 / 20;
/** Methods that are longer are generated tables rather than loops. */
const maxMethod = 20_000;
const maxLoops = 100;

const loopsByMethod = new WeakMap<PreparedMethod, readonly Loop[]>();

export class LongLoops {
  readonly #maxInstructions: number;
  /** The loop that ran at the last look, and when that began. */
  #running: Loop | null = null;
  #since = 0;
  /** Told of a loop that was left, by the method it is in. */
  onLeft: (method: string) => void = () => undefined;

  constructor(maxInstructions: number) {
    this.#maxInstructions = maxInstructions;
  }

  /**
   * Moves a thread behind the loop that it is in, if that has run long enough.
   * @param instructions of the whole run
   * @param isUrgent the thread has no more time: loops that do more than compute are left as well
   * @returns whether a loop was left
   */
  leave(thread: JavaThread, instructions: number, isUrgent: boolean): boolean {
    const frame = thread.frames[thread.depth]!;
    const { prepared } = frame;
    if (prepared === null || this.#maxInstructions === Number.POSITIVE_INFINITY) return false;
    const position = prepared.positionAt(frame.at);
    const loop = outermost(loopsOf(prepared), position, isUrgent);
    if (loop !== this.#running) {
      this.#running = loop;
      this.#since = instructions;
    }
    if (loop === null) return false;
    const allowed = this.#maxInstructions * (loop.timesLeft === 0 ? 1 : shareAgain);
    if (!isUrgent && instructions - this.#since < allowed) return false;
    loop.timesLeft++;
    this.#running = null;
    frame.at = prepared.starts[loop.exit]!;
    this.onLeft(prepared.method.label);
    return true;
  }
}

/** The largest loop around a position that may be left. */
function outermost(loops: readonly Loop[], position: number, isUrgent: boolean): Loop | null {
  let found: Loop | null = null;
  for (const loop of loops) {
    const isLarger = found === null || loop.positions.size > found.positions.size;
    if ((loop.isPure || isUrgent || loop.timesLeft > 0) && isLarger && loop.positions.has(position)) found = loop;
  }
  return found;
}

function loopsOf(prepared: PreparedMethod): readonly Loop[] {
  let loops = loopsByMethod.get(prepared);
  if (loops === undefined) {
    loops = findLoops(bodyOf(prepared.method), prepared.dex);
    loopsByMethod.set(prepared, loops);
  }
  return loops;
}

/** Natural loops whose exit condition depends only on registers that the loop itself writes. */
function findLoops(body: MethodBody, dex: Dex): Loop[] {
  const { instructions } = body;
  if (instructions.length > maxMethod) return [];
  const { predecessors, loops } = naturalLoops(body, maxLoops);
  return loops.flatMap((positions) => {
    const exit = exitOf({ body, predecessors, positions });
    if (exit < 0) return [];
    const isPure = [...positions].every((position) => hasNoEffect(instructions[position]!, dex));
    return [{ positions, exit, isPure, timesLeft: 0 }];
  });
}

/** Where the first test that ends the loop goes on, if it looks at nothing but what the loop itself counts; else -1. */
function exitOf(flow: Flow): number {
  const { body, positions } = flow;
  for (const position of [...positions].sort((left, right) => left - right)) {
    const { opcode, following, targets } = body.instructions[position]!;
    if (opcode.value < 0x32 || opcode.value > 0x3d) continue;
    const exit = [following, ...targets].find((next) => next >= 0 && !positions.has(next));
    if (exit !== undefined && isOwnAffair(flow, position)) return exit;
  }
  return -1;
}

/** Whether what a test looks at comes, within the loop, from nothing but registers and constants. */
function isOwnAffair(flow: Flow, test: number): boolean {
  const { body, predecessors, positions } = flow;
  const { instructions } = body;
  const seen = new Set<number>();
  /** Registers as they are before an instruction, both in one number. */
  const waiting = instructions[test]!.registers.map((register) => test * maxRegisters + register);
  while (waiting.length > 0) {
    const question = waiting.pop()!;
    if (seen.has(question)) continue;
    seen.add(question);
    if (seen.size > maxQuestions) return false;
    const register = question % maxRegisters;
    for (const position of predecessors[Math.floor(question / maxRegisters)]!) {
      if (!positions.has(position)) continue;
      const { opcode, registers } = instructions[position]!;
      if (!writesFirst(opcode.value) || registers[0] !== register) {
        waiting.push(position * maxRegisters + register);
        continue;
      }
      if (!isComputation(opcode.value) && opcode.value !== arrayLength) return false;
      // What is written in the place of an operand (`add-int/2addr`) is one itself.
      const isTwoAddress = opcode.value >= 0xb0 && opcode.value <= 0xcf;
      for (const from of isTwoAddress ? registers : registers.slice(1)) waiting.push(position * maxRegisters + from);
    }
  }
  return true;
}

/** Computations, and calls for what they might be. */
function hasNoEffect({ opcode, index }: BodyInstruction, dex: Dex): boolean {
  const { value } = opcode;
  if (value === 0x71 || value === 0x77) return /^Ljava\/lang\/(?:Strict)?Math;$/.test(dex.methodClass(index));
  return isComputation(value) || (value >= 0x0a && value <= 0x0c);
}

interface Flow {
  readonly body: MethodBody;
  readonly predecessors: readonly (readonly number[])[];
  readonly positions: ReadonlySet<number>;
}

const maxRegisters = 1 << 16;
const maxQuestions = 20_000;

const arrayLength = 0x21;

/** Instructions that look at nothing but registers, and change nothing else. */
function isComputation(opcode: number): boolean {
  if (opcode <= 0x09 || (opcode >= 0x12 && opcode <= 0x19)) return true;
  if (opcode >= 0x28 && opcode <= 0x3d) return true;
  return opcode >= 0x7b && opcode <= 0xe2;
}
