// Takes Node's test runner out of the way of promises. Knows nothing of tests.
import { createRequire } from 'node:module';

/**
 * The runner follows every promise of its process, to tell in which suite a test is defined and which test an error belongs
 * to: a quarter of the processor's time of a test that asks a server. Once all tests are defined nothing of it is needed but
 * the last, and an error that no test catches then fails its file. It asks for `--expose-internals`, and does nothing without.
 * Called where no promise goes on: Node counts those that do.
 */
export function unhookPromises(): void {
  if (!process.execArgv.includes('--expose-internals')) return;
  const { internalBinding } = createRequire(import.meta.url)('internal/test/binding') as {
    internalBinding(name: 'async_wrap'): { setPromiseHooks(...hooks: undefined[]): void };
  };
  internalBinding('async_wrap').setPromiseHooks(undefined, undefined, undefined, undefined);
}
