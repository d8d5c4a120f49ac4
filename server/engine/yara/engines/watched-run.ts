// Runs work that may never end, and interrupts it after its time. Knows nothing of the work.
import { type Context, createContext, Script } from 'node:vm';
import { ScanTimeout } from './engine.ts';

interface Watch {
  context: Context;
  script: Script;
}

/** Made when first needed: most processes never do. */
let watch: Watch | null = null;
const openWatch = (): Watch => ({ context: createContext(), script: new Script('run()') });

/**
 * What `work` returns. JavaScript and WebAssembly are interrupted in the middle when their time is up; native code is not.
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
