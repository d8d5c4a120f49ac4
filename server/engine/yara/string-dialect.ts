// What an engine is given for the value of a rule's string and its modifiers. Knows tokens, no rules.
import { readHexJumps } from './hex-jumps.ts';
import { bytesOf, regexpParts } from './literals.ts';
import { plainAlphabet } from './older-dialect.ts';
import type { Replacement } from './position-map.ts';
import { exactRegexp, holdsEndlessGap, type RegexpString } from './regexp-dialect.ts';
import { base64Regexp } from './short-base64.ts';
import type { Token } from './tokens.ts';
import { xorFullwordRegexp } from './xor-fullword.ts';

/** Words and signs behind a string's value; the most that mean something are a dozen. */
const maxModifiers = 40;

export interface StringTranslation {
  /** In order; empty where the engine takes the author's text. */
  replacements: Replacement[];
  /** What the author is told of the value. */
  note: { code: string; title: string; help: string } | null;
  /** What YARA refuses. */
  problem: string | null;
  isPrivate: boolean;
  /** Whether it may slow down every scan. */
  isSlow: boolean;
  /** Bytes that jumps go over at least. */
  jumpLength: number;
}

/** A string that is found nowhere. */
const neverFound = '/never\\b\\Bever/';

/** Bytes that the jumps of a ruleset's strings may go over at least: compilers take up to two seconds for them. */
export const maxJumpLength = 5_000_000;

/**
 * @param index that of the value, which is a text, a regular expression or a hex string
 * @param jumpRoom bytes that its jumps may go over at least
 */
export function translateString(tokens: readonly Token[], index: number, jumpRoom: number): StringTranslation {
  const token = tokens[index]!;
  const modifiers = modifiersBehind(tokens, index);
  const isPrivate = modifiers.some(({ text }) => text === 'private');
  const translation = { replacements: [], note: null, problem: null, isPrivate, isSlow: false, jumpLength: 0 };
  if (token.kind === 'hex') return { ...translation, ...translateHex(token, jumpRoom) };
  if (token.kind === 'regexp') {
    const isSlow = holdsEndlessGap(regexpParts(token.text).body);
    return { ...translation, isSlow, ...translateRegexpToken(token, modifiers) };
  }
  const standIn = standInFor(
    token,
    modifiers.map(({ text }) => text),
  );
  if (standIn === null) return { ...translation, ...translateAlphabets(modifiers) };
  const behind = { start: modifiers[0]!.start, end: modifiers.at(-1)!.end, text: standIn.modifiers };
  const title = 'the text is read as an expression, with what its modifiers say';
  return {
    ...translation,
    replacements: [replaced(token, standIn.value), behind],
    note: { code: 'older-dialect', title, help: standIn.value },
  };
}

/** What stands behind a string's value, up to the next string or section. */
function modifiersBehind(tokens: readonly Token[], index: number): Token[] {
  const modifiers: Token[] = [];
  for (let ahead = index + 1; ahead <= index + maxModifiers; ahead++) {
    const token = tokens[ahead];
    if (token === undefined || token.kind === 'variable' || token.text === '}') break;
    if (token.kind === 'word' && tokens[ahead + 1]?.text === ':') break;
    modifiers.push(token);
  }
  return modifiers;
}

/** A regular expression for a text that the engine does not take, or takes for another, with its modifiers. */
function standInFor(token: Token, modifiers: readonly string[]): RegexpString | null {
  const text = bytesOf(token.text.slice(1, -1));
  if (!modifiers.some((word) => word.startsWith('base64'))) return xorFullwordRegexp(text, modifiers);
  const alphabets = new Set(modifiers.filter((word) => word.startsWith('"')));
  const [alphabet] = alphabets;
  const given = alphabet === undefined ? null : bytesOf(alphabet.slice(1, -1));
  return alphabets.size > 1 ? null : base64Regexp({ text, modifiers, alphabet: given });
}

/** The engine must not see what is refused: it would take hours for some. */
function translateHex(token: Token, jumpRoom: number): Partial<StringTranslation> {
  const { text, isNeverFound, length, problem } = readHexJumps(token.text);
  const tooLong = `the jumps of all strings come to more than ${maxJumpLength} bytes`;
  const refusal = problem ?? (!isNeverFound && length > jumpRoom ? tooLong : null);
  if (refusal !== null) return { replacements: [replaced(token, neverFound)], problem: refusal };
  if (isNeverFound) {
    const title = 'a jump is longer than any file that is scanned: the string is never found';
    return { replacements: [replaced(token, neverFound)], note: { code: 'long-jump', title, help: neverFound } };
  }
  if (text === token.text) return { jumpLength: length };
  const note = { code: 'older-dialect', title: 'its jumps are written as YARA counts them', help: text };
  return { replacements: [replaced(token, text)], note, jumpLength: length };
}

/** The expression in the dialect of the engine; also for those in conditions, which have no modifiers. */
export function translateRegexpToken(
  token: Token,
  modifiers: readonly Token[] = [],
): Pick<StringTranslation, 'replacements' | 'note'> {
  const { body, flags } = regexpParts(token.text);
  const words = modifiers.map((modifier) => modifier.text);
  const { body: exact, isOtherDialect, isWidened } = exactRegexp(body, flags, words);
  if (exact === body) return { replacements: [], note: null };
  const text = `/${exact}/${flags}`;
  const title = "the regular expression is read in YARA's older dialect";
  const said = isWidened ? modifiers.filter((modifier) => modifier.text === 'wide') : [];
  return {
    replacements: [replaced(token, text), ...said.map((modifier) => replaced(modifier, ''))],
    note: isOtherDialect ? { code: 'regexp-dialect', title, help: text } : null,
  };
}

/** Of `base64("…")`. */
function translateAlphabets(modifiers: readonly Token[]): Partial<StringTranslation> {
  const replacements = modifiers.flatMap((token, index) => {
    const isAlphabet = modifiers[index - 1]?.text === '(' && modifiers[index - 2]?.text.startsWith('base64') === true;
    if (token.kind !== 'text' || !isAlphabet || !token.text.includes('\\')) return [];
    const plain = plainAlphabet(token.text);
    return plain === null || plain === token.text ? [] : [replaced(token, plain)];
  });
  const [first] = replacements;
  if (first === undefined) return {};
  const note = { code: 'older-dialect', title: 'the alphabet is written without escapes', help: first.text };
  return { replacements, note };
}

const replaced = ({ start, end }: Token, text: string): Replacement => ({ start, end, text });
