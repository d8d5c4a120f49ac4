// A thread that answers questions, started with the first of them and again should it ever end. Knows no question.
import { basename } from 'node:path';
import { type ResourceLimits, Worker } from 'node:worker_threads';

/** The message that withdraws a question. */
export interface Cancellation {
  id: number;
  name: 'cancel';
}
export type ThreadReply =
  | { kind: 'answer'; id: number; answer: unknown }
  /** @property code SQLite's error code, or one that the caller knows */
  | { kind: 'failure'; id: number; message: string; code?: string | undefined };

/** What a thread replies where it could not answer. */
export function failedReply(id: number, error: unknown): ThreadReply {
  const { message, code } = error as Error & { code?: string };
  return { kind: 'failure', id, message, code };
}

/** A question that a thread could not answer. */
export class ThreadError extends Error {
  readonly code: string | undefined;

  constructor(message: string, code?: string) {
    super(message);
    this.name = 'ThreadError';
    this.code = code;
  }
}

interface Waiting {
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

interface ThreadOptions {
  /** Called with errors of the thread, which its callers get too. */
  onError?: (error: unknown) => void;
  resourceLimits?: ResourceLimits;
}

export class AnsweringThread {
  readonly #program: URL;
  readonly #data: unknown;
  readonly #options: ThreadOptions;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | null = null;
  #nextId = 0;

  /**
   * @param program replies to messages with the number of each
   * @param data what it starts with
   */
  constructor(program: URL, data: unknown, options: ThreadOptions = {}) {
    this.#program = program;
    this.#data = data;
    this.#options = options;
  }

  /**
   * @param question reaches the thread with its number as `id`
   * @throws ThreadError; the signal's reason once it is aborted
   */
  ask<Answer>(question: object, signal?: AbortSignal): Promise<Answer> {
    this.#worker ??= this.#start();
    const worker = this.#worker;
    const id = this.#nextId;
    this.#nextId += 1;
    return new Promise((resolve, reject) => {
      const cancel = () => {
        worker.postMessage({ id, name: 'cancel' } satisfies Cancellation);
        this.#settle(id)?.reject(signal!.reason as Error);
      };
      const done = () => signal?.removeEventListener('abort', cancel);
      this.#waiting.set(id, {
        resolve: (answer) => {
          done();
          resolve(answer as Answer);
        },
        reject: (error) => {
          done();
          reject(error);
        },
      });
      // The process stays up for as long as an answer is due, and no longer.
      worker.ref();
      worker.postMessage({ ...question, id });
      if (signal?.aborted) cancel();
      else signal?.addEventListener('abort', cancel, { once: true });
    });
  }

  /** Ends the thread; whoever waits for an answer gets a ThreadError. */
  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #settle(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#worker?.unref();
    return waiting;
  }

  #start(): Worker {
    const { onError, resourceLimits = {} } = this.#options;
    const worker = new Worker(this.#program, { workerData: this.#data, resourceLimits });
    worker.on('message', (reply: ThreadReply) => {
      const waiting = this.#settle(reply.id);
      if (reply.kind === 'answer') return waiting?.resolve(reply.answer);
      const error = new ThreadError(reply.message, reply.code);
      onError?.(error);
      waiting?.reject(error);
    });
    const end = (error: Error) => {
      // It ends after its error, when another one may have begun.
      if (this.#worker !== worker) return;
      this.#worker = null;
      onError?.(error);
      for (const { reject } of this.#waiting.values()) reject(error);
      this.#waiting.clear();
    };
    worker.once('error', end);
    worker.once('exit', () => end(new ThreadError(`The thread ${basename(this.#program.pathname)} has ended.`)));
    return worker;
  }
}
