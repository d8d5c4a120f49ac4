// Patterns of bytes, and the places where they stand (Boyer, Moore, Horspool, with masks). Knows no file.
import type { ContentTerm } from '../../contract/engine/content-search.ts';

/** A byte fits where its bits under the mask are the value's. */
export interface BytePattern {
  values: Uint8Array;
  masks: Uint8Array;
  /** By byte, how far the next place may be when the pattern's end stands on it. */
  steps: Uint16Array;
}

const eachCase = 0xdf;

function patternOf(values: Uint8Array, masks: Uint8Array): BytePattern {
  const { length } = values;
  const steps = new Uint16Array(256).fill(length);
  for (let at = 0; at < length - 1; at++) {
    for (let byte = 0; byte < 256; byte++) if ((byte & masks[at]!) === values[at]) steps[byte] = length - 1 - at;
  }
  return { values, masks, steps };
}

const isLetter = (byte: number): boolean => (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a);

/** A text in any case of its ASCII letters. @param width bytes of a letter */
function textPattern(bytes: Uint8Array, width: 1 | 2): BytePattern {
  const masks = new Uint8Array(bytes.length).fill(0xff);
  // Of two bytes the second one tells whether the first is a letter of ASCII.
  for (let at = 0; at < bytes.length; at += width)
    if (isLetter(bytes[at]!) && (width === 1 || bytes[at + 1] === 0)) masks[at] = eachCase;
  return patternOf(
    bytes.map((byte, at) => byte & masks[at]!),
    masks,
  );
}

const nibble = (sign: string): [value: number, mask: number] =>
  sign === '?' ? [0, 0] : [Number.parseInt(sign, 16), 15];

function bytesPattern(signs: string): BytePattern {
  const values = new Uint8Array(signs.length / 2);
  const masks = new Uint8Array(signs.length / 2);
  for (let at = 0; at < values.length; at++) {
    const [high, highMask] = nibble(signs[2 * at]!);
    const [low, lowMask] = nibble(signs[2 * at + 1]!);
    values[at] = high * 16 + low;
    masks[at] = highMask * 16 + lowMask;
  }
  return patternOf(values, masks);
}

/** The forms in which a content may stand in a file. */
export const patternsOf = (term: ContentTerm): BytePattern[] =>
  term.kind === 'bytes'
    ? [bytesPattern(term.bytes)]
    : [textPattern(Buffer.from(term.text), 1), textPattern(Buffer.from(term.text, 'utf16le'), 2)];

/** The places of a pattern, upwards. */
export function* placesOf({ values, masks, steps }: BytePattern, bytes: Uint8Array): Generator<number> {
  const last = values.length - 1;
  for (let end = last; end < bytes.length; end += steps[bytes[end]!]!) {
    let at = last;
    const start = end - last;
    while (at >= 0 && (bytes[start + at]! & masks[at]!) === values[at]) at -= 1;
    if (at < 0) yield start;
  }
}
