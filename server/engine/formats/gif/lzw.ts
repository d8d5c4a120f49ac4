// Unpacks the indexes of a GIF's picture. Knows nothing of colours.
import { FormatError } from '../byte-reader.ts';

const maxCodes = 4096;
const maxCodeBits = 12;

/** What each code stands for: another code and a byte after it. */
class CodeTable {
  readonly #before = new Uint16Array(maxCodes);
  readonly #last = new Uint8Array(maxCodes);
  readonly #lengths = new Uint16Array(maxCodes);
  /** Codes that are known. */
  size = 0;

  /** Knows single bytes alone, and the two codes after them that stand for none. */
  reset(bits: number): void {
    this.size = (1 << bits) + 2;
    for (let code = 0; code < 1 << bits; code++) {
      this.#last[code] = code;
      this.#lengths[code] = 1;
    }
  }

  add(before: number, last: number): void {
    if (this.size === maxCodes) return;
    this.#before[this.size] = before;
    this.#last[this.size] = last;
    this.#lengths[this.size++] = this.#lengths[before]! + 1;
  }

  /** Writes what a code stands for as far as there is room. @returns how long it is, and its first byte */
  write(code: number, out: Uint8Array, at: number): { length: number; first: number } {
    const length = this.#lengths[code]!;
    let rest = code;
    for (let place = at + length - 1; place > at; place--) {
      if (place < out.length) out[place] = this.#last[rest]!;
      rest = this.#before[rest]!;
    }
    if (at < out.length) out[at] = this.#last[rest]!;
    return { length, first: this.#last[rest]! };
  }
}

/**
 * @param bits of the smallest codes, less one
 * @returns as many indexes as there are, at the most `count`
 * @throws FormatError `bad-gif`
 * @see https://www.w3.org/Graphics/GIF/spec-gif89a.txt
 */
export function unpackedLzw(bits: number, data: Uint8Array, count: number): Uint8Array {
  if (bits < 1 || bits > 8) throw new FormatError('bad-gif', 0, `codes begin with ${bits} bits`);
  const out = new Uint8Array(count);
  const [clear, end] = [1 << bits, (1 << bits) + 1];
  const table = new CodeTable();
  table.reset(bits);
  let [width, buffer, held, written, previous] = [bits + 1, 0, 0, 0, -1];
  for (const byte of data) {
    buffer |= byte << held;
    held += 8;
    while (held >= width && written < count) {
      const code = buffer & ((1 << width) - 1);
      buffer >>>= width;
      held -= width;
      if (code === end) return out.subarray(0, written);
      if (code === clear) {
        table.reset(bits);
        [width, previous] = [bits + 1, -1];
        continue;
      }
      if (code > table.size || (code === table.size && previous < 0))
        throw new FormatError('bad-gif', 0, 'a code stands for nothing');
      const isNew = code === table.size;
      const { length, first } = table.write(isNew ? previous : code, out, written);
      written += length;
      if (isNew && written < count) out[written] = first;
      if (isNew) written++;
      if (previous >= 0) table.add(previous, first);
      previous = code;
      if (table.size === 1 << width && width < maxCodeBits) width++;
    }
  }
  return out.subarray(0, Math.min(written, count));
}
