// Forward analysis of a method's registers: runs through its blocks until nothing changes. Knows nothing of what the numbers in a
// register mean.
import { handlerPositions, type MethodBody } from './method-body.ts';

/** What may be in each register, as numbers of the analysis; 0 where nothing is known to be there. */
export type RegisterState = Int32Array;

export interface RegisterAnalysis {
  /** What holds where either of two numbers may; both differ from 0 and from each other. */
  merge(a: number, b: number): number;
  /** Changes the state as the instruction at a position does. */
  write(position: number, state: RegisterState): void;
  /** Whether to stop before everything is settled. */
  isSpent(): boolean;
}

/** Blocks times registers: generated code of a megabyte stays below. */
const maxCells = 8_000_000;

export class RegisterFlow {
  readonly #body: MethodBody;
  readonly #analysis: RegisterAnalysis;
  /** The state at the start of each block, by the position of its first instruction. */
  readonly #entries = new Map<number, RegisterState>();
  readonly #isLeader: Uint8Array;

  /** @param first the state at the start of the method */
  constructor(body: MethodBody, analysis: RegisterAnalysis, first: RegisterState) {
    this.#body = body;
    this.#analysis = analysis;
    this.#isLeader = leadersOf(body);
    this.#entries.set(0, first);
    const waiting = [0];
    const isWaiting = new Uint8Array(body.instructions.length);
    const reach = (position: number, state: RegisterState) => {
      if (this.#join(position, state) && isWaiting[position] === 0) {
        isWaiting[position] = 1;
        waiting.push(position);
      }
    };
    while (waiting.length > 0) {
      const start = waiting.pop()!;
      isWaiting[start] = 0;
      if (this.#entries.size * body.code.registers > maxCells || analysis.isSpent()) break;
      this.#walk(start, reach, null);
    }
  }

  /** Tells the state before each instruction that can be reached, block by block. The state is reused: copy what is kept. */
  forEach(read: (position: number, state: RegisterState) => void): void {
    for (const start of this.#entries.keys()) this.#walk(start, null, read);
  }

  /** Runs through a block; tells what flows on, or the state before each instruction. */
  #walk(
    start: number,
    reach: ((position: number, state: RegisterState) => void) | null,
    read: ((position: number, state: RegisterState) => void) | null,
  ): void {
    const { instructions, tries } = this.#body;
    const state = this.#entries.get(start)!.slice();
    let position = start;
    for (;;) {
      const instruction = instructions[position]!;
      if (reach !== null && tries.length > 0 && instruction.opcode.canThrow) {
        for (const handler of handlerPositions(this.#body, instruction.at)) reach(handler, state);
      }
      read?.(position, state);
      this.#analysis.write(position, state);
      if (reach !== null) for (const target of instruction.targets) reach(target, state);
      const next = instruction.following;
      if (next < 0) return;
      if (this.#isLeader[next] === 1) {
        reach?.(next, state);
        return;
      }
      position = next;
    }
  }

  /** Joins a state into a block's entry; true where that changed it. */
  #join(position: number, state: RegisterState): boolean {
    const entry = this.#entries.get(position);
    if (entry === undefined) {
      this.#entries.set(position, state.slice());
      return true;
    }
    let isChanged = false;
    for (let register = 0; register < state.length; register++) {
      const [a, b] = [entry[register]!, state[register]!];
      const merged = a === b || b === 0 ? a : a === 0 ? b : this.#analysis.merge(a, b);
      if (merged !== a) {
        entry[register] = merged;
        isChanged = true;
      }
    }
    return isChanged;
  }
}

/** Marks the first instruction of each block. */
function leadersOf(body: MethodBody): Uint8Array {
  const isLeader = new Uint8Array(body.instructions.length);
  isLeader[0] = 1;
  for (const { targets, following } of body.instructions) {
    for (const target of targets) isLeader[target] = 1;
    if (targets.length > 0 && following >= 0) isLeader[following] = 1;
  }
  const mark = (address: number) => {
    const position = body.positions[address] ?? -1;
    if (position >= 0) isLeader[position] = 1;
  };
  for (const block of body.tries) {
    for (const { address } of block.handlers) mark(address);
    if (block.catchAllAddress !== null) mark(block.catchAllAddress);
  }
  return isLeader;
}
