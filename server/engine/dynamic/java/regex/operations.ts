// What String and Matcher do with patterns: compiling with a cache, splitting, replacing. Knows no Pattern objects.
import type { Machine } from '../../machine/model.ts';
import { illegalArgument, outOfBounds } from '../values.ts';
import { CompiledPattern, type Groups, RegexExhausted } from './matcher-engine.ts';
import { FLAGS, PatternError, parsePattern } from './parser.ts';

/** Cost of one step of matching, charged as so many allocated bytes: they take about as long. */
const BYTES_PER_STEP = 16;
/** Compiled patterns kept: more than any app has in use. */
const CACHE_SIZE = 500;

export class JavaPattern {
  readonly source: string;
  readonly flags: number;
  readonly #compiled: CompiledPattern;

  constructor(source: string, flags: number) {
    this.source = source;
    this.flags = flags;
    this.#compiled = new CompiledPattern(parsePattern(source, flags));
  }

  get groupCount(): number {
    return this.#compiled.groupCount;
  }

  get names(): ReadonlyMap<string, number> {
    return this.#compiled.names;
  }

  /** @throws JavaThrow StackOverflowError where the pattern takes too long */
  matchWhole(machine: Machine, text: string, from = 0, to = text.length): Groups | null {
    return this.#guard(machine, () => this.#compiled.matchAt(text, from, from, to, true));
  }

  matchStart(machine: Machine, text: string, from = 0, to = text.length): Groups | null {
    return this.#guard(machine, () => this.#compiled.matchAt(text, from, from, to, false));
  }

  find(machine: Machine, text: string, at = 0, from = 0, to = text.length, last = at): Groups | null {
    return this.#guard(machine, () => this.#compiled.find(text, at, from, to, last));
  }

  #guard(machine: Machine, run: () => Groups | null): Groups | null {
    try {
      return run();
    } catch (error) {
      if (error instanceof RegexExhausted) {
        machine.unmodelled('java.util.regex: a pattern that takes too long');
        throw machine.exception('Ljava/lang/StackOverflowError;', 'regular expression');
      }
      throw error;
    } finally {
      machine.charge(this.#compiled.steps * BYTES_PER_STEP);
    }
  }
}

/** @throws JavaThrow PatternSyntaxException */
export function compilePattern(machine: Machine, source: string, flags: number): JavaPattern {
  const cache = machine.state('java.patterns', () => new Map<string, JavaPattern>());
  const key = `${flags} ${source}`;
  let pattern = cache.get(key);
  if (pattern === undefined) {
    machine.charge(source.length * BYTES_PER_STEP);
    try {
      pattern = new JavaPattern(source, flags);
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
      throw machine.exception(
        'Ljava/util/regex/PatternSyntaxException;',
        `${error.message} near index ${error.index}\n${source}`,
      );
    }
    if (cache.size >= CACHE_SIZE) cache.clear();
    cache.set(key, pattern);
  }
  return pattern;
}

/** All matches from the start on, with Java's step past empty ones. */
function* matchesOf(machine: Machine, pattern: JavaPattern, text: string): Generator<Groups> {
  let at = 0;
  let last = 0;
  while (at <= text.length) {
    const groups = pattern.find(machine, text, at, 0, text.length, last);
    if (groups === null) return;
    yield groups;
    last = groups[1]!;
    at = groups[1] === groups[0] ? groups[1]! + 1 : groups[1]!;
  }
}

/** `String.split`. */
export function splitText(machine: Machine, pattern: JavaPattern, text: string, limit: number): string[] {
  const parts: string[] = [];
  let start = 0;
  for (const groups of matchesOf(machine, pattern, text)) {
    if (limit > 0 && parts.length === limit - 1) break;
    // No empty first part for a match of nothing at the start.
    if (groups[0] === 0 && groups[1] === 0) continue;
    parts.push(text.slice(start, groups[0]));
    start = groups[1]!;
  }
  if (start === 0 && parts.length === 0) return [text];
  parts.push(text.slice(start));
  if (limit === 0) while (parts.length > 0 && parts.at(-1) === '') parts.pop();
  return parts;
}

/** The text a replacement stands for: `$1`, `${name}`, backslash escapes. */
export function expandReplacement(
  machine: Machine,
  pattern: JavaPattern,
  text: string,
  groups: Groups,
  replacement: string,
): string {
  if (!/[\\$]/.test(replacement)) return replacement;
  let result = '';
  for (let index = 0; index < replacement.length; index++) {
    const character = replacement[index]!;
    if (character === '\\') {
      if (++index >= replacement.length) throw illegalArgument(machine, 'character to be escaped is missing');
      result += replacement[index];
    } else if (character === '$') {
      const match = /^\$(?:(\d)|\{([A-Za-z][A-Za-z0-9]*)\})/.exec(replacement.slice(index, index + 64));
      if (match === null) throw illegalArgument(machine, 'Illegal group reference');
      let group = match[1] === undefined ? pattern.names.get(match[2]!) : Number(match[1]);
      if (group === undefined) throw illegalArgument(machine, `No group with name {${match[2]}}`);
      if (group > pattern.groupCount) throw outOfBounds(machine, `No group ${group}`);
      index += match[0].length - 1;
      while (match[1] !== undefined && /^\d$/.test(replacement[index + 1] ?? '')) {
        const longer: number = group * 10 + Number(replacement[index + 1]);
        if (longer > pattern.groupCount) break;
        group = longer;
        index++;
      }
      const start = groups[group * 2]!;
      if (start >= 0) result += text.slice(start, groups[group * 2 + 1]);
    } else result += character;
  }
  return result;
}

export function replaceMatches(
  machine: Machine,
  pattern: JavaPattern,
  text: string,
  replacement: string,
  isAll: boolean,
): string {
  let result = '';
  let from = 0;
  for (const groups of matchesOf(machine, pattern, text)) {
    result += text.slice(from, groups[0]) + expandReplacement(machine, pattern, text, groups, replacement);
    from = groups[1]!;
    machine.charge(replacement.length * 2);
    if (!isAll) break;
  }
  return result + text.slice(from);
}

export { FLAGS };
