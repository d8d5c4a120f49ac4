// A thread that reads a list of known hashes into the folder of lists, for millions of lines take a while. Knows no table.
import { createReadStream, statSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { KnownLists } from './known-lists.ts';
import type { ListImportData, ListImportMessage } from './list-import.ts';

const { dataDir, path, ...list } = workerData as ListImportData;
const tell = (message: ListImportMessage) => parentPort!.postMessage(message);
const { size } = statSync(path);
let read = 0;

async function* counted(): AsyncGenerator<Uint8Array> {
  for await (const piece of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
    read += (piece as Uint8Array).length;
    yield piece as Uint8Array;
  }
}

const lists = new KnownLists(dataDir);
try {
  const onProgress = (lines: number) => tell({ lines, done: read / Math.max(1, size) });
  tell({ imported: await lists.import(counted(), { ...list, onProgress }) });
} catch (error) {
  tell({ failed: (error as Error).message });
} finally {
  lists.close();
}
