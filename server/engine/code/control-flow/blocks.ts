// The basic blocks of a method with the ways out of each: jumps, and exceptions to handlers. Knows no values.
import type { Dex } from '../../formats/dex/dex.ts';
import { BadCode, type BodyInstruction, type MethodBody } from '../method-body.ts';

/** Where an exception of a type goes on; null for every type. */
export interface Handler {
  readonly type: string | null;
  readonly block: number;
}

export interface Block {
  /** Positions of its first and last instruction. */
  readonly first: number;
  readonly last: number;
  /** Blocks that normal execution goes on at: what follows first, then the targets in the order of the instruction. */
  readonly successors: readonly number[];
  /** In the order in which Android asks them; empty where nothing in the block throws. */
  readonly handlers: readonly Handler[];
}

const monitorExit = 0x1e;
const moveException = 0x0d;

/**
 * Whether an exception of the instruction is one that a program can see. That of `monitor-exit` is not: its ranges cover their
 * own handlers, and Android's verifier lets it through for that.
 */
export const isThrowing = ({ opcode }: BodyInstruction): boolean => opcode.canThrow && opcode.value !== monitorExit;

/**
 * The blocks that can be reached, the method's start first. Each lies within the same try ranges from end to end.
 * @throws BadCode where execution would leave the code
 */
export function blocksOf(dex: Dex, body: MethodBody): Block[] {
  const { instructions } = body;
  if (instructions.length === 0) throw new BadCode('no instructions');
  const ranges = handlerLists(dex, body);
  const isLeader = leaders(body, ranges);
  const blockAt = new Int32Array(instructions.length).fill(-1);
  const starts: number[] = [];
  const block = (position: number): number => {
    if (blockAt[position]! < 0) blockAt[position] = starts.push(position) - 1;
    return blockAt[position]!;
  };
  block(0);
  const found: Block[] = [];
  while (found.length < starts.length) {
    const start = starts[found.length]!;
    found.push(blockFrom(body, start, { isLeader, block, handlers: ranges[start] ?? [] }));
  }
  return found;
}

interface Surroundings {
  readonly isLeader: Uint8Array;
  readonly block: (position: number) => number;
  readonly handlers: readonly { type: string | null; position: number }[];
}

function blockFrom({ instructions }: MethodBody, first: number, { isLeader, block, handlers }: Surroundings): Block {
  let last = first;
  let throws = isThrowing(instructions[first]!);
  for (;;) {
    const { following, targets, opcode } = instructions[last]!;
    if (opcode.isUnused) throw new BadCode(`opcode 0x${opcode.value.toString(16)} has no meaning`);
    if (opcode.canContinue && following < 0) throw new BadCode('execution runs past the end of the code');
    if (targets.length > 0 || following < 0 || isLeader[following] === 1) break;
    last = following;
    throws ||= isThrowing(instructions[last]!);
  }
  const { following, targets } = instructions[last]!;
  const successors = (following < 0 ? targets : [following, ...targets]).map(block);
  return {
    first,
    last,
    successors,
    handlers: throws ? handlers.map(({ type, position }) => ({ type, block: block(position) })) : [],
  };
}

type HandlerList = readonly { type: string | null; position: number }[];

/** By position the handlers of the instruction there; the same list for the same range. */
function handlerLists(dex: Dex, { positions, tries }: MethodBody): (HandlerList | undefined)[] {
  const lists: (HandlerList | undefined)[] = [];
  const positionAt = (address: number): number => {
    const position = positions[address] ?? -1;
    if (position < 0) throw new BadCode(`a handler at 0x${address.toString(16)}, where no instruction is`);
    return position;
  };
  let covered = 0;
  for (const { start, end, handlers, catchAllAddress } of tries) {
    if (start < covered || end > positions.length) throw new BadCode('try ranges that overlap or leave the code');
    covered = end;
    const seen = new Set<string>();
    const list: { type: string | null; position: number }[] = [];
    for (const { typeIndex, address } of handlers) {
      const type = dex.type(typeIndex);
      if (!seen.has(type)) list.push({ type, position: positionAt(address) });
      seen.add(type);
    }
    if (catchAllAddress !== null) list.push({ type: null, position: positionAt(catchAllAddress) });
    if (list.length === 0) continue;
    for (let at = start; at < end; at++) {
      const position = positions[at]!;
      if (position >= 0) lists[position] = list;
    }
  }
  return lists;
}

/** Marks the first instruction of each block. */
function leaders({ instructions }: MethodBody, ranges: readonly (HandlerList | undefined)[]): Uint8Array {
  const isLeader = new Uint8Array(instructions.length);
  isLeader[0] = 1;
  for (const list of new Set(ranges)) for (const { position } of list ?? []) isLeader[position] = 1;
  for (const [position, { targets, following, opcode }] of instructions.entries()) {
    for (const target of targets) isLeader[target] = 1;
    if (targets.length > 0 && following >= 0) isLeader[following] = 1;
    if (opcode.value === moveException) isLeader[position] = 1;
    if (position === 0 || ranges[position] === ranges[position - 1]) continue;
    if (!isMoveResult(opcode.value)) isLeader[position] = 1;
  }
  return isLeader;
}

/** A result is taken where the call stands, whatever range begins between them: it throws nothing. */
const isMoveResult = (value: number): boolean => value >= 0x0a && value <= 0x0c;
