// Words within an edit distance of another, out of those that the catalogue knows. Knows no field.

/** The vocabulary, as the index keeps it. */
export interface Vocabulary {
  knownWords(words: readonly string[]): Promise<string[]>;
  wordsBetween(from: string, to: string): Promise<string[]>;
}

const latin = 'abcdefghijklmnopqrstuvwxyz0123456789';
const maxLength = 50;
/** More alternatives than this are no longer a word with a slip. */
const maxWords = 200;
/** Two edits are looked for behind the first letters, since every word of the language is too much to read. */
const keptLetters = 2;

/** Every text one edit away, of the letters that the word's own script is likely to use. */
function oneEditAway(word: string[]): Set<string> {
  const letters = new Set([...latin, ...word]);
  for (const letter of word) {
    const code = letter.codePointAt(0)!;
    // The letters of a small alphabet lie side by side.
    if (code > 0x7f && code < 0x2000)
      for (let other = code - 32; other < code + 32; other++) letters.add(String.fromCodePoint(other));
  }
  const texts = new Set<string>([word.join('')]);
  for (let at = 0; at <= word.length; at++) {
    const before = word.slice(0, at).join('');
    const after = word.slice(at + 1).join('');
    if (at < word.length) texts.add(before + after);
    for (const letter of letters) {
      if (at < word.length) texts.add(before + letter + after);
      texts.add(before + letter + word.slice(at).join(''));
    }
  }
  return texts;
}

function isWithin(a: string[], b: string[], distance: number): boolean {
  if (Math.abs(a.length - b.length) > distance) return false;
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const cost = Math.min(previous[j]! + 1, row[j - 1]! + 1, previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1));
      row.push(cost);
      least = Math.min(least, cost);
    }
    if (least > distance) return false;
    previous = row;
  }
  return previous[b.length]! <= distance;
}

/** @returns null where the text is no single word */
export async function similarWords(text: string, distance: number, vocabulary: Vocabulary): Promise<string[] | null> {
  const word = [...text.toLowerCase()];
  if (word.length > maxLength || !/^[\p{L}\p{N}]+$/u.test(text)) return null;
  const found = new Set(await vocabulary.knownWords([...oneEditAway(word)]));
  if (distance > 1) {
    const start = word.slice(0, keptLetters).join('');
    for (const other of await vocabulary.wordsBetween(start, `${start}\u{10ffff}`))
      if (isWithin(word, [...other], distance)) found.add(other);
  }
  return [...found].slice(0, maxWords);
}
