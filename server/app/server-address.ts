// Tells other processes of this machine where the server of a data folder listens.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeDurableFile } from '../vault/durable-file.ts';

const addressFile = (dataDir: string) => join(dataDir, 'server.json');

/** Notes the address of the server that holds this data folder. @returns how to take the note back */
export function noteServerAddress(dataDir: string, url: string): () => void {
  writeDurableFile(addressFile(dataDir), Buffer.from(JSON.stringify({ url, pid: process.pid })));
  return () => rmSync(addressFile(dataDir), { force: true });
}

/** The base URL that was noted last, null where there is none; the server behind it may be gone. */
export function readServerAddress(dataDir: string): string | null {
  try {
    const { url } = JSON.parse(readFileSync(addressFile(dataDir), 'utf8')) as { url?: unknown };
    return typeof url === 'string' ? url : null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || error instanceof SyntaxError) return null;
    throw error;
  }
}
