// Compiled rules of the command line, kept from one run to the next. Knows no file that is scanned.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { RulesetText } from '../contract/engine/yara.ts';
import type { WorkerPool } from '../jobs/worker-pool.ts';
import { CompiledRulesFolder } from '../services/rules/compiled-rules-folder.ts';
import { cacheFolder } from './data-folder.ts';

/** Characters of rules from which on it takes longer to compile them than to write and find what was compiled. */
const worthKeeping = 500_000;
/** Collections of rules, and changes to them. */
const mostFiles = 8;

/** The folder for these rules, made where it is missing; null where they are compiled in no time, or nothing can be kept. */
export function keptRulesPath(rulesets: readonly RulesetText[]): string | null {
  if (rulesets.reduce((sum, { rules }) => sum + rules.length, 0) < worthKeeping) return null;
  const path = join(cacheFolder(), 'compiled-rules');
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return path;
  } catch {
    // A home that cannot be written, or none: the rules are compiled for this run.
    return null;
  }
}

/** Has what of these rules was never compiled before compiled into the folder. Where that fails, scans compile for themselves. */
export async function keepRules(
  path: string,
  rulesets: readonly RulesetText[],
  pool: WorkerPool,
): Promise<CompiledRulesFolder> {
  const log = { error: () => undefined };
  const folder = new CompiledRulesFolder(path, pool, log, mostFiles);
  await folder.prepare(rulesets);
  return folder;
}
