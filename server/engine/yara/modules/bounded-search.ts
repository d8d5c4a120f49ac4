// Searches texts by strangers' regular expressions in bounded time. Knows no rule.
import { ScanTimeout } from '../engines/engine.ts';
import { endedAfter } from '../engines/watched-run.ts';

/** Milliseconds for a search over all the texts that it is asked of; honest ones take microseconds. */
const maxMilliseconds = 1000;

/**
 * Whether V8 can leave backtracking for a search in linear time, or never has anything to go back to. What it cannot are
 * counted repetitions and searches in any case, among others.
 */
function canBeLinear({ source, flags }: RegExp): boolean {
  const hasChoices = /[*+?{|]/.test(source.replace(/\\[\s\S]/g, ''));
  if (!hasChoices) return true;
  try {
    new RegExp(source, `${flags}l`);
    return true;
  } catch {
    // Also where V8 was not told to know the flag.
    return false;
  }
}

const linear = new WeakMap<RegExp, boolean>();

/**
 * Whether a search, which asks these expressions alone, finds something. Only expressions that could backtrack for ever
 * are watched.
 * @throws ScanTimeout where it takes longer than it may
 */
export function boundedSearch(regexps: readonly RegExp[], search: () => boolean): boolean {
  if (regexps.every(isLinear)) return search();
  try {
    return endedAfter(maxMilliseconds, search);
  } catch (error) {
    if (!(error instanceof ScanTimeout)) throw error;
    throw new ScanTimeout('a regular expression took longer than it may');
  }
}

function isLinear(regexp: RegExp): boolean {
  let known = linear.get(regexp);
  if (known === undefined) {
    known = canBeLinear(regexp);
    linear.set(regexp, known);
  }
  return known;
}
