// `import`: files, folders and archives of APKs into the catalogue. Knows nothing of how the catalogue keeps them.
import { readFile, writeFile } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import { jsonLine } from '../../contract/json-line.ts';
import type { Delivery } from '../../services/collections/brought-file.ts';
import { folderTags } from '../../services/collections/folder-tags.ts';
import { type FoundFile, filesAt } from '../../services/collections/found-files.ts';
import { bringMany } from '../../services/collections/many-files.ts';
import { openCourier } from '../courier.ts';
import { callersFolder, dataFolder } from '../data-folder.ts';
import { ProgressLine } from '../progress-line.ts';
import { terminalText } from '../terminal-text.ts';

interface TaggedFile extends FoundFile {
  /** By the folders that it lies in. */
  tags: readonly string[];
}

/** Counts and reasons of one import; `import --json` prints it. Names and reasons are fit for a terminal. */
export class ImportSummary {
  added = 0;
  held = 0;
  /** `path`: the file to be tried again, an archive where it is in one. */
  readonly refused: { name: string; reason: string; path: string }[] = [];

  /** @param path of the file that was named, or found */
  note(path: string, name: string, delivery: Delivery): void {
    if (delivery.outcome === 'refused') {
      this.refused.push({ name: terminalText(name), reason: terminalText(delivery.reason), path });
    } else this[delivery.outcome] += 1;
  }

  asText(): string {
    const lines = this.refused.map(({ name, reason }) => `refused ${name}: ${reason}\n`);
    return `${lines.join('')}${this.added} added, ${this.held} held already, ${lines.length} refused\n`;
  }
}

export interface ImportOptions {
  dataDir?: string;
  recursive?: boolean;
  folderTags?: boolean;
  json?: boolean;
  /** Of locked archives, tried before those of the settings. */
  password?: string[];
  /** Where the list of what was refused is written, one JSON object per line; nothing where nothing was. */
  refused?: string;
  /** Such a list: its files are imported once more. */
  retry?: string;
}

/** The files of a list of refusals, each once. @throws Error where it is none */
async function refusedPaths(list: string): Promise<string[]> {
  const lines = (await readFile(resolve(callersFolder(), list), 'utf8')).split('\n').filter(Boolean);
  try {
    return [...new Set(lines.map((line) => String(JSON.parse(line).path)))];
  } catch {
    throw new Error(`${list} is no list of refused files, as --refused writes it.`);
  }
}

/** What was named, and what of it is there. */
interface Named {
  place: string;
  /** As it was given. */
  path: string;
}

/** Files of the paths in their order; what cannot be read is told and passed over. */
async function* filesOf(
  named: readonly Named[],
  { recursive = false, folderTags: hasFolderTags = false }: ImportOptions,
  onUnreadable: (path: Named, error: Error) => void,
): AsyncGenerator<TaggedFile> {
  for (const one of named) {
    const { place } = one;
    const tagsOf = (file: string) => (hasFolderTags ? folderTags(relative(place, file).replaceAll(sep, '/')) : []);
    try {
      for await (const file of filesAt(place, { isRecursive: recursive })) yield { ...file, tags: tagsOf(file.path) };
    } catch (error) {
      onUnreadable(one, error as Error);
    }
  }
}

/**
 * Imports everything that the paths name. Files that are held under their name are skipped, so that an interrupted import goes on where
 * it stopped; bad files do not stop it.
 * @returns the process's exit status: 1 where a path could not be read at all
 * @throws CarrierError where the workstation takes nothing more
 */
export async function importPaths(given: string[], options: ImportOptions): Promise<number> {
  if (given.length === 0 && options.retry === undefined)
    throw new Error('Name files or folders, or a list by --retry.');
  const paths = options.retry === undefined ? given : [...given, ...(await refusedPaths(options.retry))];
  const named = paths.map((path) => ({ path, place: resolve(callersFolder(), path) }));
  const summary = new ImportSummary();
  let exitStatus = 0;
  let [count, bytes] = [0, 0];
  for await (const { size } of filesOf(named, options, ({ place, path }, { message }) => {
    exitStatus = 1;
    summary.note(place, path, { outcome: 'refused', reason: message });
  })) {
    count += 1;
    bytes += size;
  }
  const courier = await openCourier(dataFolder(options.dataDir), options.password);
  const progress = new ImportProgress(count, bytes, summary);
  let failure: unknown = null;
  try {
    const done = bringMany({
      // What could not be read is told already.
      files: filesOf(named, options, () => undefined),
      carrier: courier,
      capacity: courier.capacity,
      async onBrought({ path, size, tags }, { name, delivery, share }) {
        summary.note(path, name, delivery);
        progress.show(path, share * size);
        if (delivery.outcome !== 'refused' && tags.length > 0) await courier.tag(delivery.sha256, tags);
      },
    });
    for await (const file of done) progress.end(file);
  } catch (error) {
    failure = error;
  }
  progress.clear();
  process.stdout.write(options.json === true ? jsonLine(summary) : summary.asText());
  if (options.refused !== undefined) await writeRefused(options.refused, summary);
  await courier.close().catch((error: unknown) => {
    // On a full disk this fails too, and says less.
    if (failure === null) throw error;
  });
  if (failure !== null) throw failure;
  return exitStatus;
}

const writeRefused = (list: string, { refused }: ImportSummary): Promise<void> =>
  writeFile(resolve(callersFolder(), list), refused.map(jsonLine).join(''));

/** How far an import is: what is done of each file counts by its size. */
class ImportProgress {
  readonly #files: number;
  readonly #summary: ImportSummary;
  readonly #line: ProgressLine;
  readonly #started = performance.now();
  /** Bytes, by path. */
  readonly #underWay = new Map<string, number>();
  #doneBytes = 0;
  #doneFiles = 0;

  constructor(files: number, bytes: number, summary: ImportSummary) {
    this.#files = files;
    this.#summary = summary;
    this.#line = new ProgressLine(bytes);
  }

  /** @param bytes of the file that are done */
  show(path: string, bytes: number): void {
    this.#underWay.set(path, bytes);
    this.#tell();
  }

  end({ path, size }: FoundFile): void {
    this.#underWay.delete(path);
    this.#doneBytes += size;
    this.#doneFiles += 1;
    this.#tell();
  }

  #tell(): void {
    const bytes = [...this.#underWay.values()].reduce((sum, size) => sum + size, this.#doneBytes);
    const { added, refused } = this.#summary;
    const rate = `${(bytes / 1e3 / (performance.now() - this.#started)).toFixed(1)} MB/s`;
    const told = `${this.#doneFiles} of ${this.#files} files, ${added} added, ${refused.length} refused, ${rate}`;
    this.#line.show(bytes, told);
  }

  clear(): void {
    this.#line.clear();
  }
}
