// The variables of a method: each register split into the webs of what may be written and read together, as phi functions would
// join them. Knows no types.
import type { Block } from '../control-flow/blocks.ts';
import { isThrowing } from '../control-flow/blocks.ts';
import { BadCode, type MethodBody } from '../method-body.ts';
import type { Operands } from './operands.ts';

/** What writes a variable: the position of an instruction, or a parameter. */
export type Writer = number;
/** The first parameter's number as a writer; the next ones count down. */
const parameterWriter = -1;

export interface Web {
  readonly id: number;
  readonly register: number;
  readonly writers: Writer[];
  /** Positions of the instructions that read it, once for each operand. */
  readonly readers: number[];
}

export interface Variables {
  readonly webs: readonly Web[];
  /** By position the web that the instruction writes. */
  readonly written: readonly (Web | undefined)[];
  /** By position the webs of what it reads, in the order of its operands. */
  readonly read: readonly (readonly Web[] | undefined)[];
  /** By parameter, null for one that nothing reads. */
  readonly parameters: readonly (Web | null)[];
}

export interface MethodFlow {
  readonly body: MethodBody;
  readonly blocks: readonly Block[];
  /** By position, for all that can be reached. */
  readonly operands: readonly (Operands | undefined)[];
  /** First register of each parameter, the receiver's before them. */
  readonly parameters: readonly number[];
}

/** Blocks times registers, in words of 32. */
const maxLivenessWords = 4_000_000;

/** @throws BadCode where a register is read that nothing was written to, or the method is too large */
export function variablesOf(flow: MethodFlow): Variables {
  return new WebFinder(flow).run();
}

/** Which registers are read later on, by block. */
class Liveness {
  readonly #words: number;
  readonly #live: Uint32Array;

  constructor({ body, blocks, operands }: MethodFlow) {
    const words = (body.code.registers + 31) >> 5;
    this.#words = words;
    if (blocks.length * words > maxLivenessWords) throw new BadCode('too many blocks and registers');
    this.#live = new Uint32Array(blocks.length * words);
    const used = new Uint32Array(blocks.length * words);
    const kept = new Uint32Array(blocks.length * words).fill(0xffffffff);
    const keptUntilThrow = new Uint32Array(blocks.length * words).fill(0xffffffff);
    blocks.forEach(({ first, last }, index) => {
      const base = index * words;
      let hasThrown = false;
      for (let position = first; position <= last; position++) {
        const { reads, write } = operands[position]!;
        for (const { register } of reads) {
          const bit = 1 << (register & 31);
          const at = base + (register >> 5);
          if ((kept[at]! & bit) !== 0) used[at]! |= bit;
        }
        hasThrown ||= isThrowing(body.instructions[position]!);
        if (write === null) continue;
        const at = base + (write.register >> 5);
        const mask = ~(1 << (write.register & 31));
        kept[at]! &= mask;
        if (!hasThrown) keptUntilThrow[at]! &= mask;
      }
    });
    const predecessors: number[][] = blocks.map(() => []);
    blocks.forEach(({ successors, handlers }, index) => {
      for (const next of successors) predecessors[next]!.push(index);
      for (const { block } of handlers) predecessors[block]!.push(index);
    });
    const waiting = blocks.map((_, index) => index);
    const isWaiting = new Uint8Array(blocks.length).fill(1);
    const live = this.#live;
    while (waiting.length > 0) {
      const index = waiting.pop()!;
      isWaiting[index] = 0;
      const { successors, handlers } = blocks[index]!;
      const base = index * words;
      let isChanged = false;
      for (let word = 0; word < words; word++) {
        let out = 0;
        for (const next of successors) out |= live[next * words + word]!;
        let caught = 0;
        for (const { block } of handlers) caught |= live[block * words + word]!;
        const value = (used[base + word]! | (out & kept[base + word]!) | (caught & keptUntilThrow[base + word]!)) >>> 0;
        if (value !== live[base + word]) {
          live[base + word] = value;
          isChanged = true;
        }
      }
      if (!isChanged) continue;
      for (const before of predecessors[index]!) {
        if (isWaiting[before] === 1) continue;
        isWaiting[before] = 1;
        waiting.push(before);
      }
    }
  }

  isLive(block: number, register: number): boolean {
    return (this.#live[block * this.#words + (register >> 5)]! & (1 << (register & 31))) !== 0;
  }

  /** The registers that are live at the start of a block. */
  at(block: number): number[] {
    const found: number[] = [];
    for (let word = 0; word < this.#words; word++) {
      let bits = this.#live[block * this.#words + word]!;
      while (bits !== 0) {
        const bit = 31 - Math.clz32(bits & -bits);
        found.push(word * 32 + bit);
        bits &= bits - 1;
      }
    }
    return found;
  }
}

class WebFinder {
  readonly #flow: MethodFlow;
  readonly #live: Liveness;
  /** Union-find over writes, and over what is in a register at the start of a block. */
  readonly #parents: number[] = [];
  readonly #registers: number[] = [];
  readonly #entries: Map<number, number>[];
  readonly #writeNodes: number[] = [];
  readonly #readNodes: number[][] = [];

  constructor(flow: MethodFlow) {
    this.#flow = flow;
    this.#live = new Liveness(flow);
    this.#entries = flow.blocks.map((_, block) => {
      const nodes = new Map<number, number>();
      for (const register of this.#live.at(block)) nodes.set(register, this.#node(register));
      return nodes;
    });
  }

  #node(register: number): number {
    this.#registers.push(register);
    return this.#parents.push(this.#parents.length) - 1;
  }

  #find(node: number): number {
    const parents = this.#parents;
    let at = node;
    while (parents[at] !== at) {
      parents[at] = parents[parents[at]!]!;
      at = parents[at]!;
    }
    return at;
  }

  #join(a: number, b: number): void {
    this.#parents[this.#find(a)] = this.#find(b);
  }

  run(): Variables {
    const { parameters, blocks } = this.#flow;
    const parameterNodes = parameters.map((register) => this.#node(register));
    const start = new Map(parameters.map((register, index) => [register, parameterNodes[index]!]));
    this.#flowInto(0, start);
    for (let block = 0; block < blocks.length; block++) this.#walk(block);
    return this.#collect(parameterNodes);
  }

  #flowInto(block: number, current: ReadonlyMap<number, number>): void {
    for (const [register, node] of this.#entries[block]!) {
      const from = current.get(register);
      if (from === undefined) throw new BadCode(`v${register} is read, and nothing was written to it`);
      this.#join(node, from);
    }
  }

  #walk(index: number): void {
    const { blocks, body, operands } = this.#flow;
    const { first, last, successors, handlers } = blocks[index]!;
    const current = new Map(this.#entries[index]);
    let isFirstThrow = true;
    let changed: number[] = [];
    for (let position = first; position <= last; position++) {
      const { reads, write } = operands[position]!;
      this.#readNodes[position] = reads.map(({ register }) => {
        const node = current.get(register);
        if (node === undefined) throw new BadCode(`v${register} is read, and nothing was written to it`);
        return node;
      });
      if (handlers.length > 0 && isThrowing(body.instructions[position]!)) {
        for (const { block } of handlers) {
          if (isFirstThrow) this.#flowInto(block, current);
          else {
            for (const register of changed) {
              const node = this.#entries[block]!.get(register);
              if (node !== undefined) this.#join(node, current.get(register)!);
            }
          }
        }
        isFirstThrow = false;
        changed = [];
      }
      if (write === null) continue;
      const node = this.#node(write.register);
      this.#writeNodes[position] = node;
      current.set(write.register, node);
      changed.push(write.register);
    }
    for (const next of successors) this.#flowInto(next, current);
  }

  #collect(parameterNodes: readonly number[]): Variables {
    const webs: Web[] = [];
    const byRoot = new Map<number, Web>();
    const webOf = (node: number): Web => {
      const root = this.#find(node);
      let web = byRoot.get(root);
      if (web === undefined) {
        web = { id: webs.length, register: this.#registers[root]!, writers: [], readers: [] };
        webs.push(web);
        byRoot.set(root, web);
      }
      return web;
    };
    const parameters = parameterNodes.map((node, index) => {
      const web = webOf(node);
      web.writers.push(parameterWriter - index);
      return web;
    });
    const written: (Web | undefined)[] = [];
    const read: (readonly Web[] | undefined)[] = [];
    for (const { first, last } of this.#flow.blocks) {
      for (let position = first; position <= last; position++) {
        const node = this.#writeNodes[position];
        if (node !== undefined) {
          const web = webOf(node);
          written[position] = web;
          web.writers.push(position);
        }
        const webs = this.#readNodes[position]!.map(webOf);
        read[position] = webs;
        for (const web of webs) web.readers.push(position);
      }
    }
    return { webs, written, read, parameters };
  }
}
