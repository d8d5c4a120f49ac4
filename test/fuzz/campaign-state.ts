// What is known of a target's campaigns, in a folder of its own: how far they came, the corpus, what was found.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Find, Progress } from './campaign.ts';

export interface CampaignState extends Progress {
  /** Causes that were found, each with its input in `finds`. */
  finds: string[];
  /** Inputs that ended the process. */
  deaths: number;
}

const none: CampaignState = {
  mutants: 0,
  cpuSeconds: 0,
  covered: 0,
  blocks: 0,
  corpus: 0,
  slowest: { milliseconds: 0, size: 0 },
  finds: [],
  deaths: 0,
};

export const corpusFolder = (folder: string): string => join(folder, 'corpus');
/** The input that is being run, for whoever finds the process dead. */
export const currentInput = (folder: string): string => join(folder, 'current');
/** Why the watchdog ended the process. */
export const killReason = (folder: string): string => join(folder, 'killed');

export function readState(folder: string): CampaignState {
  const path = join(folder, 'state.json');
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as CampaignState) : { ...none };
}

export function writeState(folder: string, state: CampaignState): void {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'state.json');
  writeFileSync(`${path}.new`, JSON.stringify(state, null, 1));
  renameSync(`${path}.new`, path);
}

/** Writes a find's input, and beside it what happened and the line that does it again. @returns the input's path */
export function keepFind(folder: string, target: string, find: Find): string {
  const { kind, reason, input, smallest, mutant, signature } = find;
  const finds = join(folder, 'finds');
  mkdirSync(finds, { recursive: true });
  const path = join(finds, `${kind}-${createHash('sha256').update(signature).digest('hex').slice(0, 8)}`);
  writeFileSync(path, smallest);
  // What a process keeps in mind may have had a part in it: then the small one alone does not show it.
  writeFileSync(`${path}.whole`, input);
  writeFileSync(`${path}.txt`, `${reason}\n\nmutant ${mutant}\nnpm run fuzz -- ${target} --input ${path}\n`);
  return path;
}
