// Patterns in which one character stands for any characters and another for one. Knows no language that has them.

/** Characters of a text that a pattern is tried at for one step. */
const triesPerStep = 64;

/**
 * Whether a text is as a pattern says, by `many` for any characters and `one` for one: `*` and `?`, or SQL's `%` and `_`.
 * @param spend counts the work, which may be the product of the lengths
 */
export function isLike(
  text: string,
  pattern: string,
  many: string,
  one: string,
  spend: (steps: number) => void,
): boolean {
  let tries = 0;
  let at = 0;
  let place = 0;
  let star = -1;
  let retry = 0;
  while (at < text.length) {
    if (++tries % triesPerStep === 0) spend(1);
    if (place < pattern.length && pattern[place] === many) {
      star = place++;
      retry = at;
    } else if (place < pattern.length && (pattern[place] === one || pattern[place] === text[at])) {
      place++;
      at++;
    } else if (star >= 0) {
      place = star + 1;
      at = ++retry;
    } else return false;
  }
  while (pattern[place] === many) place++;
  return place === pattern.length;
}
