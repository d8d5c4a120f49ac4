// One walled worker process: what is said to it, and how it ended. Knows nothing of queues, nor what holds it.
import type { Readable, Writable } from 'node:stream';
import { inputDescriptor, outputDescriptor } from '../contract/process-line/limits.ts';
import type { EngineReply } from '../contract/process-line/messages.ts';
import type { EngineTask } from '../contract/process-line/tasks.ts';
import type { ProcessUsage } from './process-usage.ts';
import { LaunchedWorker, type WorkerProgram } from './worker-launch.ts';
import { WorkerLine, type WorkerLineOptions } from './worker-line.ts';

/** The end of what a worker wrote to standard error: a stack trace and the line before it. */
const stderrTail = 4096;
/**
 * How V8 ends its last words. Behind a wall the worker is the first process of its namespace, which abort() ends by a fault
 * like any other: no signal and no exit code tells a full heap from a crash (pid_namespaces(7)).
 */
const heapIsFull = ' - JavaScript heap out of memory';
/** What a worker may write there in its life: warnings, and what it says of errors that were caught. */
const maxStderr = 1_048_576;
export type WorkerFailure = Extract<EngineReply, { status: 'failed' }>;

export interface WorkerProcessOptions {
  program: WorkerProgram;
  /** Runs at the lowest priority, so that analysis never slows down what people wait for. */
  isBackground: boolean;
  onProgress(stage: string, done: number): void;
  onReply(reply: EngineReply): void;
  reportFault: WorkerLineOptions['reportFault'];
  /**
   * The worker broke the protocol and is being ended.
   * @param isOfEarlier of a task that it had before
   */
  onFault(isOfEarlier: boolean): void;
  /** The process is gone; the failure is what it means for a task that it had. */
  onEnd(failure: WorkerFailure, stderr: string): void;
}

export class WorkerProcess {
  readonly #launched: LaunchedWorker;
  readonly #line: WorkerLine;
  readonly #onEnd: WorkerProcessOptions['onEnd'];
  readonly #onFault: WorkerProcessOptions['onFault'];
  #stderr = '';
  #stderrLength = 0;
  /** Why it was ended, where it was. */
  #verdict: WorkerFailure | null = null;
  #hasEnded = false;
  /** Tasks sent so far. */
  tasks = 0;
  /** It has grown so much that it should take no further task. */
  isWorn = false;

  constructor({ program, isBackground, onEnd, onFault, ...line }: WorkerProcessOptions) {
    this.#onEnd = onEnd;
    this.#onFault = onFault;
    this.#launched = new LaunchedWorker(program, isBackground);
    const { child } = this.#launched;
    this.#line = new WorkerLine({
      output: child.stdio[inputDescriptor] as Writable,
      input: child.stdio[outputDescriptor] as Readable,
      ...line,
      onFault: (reason, isOfEarlier) => this.#refuse(`The worker sent ${reason}.`, isOfEarlier),
    });
    child.stderr!.setEncoding('utf8').on('data', (text: string) => this.#keepStderr(text));
    child.on('close', (code, signal) => this.#end(code, signal));
    child.on('error', (error) => {
      this.#stderr += error.message;
      // A process that never came into being is never closed either.
      if (child.pid === undefined) this.#end(null, null);
    });
  }

  #keepStderr(text: string): void {
    this.#stderr = (this.#stderr + text).slice(-stderrTail);
    this.#stderrLength += text.length;
    if (this.#stderrLength > maxStderr) this.#refuse('The worker wrote too much to standard error.');
  }

  #refuse(message: string, isOfEarlier = false): void {
    this.#onFault(isOfEarlier);
    this.kill({ status: 'failed', code: 'invalid-reply', message });
  }

  /** What the worker uses; null where it has ended, or where the system has no cheap way to ask. */
  usage(): Promise<ProcessUsage | null> {
    return this.#launched.usage();
  }

  /** @throws LineFault where the task is more than the line carries */
  send(task: EngineTask): void {
    this.tasks += 1;
    this.#line.send(task);
  }

  /** Ends the process at once, whatever it is doing. @param verdict what that means for a task that it has */
  kill(verdict: WorkerFailure): void {
    this.#verdict ??= verdict;
    this.#launched.kill();
  }

  #end(code: number | null, signal: NodeJS.Signals | null): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#onEnd(this.#failure(code, signal), this.#stderr);
  }

  #failure(code: number | null, signal: NodeJS.Signals | null): WorkerFailure {
    if (this.#verdict !== null) return this.#verdict;
    if (signal === 'SIGABRT' || code === 134 || this.#stderr.includes(heapIsFull)) {
      return { status: 'failed', code: 'memory', message: 'The analysis needed more memory than it may use.' };
    }
    return {
      status: 'failed',
      code: 'crashed',
      message: `The worker process ended unexpectedly (${signal ?? `exit code ${code}`}).`,
    };
  }
}
