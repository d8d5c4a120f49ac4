// `scan`: YARA rules over files and folders, matches to standard output. No server, no database.
import { readdir, stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import type { AnalysisFormat } from '../analysis-output.ts';
import { callersFolder } from '../data-folder.ts';
import { analyze } from './analyze.ts';

export interface ScanCommandOptions {
  rules: string[];
  /** On a terminal a table by default, elsewhere JSON lines. */
  format?: AnalysisFormat;
  /** JSON lines, as `format` jsonl. */
  json?: boolean;
}

/**
 * Scans files (`-`: standard input), and all files in folders, as `analyze --kinds yara` does.
 * @returns the process's exit status: 1 where something could not be read or scanned to its end, or no rules compile
 */
export async function scan(paths: string[], { rules, format, json }: ScanCommandOptions): Promise<number> {
  const files: string[] = [];
  for (const path of paths) {
    const absolute = resolve(callersFolder(), path);
    // What is not there is reported in its place, like every file that cannot be read.
    const isFolder = await stat(absolute).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (!isFolder) {
      files.push(path);
      continue;
    }
    const entries = await readdir(absolute, { recursive: true, withFileTypes: true });
    const found = entries.filter((entry) => entry.isFile());
    const names = found.map((entry) => relative(absolute, join(entry.parentPath, entry.name)));
    files.push(...names.sort().map((name) => join(path, name)));
  }
  if (files.length === 0) {
    process.stderr.write('apk-workstation: there are no files to scan\n');
    return 1;
  }
  const chosen = json === true ? 'jsonl' : (format ?? (process.stdout.isTTY ? 'table' : 'jsonl'));
  return analyze(files, { kinds: ['yara'], rules, format: chosen });
}
