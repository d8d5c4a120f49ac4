// Regular expressions that people write, run in time that grows with the text alone. Knows neither rules nor APKs.
import { RE2JS, RE2JSSyntaxException } from 're2js';

/**
 * Instructions of a pattern once its repetitions are written out; the time for each character of a text grows with them
 * at worst. Those for hashes, addresses and long names have some hundred.
 */
const maxInstructions = 2000;

/** What `\s` matches in JavaScript. In RE2 it matches ASCII blanks alone, without the vertical tab. */
const spaces = '\\t-\\r \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff';
/** Escaped letters that stand for themselves in JavaScript; some mean something in RE2. */
const plainLetter = /^\\[a-zA-Z]$(?<!\\[bBcdDfnrsStuvwWx])/;

/** Rewrites what RE2 understands differently from JavaScript. */
function inWordsOfBoth(source: string): string {
  let isInClass = false;
  return source.replace(/\\[pP]\{|\\[\s\S]|[[\]]/g, (sign) => {
    if (sign === ']') isInClass = false;
    else if (sign === '[' && isInClass) return '\\[';
    else if (sign === '[') isInClass = true;
    else if (sign === '\\s') return isInClass ? spaces : `[${spaces}]`;
    else if (sign === '\\b' && isInClass) return '\\x08';
    else if (plainLetter.test(sign)) return sign.slice(1);
    return sign;
  });
}

/** A pattern that is not run; the message says why, in the words of who writes patterns. */
export class PatternRefused extends Error {}

const tooLarge = 'it is too large when its repetitions are written out; make it simpler';

const referencesBack = 'references back to a group, \\1 and \\k<name>, could take for ever and are not done';
/** RE2 would look for the letters of `\k<name>`. */
const namesGroup = /^(?:[^\\]|\\[^k])*\\k</;

const lookingAhead =
  'looking ahead, (?=…) and (?!…), could take for ever and is not done; search for what you want to see';

/** Why RE2 refuses a pattern, told apart by its name for the fault and the piece of the pattern that it quotes. */
function reasonOf({ error, input }: RE2JSSyntaxException): string {
  const quoted = input ?? '';
  if (error === 'invalid or unsupported Perl syntax' && (quoted === '(?=' || quoted === '(?!')) return lookingAhead;
  if (error === 'invalid escape sequence' && /^\\[1-9]/.test(quoted)) return referencesBack;
  if (error === 'invalid capture in lookbehind')
    return 'a group within (?<=…) and (?<!…) is not understood; write (?:…) there';
  if (error === 'invalid repeat count') return 'nothing may be repeated more than 1,000 times by a number';
  if (error === 'expression too large' || error === 'expression nests too deeply') return tooLarge;
  return quoted === '' ? error : `${error}: \`${quoted}\``;
}

export class LinearPattern {
  readonly #pattern: RE2JS;
  readonly instructions: number;

  /**
   * @param source in JavaScript's syntax; of lookaround only lookbehind is supported
   * @throws SyntaxError, as JavaScript tells it; PatternRefused
   */
  constructor(source: string, isCaseless: boolean) {
    // Throws for a malformed pattern, in the words that people know.
    new RegExp(source);
    if (namesGroup.test(source)) throw new PatternRefused(referencesBack);
    const flags = RE2JS.LOOKBEHINDS | (isCaseless ? RE2JS.CASE_INSENSITIVE : 0);
    try {
      this.#pattern = RE2JS.compile(RE2JS.translateRegExp(inWordsOfBoth(source)), flags);
    } catch (error) {
      throw new PatternRefused(error instanceof RE2JSSyntaxException ? reasonOf(error) : String(error));
    }
    this.instructions = this.#pattern.programSize();
    if (this.instructions > maxInstructions) throw new PatternRefused(tooLarge);
  }

  isIn(text: string): boolean {
    return this.#pattern.test(text);
  }

  /** The first match that begins at an index or behind it. */
  find(text: string, from: number): { start: number; end: number } | null {
    // Whether there is a match is known much sooner than where.
    if (!this.#pattern.test(text)) return null;
    const matcher = this.#pattern.matcher(text);
    return matcher.find(from) ? { start: matcher.start(), end: matcher.end() } : null;
  }
}
