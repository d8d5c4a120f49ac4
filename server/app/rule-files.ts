// Reads YARA rules from files and folders for the command line. Knows nothing of what rules say.
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { RulesetText } from '../contract/engine/yara.ts';
import { isRuleFile, rulesOf } from '../engine/yara/language/rule-bytes.ts';
import { namedPaths } from './named-paths.ts';
import { readStandardInput, standardInput } from './standard-input.ts';

/**
 * One ruleset a file, named by its path as given; of a folder every file that is called like one of rules, in the order
 * of their names; `-` stands for standard input.
 * @param folder where relative paths begin
 * @throws the file system's error where one cannot be read, Error where a folder holds none
 */
export async function readRulesets(paths: readonly string[], folder: string): Promise<RulesetText[]> {
  const rulesets: RulesetText[] = [];
  for (const path of await namedPaths(paths, folder)) {
    if (path === standardInput) {
      rulesets.push({ id: path, rules: rulesOf(await readStandardInput()) });
      continue;
    }
    const absolute = resolve(folder, path);
    const isFolder = (await stat(absolute)).isDirectory();
    const files = isFolder ? (await readdir(absolute, { recursive: true })).filter(isRuleFile).sort() : [null];
    if (files.length === 0) throw new Error(`${path} holds no file that is called *.yar, *.yara, *.rule or *.rules`);
    for (const name of files) {
      const file = name === null ? absolute : join(absolute, name);
      rulesets.push({ id: name === null ? path : join(path, name), rules: rulesOf(await readFile(file)) });
    }
  }
  return rulesets;
}

/** `--rules A B` also takes the files behind it: where no file stands before it, those that are not named like rules are files to scan. */
export function filesAmongRules(
  files: string[],
  rules: string[] | undefined,
): { files: string[]; rules: string[] | undefined } {
  if (rules === undefined || files.length > 0) return { files, rules };
  const isRule = (path: string, index: number) => index === 0 || isRuleFile(path);
  return { files: rules.filter((path, index) => !isRule(path, index)), rules: rules.filter(isRule) };
}
