// Encoded values: constants of fields, annotations and call sites. Knows no classes.
//
// https://source.android.com/docs/core/runtime/dex-format#encoding
import type { Dex } from './dex.ts';
import { LebCursor } from './leb128.ts';

/** What a value's `index` points into. */
export type ReferenceKind = 'string' | 'type' | 'field' | 'method' | 'enum' | 'proto' | 'method-handle';

export type EncodedValue =
  | { readonly kind: 'byte' | 'short' | 'char' | 'int' | 'float' | 'double'; readonly value: number }
  | { readonly kind: 'long'; readonly value: bigint }
  | { readonly kind: ReferenceKind; readonly index: number }
  | { readonly kind: 'array'; readonly values: readonly EncodedValue[] }
  | { readonly kind: 'annotation'; readonly annotation: EncodedAnnotation }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'null' };

export interface EncodedAnnotation {
  readonly typeIndex: number;
  readonly elements: readonly { readonly nameIndex: number; readonly value: EncodedValue }[];
}

/** Annotations hold arrays of annotations some levels deep; deeper nesting is there to exhaust the stack. */
export const maxDepth = 32;
/** Values of one class's annotations or fields; shared parts can be referred to again and again. */
const maxValues = 200_000;

const references: Record<number, ReferenceKind> = {
  21: 'proto',
  22: 'method-handle',
  23: 'string',
  24: 'type',
  25: 'field',
  26: 'method',
  27: 'enum',
};
const scratch = new DataView(new ArrayBuffer(8));

/** Reads values until its budget is spent or the file ends; what is missing then reads as null, with a finding. */
export class EncodedValueReader {
  readonly #dex: Dex;
  #valuesLeft = maxValues;

  constructor(dex: Dex) {
    this.#dex = dex;
  }

  /** The values of an encoded array item at a file offset. */
  arrayAt(offset: number): readonly EncodedValue[] {
    return this.#array(this.#cursor(offset), 0);
  }

  /** The annotation at a file offset, without its visibility. */
  annotationAt(offset: number): EncodedAnnotation {
    return this.#annotation(this.#cursor(offset), 0);
  }

  #cursor(offset: number): LebCursor {
    if (offset >= this.#dex.bytes.length) {
      this.#dex.findings.add('dex-offset-outside', this.#dex.where, `value at 0x${offset.toString(16)}`);
    }
    return new LebCursor(this.#dex.bytes, offset);
  }

  #report(cursor: LebCursor, evidence: string): void {
    this.#dex.findings.add('dex-encoded-value', `${this.#dex.where}:0x${cursor.offset.toString(16)}`, evidence);
  }

  #isSpent(cursor: LebCursor): boolean {
    if (cursor.isPastEnd) {
      this.#report(cursor, 'values run past the end of the file');
      return true;
    }
    if (this.#valuesLeft > 0) return false;
    this.#report(cursor, `more than ${maxValues} values`);
    return true;
  }

  #array(cursor: LebCursor, depth: number): EncodedValue[] {
    const values: EncodedValue[] = [];
    for (let left = cursor.uleb(); left > 0 && !this.#isSpent(cursor); left--) values.push(this.#value(cursor, depth));
    return values;
  }

  #annotation(cursor: LebCursor, depth: number): EncodedAnnotation {
    const typeIndex = cursor.uleb();
    const elements: { nameIndex: number; value: EncodedValue }[] = [];
    for (let left = cursor.uleb(); left > 0 && !this.#isSpent(cursor); left--) {
      elements.push({ nameIndex: cursor.uleb(), value: this.#value(cursor, depth) });
    }
    return { typeIndex, elements };
  }

  #value(cursor: LebCursor, depth: number): EncodedValue {
    this.#valuesLeft--;
    if (depth > maxDepth) {
      this.#report(cursor, `nested more than ${maxDepth} deep`);
      this.#valuesLeft = 0;
      return { kind: 'null' };
    }
    const head = cursor.u8();
    const type = head & 0x1f;
    const argument = head >> 5;
    switch (type) {
      case 0x00:
        return { kind: 'byte', value: Number(integer(cursor, 1, true)) };
      case 0x02:
        return { kind: 'short', value: Number(integer(cursor, argument + 1, true)) };
      case 0x03:
        return { kind: 'char', value: Number(integer(cursor, argument + 1, false)) & 0xffff };
      case 0x04:
        return { kind: 'int', value: Number(BigInt.asIntN(32, integer(cursor, argument + 1, true))) };
      case 0x06:
        return { kind: 'long', value: BigInt.asIntN(64, integer(cursor, argument + 1, true)) };
      case 0x10: {
        const size = Math.min(argument + 1, 4);
        scratch.setUint32(0, Number(integer(cursor, size, false) << BigInt(32 - size * 8)));
        return { kind: 'float', value: scratch.getFloat32(0) };
      }
      case 0x11:
        scratch.setBigUint64(0, integer(cursor, argument + 1, false) << BigInt(56 - argument * 8));
        return { kind: 'double', value: scratch.getFloat64(0) };
      case 0x1c:
        return { kind: 'array', values: this.#array(cursor, depth + 1) };
      case 0x1d:
        return { kind: 'annotation', annotation: this.#annotation(cursor, depth + 1) };
      case 0x1e:
        return { kind: 'null' };
      case 0x1f:
        return { kind: 'boolean', value: argument !== 0 };
    }
    const kind = references[type];
    if (kind !== undefined) {
      return { kind, index: Number(BigInt.asUintN(32, integer(cursor, argument + 1, false))) };
    }
    this.#report(cursor, `unknown type 0x${type.toString(16)}`);
    this.#valuesLeft = 0;
    return { kind: 'null' };
  }
}

/** A little-endian integer of up to eight bytes, sign- or zero-extended. */
function integer(cursor: LebCursor, size: number, isSigned: boolean): bigint {
  if (size <= 4) {
    let small = 0;
    for (let index = 0; index < size; index++) small |= cursor.u8() << (index * 8);
    const unused = 32 - size * 8;
    return BigInt(isSigned ? (small << unused) >> unused : ((small << unused) >>> 0) >>> unused);
  }
  let value = 0n;
  for (let index = 0; index < size; index++) value |= BigInt(cursor.u8()) << BigInt(index * 8);
  return isSigned ? BigInt.asIntN(size * 8, value) : value;
}
