// APKs that are being looked into, held open with what was read of them. Knows no question.
import type { FileReference } from '../../contract/engine/analysis-results.ts';
import type { ByteSource } from '../../vault/byte-source.ts';
import { dexEntries, resourcesName } from '../app/app-package.ts';
import { embeddedDexes } from '../app/embedded-dexes.ts';
import { Findings } from '../findings.ts';
import { parseResourceTable, type ResourceTable } from '../formats/arsc/resource-table.ts';
import { FormatError } from '../formats/byte-reader.ts';
import { type Dex, openDexContainer } from '../formats/dex/dex.ts';
import { openZip, type ZipArchive, type ZipEntry } from '../formats/zip/archive.ts';
import { openFile } from '../open-file.ts';
import { type CollectedChildren, collectChildren } from './children.ts';
import { ClassTree } from './class-tree.ts';
import { ExplorationFault } from './fault.ts';
import { UseCounts } from './use-counts.ts';

/** APKs that are held open: comparing takes two. */
const maxOpen = 3;
/** Unpacked bytes that are kept of entries which are looked at page by page. */
const maxKept = 96 * 1024 * 1024;

/** Runs a reader of a format; its error becomes the answer to the question. */
export function readable<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof FormatError || error instanceof RangeError) {
      throw new ExplorationFault('unreadable', error.message);
    }
    throw error;
  }
}

/** Which entry is meant: by its place in the directory, else by name and number among those of that name. */
export interface EntryPlace {
  path?: string | undefined;
  nth: number;
  index?: number | undefined;
}

/** One APK. Everything is read when it is first asked for, and kept. */
export class OpenedApp {
  readonly source: ByteSource;
  readonly archive: ZipArchive;
  readonly #findings = new Findings();
  /** Contents by entry, the one looked at last at the end. */
  readonly #contents = new Map<number, Uint8Array>();
  #kept = 0;
  #dexes: Dex[] | null = null;
  #ownDexes = 0;
  readonly unreadableDexes: { name: string; reason: string }[] = [];
  #resources: ResourceTable | null | undefined;
  #tree: ClassTree | undefined;
  #uses: UseCounts | undefined;
  #children: CollectedChildren | undefined;

  constructor(source: ByteSource) {
    this.source = source;
    this.archive = readable(() => openZip(source, this.#findings));
  }

  get findings(): Findings {
    return this.#findings;
  }

  /** @throws ExplorationFault `not-found` */
  entry({ path = '', nth, index }: EntryPlace): ZipEntry {
    const { entries } = this.archive;
    let entry = index === undefined ? this.archive.get(path) : entries[index];
    if (index === undefined && nth > 0) entry = entries.filter(({ name }) => name === path)[nth];
    if (entry === undefined) throw new ExplorationFault('not-found', 'the archive has no such entry');
    return entry;
  }

  /** The unpacked content. @throws ExplorationFault `unreadable` */
  content(entry: ZipEntry): Uint8Array {
    const known = this.#contents.get(entry.index);
    if (known !== undefined) {
      this.#contents.delete(entry.index);
      this.#contents.set(entry.index, known);
      return known;
    }
    const bytes = readable(() => this.archive.read(entry));
    this.#contents.set(entry.index, bytes);
    this.#kept += bytes.length;
    for (const [index, oldest] of this.#contents) {
      if (this.#kept <= maxKept || index === entry.index) break;
      this.#contents.delete(index);
      this.#kept -= oldest.length;
    }
    return bytes;
  }

  /** What Android loads, in its order, and after it the code that stands elsewhere in the archive. */
  get dexes(): readonly Dex[] {
    if (this.#dexes !== null) return this.#dexes;
    this.#dexes = [];
    const own = dexEntries(this.archive);
    for (const entry of own) {
      try {
        this.#dexes.push(...openDexContainer(this.archive.read(entry), this.#findings, entry.name));
      } catch (error) {
        if (!(error instanceof FormatError)) throw error;
        this.unreadableDexes.push({ name: entry.name, reason: error.message });
      }
    }
    this.#ownDexes = this.#dexes.length;
    const embedded = embeddedDexes(this.archive, own, this.#findings);
    this.#dexes.push(...embedded.dexes);
    this.unreadableDexes.push(...embedded.unreadable);
    return this.#dexes;
  }

  /** Whether a dex stands beside what Android loads by itself. */
  isEmbedded(dex: Dex): boolean {
    return this.dexes.indexOf(dex) >= this.#ownDexes;
  }

  /** null where there is no table that can be read. */
  get resources(): ResourceTable | null {
    if (this.#resources === undefined) {
      const entry = this.archive.get(resourcesName);
      try {
        this.#resources = entry === undefined ? null : parseResourceTable(this.archive.read(entry), this.#findings);
      } catch (error) {
        if (!(error instanceof FormatError)) throw error;
        this.#resources = null;
      }
    }
    return this.#resources;
  }

  get tree(): ClassTree {
    this.#tree ??= new ClassTree(this.dexes);
    return this.#tree;
  }

  /** @param sha256 of the APK */
  children(sha256: string): CollectedChildren {
    this.#children ??= collectChildren(this.archive, sha256);
    return this.#children;
  }

  get uses(): UseCounts {
    this.#uses ??= new UseCounts(this.dexes);
    return this.#uses;
  }
}

const opened = new Map<string, OpenedApp>();

/**
 * The APK that a task refers to, opened anew or held from the last question.
 * @throws ExplorationFault `unreadable`, or the file system's error
 */
export function openedApp(file: FileReference): OpenedApp {
  const known = opened.get(file.path);
  opened.delete(file.path);
  const app = known ?? openNew(file);
  opened.set(file.path, app);
  for (const [path, oldest] of opened) {
    if (opened.size <= maxOpen) break;
    opened.delete(path);
    oldest.source.close();
  }
  return app;
}

function openNew(file: FileReference): OpenedApp {
  const source = openFile(file);
  try {
    return new OpenedApp(source);
  } catch (error) {
    source.close();
    throw error;
  }
}
