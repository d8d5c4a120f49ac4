// One import while it runs: finds its files, has them taken in, and notes after each how far it is. Knows nothing of who asked for it.
import { basename, relative, sep } from 'node:path';
import type { ErrorLog } from '../../jobs/error-log.ts';
import type { ImportedFile, ImportRecord } from '../../store/repositories/import-repository.ts';
import type { Store } from '../../store/store.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { type Brought, type Carrier, CarrierError, isOfSystem } from './brought-file.ts';
import { folderTags } from './folder-tags.ts';
import { type FoundFile, filesAt } from './found-files.ts';
import { bringMany } from './many-files.ts';

export interface ImportRunParts {
  store: Store;
  catalogue: Catalogue;
  log: ErrorLog;
  carrier: Carrier;
}

/** Files that are on their way at a time: one is unpacked or hashed while another is looked into. */
const capacity = 2;
/** Refusals that are kept of one archive. */
const maxRefusalsEach = 1000;

type Tally = Pick<ImportedFile, 'added' | 'held'> & { refusals: { name: string; reason: string }[]; share: number };

/** What is at a path now; whoever reads it hears why it cannot be read. */
async function* thereAgain(path: string): AsyncGenerator<FoundFile> {
  try {
    yield* filesAt(path, { isRecursive: true });
  } catch {
    yield { path, size: 0 };
  }
}

export class ImportRun {
  readonly #import: ImportRecord;
  readonly #parts: ImportRunParts;
  readonly #signal: AbortSignal;
  /** What became of files that are not noted yet, by path. */
  readonly #tallies = new Map<string, Tally & { size: number }>();
  readonly #started = performance.now();
  #doneFiles = 0;
  #doneBytes = 0;

  /** @param signal has it end where it is */
  constructor(record: ImportRecord, parts: ImportRunParts, signal: AbortSignal) {
    this.#import = record;
    this.#parts = parts;
    this.#signal = signal;
  }

  /** Bytes of files that are under way, and what was done in a second since it began, or went on. */
  get pace(): { seconds: number; bytesUnderWay: number; bytesPerSecond: number; filesPerSecond: number } {
    const seconds = Math.max(0.001, (performance.now() - this.#started) / 1000);
    const bytesUnderWay = [...this.#tallies.values()].reduce((sum, { share, size }) => sum + share * size, 0);
    const bytesPerSecond = (this.#doneBytes + bytesUnderWay) / seconds;
    return { seconds, bytesUnderWay, bytesPerSecond, filesPerSecond: this.#doneFiles / seconds };
  }

  /** Runs to the end, or until nothing more is taken in, which it notes; where it is ended from outside, nothing. */
  async work(): Promise<void> {
    const { store, log } = this.#parts;
    const { id, endedAt, place, path } = this.#import;
    try {
      await this.#retry();
      if (endedAt === null) {
        await this.#count();
        await this.#bring(filesAt(path, { isRecursive: true, after: place }), (file) =>
          store.transaction(({ imports }) => imports.noteFile(id, file)),
        );
      }
      const ended = { state: 'ended', problem: '', endedAt: store.clock() } as const;
      await store.transaction(({ imports }) => imports.update(id, ended));
    } catch (err) {
      if (this.#signal.aborted) return;
      if (!(err instanceof CarrierError || isOfSystem(err))) log.error({ err }, 'an import has failed');
      const stopped = { state: 'stopped', problem: (err as Error).message } as const;
      await store.transaction(({ imports }) => imports.update(id, stopped));
    }
  }

  /** Once: how much there is. */
  async #count(): Promise<void> {
    const { store } = this.#parts;
    const { id, path, fileCount } = this.#import;
    if (fileCount !== null) return;
    const found = { fileCount: 0, byteCount: 0 };
    for await (const { size } of filesAt(path, { isRecursive: true })) {
      this.#signal.throwIfAborted();
      found.fileCount += 1;
      found.byteCount += size;
    }
    await store.transaction(({ imports }) => imports.update(id, found));
  }

  async #retry(): Promise<void> {
    const { store } = this.#parts;
    const { id } = this.#import;
    for (;;) {
      const path = await store.imports.nextRetried(id);
      if (path === null) return;
      // What of an archive was taken in is not counted again.
      const refused = new Set(await store.imports.refusedOf(id, path));
      const note = (file: ImportedFile) => store.transaction(({ imports }) => imports.noteRetried(id, path, file));
      await this.#bring(thereAgain(path), note, (name) => refused.has(name));
      await store.transaction(({ imports }) => imports.forgetRetried(id, path));
    }
  }

  async #bring(
    files: AsyncIterable<FoundFile>,
    note: (file: ImportedFile) => Promise<void>,
    counts: (name: string) => boolean = () => true,
  ): Promise<void> {
    const { carrier } = this.#parts;
    const onBrought = (file: FoundFile, brought: Brought) => this.#noteBrought(file, brought, counts);
    for await (const { path, size } of bringMany({ files: this.#untilEnded(files), carrier, capacity, onBrought })) {
      const { added, held, refusals } = this.#tallies.get(path) ?? { added: 0, held: 0, refusals: [] };
      await note({ path, size, added, held, refusals });
      this.#tallies.delete(path);
      this.#doneFiles += 1;
      this.#doneBytes += size;
    }
    this.#signal.throwIfAborted();
  }

  async *#untilEnded(files: AsyncIterable<FoundFile>): AsyncGenerator<FoundFile> {
    for await (const file of files) {
      // What is under way may come to its end, and be noted.
      if (this.#signal.aborted) return;
      this.#tallies.set(file.path, { added: 0, held: 0, refusals: [], share: 0, size: file.size });
      yield file;
    }
  }

  async #noteBrought(
    { path }: FoundFile,
    { name, delivery, share }: Brought,
    counts: (name: string) => boolean,
  ): Promise<void> {
    const tally = this.#tallies.get(path)!;
    tally.share = share;
    const shown = name === path ? this.#within(path) : name;
    if (delivery.outcome === 'refused') {
      if (tally.refusals.length < maxRefusalsEach) tally.refusals.push({ name: shown, reason: delivery.reason });
      return;
    }
    if (delivery.outcome === 'added' || counts(shown)) tally[delivery.outcome] += 1;
    const { tags, hasFolderTags } = this.#import;
    const own = [...tags, ...(hasFolderTags ? folderTags(this.#within(path).replaceAll(sep, '/')) : [])];
    if (own.length === 0) return;
    const { catalogue } = this.#parts;
    await catalogue.addTags(await catalogue.get(delivery.sha256), own);
  }

  #within(path: string): string {
    return relative(this.#import.path, path) || basename(path);
  }
}
