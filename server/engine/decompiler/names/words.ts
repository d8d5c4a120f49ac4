// Which names of code tell a reader nothing: too short, too long, not to be told apart or not to be read. Knows no program.
import { isIdentifier } from '../printing/identifiers.ts';

/** Shorter ones are what obfuscators count with. */
const minLength = 3;
/** Nobody reads longer ones. */
const maxLength = 64;
/** Letters that look the same: names of these alone are there to be taken for each other. */
const alike = /^(?:[Il1]{3,}|[Oo0]{3,}|[IlOo01]{5,}|[S5$]{3,}|_+)$/;
/** Scripts whose letters look like Latin ones. */
const confusable =
  /[\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}\p{Script=Cherokee}\u0130\u0131\uff00-\uffef]/u;
/** One of them is a word. */
const ideographs = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const latin = /\p{Script=Latin}/u;
const marks = /^[\p{M}\p{Lm}\p{Pc}]|\p{M}{2}|\p{Cf}|\p{Co}|\p{Cn}/u;
/** What Google's obfuscator calls things in its libraries: `zza`, `zzbcd`. */
const counted = /^zz[a-z]{1,4}$/;
/** Short for things that have no other name. */
const known = /^(?:md[245]|mp[34]|rc[246]|h26[45]|x86|x509)$/i;
/** Members that compilers make have signs in their names. */
const made = /^(?:(?:access|lambda|this|val|arg|cap|f)\$|[LIJFDZ]\$\d+$)/;

/** Whether a member's or package's name, or a part of a class's, says something to a reader. */
export function isWord(name: string): boolean {
  if (made.test(name)) return true;
  if (!isIdentifier(name) || name.length > maxLength) return false;
  if (alike.test(name) || counted.test(name)) return false;
  if (/[^\x20-\x7e]/.test(name)) {
    const isSeen = !marks.test(name) && !(confusable.test(name) && latin.test(name));
    return isSeen && (ideographs.test(name) || [...name].length >= minLength);
  }
  if (known.test(name)) return true;
  return name.split(/[$_\d]/).some((part) => part.length >= minLength);
}

/** The same for a class, by its name without what it stands in: numbers stand for classes without names. */
export const isClassWord = (name: string): boolean => /^\d+$/.test(name) || isWord(name);

/** Android's tables of resources: their names are those of the app's files. */
export const isResourceTable = (type: string): boolean => /[L/]R(?:\$\w+)?;$/.test(type);

/** Names that only the case of letters tells apart, the first of each left out. */
export function onlyByCase(names: Iterable<string>): Set<string> {
  const first = new Map<string, string>();
  const found = new Set<string>();
  for (const name of names) {
    const known = first.get(name.toLowerCase());
    if (known === undefined) first.set(name.toLowerCase(), name);
    else if (known !== name) found.add(name);
  }
  return found;
}

/** Whether a text out of the code can be a name as it stands there. */
export const isGoodName = (text: string): boolean => /^[A-Za-z_][A-Za-z0-9_]*$/.test(text) && isWord(text);

/** What stays of a name that has a word in it beside signs that Java takes in no name: `div_7apg3OU` of `div-7apg3OU`. */
export function withoutSigns(name: string): string | null {
  if (isIdentifier(name) || name.length > maxLength) return null;
  const plain = name.replace(/[^A-Za-z0-9_$]+/g, '_').replace(/^_+|_+$/g, '');
  return /[A-Za-z]{3}/.test(plain) && isGoodName(plain) ? plain : null;
}
