// A pool of sandboxed worker processes that analyse hostile files. Knows tasks and replies, not what is in them.
import type { EngineReply, EngineTask, EngineTaskKind } from '../contract/engine.ts';

export interface WorkerPoolOptions {
  /** Folders or files that workers may read besides the program's own: the file store, or the files to analyse. */
  readableFolders: readonly string[];
  /** Analyses at a time; one less than the processor's cores by default, at least one. */
  concurrency?: number;
}

export interface RunOptions {
  onProgress?: (stage: string, done: number) => void;
  signal?: AbortSignal;
  timeoutMs?: number;
}

export interface WorkerPool {
  /** Runs one task in a worker process. Never rejects for the file's or the worker's fault. */
  run<K extends EngineTaskKind>(task: Extract<EngineTask, { kind: K }>, options?: RunOptions): Promise<EngineReply<K>>;
  close(): Promise<void>;
}

export declare function createWorkerPool(options: WorkerPoolOptions): WorkerPool;
