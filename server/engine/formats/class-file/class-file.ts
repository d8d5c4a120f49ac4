// A Java class file: its pool of constants and the code of its methods. Knows no archive, and no instruction's meaning.
//
// https://docs.oracle.com/javase/specs/jvms/se21/html/jvms-4.html
import { FormatError } from '../byte-reader.ts';

const magic = 0xcafebabe;
/** Lengths of constants by their tag, behind it; texts say theirs. */
const constantLengths: Partial<Record<number, number>> = {
  ...{ 3: 4, 4: 4, 5: 8, 6: 8, 7: 2, 8: 2, 9: 4, 10: 4, 11: 4, 12: 4 },
  ...{ 15: 3, 16: 2, 17: 4, 18: 4, 19: 2, 20: 2 },
};
const tags = { text: 1, integer: 3, float: 4, long: 5, double: 6, class: 7, string: 8, nameAndType: 12 } as const;
const attributeHeader = 6;

/** A field or method that code refers to, by places in the pool. */
export interface MemberReference {
  /** `java/lang/String`, or `[I` for an array. */
  readonly owner: string;
  /** Text. */
  readonly name: number;
  /** `(I)V`, or `I` of a field. */
  readonly descriptor: string;
}

/** A range of the file's bytes. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** An entry that a number stands for reads as empty where it is bad: code is looked at, never run. */
export class ClassFile {
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  /** Where each constant begins, at its tag; 0 for places that hold none. */
  readonly #constants: Uint32Array;
  /** `com/example/Main` */
  readonly name: string;
  /** The instructions of each method that has some. */
  readonly code: readonly Range[];

  /** @throws FormatError `class-magic`, `class-constant` or `truncated` */
  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (bytes.length < 10 || this.#view.getUint32(0) !== magic)
      throw new FormatError('class-magic', 0, 'no class file');
    this.#constants = new Uint32Array(this.#u16(8));
    let at = this.#readConstants();
    this.name = this.className(this.#u16(at + 2));
    at += 8 + this.#u16(at + 6) * 2;
    at = this.#skipMembers(at, null);
    const code: Range[] = [];
    this.#skipMembers(at, code);
    this.code = code;
  }

  #u16(at: number): number {
    if (at + 2 > this.bytes.length) throw new FormatError('truncated', at, 'the class file is cut off');
    return this.#view.getUint16(at);
  }

  #u32(at: number): number {
    if (at + 4 > this.bytes.length) throw new FormatError('truncated', at, 'the class file is cut off');
    return this.#view.getUint32(at);
  }

  /** Where the pool ends. */
  #readConstants(): number {
    let at = 10;
    for (let index = 1; index < this.#constants.length; index++) {
      const tag = this.bytes[at] ?? 0;
      const length = tag === tags.text ? 2 + this.#u16(at + 1) : constantLengths[tag];
      if (length === undefined) throw new FormatError('class-constant', at, `constant ${index} has the tag ${tag}`);
      this.#constants[index] = at;
      at += 1 + length;
      // Numbers of 64 bits take two places.
      if (tag === tags.long || tag === tags.double) index++;
    }
    return at;
  }

  /** Passes fields or methods, and takes up where their code is; answers where they end. */
  #skipMembers(start: number, code: Range[] | null): number {
    let at = start + 2;
    for (let left = this.#u16(start); left > 0; left--) {
      const attributes = this.#u16(at + 6);
      at += 8;
      for (let attribute = attributes; attribute > 0; attribute--) {
        const content = at + attributeHeader;
        if (code !== null && this.text(this.#u16(at)) === 'Code') {
          const first = content + 8;
          const past = first + this.#u32(content + 4);
          if (past > this.bytes.length) throw new FormatError('truncated', content, 'code is cut off');
          code.push({ start: first, end: past });
        }
        at = content + this.#u32(at + 2);
      }
    }
    return at;
  }

  /** Where constant `index` begins, at its tag; 0 where it is another kind. */
  #at(index: number, ...wanted: readonly number[]): number {
    const at = this.#constants[index] ?? 0;
    return at !== 0 && wanted.includes(this.bytes[at]!) ? at : 0;
  }

  /** The bytes of a text, in MUTF-8. */
  textRange(index: number): Range {
    const at = this.#at(index, tags.text);
    return at === 0 ? { start: 0, end: 0 } : { start: at + 3, end: at + 3 + this.#u16(at + 1) };
  }

  /** A text of names and descriptors, which hold no more than ASCII as a rule. */
  text(index: number): string {
    const { start, end } = this.textRange(index);
    return Buffer.from(this.bytes.buffer, this.bytes.byteOffset + start, end - start).toString();
  }

  /** `java/lang/String`, or `[I` for an array. */
  className(index: number): string {
    const at = this.#at(index, tags.class);
    return at === 0 ? '' : this.text(this.#u16(at + 1));
  }

  /** The text that a string constant has, by its place in the pool; 0 where the constant is no string. */
  stringText(index: number): number {
    const at = this.#at(index, tags.string);
    return at === 0 ? 0 : this.#u16(at + 1);
  }

  isClass(index: number): boolean {
    return this.#at(index, tags.class) !== 0;
  }

  /** The halves of a number as they stand in memory, whatever its kind; null where the constant is none. */
  number(index: number): { low: number; high: number } | null {
    const at = this.#at(index, tags.integer, tags.float, tags.long, tags.double);
    if (at === 0) return null;
    const isWide = this.bytes[at]! >= tags.long;
    const first = this.#u32(at + 1) | 0;
    return isWide ? { low: this.#u32(at + 5) | 0, high: first } : { low: first, high: first >> 31 };
  }

  /** @param index of a field or method */
  member(index: number): MemberReference {
    const at = this.#at(index, 9, 10, 11);
    const named = at === 0 ? 0 : this.#at(this.#u16(at + 3), tags.nameAndType);
    if (named === 0) return { owner: '', name: 0, descriptor: '' };
    return {
      owner: this.className(this.#u16(at + 1)),
      name: this.#u16(named + 1),
      descriptor: this.text(this.#u16(named + 3)),
    };
  }
}
