// `import`: files, folders and archives of APKs into the catalogue. Knows nothing of how the catalogue keeps them.
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { isSplitName, maxBeside } from '../../contract/catalogue/split-names.ts';
import { jsonLine } from '../../contract/json-line.ts';
import { broughtFrom, CarrierError, type Delivery } from '../../services/collections/brought-file.ts';
import { folderTags } from '../../services/collections/folder-tags.ts';
import { type Courier, openCourier } from '../courier.ts';
import { callersFolder, dataFolder } from '../data-folder.ts';
import { ProgressLine } from '../progress-line.ts';
import { terminalText } from '../terminal-text.ts';

interface FoundFile {
  path: string;
  size: number;
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

/**
 * Imports everything that the paths name. Files that are held under their name are skipped, so that an interrupted import goes on where
 * it stopped; bad files do not stop it.
 * @returns the process's exit status: 1 where a path could not be read at all
 * @throws CarrierError where the workstation takes nothing more
 */
export async function importPaths(named: string[], options: ImportOptions): Promise<number> {
  if (named.length === 0 && options.retry === undefined)
    throw new Error('Name files or folders, or a list by --retry.');
  const paths = options.retry === undefined ? named : [...named, ...(await refusedPaths(options.retry))];
  const summary = new ImportSummary();
  const files: FoundFile[] = [];
  let exitStatus = 0;
  for (const path of paths) {
    try {
      const place = resolve(callersFolder(), path);
      const found: Omit<FoundFile, 'tags'>[] = [];
      await findFiles(place, options.recursive === true, found, true);
      const tagsOf = (file: string) =>
        options.folderTags ? folderTags(relative(place, file).replaceAll(sep, '/')) : [];
      for (const file of found) files.push({ ...file, tags: tagsOf(file.path) });
    } catch (error) {
      exitStatus = 1;
      summary.note(resolve(callersFolder(), path), path, { outcome: 'refused', reason: (error as Error).message });
    }
  }
  const courier = await openCourier(dataFolder(options.dataDir), options.password);
  const total = files.reduce((sum, { size }) => sum + size, 0);
  const progress = new ImportProgress(files.length, total, summary);
  const company = new Neighbours(files);
  const work = async (waiting: Iterable<FoundFile>) => {
    for (const file of waiting) {
      await importFile(file, courier, summary, company, (share) => progress.show(file, share));
      progress.end(file);
    }
  };
  const ends: PromiseSettledResult<void>[] = [];
  // A split is known for a part by the app that is there.
  for (const areSplits of [false, true]) {
    if (ends.some(({ status }) => status === 'rejected')) break;
    const waiting = files.filter(({ path }) => isSplitName(path) === areSplits).values();
    ends.push(...(await Promise.allSettled(Array.from({ length: courier.capacity }, () => work(waiting)))));
  }
  progress.clear();
  process.stdout.write(options.json === true ? jsonLine(summary) : summary.asText());
  if (options.refused !== undefined) await writeRefused(options.refused, summary);
  const failed = ends.find((end) => end.status === 'rejected');
  await courier.close().catch((error: unknown) => {
    // On a full disk this fails too, and says less.
    if (failed === undefined) throw error;
  });
  if (failed !== undefined) throw failed.reason;
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
  readonly #underWay = new Map<FoundFile, number>();
  #doneBytes = 0;
  #doneFiles = 0;

  constructor(files: number, bytes: number, summary: ImportSummary) {
    this.#files = files;
    this.#summary = summary;
    this.#line = new ProgressLine(bytes);
  }

  /** @param share of the file that is done, from 0 to 1 */
  show(file: FoundFile, share: number): void {
    this.#underWay.set(file, share * file.size);
    this.#tell();
  }

  end(file: FoundFile): void {
    this.#underWay.delete(file);
    this.#doneBytes += file.size;
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

async function findFiles(
  path: string,
  isRecursive: boolean,
  found: Omit<FoundFile, 'tags'>[],
  isNamed: boolean,
): Promise<void> {
  const status = await stat(path);
  if (status.isFile()) found.push({ path, size: status.size });
  if (!status.isDirectory() || !(isNamed || isRecursive)) return;
  const entries = await readdir(path, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const inside = join(path, entry.name);
    // A link to a folder could lead back up, and one to nowhere is no file.
    if (entry.isSymbolicLink() && !(await isFileBehind(inside))) continue;
    await findFiles(inside, isRecursive, found, false);
  }
}

const isFileBehind = (link: string): Promise<boolean> =>
  stat(link).then(
    (target) => target.isFile(),
    () => false,
  );

/** Which apps of this import lie beside splits. */
class Neighbours {
  readonly #apps = new Map<string, string[]>();

  constructor(files: readonly FoundFile[]) {
    for (const { path } of files) if (isSplitName(path)) this.#apps.set(dirname(path), []);
  }

  note(path: string, delivery: Delivery): void {
    if (delivery.outcome !== 'refused' && !isSplitName(path)) this.#apps.get(dirname(path))?.push(delivery.sha256);
  }

  /** Apps that a file may be a part of. */
  of = (path: string): readonly string[] =>
    isSplitName(path) ? (this.#apps.get(dirname(path)) ?? []).slice(-maxBeside) : [];
}

async function importFile(
  { path, tags }: FoundFile,
  courier: Courier,
  summary: ImportSummary,
  neighbours: Neighbours,
  onShare: (share: number) => void,
): Promise<void> {
  try {
    for await (const { name, delivery, share } of broughtFrom(path, courier, { partOf: neighbours.of(path) })) {
      summary.note(path, name, delivery);
      onShare(share);
      neighbours.note(path, delivery);
      if (delivery.outcome !== 'refused' && tags.length > 0) await courier.tag(delivery.sha256, tags);
    }
  } catch (error) {
    if (error instanceof CarrierError) throw error;
    summary.note(path, path, { outcome: 'refused', reason: (error as Error).message });
  }
}
