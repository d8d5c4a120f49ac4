// How a worker process is launched: what it may read, behind which walls, and which process it is. Knows nothing of what is
// said to it.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { openSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import type { Writable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { inputDescriptor, outputDescriptor } from '../contract/process-line/limits.ts';
import { type ProcessUsage, processUsage } from './process-usage.ts';
import { bothNames, enclosed, launchEnvironment, type Wall } from './wall/wall.ts';

/**
 * What the JavaScript heap may grow to. The reports of the largest apps take some hundred megabytes; bytes of files lie
 * outside this heap, under the watch over resident memory.
 */
const heapMebibytes = 1024;
/**
 * Where files are unpacked one after the other, a small space for young objects lets their bytes go soon: the process
 * stays smaller by 20 MiB, and no slower.
 */
export const leanHeap: readonly string[] = ['--max-semi-space-size=1'];
/** A worker that holds an app open for somebody who looks into it collects what is dead early: a third less memory at the same speed. */
const heldHeap: readonly string[] = ['--max-semi-space-size=8', '--heap-growing-percent=30'];
/** Paths named one by one: below Windows' limit of 32,767 characters for a command line where they are of usual length. */
const maxReadable = 100;

/** `.ts` when running from source, `.js` when built. */
const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
export const engineEntry = new URL(`../engine/worker.${extension}`, import.meta.url);
/** Loads the native YARA engine while the worker still may. */
const nativePreload = new URL(`../engine/yara/engines/native-preload.${extension}`, import.meta.url);
const confinement = new URL(`./worker-confinement.${extension}`, import.meta.url);
const root = join(import.meta.dirname, '../..');

/** The program's own files that a worker reads: code, data and packages, and where Node looks for their types. */
const programFolders = [
  'server/engine',
  // Built, what programs share stands in chunks, and all of it in a folder beside its packages.
  ...(extension === 'ts' ? ['server/contract', 'server/vault', 'node_modules'] : ['server/chunks', '../node_modules']),
  'resources',
  'package.json',
];

export interface WorkerProgramOptions {
  /** The module that the worker runs. */
  entry: URL;
  /** Folders and files that it may read besides the program's own. */
  readableFolders: readonly string[];
  /** A worker for rules loads the native YARA engine before its confinement, and nothing native after it. */
  mayLoadAddon?: boolean;
  /** A worker that keeps what it opened for the next question. */
  holdsOpen?: boolean;
  /** Null where only Node's permission model and the confinement hold it. */
  wall: Wall | null;
}

export interface WorkerProgram {
  wall: Wall | null;
  /** What Node is called with. */
  words: readonly string[];
  readable: readonly string[];
}

/** Very many files stand for their folders, since a command line has its limits. */
export function workerProgram({
  entry,
  readableFolders,
  mayLoadAddon,
  holdsOpen,
  wall,
}: WorkerProgramOptions): WorkerProgram {
  const readable = [
    ...programFolders.map((name) => join(root, name)),
    fileURLToPath(confinement),
    dirname(fileURLToPath(entry)),
    ...(readableFolders.length <= maxReadable ? readableFolders : readableFolders.map((path) => dirname(path))),
  ];
  const flags = [
    '--permission',
    ...new Set(readable.flatMap(bothNames).map((path) => `--allow-fs-read=${path}`)),
    `--max-old-space-size=${heapMebibytes}`,
    '--disallow-code-generation-from-strings',
    '--no-experimental-sqlite',
    '--disable-warning=ExperimentalWarning',
    '--disable-warning=SecurityWarning',
    ...(mayLoadAddon ? ['--allow-addons', `--import=${nativePreload.href}`, ...leanHeap] : []),
    ...(holdsOpen ? heldHeap : []),
    `--import=${confinement.href}`,
  ];
  return { wall, words: [...flags, fileURLToPath(entry)], readable };
}

/** Those of util-linux and BusyBox take these words alike. */
const idleWords = ['-i', '0'];
/** Where the scheduler is closed to a container, or there is no `chrt`, the lowest priority has to do. */
const canIdle = (path: string): boolean => spawnSync(path, [...idleWords, 'true']).status === 0;
let idleScheduler: string | null | undefined;

/**
 * Linux's `chrt`, which starts a program under SCHED_IDLE. At the lowest priority alone a core that runs an analysis counts
 * as busy, and the threads that answer wait for each other on the other one. Null where there is none.
 */
function idleStarter(): string | null {
  if (process.platform !== 'linux') return null;
  if (idleScheduler === undefined) idleScheduler = ['/usr/bin/chrt', '/bin/chrt'].find(canIdle) ?? null;
  return idleScheduler;
}

/** In octal, of a descriptor that no other program gets. */
const closedOnExec = 0o2_000_000;
const handsOn = (descriptor: string): boolean => {
  try {
    const flags = /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1'))![1]!;
    return (Number.parseInt(flags, 8) & closedOnExec) === 0;
  } catch {
    // It was that of the folder that listed it.
    return false;
  }
};
let handedOn: readonly (number | 'ignore')[] | undefined;

/**
 * What stands in the place of descriptors that this process was itself started with, from the one after the line on. Node
 * keeps the first fifteen to itself, and hands on what a shell opened beyond them.
 * https://man7.org/linux/man-pages/man5/proc_pid_fdinfo.5.html
 */
function placeholders(): readonly (number | 'ignore')[] {
  if (handedOn === undefined) {
    const open = process.platform === 'linux' ? readdirSync('/proc/self/fdinfo').filter(handsOn).map(Number) : [];
    const length = Math.max(outputDescriptor, ...open) - outputDescriptor;
    const nothing = length === 0 ? 'ignore' : openSync('/dev/null', 'r');
    handedOn = Array.from({ length }, (_, index) => (open.includes(index + outputDescriptor + 1) ? nothing : 'ignore'));
  }
  return handedOn;
}

/** How often it is looked whether a launcher has started its program, which it does within some milliseconds. */
const launchInterval = 5;

const childrenOf = (launcher: number): number[] => {
  try {
    const children = readFileSync(`/proc/${launcher}/task/${launcher}/children`, 'latin1');
    return children.split(' ').filter(Boolean).map(Number);
  } catch {
    // It has ended, and all that it launched with it.
    return [];
  }
};

/** A launcher's only child, as soon as that has become our program; null where the launcher has ended. */
async function launchedBy(launcher: ChildProcess): Promise<number | null> {
  while (launcher.exitCode === null && launcher.signalCode === null) {
    for (const child of childrenOf(launcher.pid!)) {
      const words = await readFile(`/proc/${child}/cmdline`, 'latin1').catch(() => '');
      if (words.startsWith(`${process.execPath}\0`)) return child;
    }
    await wait(launchInterval);
  }
  return null;
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch (error) {
    // It may have ended already; any other priority than wanted is still a working worker.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SYSTEM_ERROR') throw error;
  }
}

export class LaunchedWorker {
  /** Of this process: the worker itself, or what launched it and ends with it. */
  readonly child: ChildProcess;
  readonly #worker: Promise<number | null>;
  readonly #hasLauncher: boolean;

  constructor({ wall, words, readable }: WorkerProgram, isBackground: boolean) {
    const starter = isBackground ? idleStarter() : null;
    const command = enclosed(wall, words, readable);
    const [program = '', ...rest] = starter === null ? command : [starter, ...idleWords, ...command];
    this.child = spawn(program, rest, {
      env: launchEnvironment(),
      // Pipes of our own: what Node would listen to for us takes handles and objects of any class.
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe', ...placeholders()],
      // Signals to a process group pass walls: it gets one of its own.
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    const { pid } = this.child;
    // Walls of Linux and Windows have a process of their own outside, whose end on Windows ends the program; macOS's becomes it.
    this.#hasLauncher = wall !== null && process.platform === 'linux';
    this.#worker = this.#hasLauncher && pid !== undefined ? launchedBy(this.child) : Promise.resolve(pid ?? null);
    // Before that a launcher may die and leave its child behind, which then finds the end of the line, and no task.
    const line = this.child.stdio[inputDescriptor] as Writable;
    line.cork();
    void this.#worker.then(() => line.uncork());
    if (isBackground && pid !== undefined) {
      lowerPriority(pid);
      void this.#worker.then((worker) => worker !== null && lowerPriority(worker));
    }
  }

  /** What the worker uses; null where it has ended, or where the system has no cheap way to ask. */
  async usage(): Promise<ProcessUsage | null> {
    const worker = await this.#worker;
    return worker === null ? null : processUsage(worker);
  }

  /**
   * Ends it at once, whatever it is doing. With a launcher the kernel ends what it launched, but not from the first moment;
   * one that is stopped neither has further children nor forgets those that it has.
   */
  kill(): void {
    const { pid } = this.child;
    if (this.#hasLauncher && pid !== undefined && this.child.kill('SIGSTOP')) {
      for (const child of childrenOf(pid)) end(child);
    }
    this.child.kill('SIGKILL');
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
