// Finds out what a worker can reach on this machine, by having hostile JavaScript try to get out. Knows nothing of tasks.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Escape, escapes, type IsolationReport } from '../../contract/workstation/isolation.ts';
import { workerProgram } from '../worker-launch.ts';
import { type Confession, Trap, type Treasure } from './trap.ts';
import { enclosed, launchEnvironment, type Wall } from './wall.ts';

const intrusion = new URL(`./intrusion.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url);
const program = fileURLToPath(intrusion);
/** Programs that start on a busy machine take their time; what was not answered by then was not measured. */
const patience = 30_000;
/** For what was sent and has not arrived yet. */
const grace = 100;

/** Runs an intruder. @returns what it got at, or null where it did not come to its end */
async function intrude(treasure: Treasure, command: (bait: string) => string[]): Promise<Set<Escape> | null> {
  const trap = await Trap.set(treasure);
  const [launcher = '', ...words] = command(JSON.stringify(trap.bait));
  const child = spawn(launcher, words, {
    detached: process.platform !== 'win32',
    env: launchEnvironment(),
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: patience,
    killSignal: 'SIGKILL',
    windowsHide: true,
  });
  let isDone = false;
  try {
    child.on('error', () => undefined);
    const visits: Promise<void>[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      const confession = JSON.parse(line) as Confession;
      isDone = 'done' in confession;
      if (isDone) break;
      visits.push(trap.hear(confession));
    }
    await Promise.all(visits);
    await wait(grace);
  } finally {
    child.kill('SIGKILL');
    trap.clear();
  }
  return isDone ? trap.touched : null;
}

/** What was tried to get out of a worker, and whether that was closed; null where it was not tried. */
export interface MeasuredIsolation extends Pick<IsolationReport, 'status' | 'kind'> {
  escapes: { name: Escape; isClosedBySystem: boolean | null; isClosedByRuntime: boolean | null }[];
}

/**
 * Measures each wall by itself: the system's around a program that has nothing else to hold it, and what Node and the
 * confinement hold of a worker for rules, which may do most.
 */
export async function measureIsolation(wall: Wall | null, treasure: Treasure): Promise<MeasuredIsolation> {
  const worker = workerProgram({ entry: intrusion, readableFolders: [], mayLoadAddon: true, wall: null });
  const [bySystem, byRuntime] = await Promise.all([
    wall === null ? null : intrude(treasure, (bait) => enclosed(wall, [program, bait], worker.readable)),
    intrude(treasure, (bait) => [process.execPath, ...worker.words, bait]),
  ]);
  const isClosed = (touched: Set<Escape> | null, name: Escape) => (touched === null ? null : !touched.has(name));
  const status =
    wall === null ? 'missing' : bySystem === null ? 'unmeasured' : bySystem.size > 0 ? 'leaking' : 'enforced';
  return {
    status,
    kind: wall?.kind ?? null,
    escapes: escapes.map((name) => ({
      name,
      isClosedBySystem: isClosed(bySystem, name),
      isClosedByRuntime: isClosed(byRuntime, name),
    })),
  };
}
