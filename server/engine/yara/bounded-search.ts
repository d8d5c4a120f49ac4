// Searches texts by strangers' regular expressions in bounded time. Knows no rule.
import { createContext, Script } from 'node:vm';
import { ScanTimeout } from './engine.ts';

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
const context = createContext({ run: () => false });
const script = new Script('run()');

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
  context.run = search;
  try {
    return script.runInContext(context, { timeout: maxMilliseconds }) as boolean;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw new ScanTimeout('a regular expression took longer than it may');
  } finally {
    context.run = () => false;
  }
}
