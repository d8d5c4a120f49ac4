// Registers of smali instructions: which ones they name, which stand in pairs, and how to give them other numbers.
import { isReference, isWide, parseMethodDescriptor, slotsOf } from '../fixtures/dynamic/compiled/smali-text.ts';
import type { Body, Instruction } from './smali-body.ts';

/** An instruction's name, its registers as written, and what follows them. */
const shape = /^(\S+) (\{[^}]*\}|(?:[vp]\d+(?:, )?)+)(.*)$/s;

/** Rewrites every register of a line. */
function mapRegisters(line: string, change: (register: string) => string): string {
  const parts = line.match(shape);
  if (parts === null) return line;
  return `${parts[1]} ${parts[2]!.replace(/[vp]\d+/g, change)}${parts[3]}`;
}

export function registersOf(line: string): number[] {
  const found = line.match(shape)?.[2] ?? '';
  return [...found.matchAll(/v(\d+)/g)].map((match) => Number(match[1]));
}

const parametersOf = (head: readonly string[]): string[] => {
  const line = head.find((each) => each.startsWith('.method '))!;
  const { parameters } = parseMethodDescriptor(line.slice(line.indexOf('(')));
  return / static /.test(line.slice(0, line.indexOf('('))) ? parameters : ['L;', ...parameters];
};

/** Parameters come in above all, and are moved to where the code has them: the numbers between are free. */
export function withFreeRegisters(body: Body, free: number): { body: Body; first: number } {
  const parameters = parametersOf(body.head);
  const slots = slotsOf(parameters);
  const plain = (line: string) =>
    mapRegisters(line, (name) => (name.startsWith('p') ? `v${body.registers - slots + Number(name.slice(1))}` : name));
  const instructions = body.instructions.map((each) => ({ ...each, lines: each.lines.map(plain) }));
  const moves: Instruction[] = [];
  let from = body.registers + free;
  let to = body.registers - slots;
  for (const type of parameters) {
    const suffix = isWide(type) ? '-wide' : isReference(type) ? '-object' : '';
    moves.push({ labels: [], debug: [], lines: [`move${suffix}/16 v${to}, v${from}`], handlers: [] });
    from += isWide(type) ? 2 : 1;
    to += isWide(type) ? 2 : 1;
  }
  return {
    body: { ...body, registers: from, instructions: [...moves, ...instructions] },
    first: body.registers,
  };
}

/** Registers that must stay side by side: halves of wide values, and the arguments of calls by range. */
function neighbours(line: string): (readonly [number, number])[] {
  const range = line.match(/\{v(\d+) \.\. v(\d+)\}/);
  if (range !== null) return [[Number(range[1]), Number(range[2])]];
  const name = line.slice(0, line.indexOf(' '));
  const isPaired = name.startsWith('invoke') || /wide|long|double/.test(name);
  return isPaired ? registersOf(line).map((register) => [register, register + 1] as const) : [];
}

/** Other numbers for registers, those of short instructions among themselves. @param shuffled a random order */
export function renumbered(body: Body, limit: number, shuffled: <T>(list: readonly T[]) => T[]): Body {
  const lines = body.instructions.flatMap((each) => each.lines);
  const bound = new Set<number>();
  for (const [from, to] of lines.flatMap(neighbours)) for (let at = from; at < to; at++) bound.add(at);
  const groups: number[][] = [];
  for (let at = 0; at < limit; at++) {
    if (at > 0 && bound.has(at - 1)) groups.at(-1)!.push(at);
    else groups.push([at]);
  }
  const to = new Map<number, number>();
  const classOf = (group: readonly number[]) => `${group.length}:${group.at(-1)! < 16}:${group[0]! < 16}`;
  for (const key of new Set(groups.map(classOf))) {
    const alike = groups.filter((group) => classOf(group) === key && group.at(-1)! < limit);
    const others = shuffled(alike);
    for (const [index, group] of alike.entries())
      for (const [offset, register] of group.entries()) to.set(register, others[index]![offset]!);
  }
  const change = (name: string) => `v${to.get(Number(name.slice(1))) ?? name.slice(1)}`;
  // Names of variables belong to the old numbers.
  return {
    ...body,
    instructions: body.instructions.map((each) => ({
      ...each,
      debug: each.debug.filter((line) => line.startsWith('.line')),
      lines: each.lines.map((line) => mapRegisters(line, change)),
    })),
  };
}
