// Rewrites a pattern so that it finds letters in either case without the flag `i`, which V8's linear engine lacks.

const isLetter = (character: string): boolean => /^[A-Za-z]$/.test(character);
const swapped = (letter: string): string =>
  letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
/** Escapes with operands, group names, and whatever else must stay as it is. */
const fixed =
  /\\(?:u\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|[pP]\{[^}]*\}|k<[^>]*>|[\s\S])|\(\?<[A-Za-z_$][\w$]*>/y;

/** The pattern with each Latin letter standing for both of its cases; other letters keep theirs. */
export function foldedPattern(pattern: string): string {
  let result = '';
  let isInClass = false;
  for (let at = 0; at < pattern.length; ) {
    fixed.lastIndex = at;
    const kept = fixed.exec(pattern)?.[0];
    if (kept !== undefined && !(isInClass && kept.startsWith('('))) {
      result += kept;
      at += kept.length;
      continue;
    }
    const character = pattern[at]!;
    at++;
    if (isInClass) {
      if (character === ']') isInClass = false;
      const end = pattern[at + 1];
      if (isLetter(character) && pattern[at] === '-' && end !== undefined && isLetter(end)) {
        const isOneCase = (character === character.toLowerCase()) === (end === end.toLowerCase());
        result += `${character}-${end}${isOneCase ? `${swapped(character)}-${swapped(end)}` : ''}`;
        at += 2;
      } else {
        result += isLetter(character) ? character + swapped(character) : character;
      }
    } else {
      if (character === '[') isInClass = true;
      result += isLetter(character) ? `[${character}${swapped(character)}]` : character;
    }
  }
  return result;
}
