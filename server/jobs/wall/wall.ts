// The wall of the operating system's own making that a worker runs behind: which kind this machine has. Knows no tasks.
import { spawnSync } from 'node:child_process';
import { realpathSync, statSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import { inputDescriptor, outputDescriptor } from '../../contract/process-line/limits.ts';
import type { WallKind } from '../../contract/workstation/isolation.ts';
import { appContainer } from './app-container.ts';
import { bubblewrap } from './bubblewrap.ts';
import { namespaces } from './namespaces.ts';
import { sandboxExec } from './sandbox-exec.ts';

export interface EnclosedProgram {
  /** Its path, and what it is called with. */
  words: readonly [program: string, ...words: string[]];
  /** Absolute paths of all that it may see besides system libraries; none of them lies within another. */
  visible: readonly string[];
}

export interface Wall {
  readonly kind: WallKind;
  /** The command that runs a program with no network, no writing, no sight of other processes, and of these files alone. */
  enclose(program: EnclosedProgram): string[];
}

/** Electron's program needs the files beside it. */
const ownProgram = process.versions.electron === undefined ? process.execPath : dirname(process.execPath);
/** Where systems keep shared libraries; there are programs in none of them that would be of use to an intruder. */
const libraryFolders: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  linux: [
    '/usr/lib',
    '/usr/lib32',
    '/usr/lib64',
    '/usr/local/lib',
    '/lib',
    '/lib32',
    '/lib64',
    '/nix/store',
    '/gnu/store',
  ],
  darwin: ['/usr/lib', '/System/Library', '/System/Volumes/Preboot/Cryptexes/OS', '/Library/Apple/System/Library'],
};

function exists(path: string): boolean {
  try {
    statSync(path);
    return true;
  } catch {
    // Not there, or not to be seen: the worker finds that out by itself.
    return false;
  }
}

/** A link stands under both of its names: the kernel follows it, Node compares names. */
export function bothNames(path: string): string[] {
  return exists(path) ? [...new Set([path, realpathSync(path)])] : [path];
}

/** What there is of these paths, without those that lie within others. */
function outermost(paths: readonly string[]): string[] {
  const found = [...new Set(paths)].filter(exists);
  return found.filter((path) => !found.some((other) => other !== path && path.startsWith(other + sep)));
}

/** The command for a program that may read these paths, in the given wall. */
export function enclosed(wall: Wall | null, words: readonly string[], readable: readonly string[]): string[] {
  if (wall === null) return [process.execPath, ...words];
  const paths = [...(libraryFolders[process.platform] ?? []), ownProgram, ...readable].flatMap(bothNames);
  return wall.enclose({ words: [process.execPath, ...words], visible: outermost(paths) });
}

/** By platform, the best first. */
const candidates: Partial<Record<NodeJS.Platform, () => Wall[]>> = {
  // Without this file, which kernels of all usual distributions have, nobody could tell which process the worker is.
  linux: () => (exists('/proc/thread-self/children') ? [...bubblewrap(), ...namespaces()] : []),
  darwin: () => sandboxExec(),
  win32: () => appContainer(),
};

/** Says the runtime's version over the line to its starter, both of whose pipes it must have. */
const greeting = `const fs = require('node:fs');
fs.fstatSync(${inputDescriptor});
fs.writeSync(${outputDescriptor}, process.version);`;

/**
 * How a program behind the wall tells that it started. Other systems hand descriptors on by themselves; on Windows the launcher
 * does, so that the pipes of the line are tried too, for which Node has to start whole.
 */
const proof =
  process.platform === 'win32'
    ? { words: ['-e', greeting], descriptor: outputDescriptor }
    : { words: ['--version'], descriptor: 1 };

/** Whether a program starts behind it at all; what it holds is measured by the probe. */
export function stands(wall: Wall): boolean {
  const [launcher = '', ...words] = enclosed(wall, proof.words, []);
  const { status, output } = spawnSync(launcher, words, {
    env: launchEnvironment(),
    encoding: 'utf8',
    timeout: launchTimeout,
    stdio: ['ignore', 'pipe', 'ignore', 'pipe', 'pipe'],
  });
  return status === 0 && output[proof.descriptor]?.trim() === process.version;
}

/** A machine that swaps takes its time, but nobody waits for ever. */
const launchTimeout = 10_000;

/** Nothing of the parent's environment, which may hold secrets, reaches a worker. */
export function launchEnvironment(): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = {};
  if (process.versions.electron !== undefined) environment.ELECTRON_RUN_AS_NODE = '1';
  // The wall's launcher is compiled in the folder for temporary files; what it launches knows only the first.
  if (process.platform === 'win32') {
    for (const name of ['SystemRoot', 'TEMP', 'TMP']) environment[name] = process.env[name];
  }
  // glibc would keep memory of each thread apart, in all 6 MiB more that nothing uses; no worker's threads wait for this one.
  if (process.platform === 'linux') environment.MALLOC_ARENA_MAX = '1';
  return environment;
}

let found: Wall | null | undefined;

/** The wall of this machine, found out once; null where it has none. */
export function machineWall(): Wall | null {
  if (found === undefined) found = candidates[process.platform]?.().find(stands) ?? null;
  return found;
}
