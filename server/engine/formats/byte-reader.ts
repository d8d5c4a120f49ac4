// Bounds-checked little-endian reading for every format parser. Knows no format.

/** A message may quote a name of 64 KB; the place stays readable behind it. */
const maxMessageLength = 300;

/** Bytes that break a format's rules: what, and where. */
export class FormatError extends Error {
  readonly code: string;
  /** Byte offset within the parsed file or chunk. */
  readonly offset: number;

  constructor(code: string, offset: number, message: string) {
    super(`${message.slice(0, maxMessageLength)} (at offset 0x${offset.toString(16)})`);
    this.name = 'FormatError';
    this.code = code;
    this.offset = offset;
  }
}

/** A cursor over bytes. Every read checks its bounds and throws `FormatError` with code `truncated` past the end. */
export class ByteReader {
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  offset: number;

  constructor(bytes: Uint8Array, offset = 0) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.offset = offset;
  }

  get length(): number {
    return this.bytes.length;
  }

  get remaining(): number {
    return this.bytes.length - this.offset;
  }

  /** @throws FormatError where fewer than `count` bytes are left or the cursor stands outside */
  #take(count: number): number {
    const at = this.offset;
    if (at < 0 || count < 0 || at + count > this.bytes.length) {
      throw new FormatError('truncated', at, `${count} bytes are needed, ${Math.max(0, this.remaining)} are left`);
    }
    this.offset = at + count;
    return at;
  }

  seek(offset: number): this {
    this.offset = offset;
    return this;
  }

  skip(count: number): this {
    this.#take(count);
    return this;
  }

  u8(): number {
    return this.#view.getUint8(this.#take(1));
  }

  u16(): number {
    return this.#view.getUint16(this.#take(2), true);
  }

  u32(): number {
    return this.#view.getUint32(this.#take(4), true);
  }

  i32(): number {
    return this.#view.getInt32(this.#take(4), true);
  }

  /** An unsigned 64-bit number; past 2^53 it is inexact, which is past every length limit anyway. */
  u64(): number {
    return Number(this.#view.getBigUint64(this.#take(8), true));
  }

  f32(): number {
    return this.#view.getFloat32(this.#take(4), true);
  }

  /** A view of the next `count` bytes, sharing memory. */
  take(count: number): Uint8Array {
    const at = this.#take(count);
    return this.bytes.subarray(at, at + count);
  }
}
