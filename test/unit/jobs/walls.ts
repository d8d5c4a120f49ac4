// The walls that stand on this machine, each to be tried, and what tells why one does not.
import { appContainer } from '../../../server/jobs/wall/app-container.ts';
import { bubblewrap } from '../../../server/jobs/wall/bubblewrap.ts';
import { namespaces } from '../../../server/jobs/wall/namespaces.ts';
import { sandboxExec } from '../../../server/jobs/wall/sandbox-exec.ts';
import { stands, type Wall } from '../../../server/jobs/wall/wall.ts';

const known: readonly (readonly [name: string, walls: () => Wall[]])[] = [
  ['bubblewrap', bubblewrap],
  ['namespaces', namespaces],
  ['sandbox-exec', sandboxExec],
  ['app-container', appContainer],
];

/** One of each kind; `skip` says why it cannot be tried. */
export const walls = known.map(([name, make]) => {
  const wall = make().find(stands);
  return {
    name,
    wall: wall as Wall,
    skip: wall === undefined && `${name} is not installed, or this machine refuses it`,
  };
});
