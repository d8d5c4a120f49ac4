// Runs a program as a whole process and tells what it cost. Knows nothing of what it measures.
import { spawnSync } from 'node:child_process';

export interface Cost {
  /** User and system CPU seconds of the process and its children. */
  cpu: number;
  /** Peak resident memory in MiB of the largest single process. */
  memory: number;
}

/** GNU time's figures in front of the program's own standard error would be mixed up with it; they go to a line of their own. */
const marker = 'measured-process';

/** One arena of glibc's as in workers; programs of one thread have no other anyway. */
const env = { ...process.env, NODE_COMPILE_CACHE: undefined, MALLOC_ARENA_MAX: '1' };

/**
 * Runs a program on one core under GNU time; what it prints is thrown away.
 * @throws where the program fails
 */
export const measure = (program: string, ...words: string[]): Cost => run('ignore', program, words).cost;

/**
 * Runs a program that measures itself on one core, and reads the JSON that it prints.
 * @throws where the program fails
 */
export const selfMeasured = <Figures>(program: string, ...words: string[]): Figures =>
  JSON.parse(run('pipe', program, words).stdout) as Figures;

function run(output: 'ignore' | 'pipe', program: string, words: string[]): { cost: Cost; stdout: string } {
  const { stdout, stderr, status, error } = spawnSync(
    'taskset',
    ['-c', '0', '/usr/bin/time', '-f', `${marker} %U %S %M`, program, ...words],
    { encoding: 'utf8', stdio: ['ignore', output, 'pipe'], env },
  );
  if (error !== undefined) throw error;
  const [, user, system, kibibytes] = new RegExp(`${marker} ([\\d.]+) ([\\d.]+) (\\d+)`).exec(stderr) ?? [];
  if (user === undefined || status !== 0)
    throw new Error(`${program} ${words.join(' ')} failed:\n${stderr.slice(-2_000)}`);
  return { cost: { cpu: Number(user) + Number(system), memory: Number(kibibytes) / 1024 }, stdout: stdout ?? '' };
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Measures several programs in turn, so that a machine whose speed drifts is fair to all of them. */
export function inTurn<Name extends string>(runs: number, programs: Record<Name, () => number>): Record<Name, number> {
  const values = new Map<Name, number[]>();
  for (let run = 0; run < runs; run++) {
    for (const name of Object.keys(programs) as Name[]) {
      const list = values.get(name) ?? [];
      list.push(programs[name]());
      values.set(name, list);
    }
  }
  return Object.fromEntries([...values].map(([name, list]) => [name, median(list)])) as Record<Name, number>;
}
