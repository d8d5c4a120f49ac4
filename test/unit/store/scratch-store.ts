// A store in a temporary folder that a test file shares and that disappears with it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { type OpenStoreOptions, openStore, type Store } from '../../../server/store/store.ts';

/** What was logged, for tests that look at it. */
export const logged: { details: object; message: string }[] = [];
const log = {
  info: () => undefined,
  warn: (details: object, message: string) => void logged.push({ details, message }),
};

export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'store-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export async function openScratch(folder: string, options: Partial<OpenStoreOptions> = {}): Promise<Store> {
  return openStore(folder, { log, ...options });
}
