// Runs of printable ASCII in bytes, one after the other. Knows no format.
import type { BundleString } from './bundle.ts';

const minLength = 5;
const maxLength = 8192;

/** Whether a byte is printable ASCII or a tab. */
const isPrintable = new Uint8Array(256).map((_, byte) => (byte === 9 || (byte >= 0x20 && byte < 0x7f) ? 1 : 0));

/** @returns whether all were handed out whole */
export function* printableRuns(bytes: Buffer, start: number, end: number): Generator<BundleString, boolean> {
  let isWhole = true;
  for (let at = start; at < end; at++) {
    if (isPrintable[bytes[at]!] === 0) continue;
    const from = at;
    while (at < end && isPrintable[bytes[at]!] === 1) at++;
    if (at - from < minLength) continue;
    if (at - from > maxLength) isWhole = false;
    yield { offset: from, text: bytes.toString('latin1', from, Math.min(at, from + maxLength)) };
  }
  return isWhole;
}
