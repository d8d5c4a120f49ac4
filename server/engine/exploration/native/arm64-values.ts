// What AArch64 instructions do to addresses in registers: ADRP with ADD or LDR, literals, branches. Knows no symbol.
// https://developer.arm.com/documentation/ddi0602/latest/Base-Instructions
import { heldValue, immediate, operandsOf, type Registers, type Step, type Told } from './operands.ts';

const registerOf = (text: string | undefined): string => (text ?? '').replace(/^w(?=\d)/, 'x');

/** A callee may change these. https://github.com/ARM-software/abi-aa/blob/main/aapcs64/aapcs64.rst */
function forgetAfterCall(registers: Registers): void {
  for (let number = 0; number <= 18; number++) registers.delete(`x${number}`);
  registers.delete('x30');
}

const branches = /^(?:b|b\.\w+|bc\.\w+|cbn?z|tbn?z)$/;
const throughRegister = /^(?:br|blr)(?:aaz?|abz?)?$/;
const keepsRegisters = /^(?:st|cmp|cmn|tst|ccm|prfm|nop|bti|paci|auti|dmb|dsb|isb|hint)/;

export const arm64Step: Step = ({ mnemonic, operands }, registers) => {
  const words = operandsOf(operands);
  const [first, second, third, fourth] = words;
  const last = immediate(words.at(-1));
  if (mnemonic === 'bl') {
    forgetAfterCall(registers);
    return last === null ? null : { kind: 'call', address: last };
  }
  if (branches.test(mnemonic)) return last === null ? null : { kind: 'jump', address: last };
  if (throughRegister.test(mnemonic)) {
    const held = registers.get(registerOf(first));
    if (mnemonic.startsWith('blr')) forgetAfterCall(registers);
    if (held === undefined) return null;
    return 'slot' in held ? { kind: 'through', address: held.slot } : { kind: 'call', address: held.value };
  }
  const target = registerOf(first);
  if (second?.startsWith('[') || third?.startsWith('[') || fourth?.startsWith('[')) {
    return memoryStep(mnemonic, words, registers);
  }
  const source = registers.get(registerOf(second));
  if (!keepsRegisters.test(mnemonic)) registers.delete(target);
  if (mnemonic === 'adrp' || mnemonic === 'adr') {
    if (last === null) return null;
    registers.set(target, { value: last });
    return mnemonic === 'adr' ? { kind: 'address', address: last } : null;
  }
  if (mnemonic === 'ldr' && words.length === 2 && last !== null) {
    if (target.startsWith('x') && first!.startsWith('x')) registers.set(target, { slot: last });
    return { kind: 'load', address: last };
  }
  if (mnemonic === 'mov' && source !== undefined) registers.set(target, source);
  const base = heldValue(source);
  const added = immediate(third);
  if (mnemonic !== 'add' || base === null || added === null) return null;
  const address = base + (fourth === 'lsl #12' ? added * 4096 : added);
  registers.set(target, { value: address });
  return { kind: 'address', address };
};

/** `ldr x0, [x1, #8]` and its like. */
function memoryStep(mnemonic: string, words: readonly string[], registers: Registers): Told | null {
  const place = words.findIndex((word) => word.startsWith('['));
  const inside = /^\[(\w+)(?:, (#[^\],]+))?\](!?)$/.exec(words[place]!);
  const base = inside === null ? null : heldValue(registers.get(inside[1]!));
  const added = inside?.[2] === undefined ? 0 : immediate(inside[2]);
  if (!mnemonic.startsWith('st')) for (const word of words.slice(0, place)) registers.delete(registerOf(word));
  // The base itself is moved before or after.
  const isMoved = inside === null || inside[3] === '!' || words.length > place + 1;
  if (isMoved) registers.delete(/\[(\w+)/.exec(words[place]!)?.[1] ?? '');
  if (base === null || added === null || isMoved) return null;
  const address = base + added;
  if (mnemonic === 'ldr' && words[0]!.startsWith('x')) registers.set(words[0]!, { slot: address });
  return { kind: 'load', address };
}
