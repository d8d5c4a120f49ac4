// Runs Debian's yara over bytes, for comparison. Knows nothing of the engine.
import { spawnSync } from 'node:child_process';

/** Names of the rules in a file that match a file, private ones left out; null where yara does not take the rules. */
export function debianMatches(rulesFile: string, file: string): string[] | null {
  const { status, stdout, error } = spawnSync('yara', ['--no-warnings', rulesFile, file], { encoding: 'utf8' });
  if (error !== undefined) throw error;
  if (status !== 0) return null;
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.slice(0, line.indexOf(' ')))
    .sort();
}
