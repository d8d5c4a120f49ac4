// Searches texts by strangers' regular expressions in bounded time. Knows no rule.
import { ScanTimeout } from '../engines/engine.ts';
import { endedAfter } from '../engines/watched-run.ts';

/** Milliseconds for a search over all the texts that it is asked of; honest ones take microseconds. */
const maxMilliseconds = 1000;

/**
 * Whether a search, which asks these expressions alone, finds something. Only expressions that could backtrack for ever
 * are watched.
 * @throws ScanTimeout where it takes longer than it may
 */
export function boundedSearch(regexps: readonly { isLinear: boolean }[], search: () => boolean): boolean {
  if (regexps.every(({ isLinear }) => isLinear)) return search();
  try {
    return endedAfter(maxMilliseconds, search);
  } catch (error) {
    if (!(error instanceof ScanTimeout)) throw error;
    throw new ScanTimeout('a regular expression took longer than it may');
  }
}
