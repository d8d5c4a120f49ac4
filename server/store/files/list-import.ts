// Has a list of known hashes read in a thread of its own. Knows no list's format.
import { Worker } from 'node:worker_threads';
import type { KnownKind } from '../../contract/catalogue/known.ts';
import type { ListImport } from './known-lists.ts';

const program = new URL(`./list-import-worker.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url);

export interface ListImportData {
  dataDir: string;
  /** Of the file that is read. */
  path: string;
  name: string;
  kind: KnownKind;
  source: string;
  /** Milliseconds since 1970 UTC. */
  importedAt: number;
}

export type ListImportMessage = { lines: number; done: number } | { imported: ListImport } | { failed: string };

/** What is wrong with a list, in words for whoever sent it. */
export class ListError extends Error {}

/**
 * Puts a list in the place of the one of its name, once it is read whole.
 * @param onProgress told the lines so far and the share of the file's bytes
 * @throws ListError where it is none; the signal's reason once it is aborted, and nothing changed
 */
export function importList(
  data: ListImportData,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (lines: number, done: number) => void },
): Promise<ListImport> {
  const { promise, resolve, reject } = Promise.withResolvers<ListImport>();
  const worker = new Worker(program, { workerData: data });
  const stop = () => void worker.terminate();
  signal.addEventListener('abort', stop);
  worker.on('message', (message: ListImportMessage) => {
    if ('imported' in message) resolve(message.imported);
    else if ('failed' in message) reject(new ListError(message.failed));
    else onProgress(message.lines, message.done);
  });
  worker.on('error', reject);
  worker.on('exit', () => reject(signal.aborted ? (signal.reason as Error) : new Error('the import of a list ended')));
  if (signal.aborted) stop();
  return promise.finally(() => signal.removeEventListener('abort', stop));
}
