// Texts with `xor` and `fullword` as expressions that match what YARA matches. Knows no rules.
import type { RegexpString } from './regexp-dialect.ts';

const byteValues = 256;
/** Longer texts are left as they are: written out for each key they are long, and hardly ever part of a longer word. */
const maxLength = 128;

/**
 * For `fullword` YARA checks the bytes around a match as they are, YARA-X after decoding them with the key. So the text is
 * written out for each key, as alternatives.
 * @param text one byte in each unit
 * @returns null where both mean the same, and for `wide`, whose words no expression can describe
 * @see https://github.com/VirusTotal/yara/blob/v4.2.3/libyara/scan.c (`_yr_scan_match_callback`)
 */
export function xorFullwordRegexp(text: string, modifiers: readonly string[]): RegexpString | null {
  const isMeant = modifiers.includes('xor') && modifiers.includes('fullword') && !modifiers.includes('wide');
  const keys = isMeant && text.length > 0 && text.length <= maxLength ? keysOf(modifiers) : null;
  if (keys === null) return null;
  const alternatives = keys.map((key) => withKey(text, key)).join('|');
  const isPrivate = modifiers.includes('private');
  return { value: `/(${alternatives})/`, modifiers: isPrivate ? 'fullword private' : 'fullword' };
}

/** Those of `xor`, `xor(5)` or `xor(1-255)`; null where they are none. */
function keysOf(modifiers: readonly string[]): number[] | null {
  const at = modifiers.indexOf('xor');
  if (modifiers[at + 1] !== '(') return range(0, byteValues - 1);
  const first = Number(modifiers[at + 2]);
  const last = modifiers[at + 3] === '-' ? Number(modifiers[at + 4]) : first;
  const areKeys = [first, last].every((key) => Number.isInteger(key) && key >= 0 && key < byteValues);
  return areKeys && first <= last ? range(first, last) : null;
}

const range = (first: number, last: number): number[] => Array.from({ length: last - first + 1 }, (_, i) => first + i);

const withKey = (text: string, key: number): string =>
  text.replace(/[\s\S]/g, (unit) => `\\x${(unit.charCodeAt(0) ^ key).toString(16).padStart(2, '0')}`);
