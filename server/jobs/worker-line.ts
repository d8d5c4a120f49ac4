// The service side's end of the line to one worker: sends it tasks and reads what it says, which is hostile. Knows neither
// processes nor queues.
import type { Readable, Writable } from 'node:stream';
import { encodeFrame, FrameReader, LineFault } from '../contract/process-line/frames.ts';
import { maxProgressSize, replyLimits, requestLimits } from '../contract/process-line/limits.ts';
import { type EngineReply, parseMessage } from '../contract/process-line/messages.ts';
import { issueOf, type SentReport, sentReports } from '../contract/process-line/results.ts';
import { type EngineTask, engineTaskSchema, sentTask } from '../contract/process-line/tasks.ts';

export interface WorkerLineOptions {
  output: Writable;
  input: Readable;
  /** What is wrong with reports, that they cannot be stored; null where nothing is. */
  reportFault(reports: readonly SentReport[]): Promise<string | null>;
  onProgress(stage: string, done: number): void;
  onReply(reply: EngineReply): void;
  /**
   * The worker broke the protocol, described without quoting it; nothing that it sends from now on is read.
   * @param isOfEarlier it belongs to a task before the one that it has, which is not to blame
   */
  onFault(reason: string, isOfEarlier: boolean): void;
}

/** A worker tells of its progress ten times a second, and of each new stage: some more may come at once after a wait. */
const progressAtOnce = 200;
const progressPerSecond = 20;

export class WorkerLine {
  readonly #options: WorkerLineOptions;
  readonly #reader = new FrameReader();
  #lastId = 0;
  /** The task that waits for its reply. */
  #asked: { id: number; task: EngineTask; since: number; progress: number } | null = null;
  #isBroken = false;
  /** The last message belongs to a task that was answered before. */
  #isOfEarlier = false;

  constructor(options: WorkerLineOptions) {
    this.#options = options;
    options.input.on('data', (chunk: Uint8Array) => this.#read(chunk));
    // The end of the line is the end of the process, which is reported by its own event.
    for (const stream of [options.input, options.output]) stream.on('error', () => undefined);
  }

  /** @throws LineFault where the task is more than the line carries */
  send(wanted: EngineTask): void {
    const parsed = engineTaskSchema.safeParse(wanted);
    if (!parsed.success) throw new LineFault(`a task that is none: ${issueOf(parsed.error)}`);
    const task = parsed.data;
    const id = this.#lastId + 1;
    const pieces = encodeFrame({ id, task: sentTask(task) }, requestLimits);
    this.#lastId = id;
    this.#asked = { id, task, since: performance.now(), progress: 0 };
    const { output } = this.#options;
    output.cork();
    for (const piece of pieces) output.write(piece);
    output.uncork();
  }

  #read(chunk: Uint8Array): void {
    if (this.#isBroken) return;
    try {
      const limits = () => (this.#asked === null ? null : replyLimits[this.#asked.task.kind]);
      for (const { message, size } of this.#reader.read(chunk, limits)) this.#receive(message, size);
    } catch (error) {
      if (!(error instanceof LineFault)) throw error;
      this.#break(error.message, this.#isOfEarlier);
    }
  }

  #break(reason: string, isOfEarlier = false): void {
    this.#isBroken = true;
    this.#asked = null;
    this.#options.onFault(reason, isOfEarlier);
  }

  #receive(received: unknown, size: number): void {
    const asked = this.#asked;
    if (asked === null) throw new LineFault('a message after the reply');
    const id = (received as { id?: unknown } | null)?.id;
    this.#isOfEarlier = typeof id === 'number' && id < asked.id;
    if (id !== asked.id) throw new LineFault('a message of another task');
    const message = parseMessage(asked.task, received);
    if (message.type === 'progress') {
      asked.progress += 1;
      const seconds = (performance.now() - asked.since) / 1000;
      const isFlood = asked.progress > progressAtOnce + progressPerSecond * seconds;
      if (isFlood || size > maxProgressSize) throw new LineFault('a flood of progress');
      this.#options.onProgress(message.stage, message.done);
      return;
    }
    this.#asked = null;
    void this.#settle(asked.task, message.reply);
  }

  /** Its reports are looked into while the worker has nothing to do, and nothing to say. */
  async #settle({ kind }: EngineTask, reply: EngineReply): Promise<void> {
    const reports = reply.status === 'failed' ? [] : sentReports(kind, reply.result);
    const fault = reports.length === 0 ? null : await this.#options.reportFault(reports);
    if (this.#isBroken) return;
    if (fault === null) this.#options.onReply(reply);
    else this.#break(fault);
  }
}
