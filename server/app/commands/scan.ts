// `scan`: YARA rules over files and folders, matches to standard output. No server, no database.
import type { AnalysisFormat } from '../analysis-output.ts';
import { callersFolder } from '../data-folder.ts';
import { filesBelow } from '../named-paths.ts';
import { analyze } from './analyze.ts';

export interface ScanCommandOptions {
  rules: string[];
  /** On a terminal a table by default, elsewhere JSON lines. */
  format?: AnalysisFormat;
  /** JSON lines, as `format` jsonl. */
  json?: boolean;
  /** Scans nothing unless the wall of the system was measured and holds. */
  requireIsolation?: boolean;
}

/**
 * Scans files (`-`: standard input), and all files in folders, as `analyze --kinds yara` does.
 * @returns the process's exit status: 1 where something could not be read or scanned to its end, or no rules compile
 */
export async function scan(
  paths: string[],
  { rules, format, json, requireIsolation = false }: ScanCommandOptions,
): Promise<number> {
  const files = (await Promise.all(paths.map((path) => filesBelow(path, callersFolder())))).flat();
  if (files.length === 0) {
    process.stderr.write('apk-workstation: there are no files to scan\n');
    return 1;
  }
  const chosen = json === true ? 'jsonl' : (format ?? (process.stdout.isTTY ? 'table' : 'jsonl'));
  return analyze(files, { kinds: ['yara'], rules, format: chosen, requireIsolation });
}
