// What an engine is given for the value of a rule's string and its modifiers. Knows tokens, no rules.

import { bytesOf, regexpParts } from '../language/literals.ts';
import { necessaryLiterals } from '../language/necessary-literals.ts';
import type { Replacement } from '../language/position-map.ts';
import { isClosed, type Token } from '../language/tokens.ts';
import { base64Regexp } from './base64-texts.ts';
import { readHexJumps } from './hex-jumps.ts';
import { exactRegexp, exactTextRegexp, holdsEndlessGap, type RegexpString, wordEdges } from './regexp-dialect.ts';
import { xorFullwordRegexp } from './xor-fullword.ts';

/** Words and signs of modifiers that are read; a dozen is the most that make sense. */
const maxModifiers = 40;

export interface StringTranslation {
  /** In order; empty where the engine takes the author's text. */
  replacements: Replacement[];
  /** A note for the author. */
  note: { code: string; title: string; help: string } | null;
  /** Why YARA refuses the value. */
  problem: string | null;
  isPrivate: boolean;
  /** Why it may slow down every scan; null where it does not. */
  slowness: { title: string; help: string } | null;
  /** How matches may differ from those of YARA, where the engine cannot express it; null where they are the same. */
  doubt: { title: string; help: string } | null;
  /** The least number of bytes that its jumps skip. */
  jumpLength: number;
}

/** A string that is found nowhere. */
const neverFound = '/never\\b\\Bever/';

/** Bytes that all jumps of a ruleset may skip at least, added up: compilers take up to two seconds for them. */
export const maxJumpLength = 5_000_000;

/**
 * @param index that of the value, which is a text, a regular expression or a hex string
 * @param jumpRoom what is left of `maxJumpLength`
 */
export function translateString(tokens: readonly Token[], index: number, jumpRoom: number): StringTranslation {
  const token = tokens[index]!;
  const modifiers = modifiersBehind(tokens, index);
  const regexp = token.kind === 'regexp' && isClosed(token) ? translateRegexpString(token, modifiers) : null;
  const inDialect = regexp?.replacements.find(({ start }) => start === token.start);
  const translation = {
    replacements: [],
    note: null,
    problem: null,
    isPrivate: modifiers.some(({ text }) => text === 'private'),
    slowness: slownessOf(token, inDialect?.text ?? token.text, modifiers),
    doubt: doubtOf(
      token,
      modifiers.map(({ text }) => text),
    ),
    jumpLength: 0,
  };
  if (token.kind === 'hex') return { ...translation, ...translateHex(token, jumpRoom) };
  if (regexp !== null) return { ...translation, ...regexp };
  const standIn = standInFor(
    token,
    modifiers.map(({ text }) => text),
  );
  if (standIn === null) return translation;
  const behind = { start: modifiers[0]!.start, end: modifiers.at(-1)!.end, text: standIn.modifiers };
  return { ...translation, replacements: [replaced(token, standIn.value), behind] };
}

/** YARA warns of the same strings. @param value in the dialect of the engine */
function slownessOf(token: Token, value: string, modifiers: readonly Token[]): StringTranslation['slowness'] {
  if (token.kind === 'regexp' && !isClosed(token)) return null;
  if (token.kind === 'regexp' && holdsEndlessGap(regexpParts(token.text).body)) {
    const help = 'an upper bound such as `.{0,200}` lets scans go faster';
    return { title: 'the expression contains `.*`, `.+` or `.{x,}`', help };
  }
  const words = modifiers.map(({ text }) => text);
  if (words.some((word) => word === 'xor' || word.startsWith('base64'))) return null;
  if (necessaryLiterals(value, words) !== null) return null;
  const help = 'two fixed bytes side by side, better four, let scans go faster';
  return { title: 'no two bytes are known that stand side by side wherever the string is', help };
}

function doubtOf(token: Token, modifiers: readonly string[]): StringTranslation['doubt'] {
  const isWide = modifiers.includes('wide');
  if (token.kind === 'text' && isWide && modifiers.includes('xor') && modifiers.includes('fullword')) {
    const help = 'without `fullword` all of them are found';
    return {
      title: 'whole words in wide text with a key are missed where text with the same key is around them',
      help,
    };
  }
  if (token.kind !== 'regexp') return null;
  const { isAsked, isRefusedOutside } = wordEdges(regexpParts(token.text).body);
  if (isWide && isAsked) {
    const help = 'beside bytes that are no wide text, and where a file begins or ends';
    return { title: '`\\b` and `\\B` in wide text may hold otherwise than in YARA', help };
  }
  if (!isRefusedOutside) return null;
  return { title: '`\\B` also holds where a file begins or ends', help: 'YARA takes these for edges of words' };
}

/** The modifiers after a string's value, up to the next string or section. */
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

/** A regular expression, with its modifiers, for a text that the engine refuses or reads differently. */
function standInFor(token: Token, modifiers: readonly string[]): RegexpString | null {
  const text = bytesOf(token.text.slice(1, -1));
  const isBase64 = modifiers.some((word) => word.startsWith('base64'));
  const isRefused = isBase64 && modifiers.some((word) => /^(?:nocase|xor|fullword)$/.test(word));
  if (isRefused || (modifiers.includes('xor') && modifiers.includes('nocase'))) return null;
  if (!isBase64) return xorFullwordRegexp(text, modifiers);
  const alphabets = new Set(modifiers.filter((word) => word.startsWith('"')));
  const [alphabet] = alphabets;
  const given = alphabet === undefined ? null : bytesOf(alphabet.slice(1, -1));
  return alphabets.size > 1 ? null : base64Regexp({ text, modifiers, alphabet: given });
}

/** In place of a refused value: the engine would take hours for some. */
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

function translateRegexpString(
  token: Token,
  modifiers: readonly Token[],
): Pick<StringTranslation, 'replacements' | 'note'> {
  const { body, flags } = regexpParts(token.text);
  const words = modifiers.map((modifier) => modifier.text);
  const { body: exact, isOtherDialect, isWidened } = exactRegexp(body, flags, words);
  const said = isWidened ? modifiers.filter((modifier) => modifier.text === 'wide') : [];
  const { replacements, note } = translated(token, exact, isOtherDialect);
  return { replacements: [...replacements, ...said.map((modifier) => replaced(modifier, ''))], note };
}

/** An expression in a condition, in the dialect of the engine. */
export function translateTextRegexp(token: Token): Pick<StringTranslation, 'replacements' | 'note'> {
  if (!isClosed(token)) return { replacements: [], note: null };
  const { body: given, flags } = regexpParts(token.text);
  const { body, isOtherDialect } = exactTextRegexp(given, flags);
  return translated(token, body, isOtherDialect);
}

/** @param isOtherDialect whether the author is to know */
function translated(
  token: Token,
  exact: string,
  isOtherDialect: boolean,
): Pick<StringTranslation, 'replacements' | 'note'> {
  const { body, flags } = regexpParts(token.text);
  if (exact === body) return { replacements: [], note: null };
  const text = `/${exact}/${flags}`;
  const title = "the regular expression is read in YARA's older dialect";
  return {
    replacements: [replaced(token, text)],
    note: isOtherDialect ? { code: 'regexp-dialect', title, help: text } : null,
  };
}

const replaced = ({ start, end }: Token, text: string): Replacement => ({ start, end, text });
