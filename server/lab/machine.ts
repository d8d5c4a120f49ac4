// This machine as one of a workstation's lab: takes tasks from its queue, has them done by workers here, and answers. Prints
// nothing.
import { loadavg } from 'node:os';
import type { Readable } from 'node:stream';
import { type Job, Worker } from 'bullmq';
import { encodeFrame, FrameReader } from '../contract/process-line/frames.ts';
import { replyLimits, requestLimits } from '../contract/process-line/limits.ts';
import type { EngineReply } from '../contract/process-line/messages.ts';
import { answerOf, parseSentAway, type SentAway } from '../contract/process-line/travelling.ts';
import { heardSchema, labQueueSchema, type Versions } from '../contract/workstation/lab.ts';
import type { WorkerPool } from '../jobs/worker-pool.ts';
import type { KeptFiles } from './kept-files.ts';
import { Refused, type WorkstationClient } from './workstation-client.ts';

export interface MachineParts {
  client: WorkstationClient;
  pool: WorkerPool;
  files: KeptFiles;
  versions: Versions;
  /** Tasks at a time. */
  cores: number;
  onStatus(status: MachineStatus): void;
}

export interface MachineStatus {
  /** `away`: the workstation, or its queue, is not reached. */
  state: 'on' | 'paused' | 'draining' | 'away';
  running: number;
  done: number;
  failed: number;
  /** Why it is away. */
  reason: string | null;
}

/** Milliseconds between words to the workstation. */
const beat = 2000;
/** Milliseconds between two tellings of a task's progress. */
const progressEvery = 1000;
/** Of the engine: after so many milliseconds without a sign another machine gets the task, and after three it is given up. */
const stalling = { lockDuration: 15_000, stalledInterval: 5000, maxStalledCount: 2 };
/** Milliseconds for which an answer is tried to be sent. */
const answerPatience = 60_000;

/** The workstation tells this machine to end: it was removed, or has another version. */
const isFinal = (error: unknown): boolean => error instanceof Refused && (error.status === 401 || error.status === 409);

export class Machine {
  readonly #parts: MachineParts;
  readonly #running = new Map<string, AbortController>();
  #worker: Worker | null = null;
  #status: MachineStatus = { state: 'away', running: 0, done: 0, failed: 0, reason: null };
  #isEnding = false;
  /** The queue is reached. */
  #isReady = false;
  #isHeard = false;

  constructor(parts: MachineParts) {
    this.#parts = parts;
  }

  /**
   * Works until it is told to end, by the signal or by the workstation.
   * @param signal ends it when what it has is done
   * @throws Refused where the workstation wants nothing of it
   */
  async run(signal: AbortSignal): Promise<void> {
    try {
      for (;;) {
        if (signal.aborted) this.#isEnding = true;
        await this.#speak();
        if (this.#isEnding) break;
        await this.#pause(beat, signal);
      }
      await this.#drain();
    } finally {
      for (const abort of this.#running.values()) abort.abort();
      await this.#worker?.close(true).catch(() => undefined);
    }
  }

  /** Ends when everything that it has is done; goes on telling that it has it. */
  async #drain(): Promise<void> {
    const closing = this.#worker?.close() ?? Promise.resolve();
    let isClosed = false;
    const closed = closing.catch(() => undefined).finally(() => (isClosed = true));
    while (!isClosed) {
      await Promise.race([closed, this.#pause(beat)]);
      if (!isClosed) await this.#speak();
    }
    this.#worker = null;
  }

  #pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, milliseconds);
      if (signal?.aborted) end();
      else signal?.addEventListener('abort', end, { once: true });
    });
  }

  /** Tells the workstation what is run here, and does what it says. @throws Refused where that is to end */
  async #speak(): Promise<void> {
    const { client, versions, cores } = this.#parts;
    try {
      const running = [...this.#running.keys()];
      const json = {
        ...versions,
        cores,
        load: loadavg()[0] ?? 0,
        is_taking: this.#isReady,
        is_start: !this.#isHeard,
        running,
      };
      const heard = heardSchema.parse(await client.askJson('/lab/heartbeat/', { method: 'POST', json }));
      this.#isHeard = true;
      for (const ticket of heard.unwanted) this.#running.get(ticket)?.abort();
      await this.#follow(this.#isEnding ? 'draining' : heard.state);
    } catch (error) {
      if (isFinal(error)) throw error;
      this.#tell({ state: 'away', reason: (error as Error).message });
    }
  }

  async #follow(state: 'on' | 'paused' | 'draining'): Promise<void> {
    if (state === 'draining') this.#isEnding = true;
    else if (state === 'paused') await this.#worker?.pause(true);
    else {
      this.#worker ??= await this.#open();
      if (this.#worker.isPaused()) this.#worker.resume();
    }
    this.#tell({ state, reason: null });
  }

  async #open(): Promise<Worker> {
    const access = labQueueSchema.parse(await this.#parts.client.askJson('/lab/queue/'));
    const { url, username, password, prefix, name } = access;
    const connection = { url, username, password, maxRetriesPerRequest: null };
    const options = { connection, prefix, concurrency: this.#parts.cores, ...stalling };
    const worker = new Worker(name, (job: Job) => this.#perform(job), options);
    worker.on('error', (error) => this.#tell({ reason: error.message }));
    worker.on('ready', () => {
      this.#isReady = true;
    });
    worker.on('ioredis:close', () => {
      this.#isReady = false;
    });
    return worker;
  }

  /** One task from the queue. Throws where it could not be done for a reason that is no fault of its file. */
  async #perform(job: Job): Promise<void> {
    const ticket = job.id!;
    const abort = new AbortController();
    this.#running.set(ticket, abort);
    this.#tell({});
    try {
      const sent = await this.#task(ticket);
      const reply = await this.#reply(ticket, sent, job, abort.signal);
      if (abort.signal.aborted) return;
      const answer = answerOf(reply);
      if (answer === null) throw new Error(reply.status === 'failed' ? reply.message : 'no answer');
      await this.#answer(ticket, encodeFrame(answer, replyLimits[sent.task.kind]));
      this.#status.done += 1;
    } catch (error) {
      // Somebody else has answered, or nobody waits any more.
      if (error instanceof Refused && error.status === 410) return;
      this.#status.failed += 1;
      throw error;
    } finally {
      this.#running.delete(ticket);
      this.#tell({});
    }
  }

  async #task(ticket: string): Promise<SentAway> {
    const reader = new FrameReader();
    for await (const chunk of await this.#parts.client.ask(`/lab/tasks/${ticket}/`))
      for (const { message } of reader.read(chunk as Uint8Array, () => requestLimits)) return parseSentAway(message);
    throw new Error('The task came without its end.');
  }

  async #reply(ticket: string, sent: SentAway, job: Job, signal: AbortSignal): Promise<EngineReply> {
    const { files, client } = this.#parts;
    const { task, fileBytes: size, cpuMilliseconds } = sent;
    if (task.file.kind !== 'sealed') throw new Error('A file that is not sealed.');
    const { key } = task.file;
    const fetch = (from: number): Promise<Readable> =>
      client.ask(`/lab/tasks/${ticket}/file/`, from === 0 ? {} : { headers: { Range: `bytes=${from}-` } });
    const run = () =>
      files.with({ key, size }, fetch, (path) =>
        this.#parts.pool.run({ ...task, file: { kind: 'sealed', path, key } } as never, {
          signal,
          onProgress: this.#progressOf(job),
          ...(cpuMilliseconds === undefined ? {} : { cpuMilliseconds }),
        }),
      );
    const reply: EngineReply = await run();
    if (reply.status !== 'failed' || reply.code !== 'unreadable-file') return reply;
    // The copy here may be at fault.
    await files.forget(key);
    return run();
  }

  #progressOf(job: Job): (stage: string, done: number) => void {
    let last = 0;
    return (stage, done) => {
      if (performance.now() - last < progressEvery) return;
      last = performance.now();
      void job.updateProgress({ stage, done }).catch(() => undefined);
    };
  }

  /** @throws Refused */
  async #answer(ticket: string, pieces: readonly Uint8Array[]): Promise<void> {
    const end = performance.now() + answerPatience;
    for (;;) {
      try {
        await this.#parts.client.tell(`/lab/tasks/${ticket}/answer/`, { method: 'POST', pieces });
        return;
      } catch (error) {
        const isWord = error instanceof Refused && error.status < 500;
        if (isWord || performance.now() > end) throw error;
        await this.#pause(beat);
      }
    }
  }

  #tell(news: Partial<MachineStatus>): void {
    this.#status = { ...this.#status, ...news, running: this.#running.size };
    this.#parts.onStatus(this.#status);
  }
}
