// What to tell an app so that what it makes of it is the text that it compares with. Knows no machine.

/** A way in which apps make one text of another, where it can be gone back. */
interface Derivation {
  readonly of: (told: string) => string;
  readonly back: (wanted: string) => string;
}

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');
const fromBase64 = (text: string): string => Buffer.from(text, 'base64').toString('utf8');
const hex = (text: string): string => Buffer.from(text, 'utf8').toString('hex');
const fromHex = (text: string): string => Buffer.from(text, 'hex').toString('utf8');
const reversed = (text: string): string => [...text].reverse().join('');

const derivations: readonly Derivation[] = [
  { of: (told) => told, back: (wanted) => wanted },
  { of: (told) => told.trim(), back: (wanted) => wanted },
  { of: (told) => told.toLowerCase(), back: (wanted) => wanted },
  { of: (told) => told.toUpperCase(), back: (wanted) => wanted },
  { of: reversed, back: reversed },
  { of: base64, back: fromBase64 },
  { of: fromBase64, back: base64 },
  { of: hex, back: fromHex },
  { of: (told) => hex(told).toUpperCase(), back: fromHex },
  { of: fromHex, back: hex },
];

/** A message that the app encrypted or decrypted, and what it would have been for another result. */
export interface Crossing {
  readonly data: Uint8Array;
  readonly result: Uint8Array;
  /** Null where nothing has that result. */
  readonly back: (result: Uint8Array) => Uint8Array | null;
}

/** Ways in which texts stand for bytes. */
const encodings = ['utf8', 'base64', 'hex'] as const;

/** What to tell where a cipher stands between what was told and what was seen. */
function throughCiphers(told: string, seen: string, wanted: string, crossings: readonly Crossing[]): string[] {
  const found: string[] = [];
  const is = (text: string, bytes: Uint8Array, encoding: (typeof encodings)[number]): boolean =>
    text !== '' && Buffer.from(text, encoding).equals(bytes);
  for (const { data, result, back } of crossings) {
    const before = encodings.find((encoding) => is(told, data, encoding));
    const behind = encodings.find((encoding) => is(seen, result, encoding));
    if (before === undefined || behind === undefined) continue;
    const bytes = back(Buffer.from(wanted, behind));
    if (bytes !== null) found.push(Buffer.from(bytes).toString(before));
  }
  return found;
}

/**
 * Texts to tell instead of `told`, of which the app made `seen`, so that it makes `wanted`, the likeliest first: by a usual
 * encoding, by a cipher, by replacing the part that was cut out, by a letter-wise cipher.
 */
export function toldFor(told: string, seen: string, wanted: string, crossings: readonly Crossing[] = []): string[] {
  const found = throughCiphers(told, seen, wanted, crossings);
  for (const { of, back } of derivations) if (of(told) === seen) found.push(back(wanted));
  const at = seen === '' ? -1 : told.indexOf(seen);
  if (at >= 0 && seen !== told) found.push(told.slice(0, at) + wanted + told.slice(at + seen.length));
  if (found.length === 0 && told.length === seen.length && told.length > 0)
    found.push(...byLetters(told, seen, wanted));
  return [...new Set(found.length > 0 ? found : [wanted])];
}

/** Each letter was changed by a key or a distance that repeats, and is changed back so. */
function byLetters(told: string, seen: string, wanted: string): string[] {
  const code = (text: string, index: number): number => text.charCodeAt(index % text.length);
  const make = (of: (index: number) => number): string =>
    String.fromCharCode(...Array.from(wanted, (_, index) => of(index) & 0xffff));
  return [
    make((index) => wanted.charCodeAt(index) ^ code(told, index) ^ code(seen, index)),
    make((index) => wanted.charCodeAt(index) - (code(seen, index) - code(told, index))),
  ];
}
