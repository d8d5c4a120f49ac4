// Reads YARA rules from files and folders for the command line. Knows nothing of what rules say.
import { isUtf8 } from 'node:buffer';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { RulesetText } from '../contract/engine/yara.ts';
import { tokenize } from '../engine/yara/language/tokens.ts';
import { namedPaths } from './named-paths.ts';
import { readStandardInput, standardInput } from './standard-input.ts';

const ruleFile = /\.(?:yara?|rules?)$/i;

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
    const files = isFolder
      ? (await readdir(absolute, { recursive: true })).filter((name) => ruleFile.test(name)).sort()
      : [null];
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
  const isRule = (path: string, index: number) => index === 0 || ruleFile.test(path);
  return { files: rules.filter((path, index) => !isRule(path, index)), rules: rules.filter(isRule) };
}

/**
 * Rules are bytes to YARA. In a file that is no UTF-8, bytes beyond ASCII in texts and regular expressions are written as
 * the escapes that name them.
 */
function rulesOf(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  const rules = bytes.toString('latin1');
  const parts: string[] = [];
  let position = 0;
  for (const { kind, start, end, text } of tokenize(rules)) {
    if (kind !== 'text' && kind !== 'regexp') continue;
    parts.push(rules.slice(position, start), kind === 'text' ? escapedText(text) : escapedRegexp(text));
    position = end;
  }
  return [...parts, rules.slice(position)].join('');
}

const escapeOf = (byte: string): string => `\\x${byte.charCodeAt(0).toString(16)}`;
const escapedText = (text: string): string => text.replace(/[\x80-\xff]/g, escapeOf);

/** A backslash before a byte that needs no escape changes nothing in a regular expression. */
const escapedRegexp = (regexp: string): string =>
  regexp.replace(/\\?[\x80-\xff]|\\./g, (found) => (found.at(-1)! < '\x80' ? found : escapeOf(found.at(-1)!)));
