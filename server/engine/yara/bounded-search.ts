// Searches texts by strangers' regular expressions in bounded time. Knows no rule.
import { ScanTimeout } from './engine.ts';
import { endedAfter } from './watched-run.ts';

/** Milliseconds for one expression over all the texts that it is asked of; honest ones take microseconds. */
const maxMilliseconds = 1000;

/** Whether V8 can leave backtracking for a search in linear time; counted repetitions are among what it cannot. */
function canBeLinear({ source, flags }: RegExp): boolean {
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
 * Whether a search, which asks this expression alone, finds something. Only an expression that could backtrack for ever
 * is watched.
 * @throws ScanTimeout where it takes longer than it may
 */
export function boundedSearch(regexp: RegExp, search: () => boolean): boolean {
  let isLinear = linear.get(regexp);
  if (isLinear === undefined) {
    isLinear = canBeLinear(regexp);
    linear.set(regexp, isLinear);
  }
  if (isLinear) return search();
  try {
    return endedAfter(maxMilliseconds, search);
  } catch (error) {
    if (!(error instanceof ScanTimeout)) throw error;
    throw new ScanTimeout('a regular expression took longer than it may');
  }
}
