// How deep, how long and how many values a message may hold, whatever it says. Knows no message.

export interface ValueBounds {
  /** Lists and objects within each other. */
  depth: number;
  /** Values altogether. */
  count: number;
  /** UTF-16 units of each text and key. */
  longest: number;
}

/** Why a value read from JSON is more than may be; null where it is not. Bytes count as one value, whatever their number. */
export function excessOf(value: unknown, bounds: ValueBounds): string | null {
  let left = bounds.count;
  const excess = (inner: unknown, depth: number): string | null => {
    left -= 1;
    if (left < 0) return 'more values than may be';
    if (typeof inner === 'string') return inner.length > bounds.longest ? 'a longer text than may be' : null;
    if (typeof inner === 'number') return Number.isFinite(inner) ? null : 'a number that is none';
    if (typeof inner !== 'object' || inner === null || inner instanceof Uint8Array) return null;
    if (depth >= bounds.depth) return 'values nested more deeply than may be';
    for (const [key, item] of Object.entries(inner)) {
      if (key.length > bounds.longest) return 'a longer key than may be';
      const found = excess(item, depth + 1);
      if (found !== null) return found;
    }
    return null;
  };
  return excess(value, 0);
}

/** Text of unknown origin for a log: what would steer a terminal, hide or turn text around is shown by its number. */
export const loggedText = (text: string): string =>
  text.replace(/[^\P{C}\n]|[\p{Zl}\p{Zp}]/gu, (letter) => `\\u{${letter.codePointAt(0)!.toString(16)}}`);
