// Hashes of what the methods of a dex file do. Knows no app.
import type { Dex } from '../formats/dex/dex.ts';
import { type IndexKind, opcodeLengths, opcodes, payloadLength } from '../formats/dex/opcodes.ts';
import { isOfPlatform, memberWord, operationWord, protoWord, textWord, typeWord, WordSum } from './method-words.ts';

/** Code units of each method that are read; what comes after tells little more. */
const maxMethodUnits = 65_536;
const maxParameters = 255;

/** What compilers write in several ways, or as often as they like. */
const unsaid = /^(nop|goto|move|return|check-cast|aput|fill-array|const($|\/|-wide|-string))/;

/** What an instruction does in words that class files have, too; null where it is left unsaid. */
function operationOf(mnemonic: string): string | null {
  if (unsaid.test(mnemonic)) return null;
  if (/^filled-new-array/.test(mnemonic)) return 'new-array';
  if (/^if-/.test(mnemonic)) return 'if';
  if (/-switch$/.test(mnemonic)) return 'switch';
  if (/^invoke-(virtual|super|direct|static|interface)/.test(mnemonic)) return 'invoke';
  const [name = ''] = mnemonic.split('/');
  if (/^[is](get|put)/.test(name)) return name.slice(0, 4);
  if (/^aget/.test(name)) return 'aget';
  return name
    .replace(/^cmp[lg]/, 'cmp')
    .replace(/^r?sub-/, 'add-')
    .replace(/^not-/, 'xor-');
}

const operations = Int32Array.from(opcodes, ({ mnemonic, isUnused }) => {
  const name = isUnused ? 'unused' : operationOf(mnemonic);
  return name === null ? 0 : operationWord(name);
});

/** What an instruction refers to, by opcode. */
const nothing = 0;
const string = 1;
const type = 2;
const field = 3;
const method = 4;
const operandKinds: Partial<Record<IndexKind, number>> = { string, type, field, method, 'method-and-proto': method };
const operands = Uint8Array.from(opcodes, ({ index, mnemonic }) =>
  mnemonic === 'check-cast' ? nothing : (operandKinds[index] ?? nothing),
);
const constStringJumbo = 0x1b;
const textLoad = operationWord('const-string');
const longIndex = (code: Uint16Array, at: number): number => (code[at + 1]! | (code[at + 2]! << 16)) >>> 0;

/** How the number in an instruction is written, by opcode. */
const noNumber = 0;
const short = 1;
const high = 2;
const byte = 3;
const int = 4;
const long = 5;
const wideHigh = 6;
const numberForms: Partial<Record<string, number>> = {
  '21s': short,
  '22s': short,
  '22b': byte,
  '31i': int,
  '51l': long,
};
const numbers = Uint8Array.from(opcodes, ({ format, mnemonic }) => {
  if (mnemonic === 'const/high16') return high;
  if (mnemonic === 'const-wide/high16') return wideHigh;
  return /^const(\/|-wide)|^const$|\/lit|^rsub-int$/.test(mnemonic) ? (numberForms[format] ?? noNumber) : noNumber;
});

/** What each entry of a table says, found when it is first asked for; 0 until then. */
type Words = Int32Array;

export class DexMethodHashes {
  readonly #dex: Dex;
  readonly #types: Words;
  readonly #protos: Words;
  readonly #tables: readonly Words[];
  /** By string, the last method that loads it: one counts once in each. */
  readonly #loaded: Uint32Array;
  #method = 0;
  readonly #sum = new WordSum();

  constructor(dex: Dex) {
    this.#dex = dex;
    this.#types = new Int32Array(dex.typeCount);
    this.#protos = new Int32Array(dex.protoCount);
    this.#loaded = new Uint32Array(dex.stringCount);
    const none = new Int32Array(0);
    this.#tables = [
      none,
      new Int32Array(dex.stringCount),
      this.#types,
      new Int32Array(dex.fieldCount),
      new Int32Array(dex.methodCount),
    ];
  }

  /** The hash of a method's instructions, from `start` to before `past`; null where they are too few. */
  hashOf(code: Uint16Array, start: number, past: number): number | null {
    const end = Math.min(past, start + maxMethodUnits);
    const sum = this.#sum;
    sum.start();
    this.#method++;
    for (let at = start; at < end; ) {
      const unit = code[at]!;
      const opcode = unit & 0xff;
      const next = at + (opcode === 0 && unit !== 0 ? payloadLength(code, at, end) || 1 : opcodeLengths[opcode]!);
      if (next > end) break;
      const operation = operations[opcode]!;
      const kind = operands[opcode]!;
      if (kind === string) this.#addText(opcode === constStringJumbo ? longIndex(code, at) : code[at + 1]!);
      else if (operation !== 0) sum.add(kind === nothing ? operation : operation + this.#word(kind, code[at + 1]!));
      if (numbers[opcode] !== noNumber) addNumber(sum, numbers[opcode]!, code, at);
      at = next;
    }
    return sum.hash();
  }

  #addText(index: number): void {
    if (this.#loaded[index] === this.#method) return;
    this.#loaded[index] = this.#method;
    this.#sum.add(textLoad + this.#word(string, index));
  }

  #word(kind: number, index: number): number {
    const table = this.#tables[kind]!;
    const known = table[index];
    if (known === undefined || known !== 0) return known ?? 0;
    const word = this.#describe(kind, index);
    table[index] = word;
    return word;
  }

  #describe(kind: number, index: number): number {
    const dex = this.#dex;
    switch (kind) {
      case string:
        return this.#text(index);
      case field:
        return memberWord(
          this.#owner(dex.fieldClassIndex(index)),
          this.#text(dex.fieldNameIndex(index)),
          this.#word(type, dex.fieldTypeIndex(index)),
        );
      case method:
        return memberWord(
          this.#owner(dex.methodClassIndex(index)),
          this.#text(dex.methodNameIndex(index)),
          this.#proto(dex.methodProtoIndex(index)),
        );
      default:
        return typeWord(dex.type(index));
    }
  }

  #owner(index: number): number | null {
    return isOfPlatform(this.#dex.type(index)) ? this.#word(type, index) : null;
  }

  #text(index: number): number {
    const range = this.#dex.stringRange(index);
    return range === null ? 0 : textWord(this.#dex.bytes, range.start, range.end);
  }

  #proto(index: number): number {
    const known = this.#protos[index];
    if (known === undefined || known !== 0) return known ?? 0;
    const { protoIds } = this.#dex;
    const types = this.#dex.typeList(protoIds[index * 3 + 2]!, maxParameters);
    const word = protoWord([...types, protoIds[index * 3 + 1]!].map((each) => this.#word(type, each)));
    this.#protos[index] = word;
    return word;
  }
}

function addNumber(sum: WordSum, form: number, code: Uint16Array, at: number): void {
  const one = code[at + 1]!;
  const two = code[at + 2] ?? 0;
  const signed = (one << 16) >> 16;
  if (form === long) sum.addNumber(one | (two << 16), code[at + 3]! | (code[at + 4]! << 16));
  else if (form === wideHigh) sum.addNumber(0, one << 16);
  else if (form === high) sum.addNumber(one << 16, signed >> 31);
  else if (form === int) sum.addNumber(one | (two << 16), (two << 16) >> 31);
  else sum.addNumber(form === byte ? signed >> 8 : signed, signed >> 31);
}
