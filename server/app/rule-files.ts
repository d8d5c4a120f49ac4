// Reads YARA rules from files and folders for the command line. Knows nothing of what rules say.
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { RulesetText } from '../contract/yara.ts';

const ruleFile = /\.(?:yara?|rules?)$/i;

/**
 * One ruleset a file, named by its path as given; of a folder every file that is called like one of rules, in the order
 * of their names.
 * @param folder where relative paths begin
 * @throws the file system's error where one cannot be read
 */
export async function readRulesets(paths: readonly string[], folder: string): Promise<RulesetText[]> {
  const rulesets: RulesetText[] = [];
  for (const path of paths) {
    const absolute = resolve(folder, path);
    const isFolder = (await stat(absolute)).isDirectory();
    const files = isFolder
      ? (await readdir(absolute, { recursive: true })).filter((name) => ruleFile.test(name)).sort()
      : [null];
    for (const name of files) {
      const file = name === null ? absolute : join(absolute, name);
      rulesets.push({ id: name === null ? path : join(path, name), rules: await readFile(file, 'utf8') });
    }
  }
  return rulesets;
}
