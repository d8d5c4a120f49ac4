// A string pool of Android's binary resources, decoded string by string. Knows nothing of who refers to its strings.
import type { FindingCode } from '../../../contract/findings/finding-catalogue.ts';
import type { Findings } from '../../findings.ts';

const headerSize = 28;
const utf8Flag = 0x100;
/** A pool whose strings overlap could decode to its size squared; honest pools decode to at most twice their size. */
const decodingFactor = 8;
const decodingAllowance = 1 << 20;
/** How many strings are tried when the encoding flag is in doubt. */
const encodingSamples = 8;

/**
 * The strings of one `ResStringPool` chunk. Nothing but the header is read before a string is asked for.
 * @see https://android.googlesource.com/platform/frameworks/base/+/refs/heads/main/libs/androidfw/include/androidfw/ResourceTypes.h
 */
export class StringPool {
  /** How many strings can be asked for: the declared count, cut to what fits into the chunk. */
  readonly count: number;
  readonly isUtf8: boolean;
  readonly #bytes: Buffer;
  readonly #view: DataView;
  readonly #offsets: number;
  readonly #strings: number;
  readonly #end: number;
  readonly #styleOffsets: number;
  readonly #styleCount: number;
  readonly #styles: number;
  readonly #chunkEnd: number;
  readonly #cache = new Map<number, string | null>();
  readonly #findings: Findings;
  readonly #where: string;
  readonly #reported = new Set<string>();
  #budget: number;

  /**
   * @param start offset of the chunk in `bytes`
   * @param end offset of the first byte past it; the size in its header has been judged by the caller
   */
  constructor(bytes: Uint8Array, start: number, end: number, findings: Findings, where: string) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#findings = findings;
    this.#where = where;
    this.#budget = 0;
    const view = this.#view;
    if (end - start < headerSize) {
      this.count = 0;
      this.isUtf8 = false;
      this.#offsets = this.#strings = this.#end = this.#styleOffsets = this.#styles = this.#chunkEnd = end;
      this.#styleCount = 0;
      if (end > start) this.#report('string-pool-header', `${end - start} bytes`);
      return;
    }
    const limit = end;
    const declaredCount = view.getUint32(start + 8, true);
    const styleCount = view.getUint32(start + 12, true);
    const flags = view.getUint32(start + 16, true);
    const stringsStart = start + view.getUint32(start + 20, true);
    const stylesStart = start + view.getUint32(start + 24, true);
    this.#offsets = start + Math.max(8, view.getUint16(start + 2, true));
    this.count = Math.min(declaredCount, Math.max(0, Math.floor((limit - this.#offsets) / 4)));
    this.#checkCount(declaredCount, styleCount, stringsStart);
    this.#strings = Math.min(stringsStart, limit);
    if (this.count > 0 && stringsStart + 2 > limit) {
      this.#report('string-pool-start', `strings start at ${stringsStart - start} of ${limit - start}`);
    }
    const hasStyles = styleCount > 0 && stylesStart > stringsStart && stylesStart < limit;
    if (styleCount > 0 && !hasStyles) {
      this.#report('string-pool-styles', `${styleCount} styles declared at ${stylesStart - start} of ${limit - start}`);
    }
    this.#end = hasStyles ? stylesStart : limit;
    this.#styleOffsets = this.#offsets + declaredCount * 4;
    this.#styleCount = hasStyles ? Math.min(styleCount, Math.floor((limit - this.#offsets) / 4)) : 0;
    this.#styles = stylesStart;
    this.#chunkEnd = limit;
    this.#budget = (limit - start) * decodingFactor + decodingAllowance;
    this.isUtf8 = this.#detectUtf8((flags & utf8Flag) !== 0);
  }

  /** The offsets of strings and styles reach from the header to the first string, no further and no less far. */
  #checkCount(declaredCount: number, styleCount: number, stringsStart: number): void {
    const room = Math.floor((stringsStart - this.#offsets) / 4) - styleCount;
    if (this.count < declaredCount) {
      this.#report('string-pool-count', `${declaredCount} strings declared, room for ${this.count}`);
    } else if (declaredCount > 0 && stringsStart < this.#offsets + declaredCount * 4) {
      // Android allows it as long as nothing refers to the strings that are not there.
      this.#report('string-pool-count', `${declaredCount} strings declared, their offsets reach into the strings`);
    } else if (declaredCount < room) {
      // Android does not see the strings past the declared ones.
      this.#report('string-pool-count', `${declaredCount} strings declared, offsets for ${room} are there`);
    }
  }

  /** A pool without strings, for a file that has none. */
  static empty(findings: Findings): StringPool {
    return new StringPool(new Uint8Array(0), 0, 0, findings, '');
  }

  /** The string of an index, null where the pool has none or its bytes stand outside the pool. */
  at(index: number): string | null {
    if (index < 0 || index >= this.count) return null;
    let string = this.#cache.get(index);
    if (string === undefined) {
      string = this.#decode(index);
      this.#cache.set(index, string);
    }
    return string;
  }

  /** Every readable string, in order; none is kept. */
  *[Symbol.iterator](): Generator<string> {
    for (let index = 0; index < this.count; index++) {
      const string = this.#cache.get(index) ?? this.#decode(index);
      if (string !== null) yield string;
    }
  }

  /** Every readable string with its index, in order; none is kept. */
  forEach(visit: (text: string, index: number) => void): void {
    for (let index = 0; index < this.count; index++) {
      const string = this.#cache.get(index) ?? this.#decode(index);
      if (string !== null) visit(string, index);
    }
  }

  /** The spans of styled text (tag name, first and last character), empty for plain strings. */
  spansAt(index: number): { tag: string; first: number; last: number }[] {
    const spans: { tag: string; first: number; last: number }[] = [];
    const at = this.#styleOffsets + index * 4;
    if (index < 0 || index >= this.#styleCount || at + 4 > this.#chunkEnd) return spans;
    let offset = this.#styles + this.#view.getUint32(at, true);
    // A span takes 12 bytes and the list ends with -1.
    while (offset + 12 <= this.#chunkEnd && spans.length < 1000) {
      const name = this.#view.getUint32(offset, true);
      if (name === 0xffffffff) break;
      spans.push({
        tag: this.at(name) ?? '',
        first: this.#view.getUint32(offset + 4, true),
        last: this.#view.getUint32(offset + 8, true),
      });
      offset += 12;
    }
    return spans;
  }

  #report(code: FindingCode, evidence: string): void {
    if (this.#reported.has(code)) return;
    this.#reported.add(code);
    this.#findings.add(code, this.#where, evidence);
  }

  /** Follows the flag, unless no sampled string is whole under it and all of them are under the other encoding. */
  #detectUtf8(flag: boolean): boolean {
    const samples = Math.min(this.count, encodingSamples);
    let asFlagged = 0;
    let asOther = 0;
    for (let index = 0; index < samples; index++) {
      if (this.#isWhole(index, flag)) asFlagged++;
      if (this.#isWhole(index, !flag)) asOther++;
    }
    if (asFlagged > 0 || asOther < samples || samples === 0) return flag;
    this.#report('string-pool-encoding', `flag says ${flag ? 'UTF-8' : 'UTF-16'}, strings are not`);
    return !flag;
  }

  #isWhole(index: number, isUtf8: boolean): boolean {
    let at = this.#placeOf(index, isUtf8);
    if (at + 4 > this.#end) return at + (isUtf8 ? 3 : 2) <= this.#end;
    if (!isUtf8) {
      const length = this.#view.getUint16(at, true);
      if (length >= 0x8000) return true;
      return at + length * 2 + 4 <= this.#end && this.#view.getUint16(at + 2 + length * 2, true) === 0;
    }
    at += this.#bytes[at]! >= 0x80 ? 2 : 1;
    if (at + 2 > this.#end) return false;
    let length = this.#bytes[at]!;
    if (length >= 0x80) length = ((length & 0x7f) << 8) | this.#bytes[++at]!;
    return at + 1 + length < this.#end && this.#bytes[at + 1 + length] === 0;
  }

  /** Android counts places of UTF-16 in units: an odd offset is the one before it. */
  #placeOf(index: number, isUtf8: boolean): number {
    const offset = this.#view.getUint32(this.#offsets + index * 4, true);
    return this.#strings + (isUtf8 ? offset : offset - (offset % 2));
  }

  #decode(index: number): string | null {
    const at = this.#placeOf(index, this.isUtf8);
    if (!this.isUtf8 && this.#view.getUint8(this.#offsets + index * 4) % 2 === 1) {
      this.#report('string-pool-odd-offset', `string ${index}`);
    }
    if (at + 2 > this.#end) {
      this.#report('string-pool-offset', `string ${index} stands outside the pool`);
      return null;
    }
    return this.isUtf8 ? this.#decodeUtf8(index, at) : this.#decodeUtf16(index, at);
  }

  #decodeUtf16(index: number, start: number): string | null {
    let at = start;
    let length = this.#view.getUint16(at, true);
    at += 2;
    if (length >= 0x8000 && at + 2 <= this.#end) {
      length = ((length & 0x7fff) << 16) | this.#view.getUint16(at, true);
      at += 2;
    }
    const end = this.#bounded(index, at, length * 2, 2);
    if (end === null) return null;
    return this.#bytes.toString('utf16le', at, end);
  }

  #decodeUtf8(index: number, start: number): string | null {
    const bytes = this.#bytes;
    const isLong = bytes[start]! >= 0x80;
    const letters = isLong ? ((bytes[start]! & 0x7f) << 8) | bytes[start + 1]! : bytes[start]!;
    let at = start + (isLong ? 2 : 1);
    let length = bytes[at] ?? 0;
    if (length >= 0x80) length = ((length & 0x7f) << 8) | (bytes[++at] ?? 0);
    at++;
    // aapt cuts lengths to 15 bits; Android looks for the terminator in steps of the lost bit.
    while (at + length < this.#end && bytes[at + length] !== 0 && this.#budget-- > 0) length += 0x8000;
    if (at + length >= this.#end) length &= 0x7fff;
    const end = this.#bounded(index, at, length, 1);
    if (end === null) return null;
    const text = decodeUtf8(bytes, at, end);
    if (end === at + length && (text.length & 0x7fff) !== letters) {
      this.#report('string-pool-letters', `string ${index} has ${text.length} letters, ${letters} are declared`);
    }
    return text;
  }

  /** The end of a string of `size` bytes at `at`, cut to the pool; null where decoding has cost too much already. */
  #bounded(index: number, at: number, size: number, terminatorSize: number): number | null {
    let end = at + size;
    if (end + terminatorSize > this.#end) {
      this.#report(
        'string-pool-length',
        `string ${index} is ${size} bytes long, ${Math.max(0, this.#end - at)} are left`,
      );
      end = at + Math.max(0, Math.min(size, this.#end - at));
      if (terminatorSize === 2 && (end - at) % 2 === 1) end--;
    } else if (this.#bytes[end] !== 0 || (terminatorSize === 2 && this.#bytes[end + 1] !== 0)) {
      this.#report('string-pool-terminator', `string ${index} does not end with a zero`);
    }
    this.#budget -= end - at;
    if (this.#budget < 0) {
      this.#report('string-pool-overlap', `string ${index} and those after it are left out`);
      return null;
    }
    return end;
  }
}

/**
 * Decodes UTF-8 as Android's resources hold it: plain, or modified UTF-8 with surrogates as three bytes each.
 * Malformed bytes become U+FFFD.
 */
function decodeUtf8(bytes: Buffer, start: number, end: number): string {
  let isAscii = true;
  for (let at = start; at < end; at++) {
    if (bytes[at]! >= 0x80) {
      isAscii = false;
      break;
    }
  }
  if (isAscii) return bytes.toString('latin1', start, end);
  const plain = bytes.toString('utf8', start, end);
  return plain.includes('\ufffd') ? decodeModifiedUtf8(bytes, start, end) : plain;
}

function decodeModifiedUtf8(bytes: Buffer, start: number, end: number): string {
  const pieces: string[] = [];
  let units: number[] = [];
  let at = start;
  while (at < end) {
    const first = bytes[at]!;
    const isContinued = (distance: number) => at + distance < end && (bytes[at + distance]! & 0xc0) === 0x80;
    if (first < 0x80) {
      units.push(first);
      at += 1;
    } else if (first >= 0xc0 && first < 0xe0 && isContinued(1)) {
      units.push(((first & 0x1f) << 6) | (bytes[at + 1]! & 0x3f));
      at += 2;
    } else if (first >= 0xe0 && first < 0xf0 && isContinued(1) && isContinued(2)) {
      units.push(((first & 0x0f) << 12) | ((bytes[at + 1]! & 0x3f) << 6) | (bytes[at + 2]! & 0x3f));
      at += 3;
    } else if (first >= 0xf0 && first < 0xf5 && isContinued(1) && isContinued(2) && isContinued(3)) {
      const point =
        ((first & 0x07) << 18) |
        ((bytes[at + 1]! & 0x3f) << 12) |
        ((bytes[at + 2]! & 0x3f) << 6) |
        (bytes[at + 3]! & 0x3f);
      if (point >= 0x10000 && point <= 0x10ffff) {
        units.push(0xd800 + ((point - 0x10000) >> 10), 0xdc00 + ((point - 0x10000) & 0x3ff));
      } else units.push(0xfffd);
      at += 4;
    } else {
      units.push(0xfffd);
      at += 1;
    }
    if (units.length > 4096) {
      pieces.push(String.fromCharCode(...units));
      units = [];
    }
  }
  pieces.push(String.fromCharCode(...units));
  return pieces.join('');
}
