// Asks the search thread, which it starts with the first question and again should it ever end. Knows no table.
import { Worker } from 'node:worker_threads';
import type { QuestionName, SearchMessage, SearchQuestions, SearchReply } from './search-questions.ts';
import { UnknownPlaceError } from './store-errors.ts';

interface Waiting {
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';

export class SearchThread {
  readonly #path: string;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | null = null;
  #nextId = 0;

  /** @param path of the database */
  constructor(path: string) {
    this.#path = path;
  }

  /** @throws UnknownPlaceError where a page's place is no APK's any more; the signal's reason once it is aborted */
  ask<Name extends QuestionName>(
    name: Name,
    question: SearchQuestions[Name]['question'],
    signal?: AbortSignal,
  ): Promise<SearchQuestions[Name]['answer']> {
    this.#worker ??= this.#start();
    const worker = this.#worker;
    const id = this.#nextId;
    this.#nextId += 1;
    return new Promise((resolve, reject) => {
      const cancel = () => {
        worker.postMessage({ id, name: 'cancel' });
        this.#settle(id)?.reject(signal!.reason as Error);
      };
      const done = () => signal?.removeEventListener('abort', cancel);
      this.#waiting.set(id, {
        resolve: (answer) => {
          done();
          resolve(answer as SearchQuestions[Name]['answer']);
        },
        reject: (error) => {
          done();
          reject(error);
        },
      });
      // The process stays up for as long as an answer is due, and no longer.
      worker.ref();
      worker.postMessage({ id, name, question } satisfies SearchMessage);
      if (signal?.aborted) cancel();
      else signal?.addEventListener('abort', cancel, { once: true });
    });
  }

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
    const worker = new Worker(new URL(`./search-worker.${extension}`, import.meta.url), { workerData: this.#path });
    worker.on('message', (reply: SearchReply) => {
      const waiting = this.#settle(reply.id);
      if (!('error' in reply)) waiting?.resolve(reply.answer);
      else waiting?.reject(reply.isUnknownPlace ? new UnknownPlaceError() : new Error(reply.error));
    });
    const end = (error: Error) => {
      if (this.#worker === worker) this.#worker = null;
      for (const { reject } of this.#waiting.values()) reject(error);
      this.#waiting.clear();
    };
    worker.once('error', end);
    worker.once('exit', () => end(new Error('The search thread has ended.')));
    return worker;
  }
}
