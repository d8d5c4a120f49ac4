// zlib with a bound on what it unpacks, its errors as Java's exceptions. Knows no class of java.util.zip.
import type { Machine } from '../../machine/model.ts';
import { MAXIMUM_BUFFER_BYTES } from '../values.ts';

export const BOUND = { maxOutputLength: MAXIMUM_BUFFER_BYTES };

/** Runs zlib, its errors as Java's. */
export function guarded<T>(machine: Machine, exception: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof Error) || 'throwable' in error) throw error;
    throw machine.exception(exception, error.message);
  }
}
