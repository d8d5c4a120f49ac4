// Hands many files to a carrier, some at a time. What it remembers does not grow with their number. Knows nothing of where they are
// found, and of what is told of them.
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isSplitName, maxBeside } from '../../contract/catalogue/split-names.ts';
import { type Brought, broughtFrom, type Carrier, CarrierError, hashOf } from './brought-file.ts';
import { type FoundFile, fileAt } from './found-files.ts';

interface ManyFiles<File extends FoundFile> {
  files: AsyncIterable<File>;
  carrier: Carrier;
  /** Files that may be on their way at a time. */
  capacity: number;
  /** Told of each app in a file; the file goes on when this resolves. */
  onBrought: (file: File, brought: Brought) => Promise<void>;
}

/**
 * Hands files to a carrier. Bad ones are refused and stop nothing.
 * @returns each file when it and all files before it are done
 * @throws CarrierError where nothing more is taken; what `files` throws
 */
export async function* bringMany<File extends FoundFile>(many: ManyFiles<File>): AsyncGenerator<File> {
  const underWay: Promise<File>[] = [];
  const besides = new Besides();
  try {
    for await (const file of many.files) {
      // A split is known for a part by the app that is there.
      const room = isSplitName(file.path) ? 0 : many.capacity - 1;
      while (underWay.length > room) yield await underWay.shift()!;
      const work = bring(file, many, besides);
      // Whoever waits for it hears of its failure.
      work.catch(() => undefined);
      underWay.push(work);
    }
    while (underWay.length > 0) yield await underWay.shift()!;
  } finally {
    await Promise.allSettled(underWay);
  }
}

async function bring<File extends FoundFile>(
  file: File,
  { carrier, onBrought }: ManyFiles<File>,
  besides: Besides,
): Promise<File> {
  try {
    const partOf = await besides.of(file.path);
    for await (const brought of broughtFrom(file.path, carrier, { partOf })) await onBrought(file, brought);
  } catch (error) {
    if (error instanceof CarrierError) throw error;
    const { message: reason } = error as Error;
    await onBrought(file, { name: file.path, delivery: { outcome: 'refused', reason }, share: 1 });
  }
  return file;
}

/** Apps beside splits. */
class Besides {
  #folder = '';
  #apps: readonly string[] = [];

  /** SHA-256 of those that a file may be a part of. */
  async of(path: string): Promise<readonly string[]> {
    if (!isSplitName(path)) return [];
    const folder = dirname(path);
    if (folder !== this.#folder) {
      this.#apps = await appsIn(folder);
      this.#folder = folder;
    }
    return this.#apps;
  }
}

async function appsIn(folder: string): Promise<string[]> {
  const apps: string[] = [];
  for (const name of (await readdir(folder)).sort()) {
    const path = join(folder, name);
    if (apps.length === maxBeside || isSplitName(basename(path)) || !/\.apk$/i.test(name)) continue;
    if ((await fileAt(path)) !== null) apps.push(await hashOf(path));
  }
  return apps;
}
