// What workers may take of the machine's memory for the rules in use. Knows nothing of how they are run.
import type { PoolMemory, WorkerPool } from '../../jobs/worker-pool.ts';
import type { ActiveRulesets } from './active-rulesets.ts';
import { memoryFor } from './ruleset-isolation.ts';

export interface RuleMemory extends PoolMemory {
  rulesets: number;
  /** Characters. */
  length: number;
  /** Bytes that a worker holds for these rules. */
  holds: number;
}

/** How much memory scans with all active rulesets take, and how much of this machine's the pool may take for them. */
export async function ruleMemory(active: ActiveRulesets, pool: WorkerPool): Promise<RuleMemory> {
  const texts = (await active.list()).map(({ rulesetId, rules }) => ({ id: String(rulesetId), rules }));
  const needs = memoryFor(texts);
  const length = texts.reduce((sum, { rules }) => sum + rules.length, 0);
  return { ...pool.memory(needs), rulesets: texts.length, length, holds: needs.holds };
}
