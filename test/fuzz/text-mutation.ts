// Changes texts by their words: puts in, takes out, swaps, repeats and nests. Knows no language.
import { pickOf, type Random } from './random.ts';

/** Words and numbers, runs of spaces, and every other character by itself. */
const wordPattern = /[\p{L}\p{N}_]+|\s+|./gsu;
const maxOperations = 5;
/** Deep enough for a reader that calls itself without a limit, short enough to be read in no time. */
const maxRepeats = 3000;
const numbers = [
  '0',
  '-1',
  '1',
  '255',
  '65536',
  '2147483648',
  '9007199254740993',
  '1e400',
  '0x7fffffffffffffff',
  '99999999999999999999',
];
const oddities = [
  '\0',
  '\n',
  '\r',
  '\u2028',
  '\ufeff',
  '\ud800',
  '\udc00',
  '😀',
  'İ',
  'ß',
  'ﬁ',
  '\u0301',
  '\\',
  '"',
  "'",
  '`',
  '%',
  '\t',
  '\x1f',
  '\x7f',
];
const pairs = ['()', '[]', '{}', '""', "''", '<>', '//', '``'];

export interface TextMaterial {
  words: readonly string[];
  other: string;
}

/** A changed copy of the text. */
export function mutateText(text: string, random: Random, { words, other }: TextMaterial): string {
  const parts = text.match(wordPattern) ?? [];
  for (let left = 1 + random(maxOperations); left > 0; left--) operate(parts, random, words, other);
  return parts.join('');
}

function operate(parts: string[], random: Random, words: readonly string[], other: string): void {
  const at = random(parts.length + 1);
  const length = Math.min(parts.length - at, 1 + random(random(4) === 0 ? 20 : 3));
  switch (random(11)) {
    case 0:
      parts.splice(at, length);
      return;
    case 1:
      parts.splice(random(parts.length + 1), 0, ...parts.slice(at, at + length));
      return;
    case 2:
    case 3:
      if (words.length > 0) parts.splice(at, random(2), pickOf(words, random));
      return;
    case 4:
      parts.splice(at, random(2), pickOf(random(2) === 0 ? numbers : oddities, random));
      return;
    case 5: {
      const pieces = other.match(wordPattern) ?? [];
      const start = random(pieces.length);
      parts.splice(at, random(2) * length, ...pieces.slice(start, start + 1 + random(12)));
      return;
    }
    case 6: {
      const [open, close] = pickOf(pairs, random);
      parts.splice(at, 0, open!);
      parts.splice(Math.min(parts.length, at + 1 + length), 0, close!);
      return;
    }
    case 7: {
      if (random(8) !== 0) return;
      const piece = parts.slice(at, at + length).join('');
      parts.splice(at, 0, piece.repeat(2 + random(Math.floor(maxRepeats / (piece.length + 1)))));
      return;
    }
    case 8:
      if (at < parts.length) parts[at] = changed(parts[at]!, random);
      return;
    case 9:
      parts.splice(at, 0, String.fromCodePoint(random(4) === 0 ? random(0xd800) : 0x20 + random(0x60)));
      return;
    default:
      if (random(4) === 0) parts.splice(at);
  }
}

function changed(word: string, random: Random): string {
  const at = random(word.length + 1);
  const cut = word.slice(0, at) + word.slice(at + 1);
  return pickOf(
    [word.toUpperCase(), word.toLowerCase(), cut, word + word, word.slice(at), String(Number(word) + 1)],
    random,
  );
}
