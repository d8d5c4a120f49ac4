// `npm run differential -- RULES FILES`: names of matching rules, ours beside those of Debian's yara, over any rules and files.
import { readFileSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readRulesets } from '../../server/app/rule-files.ts';
import type { RulesetText } from '../../server/contract/engine/yara.ts';
import { openNativeEngine } from '../../server/engine/yara/engines/native-engine.ts';
import { openWasmEngine } from '../../server/engine/yara/engines/wasm-engine.ts';
import { askDebian } from './debian-yara.ts';
import { matcherOf } from './our-matches.ts';

const scanTimeout = 60_000;
const usage = `usage: npm run differential -- RULES FILES
RULES: a file of rules, or a folder with such files; FILES: a file to scan, or a folder with such files
Ends with 0 where both agree, 1 where they differ, 2 where nothing could be compared.`;

const [rulesPath, filesPath, ...others] = process.argv.slice(2);
if (rulesPath === undefined || filesPath === undefined || others.length > 0) stop(usage);
const files = await filesOf(filesPath).catch((error: Error) => stop(error.message));
const rulesets = await readRulesets([rulesPath], process.cwd()).catch((error: Error) => stop(error.message));
if (files.length === 0) stop(`${filesPath}: there is no file to scan`);
if (rulesets.length === 0) stop(`${rulesPath}: there are no rules`);
const engine = openNativeEngine() ?? openWasmEngine();
const counts = { compared: 0, refused: 0, failed: 0, differences: 0 };
for (const ruleset of rulesets) compare(ruleset);
console.log(
  `${counts.compared} scans compared with the ${engine.name} engine, ${counts.differences} differences; ` +
    `of ${rulesets.length} files of rules yara refused ${counts.refused}, and it failed to scan ${counts.failed} times`,
);
process.exitCode = counts.differences > 0 ? 1 : counts.compared === 0 ? 2 : 0;

function stop(message: string): never {
  console.error(message);
  process.exit(2);
}

/** All files of a folder, or the one file. */
async function filesOf(path: string): Promise<string[]> {
  if (statSync(path).isFile()) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

function compare(ruleset: RulesetText): void {
  const { refusal, matches } = askDebian([ruleset.id], files);
  if (refusal !== null) {
    // Rules that it knows no module for, or does not take, are nothing to compare with.
    counts.refused += 1;
    console.error(`yara refuses ${refusal}`);
    return;
  }
  counts.failed += files.length - matches.size;
  const matcher = matcherOf(engine, [ruleset], scanTimeout);
  if ('error' in matcher) {
    counts.differences += 1;
    console.log(`${ruleset.id}: yara takes it, we do not: ${matcher.error}`);
    return;
  }
  for (const [file, theirs] of matches) {
    const ours = matcher.match(readFileSync(file));
    counts.compared += 1;
    if (ours.join() === theirs.join()) continue;
    counts.differences += 1;
    const missing = theirs.filter((name) => !ours.includes(name));
    const surplus = ours.filter((name) => !theirs.includes(name));
    console.log(`${ruleset.id} on ${file}: missing [${missing.join(' ')}], surplus [${surplus.join(' ')}]`);
  }
}
