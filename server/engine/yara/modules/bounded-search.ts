// Searches texts by strangers' regular expressions in bounded time. Knows no rule.
import { ScanTimeout } from '../engines/engine.ts';
import { endedAfter } from '../engines/watched-run.ts';

/** Milliseconds for a search over all its texts; ordinary ones take microseconds. */
const maxMilliseconds = 1000;

/**
 * Whether a search with these expressions finds something. It is interrupted only where one of them could backtrack for
 * ever: the interruption itself costs time.
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
