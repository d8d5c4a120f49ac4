// The service side's end of the line to one worker: sends it tasks and reads what it says, which is hostile. Knows neither
// processes nor queues.
import type { Readable, Writable } from 'node:stream';
import type { EngineReply, EngineTask } from '../contract/engine.ts';
import { encodeFrame, FrameError, FrameReader } from '../contract/process-line/frames.ts';
import { parseLineMessage, replyLimits, requestLimits } from '../contract/process-line/messages.ts';

export interface WorkerLineOptions {
  output: Writable;
  input: Readable;
  onProgress(stage: string, done: number): void;
  onReply(reply: EngineReply): void;
  /** The worker said something that it may not; nothing it says from now on is read. */
  onFault(reason: string): void;
}

/** A worker tells of its progress ten times a second, and of each new stage: some more may come at once after a wait. */
const progressAtOnce = 200;
const progressPerSecond = 20;

export class WorkerLine {
  readonly #options: WorkerLineOptions;
  readonly #reader = new FrameReader();
  #lastId = 0;
  /** The task that waits for its reply. */
  #asked: { kind: EngineTask['kind']; since: number; progress: number } | null = null;
  #isBroken = false;

  constructor(options: WorkerLineOptions) {
    this.#options = options;
    options.input.on('data', (chunk: Uint8Array) => this.#read(chunk));
    // The end of the line is the end of the process, which is reported by its own event.
    for (const stream of [options.input, options.output]) stream.on('error', () => undefined);
  }

  /** @throws FrameError where the task is larger than the line carries */
  send(task: EngineTask): void {
    const pieces = encodeFrame({ id: this.#lastId + 1, task }, requestLimits);
    this.#lastId += 1;
    this.#asked = { kind: task.kind, since: performance.now(), progress: 0 };
    const { output } = this.#options;
    output.cork();
    for (const piece of pieces) output.write(piece);
    output.uncork();
  }

  #read(chunk: Uint8Array): void {
    if (this.#isBroken) return;
    try {
      const limits = () => (this.#asked === null ? null : replyLimits[this.#asked.kind]);
      for (const message of this.#reader.read(chunk, limits)) this.#receive(message);
    } catch (error) {
      if (!(error instanceof FrameError)) throw error;
      this.#isBroken = true;
      this.#options.onFault(error.message);
    }
  }

  #receive(received: unknown): void {
    const message = parseLineMessage(received);
    if (message === null) throw new FrameError('a malformed message');
    const asked = this.#asked;
    if (asked === null || message.id !== this.#lastId) throw new FrameError('a message of another task');
    if (message.type === 'reply') {
      this.#asked = null;
      this.#options.onReply(message.reply);
      return;
    }
    asked.progress += 1;
    const seconds = (performance.now() - asked.since) / 1000;
    if (asked.progress > progressAtOnce + progressPerSecond * seconds) throw new FrameError('a flood of progress');
    this.#options.onProgress(message.stage, message.done);
  }
}
