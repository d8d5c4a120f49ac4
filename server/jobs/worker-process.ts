// One sandboxed worker process: how it is started, what it may read, how it ended. Knows nothing of queues.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { EngineReply, EngineTask } from '../contract/engine.ts';
import { inputDescriptor, outputDescriptor } from '../contract/process-line/messages.ts';
import { WorkerLine } from './worker-line.ts';

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
/** The end of what a worker wrote to standard error: a stack trace and the line before it. */
const stderrTail = 4096;
/** What a worker may write there in its life: warnings, and what it says of errors that were caught. */
const maxStderr = 1_048_576;
/** Paths named one by one: below Windows' limit of 32,767 characters for a command line where they are of usual length. */
const maxReadable = 100;

export type WorkerFailure = Extract<EngineReply, { status: 'failed' }>;

export interface WorkerProcessOptions {
  entry: URL;
  /** Of `workerFlags`. */
  flags: readonly string[];
  /** Runs at the lowest priority, so that analysis never slows down what people wait for. */
  isBackground: boolean;
  onProgress(stage: string, done: number): void;
  onReply(reply: EngineReply): void;
  /** The process is gone; the failure is what it means for a task that it had. */
  onEnd(failure: WorkerFailure, stderr: string): void;
}

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
  'server/contract',
  'server/vault',
  'resources',
  // Built, the program stands in a folder beside its packages.
  extension === 'ts' ? 'node_modules' : '../node_modules',
  'package.json',
];

/** Node compares names, not files: a link is allowed under both of its names. */
function bothNames(path: string): string[] {
  try {
    return [...new Set([path, realpathSync(path)])];
  } catch {
    // Not there yet; the worker will find that out by itself.
    return [path];
  }
}

/**
 * Node's options for a worker that may read these folders and files besides the program's own. Very many files stand
 * for their folders, since a command line has its limits.
 * @param mayLoadAddon a worker for rules loads the native YARA engine before its confinement, and nothing native after it
 */
export function workerFlags(entry: URL, readableFolders: readonly string[], mayLoadAddon = false): string[] {
  const readable =
    readableFolders.length <= maxReadable ? readableFolders : new Set(readableFolders.map((path) => dirname(path)));
  const paths = [
    ...programFolders.map((name) => join(root, name)),
    fileURLToPath(confinement),
    dirname(fileURLToPath(entry)),
    ...readable,
  ];
  return [
    '--permission',
    ...paths.flatMap(bothNames).map((path) => `--allow-fs-read=${path}`),
    `--max-old-space-size=${heapMebibytes}`,
    '--disallow-code-generation-from-strings',
    '--disable-warning=ExperimentalWarning',
    '--disable-warning=SecurityWarning',
    ...(mayLoadAddon ? ['--allow-addons', `--import=${nativePreload.href}`, ...leanHeap] : []),
    `--import=${confinement.href}`,
  ];
}

/** Nothing of the parent's environment, which may hold secrets, reaches a worker. */
function workerEnvironment(): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = {};
  if (process.versions.electron !== undefined) environment.ELECTRON_RUN_AS_NODE = '1';
  if (process.platform === 'win32') environment.SystemRoot = process.env.SystemRoot;
  // glibc would keep memory of each thread apart, in all 6 MiB more that nothing uses; no worker's threads wait for this one.
  if (process.platform === 'linux') environment.MALLOC_ARENA_MAX = '1';
  return environment;
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

export class WorkerProcess {
  readonly #child: ChildProcess;
  readonly #line: WorkerLine;
  readonly #onEnd: WorkerProcessOptions['onEnd'];
  #stderr = '';
  #stderrLength = 0;
  /** Why it was ended, where it was. */
  #verdict: WorkerFailure | null = null;
  #hasEnded = false;
  /** Tasks sent so far. */
  tasks = 0;
  /** It has grown so much that it should take no further task. */
  isWorn = false;

  constructor({ entry, flags, isBackground, onProgress, onReply, onEnd }: WorkerProcessOptions) {
    this.#onEnd = onEnd;
    this.#child = this.#start(entry, flags, isBackground ? idleStarter() : null);
    this.#line = new WorkerLine({
      output: this.#child.stdio[inputDescriptor] as Writable,
      input: this.#child.stdio[outputDescriptor] as Readable,
      onProgress,
      onReply,
      onFault: (reason) => this.#kill('invalid-reply', `The worker sent ${reason}.`),
    });
    this.#child.stderr!.setEncoding('utf8').on('data', (text: string) => this.#keepStderr(text));
    this.#child.on('close', (code, signal) => this.#end(code, signal));
    this.#child.on('error', (error) => {
      this.#stderr += error.message;
      // A process that never came into being is never closed either.
      if (this.#child.pid === undefined) this.#end(null, null);
    });
    if (isBackground) this.#lowerPriority();
  }

  #start(entry: URL, flags: readonly string[], starter: string | null): ChildProcess {
    const words = [...flags, fileURLToPath(entry)];
    return spawn(
      starter ?? process.execPath,
      starter === null ? words : [...idleWords, process.execPath, ...words],
      // Pipes of our own: what Node would listen to for us takes handles and objects of any class.
      { env: workerEnvironment(), stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'], windowsHide: true },
    );
  }

  #keepStderr(text: string): void {
    this.#stderr = (this.#stderr + text).slice(-stderrTail);
    this.#stderrLength += text.length;
    if (this.#stderrLength > maxStderr) this.#kill('invalid-reply', 'The worker wrote too much to standard error.');
  }

  #kill(code: WorkerFailure['code'], message: string): void {
    this.kill({ status: 'failed', code, message });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** @throws FrameError where the task is larger than the line carries */
  send(task: EngineTask): void {
    this.tasks += 1;
    this.#line.send(task);
  }

  /** Ends the process at once, whatever it is doing. @param verdict what that means for a task that it has */
  kill(verdict: WorkerFailure): void {
    this.#verdict ??= verdict;
    this.#child.kill('SIGKILL');
  }

  #lowerPriority(): void {
    if (this.#child.pid === undefined) return;
    try {
      setPriority(this.#child.pid, constants.priority.PRIORITY_LOW);
    } catch (error) {
      // It may have ended already; any other priority than wanted is still a working worker.
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SYSTEM_ERROR') throw error;
    }
  }

  #end(code: number | null, signal: NodeJS.Signals | null): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#onEnd(this.#failure(code, signal), this.#stderr);
  }

  #failure(code: number | null, signal: NodeJS.Signals | null): WorkerFailure {
    if (this.#verdict !== null) return this.#verdict;
    if (signal === 'SIGABRT' || code === 134 || this.#stderr.includes('heap out of memory')) {
      return { status: 'failed', code: 'memory', message: 'The analysis needed more memory than it may use.' };
    }
    return {
      status: 'failed',
      code: 'crashed',
      message: `The worker process ended unexpectedly (${signal ?? `exit code ${code}`}).`,
    };
  }
}
