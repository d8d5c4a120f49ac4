// Searches texts by a rule's regular expressions, byte for byte and as YARA's modules do. Knows neither rules nor reports.
import { LinearPattern, PatternRefused } from '../../linear-pattern.ts';
import { translateRegexp } from '../rewriting/regexp-dialect.ts';

export interface RuleRegexp {
  body: string;
  isCaseless: boolean;
  isDotAll: boolean;
}

/** Only the beginning of longer values, contents of files, is searched: no rule can make a scan last. */
const maxValueLength = 65_536;

/** A regular expression to be asked about texts. */
export interface TextPattern {
  /** The first match that begins at an index or behind it. */
  find(text: string, from: number): { start: number; end: number } | null;
  /** Whether its time is linear in the text; any other must be bounded. */
  isLinear: boolean;
}

/** Up to so many instructions a linear search of the longest value takes little time. */
const maxUnwatched = 500;

/** Compiled once for all APKs; as many as thousands of rulesets have. */
const regexps = new Map<string, TextPattern>();
const maxRegexps = 20_000;

/** A text's UTF-8, one character a byte. */
export const bytesOf = (text: string): string => Buffer.from(text.slice(0, maxValueLength), 'utf8').toString('latin1');

/** Expressions that the linear engine refuses, such as repetitions of thousands, run on JavaScript's own. */
function patternOf(source: string, isCaseless: boolean): TextPattern {
  const regexp = new RegExp(source, isCaseless ? 'gi' : 'g');
  try {
    const linear = new LinearPattern(source, isCaseless);
    if (linear.instructions <= maxUnwatched) {
      return { find: (text, from) => linear.find(text, from), isLinear: true };
    }
  } catch (error) {
    if (!(error instanceof PatternRefused)) throw error;
  }
  const find = (text: string, from: number) => {
    regexp.lastIndex = from;
    const match = regexp.exec(text);
    return match === null ? null : { start: match.index, end: match.index + match[0].length };
  };
  return { find, isLinear: false };
}

/** @throws SyntaxError */
export function regexpOf({ body, isCaseless, isDotAll }: RuleRegexp): TextPattern {
  const key = `${isCaseless ? 'i' : ''}${isDotAll ? 's' : ''}/${body}`;
  let regexp = regexps.get(key);
  if (regexp === undefined) {
    regexp = patternOf(translateRegexp(body, 'javascript', isDotAll), isCaseless);
    if (regexps.size >= maxRegexps) regexps.clear();
    regexps.set(key, regexp);
  }
  return regexp;
}

/** Why it cannot be used, null where it can. */
export function regexpProblem(regexp: RuleRegexp): string | null {
  try {
    regexpOf(regexp);
    return null;
  } catch (error) {
    // The reason alone: the author sees the expression, and not the one that it is translated to.
    const reason = (error as Error).message.replace(/^Invalid regular expression: .*: /s, '');
    return `invalid regular expression: ${reason}`;
  }
}

/**
 * Where a match ends, the beginning only where none ends later; -1 for none. YARA begins none behind the last byte, so
 * that `/$/` finds nothing, and its modules for reports take a match that ends at the beginning for none.
 * @param bytes one character a byte
 */
export function endOfMatch(regexp: TextPattern, bytes: string): number {
  let end = -1;
  for (let from = 0; from <= 1; from++) {
    const match = from > bytes.length ? null : regexp.find(bytes, from);
    if (match === null || (match.start >= bytes.length && match.start > 0)) break;
    end = match.end;
    if (end > 0) break;
  }
  return end;
}

/** Whether a text holds what a regular expression matches; to be asked within `boundedSearch`, since it may take long. */
export const isFoundIn = (text: string, regexp: TextPattern): boolean => endOfMatch(regexp, bytesOf(text)) >= 0;

/**
 * `isFoundIn` for texts that come again and again.
 * @throws SyntaxError
 */
export function searchOf(regexp: RuleRegexp): (text: string) => boolean {
  const compiled = regexpOf(regexp);
  const known = new Map<string, boolean>();
  return (text) => {
    let isFound = known.get(text);
    if (isFound === undefined) {
      isFound = isFoundIn(text, compiled);
      known.set(text, isFound);
    }
    return isFound;
  };
}
