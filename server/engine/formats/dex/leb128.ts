// A cursor over LEB128 numbers and single bytes that never throws. Knows no dex structure.
//
// https://source.android.com/docs/core/runtime/dex-format#leb128

/** Reads past the end give 0 and set `isPastEnd`; whoever loops over a count read from the file checks it. */
export class LebCursor {
  readonly bytes: Uint8Array;
  offset: number;
  isPastEnd = false;

  constructor(bytes: Uint8Array, offset: number) {
    this.bytes = bytes;
    this.offset = offset;
  }

  u8(): number {
    if (this.offset < this.bytes.length) return this.bytes[this.offset++]!;
    this.isPastEnd = true;
    return 0;
  }

  /** Unsigned, 32 bits. Bits past the 32nd are dropped, and a number ends after five bytes, as Android reads it. */
  uleb(): number {
    let byte = this.u8();
    if (byte < 0x80) return byte;
    let value = byte & 0x7f;
    for (let shift = 7; shift < 35; shift += 7) {
      byte = this.u8();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    return value >>> 0;
  }

  /** Unsigned plus one: -1 stands for "none". */
  ulebPlusOne(): number {
    return this.uleb() - 1;
  }

  /** Signed, 32 bits. */
  sleb(): number {
    let value = 0;
    let shift = 0;
    let byte: number;
    do {
      byte = this.u8();
      if (shift < 32) value |= (byte & 0x7f) << shift;
      shift += 7;
    } while (byte >= 0x80 && shift < 35);
    return shift < 32 && (byte & 0x40) !== 0 ? value | (-1 << shift) : value | 0;
  }
}
