// Texts with `base64` as regular expressions that match what YARA matches. Knows no rules.
import type { RegexpString } from './regexp-dialect.ts';

const standardAlphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** Longer texts are left to YARA-X: its compiler would take long for the expression. */
const maxLength = 1024;
/** Of the text before it in a group of three bytes, how many characters depend on it. */
const droppedBefore = [0, 2, 3];

/** The modifiers of a text, with the alphabets already unescaped. */
export interface Base64Text {
  /** One byte in each unit. */
  text: string;
  modifiers: readonly string[];
  alphabet: string | null;
}

/**
 * YARA looks for the characters that a text comes to, wherever they stand. YARA-X takes no text of less than three bytes and
 * no alphabet that is not printed, and also asks whether the characters around decode, which those at the beginning of a
 * line do not.
 * @returns the expression with its flags, and its modifiers; null where YARA refuses them, or the text is long
 * @see https://github.com/VirusTotal/yara/blob/v4.2.3/libyara/base64.c
 */
export function base64Regexp({ text, modifiers, alphabet }: Base64Text): RegexpString | null {
  const characters = alphabet ?? standardAlphabet;
  if (text.length === 0 || text.length > maxLength || characters.length !== standardAlphabet.length) return null;
  const isWide = modifiers.includes('wide');
  const texts = [
    ...(isWide ? [text.replace(/./gs, '$&\0')] : []),
    ...(!isWide || modifiers.includes('ascii') ? [text] : []),
  ];
  const encoded = texts.flatMap((each) => encodings(each, characters)).filter((each) => each.length > 0);
  // Where one form is the beginning of another, YARA reports the longer one.
  const sorted = [...new Set(encoded)].sort((a, b) => b.length - a.length);
  const body = `(${sorted.map(escaped).join('|')})`;
  const words = { base64: 'ascii', base64wide: 'wide', private: 'private' };
  const kept = Object.entries(words).flatMap(([theirs, own]) => (modifiers.includes(theirs) ? [own] : []));
  return { value: `/${body}/`, modifiers: kept.join(' ') };
}

/** The characters that depend on the text alone, where 0, 1 or 2 other bytes come before it. */
function encodings(text: string, alphabet: string): string[] {
  return droppedBefore.map((dropped, bytesBefore) => {
    const encoded = Buffer.from('\0'.repeat(bytesBefore) + text, 'latin1').toString('base64');
    const padding = encoded.length - encoded.replace(/=+$/, '').length;
    const own = encoded.slice(dropped, padding === 0 ? undefined : -padding - 1);
    return own.replace(/./gs, (character) => alphabet[standardAlphabet.indexOf(character)]!);
  });
}

const escaped = (text: string): string =>
  text.replace(/[^a-zA-Z0-9]/g, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
