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

/**
 * Names of the rules that match each file of a folder, private ones left out, in one run.
 * @returns null where yara does not take the rules, or fails to scan with them
 */
export function debianMatchesIn(rulesFile: string, folder: string): ((name: string) => string[]) | null {
  const { status, stdout, stderr, error } = spawnSync('yara', ['--no-warnings', rulesFile, folder], {
    encoding: 'utf8',
  });
  if (error !== undefined) throw error;
  // Some conditions end its scans with an error of its own, and the status says nothing of it.
  if (status !== 0 || stderr.includes('error scanning')) return null;
  const lines = stdout.split('\n').filter((line) => line !== '');
  return (name) =>
    lines
      .filter((line) => line.endsWith(`/${name}`))
      .map((line) => line.slice(0, line.indexOf(' ')))
      .sort();
}
