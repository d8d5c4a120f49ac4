// `npm run differential -- RULES FILES`: names of matching rules, ours beside those of Debian's yara, over any rules and files.
import { readFileSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readRulesets } from '../../server/app/rule-files.ts';
import { openNativeEngine } from '../../server/engine/yara/native-engine.ts';
import { openWasmEngine } from '../../server/engine/yara/wasm-engine.ts';
import { debianMatches } from './debian-yara.ts';
import { matcherOf } from './our-matches.ts';

const scanTimeout = 60_000;

/** All files of a folder, or the one file. */
async function filesOf(path: string): Promise<string[]> {
  if (statSync(path).isFile()) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

const [rulesPath, filesPath] = process.argv.slice(2);
if (rulesPath === undefined || filesPath === undefined) {
  console.error('usage: npm run differential -- RULES FILES');
  process.exit(2);
}
const files = await filesOf(filesPath);
const engine = openNativeEngine() ?? openWasmEngine();
let differences = 0;
let refused = 0;
let compared = 0;
for (const ruleset of await readRulesets([rulesPath], process.cwd())) {
  const matcher = matcherOf(engine, ruleset, scanTimeout);
  for (const file of files) {
    const theirs = debianMatches(ruleset.id, file);
    if (theirs === null) {
      // What yara itself refuses, or knows no module for, is nothing to compare with.
      refused += 1;
      break;
    }
    if ('error' in matcher) {
      differences += 1;
      console.log(`${ruleset.id}: yara takes it, we do not: ${matcher.error}`);
      break;
    }
    const ours = matcher.match(readFileSync(file));
    compared += 1;
    if (ours.join() === theirs.join()) continue;
    differences += 1;
    const missing = theirs.filter((name) => !ours.includes(name));
    const surplus = ours.filter((name) => !theirs.includes(name));
    console.log(`${ruleset.id} on ${file}: missing [${missing.join(' ')}], surplus [${surplus.join(' ')}]`);
  }
}
console.log(
  `${compared} scans compared with ${engine.name}, ${refused} rulesets refused by yara, ${differences} differences`,
);
process.exitCode = differences === 0 ? 0 : 1;
