// The wall of this machine for commands without a data folder: says where none stands, and measures it where it is wanted.
// Knows nothing of what the workers do.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureIsolation } from '../jobs/wall/probe.ts';
import { machineWall, type Wall } from '../jobs/wall/wall.ts';

/**
 * @param isRequired whether nothing may be analysed unless the wall of the system was measured and holds
 * @throws Error that says so
 */
export async function measuredWall(isRequired: boolean): Promise<Wall | null> {
  const wall = machineWall();
  if (isRequired && !(await holds(wall))) {
    throw new Error('nothing was analysed: no wall of the system that holds stands around workers on this machine');
  }
  if (wall === null) {
    process.stderr.write(
      "apk-workstation: no wall of the system stands around workers on this machine; Node's permission model alone holds them\n",
    );
  }
  return wall;
}

async function holds(wall: Wall | null): Promise<boolean> {
  if (wall === null) return false;
  const folder = mkdtempSync(join(tmpdir(), 'apk-workstation-probe-'));
  try {
    const database = join(folder, 'empty.db');
    writeFileSync(database, '');
    return (await measureIsolation(wall, { folder, database })).status === 'enforced';
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
