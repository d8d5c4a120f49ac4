// Standard input in place of a file on the command line, where it is named `-`. Knows nothing of what comes in.
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';

export const standardInput = '-';

export const readStandardInput = (): Promise<Buffer> => buffer(process.stdin);

export interface HeldInput {
  path: string;
  remove(): Promise<void>;
}

/** Keeps standard input in a file of its own, which workers can read. */
export async function holdStandardInput(): Promise<HeldInput> {
  const folder = await mkdtemp(join(tmpdir(), 'apk-workstation-input-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  const path = join(folder, 'standard-input');
  try {
    await pipeline(process.stdin, createWriteStream(path, { mode: 0o600 }));
  } catch (error) {
    await remove();
    throw error;
  }
  return { path, remove };
}
