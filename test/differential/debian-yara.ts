// Runs Debian's yara over bytes, for comparison. Knows nothing of the engine.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What matches in thousands of files is told in one piece. */
const maxOutput = 1024 ** 3;

/** How its words on a file that it could not scan begin. */
const complaint = 'error scanning ';

/** What yara said of files of rules. */
export interface DebianAnswer {
  /** Why it does not take the rules; null where it does. */
  refusal: string | null;
  /** By file, the sorted names of the rules that match, private ones left out; files that it failed to scan are missing. */
  matches: Map<string, string[]>;
}

/**
 * Asks yara of many files in one run.
 * @param rulesFiles each gets a namespace of its own
 * @throws Error where there is no yara, or it was killed
 */
export function askDebian(rulesFiles: readonly string[], files: readonly string[]): DebianAnswer {
  const folder = mkdtempSync(join(tmpdir(), 'yara-files-'));
  try {
    const list = join(folder, 'list');
    writeFileSync(list, files.join('\n'));
    const { status, stdout, stderr, error, signal } = spawnSync(
      'yara',
      ['--no-warnings', '--scan-list', ...rulesFiles.map((file, index) => `n${index}:${file}`), list],
      { encoding: 'utf8', maxBuffer: maxOutput },
    );
    if (error !== undefined) throw error;
    if (signal !== null) throw new Error(`yara was ended by ${signal}`);
    const complaints = stderr.split('\n').filter((line) => line.startsWith(complaint));
    const failed = files.filter((file) => complaints.some((line) => line.startsWith(`${complaint}${file}: `)));
    if (status !== 0 && failed.length === 0) return { refusal: stderr.split('\n', 1)[0]!, matches: new Map() };
    const matches = new Map(files.map((file) => [file, [] as string[]]));
    for (const line of stdout.split('\n')) {
      const end = line.indexOf(' ');
      matches.get(line.slice(end + 1))?.push(line.slice(0, end));
    }
    for (const names of matches.values()) names.sort();
    for (const file of failed) matches.delete(file);
    return { refusal: null, matches };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Names of the rules that match a file; null where yara does not take the rules, or fails to scan with them. */
export const debianMatches = (rulesFile: string, file: string): string[] | null =>
  askDebian([rulesFile], [file]).matches.get(file) ?? null;

/** Names of the rules that match each file of a folder; null where yara does not take the rules, or fails on a file. */
export function debianMatchesIn(rulesFiles: readonly string[], folder: string): ((name: string) => string[]) | null {
  const files = readdirSync(folder).map((name) => join(folder, name));
  const { matches } = askDebian(rulesFiles, files);
  return matches.size === files.length ? (name) => matches.get(join(folder, name))! : null;
}
