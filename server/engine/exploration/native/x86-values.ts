// What x86 instructions do to addresses in registers: RIP-relative operands, the 32-bit base of the global offset table,
// branches. Knows no symbol.
import { heldValue, immediate, type Memory, operandsOf, type Registers, type Step } from './operands.ts';

/** The register that a name is a part of, or a place below the frame's pointer, where values are put aside. */
function registerOf(text: string | undefined): string {
  const name = text ?? '';
  if (name.includes('[')) return /\[[er]bp - (?:0x[0-9a-f]+|\d+)\]$/.exec(name)?.[0] ?? '';
  const legacy = /^[re]?([abcd])[xlh]$|^[re]?(si|di|bp|sp)l?$/.exec(name);
  return legacy?.[1] ?? legacy?.[2] ?? name.replace(/^(r\d+)[dwb]$/, '$1');
}

const kept = ['b', 'bp', 'sp', 'r12', 'r13', 'r14', 'r15', 'si', 'di'];
const branches = /^(?:(?:bnd |notrack )?j[a-z]+|loop(?:e|ne)?)$/;
const calls = /^(?:bnd |notrack )?call$/;
const keepsRegisters = /^(?:push|cmp|test|nop|endbr)/;
/** `mov reg, [esp]; ret`: how 32-bit code asks where it is. By the second byte of the first instruction. */
const counterRegister: Readonly<Record<number, string>> = {
  4: 'a',
  12: 'c',
  20: 'd',
  28: 'b',
  44: 'bp',
  52: 'si',
  60: 'di',
};

export const x86Step: Step = ({ mnemonic, operands, address, size }, registers, memory, set) => {
  const words = operandsOf(operands);
  const next = address + size;
  const is32 = set === 'x86';
  const wrap = (value: number): number => (is32 ? value >>> 0 : value);
  const place = words.find((word) => word.includes('['));
  const at = place === undefined ? null : placeOf(place, registers, next);
  const isCall = calls.test(mnemonic);
  const counter = registers.get('counter');
  registers.delete('counter');
  if (isCall || branches.test(mnemonic)) {
    const held = registers.get(registerOf(words[0]));
    if (isCall) for (const name of registers.keys()) if (!keepsOver(name, is32)) registers.delete(name);
    const target = immediate(words[0]);
    if (target !== null) {
      if (is32 && isCall) setCounter(target, next, registers, memory);
      return { kind: isCall ? 'call' : 'jump', address: target };
    }
    if (at !== null) return { kind: 'through', address: wrap(at) };
    return held !== undefined && 'slot' in held ? { kind: 'through', address: held.slot } : null;
  }
  const target = registerOf(words[0]);
  const before = registers.get(target);
  const source = registers.get(registerOf(words[1]));
  const isWord = is32 || /^r(?:\w+[xip]|\d+)$/.test(words[0] ?? '');
  if (!keepsRegisters.test(mnemonic)) registers.delete(target);
  if (target === 'bp') forgetFrame(registers);
  if (/^(?:xchg|cmpxchg|xadd|mul|imul|div|idiv|cdq|cqo|cpuid|rep|stos|movs|popa|leave|syscall|int)/.test(mnemonic)) {
    registers.clear();
  }
  if (at !== null) {
    const found = wrap(at);
    if (mnemonic === 'lea') registers.set(target, { value: found });
    else if (mnemonic === 'mov' && place === words[1] && isWord) registers.set(target, { slot: found });
    return { kind: mnemonic === 'lea' ? 'address' : 'load', address: found };
  }
  if (mnemonic === 'pop' && counter !== undefined) registers.set(target, counter);
  else if (mnemonic === 'mov' && source !== undefined && (isWord || /^[dq]word ptr \[[er]bp /.test(words[0] ?? '')))
    registers.set(target, source);
  else if (mnemonic === 'add' || mnemonic === 'sub') {
    const [base, added] = [heldValue(before), immediate(words[1])];
    if (base !== null && added !== null)
      registers.set(target, { value: wrap(mnemonic === 'add' ? base + added : base - added) });
  }
  return null;
};

/** A callee leaves these as they are; RSI and RDI only in 32 bits. */
const keepsOver = (name: string, is32: boolean): boolean =>
  name.startsWith('[') || (kept.includes(name) && (is32 || name.length !== 2 || name === 'bp'));

/** What was put aside below another frame. */
function forgetFrame(registers: Registers): void {
  for (const name of registers.keys()) if (name.startsWith('[')) registers.delete(name);
}

/** What a 32-bit call leaves behind that only asks for the program counter. */
function setCounter(target: number, next: number, registers: Registers, memory: Memory): void {
  if (target === next) registers.set('counter', { value: next });
  const [opcode, operand, base, end] = [0, 1, 2, 3].map((offset) => memory.byteAt(target + offset));
  if (opcode !== 0x8b || base !== 0x24 || end !== 0xc3) return;
  const name = counterRegister[operand ?? 0];
  if (name !== undefined) registers.set(name, { value: next });
}

/** The address that an operand in brackets leads to; null where a register is not known. */
function placeOf(text: string, registers: Registers, next: number): number | null {
  const match = /(?:^|ptr )\[(\w+)(?: ([+-]) (0x[0-9a-f]+|\d+))?\]/.exec(text);
  if (match === null) return null;
  const base = match[1] === 'rip' ? next : heldValue(registers.get(registerOf(match[1])));
  if (base === null) return null;
  return base + (match[2] === '-' ? -1 : 1) * Number(match[3] ?? 0);
}
