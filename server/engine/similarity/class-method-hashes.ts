// Hashes of what the methods of a class file do, the same as those of the dex code that is made of them. Knows no archive.
import { dalvikOperations, instructionLength, primitiveArrays } from '../formats/class-file/bytecode.ts';
import type { ClassFile, Range } from '../formats/class-file/class-file.ts';
import { isOfPlatform, memberWord, operationWord, protoWord, textWord, typeWord, WordSum } from './method-words.ts';

const operations = dalvikOperations.map((name) => (name === null ? null : operationWord(name)));
const textLoad = operationWord('const-string');
const classLoad = operationWord('const-class');

const op = { sipush: 0x11, ldc: 0x12, ldc2: 0x14, newArray: 0xbc, newObjectArray: 0xbd } as const;
/** Constants that are instructions of their own: 1 and 2 as `float`, and 1 as `double`. */
const numberedOpcodes: Partial<Record<number, { low: number; high: number }>> = {
  12: { low: 0x3f800000, high: 0 },
  13: { low: 0x40000000, high: 0 },
  15: { low: 0, high: 0x3ff00000 },
};

const descriptorOf = (name: string): string => (name.startsWith('[') ? name : `L${name};`);

/** `(ILjava/lang/String;)V` or the type of a field, as a word. */
function signatureWord(descriptor: string): number {
  const types = descriptor.match(/\[*(?:L[^;]*;|[A-Z])/g) ?? [];
  return descriptor.startsWith('(') ? protoWord(types.map(typeWord)) : typeWord(descriptor);
}

/** The hashes of all methods that are long enough. */
export function* classMethodHashes(file: ClassFile): Generator<number> {
  const view = new DataView(file.bytes.buffer, file.bytes.byteOffset, file.bytes.byteLength);
  const sum = new WordSum();
  for (const range of file.code) {
    const hash = hashOf(file, view, range, sum);
    if (hash !== null) yield hash;
  }
}

function hashOf(file: ClassFile, view: DataView, { start, end }: Range, sum: WordSum): number | null {
  const loaded = new Set<number>();
  sum.start();
  let length = 0;
  for (let at = start; at < end; at += length) {
    length = instructionLength(view, at, start);
    if (at + length > end) break;
    const opcode = view.getUint8(at);
    const index = length === 2 ? view.getUint8(at + 1) : length > 2 ? view.getUint16(at + 1) : 0;
    const operation = operations[opcode] ?? null;
    const number =
      opcode === op.sipush ? { low: (index << 16) >> 16, high: (index << 16) >> 31 } : numberedOpcodes[opcode];
    if (number !== undefined) sum.addNumber(number.low, number.high);
    else if (opcode >= op.ldc && opcode <= op.ldc2) addConstant(file, index, loaded, sum);
    else if (operation !== null) sum.add(operation + operandWord(file, opcode, index));
  }
  return sum.hash();
}

function addConstant(file: ClassFile, index: number, loaded: Set<number>, sum: WordSum): void {
  const number = file.number(index);
  if (number !== null) sum.addNumber(number.low, number.high);
  else if (file.isClass(index)) sum.add(classLoad + typeWord(descriptorOf(file.className(index))));
  else if (!loaded.has(index)) {
    // A text counts once in each method: compilers load it again as they like.
    loaded.add(index);
    const { start, end } = file.textRange(file.stringText(index));
    sum.add(textLoad + textWord(file.bytes, start, end));
  }
}

function operandWord(file: ClassFile, opcode: number, index: number): number {
  if (opcode >= 0xb2 && opcode <= 0xb9) {
    const { owner, name, descriptor } = file.member(index);
    const type = descriptorOf(owner);
    const { start, end } = file.textRange(name);
    const ownerWord = isOfPlatform(type) ? typeWord(type) : null;
    return memberWord(ownerWord, textWord(file.bytes, start, end), signatureWord(descriptor));
  }
  if (opcode === 0xbb || opcode === 0xc1) return typeWord(descriptorOf(file.className(index)));
  if (opcode === op.newArray) return typeWord(primitiveArrays[index] ?? '[I');
  if (opcode === op.newObjectArray) return typeWord(`[${descriptorOf(file.className(index))}`);
  return 0;
}
