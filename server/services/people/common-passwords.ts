// Says what makes a password easy to guess, as NIST SP 800-63B section 5.1.1.2 asks: chosen often, made of a name that
// is known anyway, or of one piece over and over. Asks for no kinds of characters. Knows no account.
import { readFileSync } from 'node:fs';

/** The names of this program, as a password may have them. */
const ownNames = ['apkworkstation', 'workstation'];
/** A shorter name is a part of too many words. */
const minNameLength = 4;
/** So few signs at an end make no other password of one that everybody knows: `password1!`. */
const maxOrnament = 4;

let common: ReadonlySet<string> | undefined;

/** Read when they are first asked for. */
function commonPasswords(): ReadonlySet<string> {
  common ??= new Set(
    readFileSync(new URL('../../../resources/common-passwords.txt', import.meta.url), 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('# ')),
  );
  return common;
}

/** The password and what is left of it without what people put at its ends. */
function* cores(password: string): Generator<string> {
  yield password;
  const ends = new RegExp(`^[^\\p{L}]{0,${maxOrnament}}(.*?)[^\\p{L}]{0,${maxOrnament}}$`, 'su');
  const core = ends.exec(password)?.[1] ?? '';
  yield core;
  yield core.replaceAll('@', 'a').replaceAll('0', 'o').replaceAll('$', 's');
}

const lettersOf = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, '');

/** `aaaaaaaa`, `abcabcabc`. */
const isRepeated = (password: string) => /^(.{1,4})\1+$/su.test(password);

/** `abcdefgh`, `87654321`. */
function isRow(password: string): boolean {
  const codes = [...password].map((character) => character.codePointAt(0)!);
  const step = codes[1]! - codes[0]!;
  return Math.abs(step) === 1 && codes.every((code, at) => at === 0 || code - codes[at - 1]! === step);
}

/**
 * @param names what is known of its owner: the username
 * @returns what is wrong with it, null where nothing is
 */
export function passwordWeakness(password: string, names: readonly string[]): string | null {
  const plain = password.normalize('NFKC').toLowerCase();
  if ([...cores(plain)].some((core) => commonPasswords().has(core))) {
    return 'This is one of the passwords that are tried first. Choose another, such as four or five words.';
  }
  if (isRepeated(plain) || isRow(plain))
    return 'This repeats itself or counts on. Choose another, such as four or five words.';
  const letters = lettersOf(plain);
  const known = names.map((name) => lettersOf(name.normalize('NFKC').toLowerCase()));
  if ([...ownNames, ...known.filter(({ length }) => length >= minNameLength)].some((name) => letters.includes(name))) {
    return 'Your username or the name of this program is in it. Choose another, such as four or five words.';
  }
  return null;
}
