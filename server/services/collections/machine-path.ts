// Paths of this machine as people give them. Looks at no file.
import { isAbsolute, resolve } from 'node:path';
import { FieldFailure } from '../failure.ts';

/** A path without detours. @throws FieldFailure for its field `path` where it is not absolute */
export function machinePath(given: string): string {
  if (!isAbsolute(given)) throw new FieldFailure({ path: ['The path has to be absolute.'] });
  return resolve(given);
}
