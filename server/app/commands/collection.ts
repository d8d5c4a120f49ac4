// `collection`: a part of the catalogue as one sealed file, and one of another workstation taken in; by the running server, or by one that
// it starts. Knows nothing of what is in it.
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { jsonLine } from '../../contract/json-line.ts';
import type { CollectionTransfer } from '../../contract/workstation/collection.ts';
import { callersFolder, dataFolder } from '../data-folder.ts';
import { askPassphrase, newPassphrase, passphraseFrom } from '../passphrase.ts';
import { ProgressLine } from '../progress-line.ts';
import { openServedFolder } from '../served-folder.ts';
import { terminalText } from '../terminal-text.ts';

export interface CollectionOptions {
  dataDir?: string;
  passphraseFile?: string;
  json?: boolean;
}

/** Milliseconds between looks at how far it is. */
const lookInterval = 250;

/** Writes what a search finds. @throws Error with the reason where that fails */
export async function writeCollection(
  file: string,
  { search = '', cases = true, ...options }: CollectionOptions & { search?: string; cases?: boolean },
): Promise<void> {
  const passphrase = await newPassphrase(options.passphraseFile);
  await transfer('write', file, { passphrase, search, has_cases: cases }, options);
}

/** Takes one in. @throws Error with the reason where that fails */
export async function readCollection(file: string, options: CollectionOptions): Promise<void> {
  const { passphraseFile } = options;
  const passphrase =
    passphraseFile === undefined ? await askPassphrase('Passphrase: ') : await passphraseFrom(passphraseFile);
  await transfer('read', file, { passphrase }, options);
}

async function transfer(
  direction: 'write' | 'read',
  file: string,
  wish: object,
  { dataDir, json = false }: CollectionOptions,
): Promise<void> {
  const path = resolve(callersFolder(), file);
  const served = await openServedFolder(dataFolder(dataDir));
  try {
    let state = await served.ask<CollectionTransfer>('POST', `/collections/${direction}/`, { path, ...wish });
    const line = new ProgressLine(Math.max(1, state.apk_count ?? 1));
    while (state.state === 'running') {
      line.show(state.done_count, `${state.done_count} of ${state.apk_count ?? '…'} APKs`);
      await pause(lookInterval);
      state = await served.ask('GET', `/collections/${state.id}/`);
    }
    line.clear();
    if (state.state === 'failed') throw new Error(state.problem);
    process.stdout.write(json ? jsonLine(state) : summaryOf(state));
  } finally {
    await served.close();
  }
}

function summaryOf({ direction, refused, refused_count: refusedCount, ...counts }: CollectionTransfer): string {
  const { added_count: added, held_count: held, saying_count: sayings, case_count: cases } = counts;
  const apks = direction === 'written' ? `${added} written` : `${added} added, ${held} held already`;
  const lines = refused.map(({ name, reason }) => `not taken along ${terminalText(name)}: ${terminalText(reason)}\n`);
  return `${lines.join('')}${apks}, ${sayings} words of people and rules, ${cases} cases, ${refusedCount} not taken along\n`;
}
