// Modified UTF-8, the encoding of a dex file's strings. Knows no dex structure.
//
// https://source.android.com/docs/core/runtime/dex-format#mutf-8

/** `latin1Slice` is what Node's Buffer gives every byte array view; it is the cheapest way from ASCII bytes to a string. */
type Latin1Buffer = Buffer & { latin1Slice(start: number, end: number): string };

/** Offset of the NUL that ends the string at `start`, or `bytes.length` where there is none. */
export function stringEnd(bytes: Uint8Array, start: number): number {
  const end = bytes.indexOf(0, start);
  return end < 0 ? bytes.length : end;
}

/** Under this length a loop is cheaper than a call out of JavaScript. */
const shortString = 24;

export interface DecodedString {
  text: string;
  /** A sequence was not MUTF-8; U+FFFD stands for each bad byte, a four-byte sequence gave its surrogate pair. */
  isMalformed: boolean;
}

/**
 * Decodes `bytes[start, end)`. Surrogates stay as they are written, paired or not, and 0xC080 is U+0000.
 * @param bytes a Buffer over the file, for the ASCII case
 */
export function decodeMutf8(bytes: Buffer, start: number, end: number): DecodedString {
  let at = start;
  while (at < end && bytes[at]! < 0x80) at++;
  if (at === end) {
    if (end - start > shortString) return { text: (bytes as Latin1Buffer).latin1Slice(start, end), isMalformed: false };
    let text = '';
    for (let i = start; i < end; i++) text += String.fromCharCode(bytes[i]!);
    return { text, isMalformed: false };
  }
  const units = new Uint16Array(end - start);
  let count = 0;
  let isMalformed = false;
  const continuation = (offset: number): number => (offset < end ? bytes[offset]! ^ 0x80 : 0xff);
  for (at = start; at < end; ) {
    const lead = bytes[at]!;
    const second = continuation(at + 1);
    const third = continuation(at + 2);
    const fourth = continuation(at + 3);
    if (lead < 0x80) {
      units[count++] = lead;
      at += 1;
    } else if (lead >> 5 === 0b110 && second < 0x40) {
      units[count++] = ((lead & 0x1f) << 6) | second;
      at += 2;
    } else if (lead >> 4 === 0b1110 && second < 0x40 && third < 0x40) {
      units[count++] = ((lead & 0x0f) << 12) | (second << 6) | third;
      at += 3;
    } else {
      isMalformed = true;
      const codePoint = ((lead & 0x07) << 18) | (second << 12) | (third << 6) | fourth;
      if (
        lead >> 3 === 0b11110 &&
        second < 0x40 &&
        third < 0x40 &&
        fourth < 0x40 &&
        codePoint <= 0x10ffff &&
        codePoint > 0xffff
      ) {
        units[count++] = 0xd7c0 + (codePoint >> 10);
        units[count++] = 0xdc00 | (codePoint & 0x3ff);
        at += 4;
      } else {
        units[count++] = 0xfffd;
        at += 1;
      }
    }
  }
  return { text: textOfUnits(units, count), isMalformed };
}

/** `String.fromCharCode` takes its units as arguments, of which the stack holds only so many. */
const unitsPerCall = 8192;

function textOfUnits(units: Uint16Array, count: number): string {
  let text = '';
  for (let at = 0; at < count; at += unitsPerCall) {
    text += String.fromCharCode(...units.subarray(at, Math.min(count, at + unitsPerCall)));
  }
  return text;
}
