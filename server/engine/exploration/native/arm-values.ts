// What 32-bit ARM and Thumb instructions do to addresses in registers: literals, the program counter, MOVW with MOVT, branches.
// Knows no symbol. https://developer.arm.com/documentation/ddi0406/latest
import type { Instruction } from './disassembler.ts';
import { heldValue, immediate, type Memory, operandsOf, type Registers, type Step, type Told } from './operands.ts';

const conditions = '(?:eq|ne|hs|lo|cs|cc|mi|pl|vs|vc|hi|ls|ge|lt|gt|le)?';
const branches = new RegExp(`^(?:b${conditions}(?:\\.[wn])?|cbn?z)$`);
const calls = new RegExp(`^blx?${conditions}$`);
const keepsRegisters = /^(?:str|stm|push|cmp|cmn|tst|teq|nop|it|pld|dmb|dsb|isb|vst|vpush)/;
const allOnes = 0xffffffff;

function forgetAfterCall(registers: Registers): void {
  for (const name of ['r0', 'r1', 'r2', 'r3', 'ip', 'lr']) registers.delete(name);
}

/** An immediate with a rotation behind it, as the A32 encoding of large constants has. */
function rotated(words: readonly string[]): number | null {
  const value = immediate(words[0]);
  const by = words.length > 1 ? immediate(words[1]) : 0;
  if (value === null || by === null || by < 0 || by > 31) return null;
  return by === 0 ? value : ((value >>> by) | (value << (32 - by))) >>> 0;
}

export const armStep: Step = (instruction, registers, memory, set) => {
  const { address } = instruction;
  const mnemonic = instruction.mnemonic.replace(/\.[wn]$/, '');
  const words = operandsOf(instruction.operands);
  const here = address + (set === 'thumb' ? 4 : 8);
  const last = immediate(words.at(-1));
  if (calls.test(mnemonic) || mnemonic === 'bx') {
    const held = registers.get(words[0] ?? '');
    if (mnemonic !== 'bx') forgetAfterCall(registers);
    if (last !== null) return { kind: 'call', address: last };
    if (held === undefined) return null;
    return 'slot' in held ? { kind: 'through', address: held.slot } : { kind: 'call', address: held.value };
  }
  if (branches.test(mnemonic)) return last === null ? null : { kind: 'jump', address: last };
  if (instruction.operands.includes('{')) {
    if (!keepsRegisters.test(mnemonic)) registers.clear();
    return null;
  }
  if (words[1]?.startsWith('[')) return memoryStep({ ...instruction, mnemonic }, words, { registers, memory, here });
  return computedStep(mnemonic, words, registers, here);
};

function computedStep(mnemonic: string, words: readonly string[], registers: Registers, here: number): Told | null {
  const [target = '', ...sources] = words;
  const before = registers.get(target);
  const heldBy = (name: string | undefined): number | null =>
    name === 'pc' ? here : heldValue(registers.get(name ?? ''));
  // `add r0, pc` is `add r0, r0, pc`.
  const [left, ...right] = sources.length === 1 ? [target, ...sources] : sources;
  const base = heldBy(left);
  const added = right[0]?.startsWith('#') ? rotated(right) : right.length === 1 ? heldBy(right[0]) : null;
  const source = registers.get(sources[0] ?? '');
  if (!keepsRegisters.test(mnemonic)) registers.delete(target);
  if (mnemonic === 'adr') {
    const offset = immediate(sources[0]);
    if (offset === null) return null;
    const address = here - (here % 4) + offset;
    registers.set(target, { value: address });
    return { kind: 'address', address };
  }
  if (mnemonic === 'mov' || mnemonic === 'movs' || mnemonic === 'movw') {
    const value = rotated(sources);
    if (value !== null) registers.set(target, { value: value >>> 0 });
    else if (source !== undefined) registers.set(target, source);
    return null;
  }
  if (mnemonic === 'movt') {
    const [low, high] = [heldValue(before), immediate(sources[0])];
    if (low !== null && high !== null) registers.set(target, { value: high * 65536 + (low & 0xffff) });
    return null;
  }
  if (!/^(?:add|sub)[sw]?$/.test(mnemonic) || base === null || added === null) return null;
  const value = (mnemonic.startsWith('add') ? base + added : base - added) & allOnes;
  registers.set(target, { value: value >>> 0 });
  return { kind: 'address', address: value >>> 0 };
}

interface At {
  registers: Registers;
  memory: Memory;
  here: number;
}

/** `ldr r0, [pc, #8]`, `ldr r0, [r1, r2]` and their like. */
function memoryStep({ mnemonic }: Instruction, words: readonly string[], { registers, memory, here }: At): Told | null {
  const target = words[0]!;
  const match = /^\[(\w+)(?:, (\w+|#[^\],]+))?\](!?)$/.exec(words[1]!);
  const base = match?.[1] ?? /\[(\w+)/.exec(words[1]!)?.[1] ?? '';
  const byRegister = match?.[2] !== undefined && !match[2].startsWith('#');
  const start = base === 'pc' ? (byRegister ? here : here - (here % 4)) : heldValue(registers.get(base));
  const added = match?.[2] === undefined ? 0 : byRegister ? heldValue(registers.get(match[2])) : immediate(match[2]);
  if (!mnemonic.startsWith('st')) registers.delete(target);
  const isAfter = words.length > 2;
  if (match?.[3] === '!' || isAfter || match === null) registers.delete(base);
  if (match === null || isAfter || start === null || added === null) return null;
  const address = ((start + added) & allOnes) >>> 0;
  if (mnemonic !== 'ldr') return { kind: 'load', address };
  if (target === 'pc') return { kind: 'through', address };
  // A literal is a value of the code; any other word is what the linker made of it.
  const literal = base === 'pc' && !byRegister ? memory.wordAt(address) : null;
  registers.set(target, literal === null ? { slot: address } : { value: literal });
  return { kind: 'load', address };
}
