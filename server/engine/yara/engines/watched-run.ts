// Runs what may never end, and ends it after its time. Knows nothing of what that is.
import { type Context, createContext, Script } from 'node:vm';
import { ScanTimeout } from './engine.ts';

interface Watch {
  context: Context;
  script: Script;
}

/** Most processes never need one. */
let watch: Watch | null = null;
const openWatch = (): Watch => ({ context: createContext(), script: new Script('run()') });

/**
 * What `work` returns. JavaScript and WebAssembly are torn out of whatever they do when their time is up, without another
 * step of theirs; native code is not.
 * @throws ScanTimeout
 */
export function endedAfter<T>(milliseconds: number, work: () => T): T {
  watch ??= openWatch();
  const { context, script } = watch;
  context.run = work;
  try {
    return script.runInContext(context, { timeout: milliseconds }) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw new ScanTimeout('it took longer than it may');
  } finally {
    context.run = undefined;
  }
}
