// Collects printable strings from ranges of bytes, bounded. Knows nothing of files.

/** As `strings` does by default, one longer: code and tables read as text are full of four printable bytes. */
const minLength = 5;
/** A longer run is a table or embedded text; its beginning tells what it is. */
const maxLength = 1024;
/** What a report can show; a library of a game engine has a hundred thousand. */
const maxCount = 4000;
const maxTotalLength = 256 * 1024;
/** Kept even when the rest is full: addresses are what an analyst looks for. */
const maxNotable = 2000;
const notable = /:\/\/|^\/(?:data|proc|system|sdcard|dev|sys)\/|\bsu\b|(?:\d{1,3}\.){3}\d{1,3}|@[\w-]+\.\w/;
/** Bytes looked at in all: 100 ms. */
const maxScannedBytes = 64 * 1024 * 1024;

export interface ByteRange {
  start: number;
  end: number;
}

/** Whether a byte is printable ASCII or a tab. */
const isPrintable = new Uint8Array(256).map((_, byte) => (byte === 9 || (byte >= 0x20 && byte < 0x7f) ? 1 : 0));

/**
 * Printable ASCII runs of five or more, each once, in the order of the file: the first four thousand, and of those
 * behind them the ones that hold addresses and paths.
 */
export function printableStrings(bytes: Uint8Array, ranges: readonly ByteRange[]): string[] {
  const found = new Set<string>();
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let left = maxScannedBytes;
  let total = 0;
  let notables = 0;
  for (const range of ranges) {
    const end = Math.min(range.end, bytes.length, range.start + left);
    left -= Math.max(0, end - range.start);
    for (let at = range.start; at < end; at++) {
      if (isPrintable[bytes[at]!] === 0) continue;
      const start = at;
      while (at < end && isPrintable[bytes[at]!] === 1) at++;
      const length = Math.min(at - start, maxLength);
      if (length < minLength) continue;
      const isFull = found.size >= maxCount || total >= maxTotalLength;
      if (isFull && notables >= maxNotable) return [...found];
      const string = text.toString('latin1', start, start + length);
      if (isFull && !notable.test(string)) continue;
      if (found.has(string)) continue;
      found.add(string);
      total += length;
      if (isFull) notables++;
    }
  }
  return [...found];
}
