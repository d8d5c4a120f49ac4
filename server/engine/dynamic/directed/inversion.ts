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

/**
 * Texts to tell instead of `told`, of which the app made `seen`, so that it makes `wanted`, the likeliest first: by a usual
 * encoding, by replacing the part that was cut out, by a letter-wise cipher.
 */
export function toldFor(told: string, seen: string, wanted: string): string[] {
  const found: string[] = [];
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
