// Bytes around a place as letters: what is not printable ASCII is a dot, so that nothing hostile is drawn. Knows no place.

const bytesOf = (hex: string): number[] => (hex.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16));

/** Every second byte of what was found is zero: UTF-16. */
const isWide = (found: readonly number[]): boolean =>
  found.length >= 4 && found.every((byte, index) => index % 2 === 0 || byte === 0);

const letters = (bytes: readonly number[]): string =>
  bytes.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·')).join('');

/** What stands before, at and behind a place; of UTF-16 the letters alone. */
export function shownBytes(before: string, found: string, after: string): [string, string, string] {
  const parts = [before, found, after].map(bytesOf) as [number[], number[], number[]];
  if (!isWide(parts[1])) return parts.map(letters) as [string, string, string];
  // Letters end at the place: what stands before it may be cut in one.
  const [left, middle, right] = parts;
  const odd = left.length % 2;
  return [
    left.filter((_, index) => index % 2 === odd),
    middle.filter((_, index) => index % 2 === 0),
    right.filter((_, index) => index % 2 === 0),
  ].map(letters) as [string, string, string];
}
