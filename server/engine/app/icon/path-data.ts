// Checks the path data of vector drawables and rewrites it for SVG. Knows nothing of drawables.

/** Arguments of each command; its lower-case form is relative and takes the same. */
const argumentCounts: Record<string, number> = { M: 2, L: 2, H: 1, V: 1, C: 6, S: 4, Q: 4, T: 2, A: 7, Z: 0 };
/** The longest honest icon paths have some ten thousand characters. */
const maxLength = 200_000;

const separators = /[\s,]*/y;
const numbers = /[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?/y;
const arcFlags = /[01]/y;

function match(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}

/**
 * Path data by SVG's grammar, rebuilt from its tokens so that nothing but commands and numbers is left.
 * @returns the part up to the first error, `''` where there is none
 * @see https://www.w3.org/TR/SVG11/paths.html#PathDataBNF
 */
export function cleanPathData(text: string): string {
  const parts: string[] = [];
  const limit = Math.min(text.length, maxLength);
  let at = match(separators, text, 0)?.length ?? 0;
  let command = '';
  while (at < limit) {
    const letter = text[at]!;
    const count = argumentCounts[letter.toUpperCase()];
    if (count !== undefined) {
      if (parts.length === 0 && letter !== 'M' && letter !== 'm') break;
      command = letter;
      at++;
      if (count === 0) {
        parts.push(letter);
        at += match(separators, text, at)?.length ?? 0;
        // Nothing may follow a closing command but another command.
        command = '';
        continue;
      }
    } else if (command === '') break;
    const words: string[] = [];
    const isArc = command === 'A' || command === 'a';
    const wanted = argumentCounts[command.toUpperCase()]!;
    while (words.length < wanted) {
      at += match(separators, text, at)?.length ?? 0;
      const isFlag = isArc && (words.length === 3 || words.length === 4);
      const word = match(isFlag ? arcFlags : numbers, text, at);
      if (word === null) return parts.join('');
      words.push(word);
      at += word.length;
    }
    parts.push(`${command}${words.join(' ')}`);
    // Further pairs after a move are lines.
    if (command === 'M') command = 'L';
    else if (command === 'm') command = 'l';
    at += match(separators, text, at)?.length ?? 0;
  }
  return parts.join('');
}
