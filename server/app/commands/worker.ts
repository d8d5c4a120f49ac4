// `worker`: this machine analyses for a workstation, until it is told to end.
import { availableParallelism, hostname } from 'node:os';
import { join } from 'node:path';
import { engineVersion } from '../../contract/engine/engine-version.ts';
import { machineWall } from '../../jobs/wall/wall.ts';
import { createWorkerPool } from '../../jobs/worker-pool.ts';
import { KeptFiles } from '../../lab/kept-files.ts';
import { Machine, type MachineStatus } from '../../lab/machine.ts';
import { joinWorkstation, readMembership } from '../../lab/membership.ts';
import { WorkstationClient } from '../../lab/workstation-client.ts';
import { version } from '../../services/version.ts';
import { cacheFolder, dataFolder } from '../data-folder.ts';
import { logForPeople, serverLog } from '../log.ts';

export interface WorkerOptions {
  /** A code of the workstation's. */
  join?: string;
  name?: string;
  dataDir?: string;
  /** Tells the machine to end, in place of working. */
  drain?: boolean;
}

const versions = { version, engine_version: engineVersion };

const inWords = ({ state, running, done, failed, reason }: MachineStatus): string => {
  const counts = `${running} running, ${done} done${failed === 0 ? '' : `, ${failed} given back`}`;
  return `${state}: ${counts}${reason === null ? '' : ` (${reason})`}`;
};

/**
 * Works for the workstation that this machine belongs to; joins one first where a code is given. A first SIGTERM or SIGINT
 * ends it when what it has is done, a second one at once.
 * @throws where it belongs to none, or where the workstation wants nothing of it
 */
export async function work({ join: code, name = hostname(), dataDir, drain }: WorkerOptions): Promise<void> {
  const folder = join(dataFolder(dataDir), 'lab');
  const membership =
    code === undefined ? readMembership(folder) : await joinWorkstation({ code, name, folder }, versions);
  const client = new WorkstationClient(membership);
  if (drain === true) {
    await client.tell('/lab/drain/', { method: 'POST' });
    client.close();
    return;
  }
  const isForPeople = process.stderr.isTTY;
  const log = isForPeople ? logForPeople(folder) : serverLog;
  const files = new KeptFiles(join(dataDir === undefined ? cacheFolder() : folder, 'lab-files'));
  const cores = availableParallelism();
  const pool = createWorkerPool({ wall: machineWall(), readableFolders: [files.folder], concurrency: cores, log });
  let before = '';
  const onStatus = (status: MachineStatus) => {
    const words = inWords(status);
    if (words === before) return;
    before = words;
    if (isForPeople) process.stderr.write(`${words}\n`);
    log.info(status, 'status');
  };
  const machine = new Machine({ client, pool, files, versions, cores, onStatus });
  const ending = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (ending.signal.aborted) process.exit(1);
      log.info({ cause: signal }, 'ending when what is under way is done');
      ending.abort();
    });
  }
  log.info({ address: membership.address, name: membership.name, cores }, 'works for a workstation');
  try {
    await machine.run(ending.signal);
  } finally {
    await pool.close();
    client.close();
  }
}
