// Finds the name that a wrong one was probably meant for. Knows no rules.

/** Longer words are not compared. */
const maxLength = 40;

/**
 * Compares word for word: `module.permissions` is like `module.permission`.
 * @param names split into their words
 * @returns null where none is like it
 */
export function nearestName(wrong: string, names: readonly (readonly string[])[]): string | null {
  const words = wrong.split('.');
  let nearest: readonly string[] | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const name of names) {
    const distance = distanceOf(words, name);
    if (distance >= least) continue;
    nearest = name;
    least = distance;
  }
  return nearest?.join('.') ?? null;
}

function distanceOf(words: readonly string[], others: readonly string[]): number {
  if (words.length !== others.length || words[0] !== others[0]) return Number.POSITIVE_INFINITY;
  let sum = 0;
  for (let index = 1; index < words.length && sum < Number.POSITIVE_INFINITY; index++) {
    sum += wordDistance(words[index]!, others[index]!);
  }
  return sum;
}

/** How many letters differ; infinite for words that begin differently, or differ in more than a third. */
function wordDistance(word: string, other: string): number {
  if (word === other) return 0;
  if (word[0] !== other[0] || word.length > maxLength) return Number.POSITIVE_INFINITY;
  if (word.startsWith(other) || other.startsWith(word)) return Math.abs(word.length - other.length);
  const most = Math.max(word.length, other.length) / 3;
  const distance = Math.abs(word.length - other.length) > most ? most + 1 : editDistance(word, other);
  return distance > most ? Number.POSITIVE_INFINITY : distance;
}

function editDistance(word: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let line = 1; line <= word.length; line++) {
    const next = [line];
    for (let column = 1; column <= other.length; column++) {
      const change = word[line - 1] === other[column - 1] ? 0 : 1;
      next.push(Math.min(row[column]! + 1, next[column - 1]! + 1, row[column - 1]! + change));
    }
    row = next;
  }
  return row[other.length]!;
}
