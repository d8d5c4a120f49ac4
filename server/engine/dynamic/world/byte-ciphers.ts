// Ciphers that treat each byte by itself, as apps write them: guessed from input and output. Knows no answers.
import type { Sealing } from '../java/hooks.ts';

type Combination = (left: number, right: number) => number;
const xor: Combination = (left, right) => left ^ right;
const difference: Combination = (left, right) => (left - right) & 0xff;

/** The shortest key whose repetition gives these bytes; all of them where none is repeated twice. */
function periodOf(key: Uint8Array): number {
  // The failure function of Knuth, Morris and Pratt: for each place the longest prefix that also ends there.
  const borders = new Uint32Array(key.length + 1);
  for (let at = 1, length = 0; at < key.length; at++) {
    while (length > 0 && key[at] !== key[length]) length = borders[length]!;
    if (key[at] === key[length]) length++;
    borders[at + 1] = length;
  }
  const period = key.length - borders[key.length]!;
  return period * 2 <= key.length ? period : key.length;
}

/** Bytes behind a key that does not repeat stay as they are. */
const applied = (content: Uint8Array, key: Uint8Array, isRepeated: boolean, combination: Combination): Buffer =>
  Buffer.from(
    content.map((byte, at) => (at < key.length || isRepeated ? combination(byte, key[at % key.length]!) : byte)),
  );

/**
 * How to encode bytes for an app that decoded `sent` to `made` with a key stream that depends only on the
 * place; both have the same length.
 */
export function byteCipher(sent: Uint8Array, made: Uint8Array): Sealing {
  const keys = [xor, difference].map((combination) => {
    const key = sent.map((byte, at) => combination(byte, made[at]!));
    return { key, period: periodOf(key), combination };
  });
  const [exclusive, shift] = keys as [(typeof keys)[0], (typeof keys)[0]];
  const isShift = shift.period < exclusive.period;
  const { key, period } = isShift ? shift : exclusive;
  const combination: Combination = isShift ? (byte, by) => (byte + by) & 0xff : xor;
  const isRepeated = period < key.length;
  return { vector: null, seal: (content) => applied(content, key.subarray(0, period), isRepeated, combination) };
}
