// APKs that are being looked into, held open with what was read of them. Knows no question.
import type { FileReference, LeftFiles } from '../../contract/engine/analysis-results.ts';
import { type Child, childName } from '../../contract/engine/child.ts';
import type { CodeNames } from '../../contract/engine/code-names.ts';
import type { ByteSource } from '../../vault/byte-source.ts';
import { dexEntries, resourcesName } from '../app/app-package.ts';
import { carrierKey, childDexes, leftBy, readNamed, walkChildren } from '../app/children.ts';
import { readManifest } from '../app/manifest/manifest.ts';
import { Findings } from '../findings.ts';
import { parseResourceTable, type ResourceTable } from '../formats/arsc/resource-table.ts';
import { parseBinaryXml } from '../formats/axml/document.ts';
import { FormatError } from '../formats/byte-reader.ts';
import { type Dex, openDexContainer } from '../formats/dex/dex.ts';
import { openZip, type ZipArchive, type ZipEntry } from '../formats/zip/archive.ts';
import { openFile } from '../open-file.ts';
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

const noNames: CodeNames = { version: '', names: [], notes: [], deobfuscate: false };

/** One APK. Everything is read when it is first asked for, and kept. */
export class OpenedApp {
  readonly source: ByteSource;
  readonly archive: ZipArchive;
  readonly #findings = new Findings();
  readonly #left: LeftFiles;
  /** Contents by place or name, the one looked at last at the end. */
  readonly #contents = new Map<number | string, Uint8Array>();
  #kept = 0;
  #dexes: Dex[] | null = null;
  /** Dex files that are loaded together: the app's own, then those of each file of code beside them. */
  readonly #loaders: (readonly Dex[])[] = [];
  readonly unreadableDexes: { name: string; reason: string }[] = [];
  #resources: ResourceTable | null | undefined;
  #tree: ClassTree | undefined;
  /** The dex file that was looked at last by itself. */
  #dexTree: { dex: string; tree: ClassTree } | undefined;
  #uses: UseCounts | undefined;
  #packageName: string | undefined;
  /** What analysts call its code, as of the question that is answered. */
  names: CodeNames = noNames;

  /** Whether its code is shown with other names than its own. */
  get isRenamed(): boolean {
    return this.names.names.length > 0 || this.names.deobfuscate;
  }

  /** @param left by runs of the app */
  constructor(source: ByteSource, left: LeftFiles = []) {
    this.source = source;
    this.#left = left;
    this.archive = readable(() => openZip(source, this.#findings));
  }

  get findings(): Findings {
    return this.#findings;
  }

  /**
   * What is meant, unpacked: an entry, or a file that came out of the APK.
   * @throws ExplorationFault `not-found`, `unreadable`
   */
  content(place: EntryPlace): { name: string; bytes: Uint8Array } {
    const entry = this.#entry(place);
    const key = entry?.index ?? place.path ?? '';
    const name = entry?.name ?? place.path ?? '';
    const known = this.#contents.get(key);
    if (known !== undefined) {
      this.#contents.delete(key);
      this.#contents.set(key, known);
      return { name, bytes: known };
    }
    const bytes = readable(() => (entry === undefined ? this.#named(place) : this.archive.read(entry)));
    if (bytes === null) throw new ExplorationFault('not-found', 'the archive has no such entry');
    this.#contents.set(key, bytes);
    this.#kept += bytes.length;
    for (const [other, oldest] of this.#contents) {
      if (this.#kept <= maxKept || other === key) break;
      this.#contents.delete(other);
      this.#kept -= oldest.length;
    }
    return { name, bytes };
  }

  #entry({ path = '', nth, index }: EntryPlace): ZipEntry | undefined {
    const { entries } = this.archive;
    if (index !== undefined) return entries[index];
    return nth > 0 ? entries.filter(({ name }) => name === path)[nth] : this.archive.get(path);
  }

  #named({ path = '', nth, index }: EntryPlace): Uint8Array | null {
    if (index !== undefined || nth > 0) return null;
    return readNamed({ archive: this.archive, left: leftBy(this.#left) }, path);
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
    this.#loaders.push([...this.#dexes]);
    const carrier = { archive: this.archive, sha256: '', left: leftBy(this.#left) };
    walkChildren(carrier, (child, bytes) => this.#openChild(child, bytes));
    return this.#dexes;
  }

  /** Adds the code of a file that came out of the APK. */
  #openChild({ kind, ways }: Child, bytes: Uint8Array): void {
    const name = childName(ways[0]!);
    try {
      const dexes = childDexes(kind, name, bytes, this.#findings);
      this.#loaders.push(dexes);
      this.#dexes!.push(...dexes);
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      this.unreadableDexes.push({ name, reason: error.message });
    }
  }

  /** Whether a dex stands beside what Android loads by itself. */
  isEmbedded(dex: Dex): boolean {
    return this.loaderOf(dex) !== this.#loaders[0];
  }

  /** Groups of dex files that are loaded together: the app's own, then those of each file of code beside them. */
  get loaders(): readonly (readonly Dex[])[] {
    return this.dexes.length === 0 ? [] : this.#loaders;
  }

  /** As the manifest has it; empty where it cannot be read. */
  get packageName(): string {
    this.#packageName ??= this.#readPackageName();
    return this.#packageName;
  }

  #readPackageName(): string {
    const entry = this.archive.get('AndroidManifest.xml');
    if (entry === undefined) return '';
    try {
      const document = parseBinaryXml(this.archive.read(entry), this.#findings, entry.name);
      return readManifest(document, this.resources, this.#findings)?.packageName ?? '';
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      return '';
    }
  }

  /** The dex files that a dex is loaded with, itself among them. */
  loaderOf(dex: Dex): readonly Dex[] {
    return this.loaders.find((dexes) => dexes.includes(dex)) ?? [];
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
    this.#tree ??= new ClassTree(this.dexes, this.packageName);
    return this.#tree;
  }

  /** The classes of one dex file, by its name, or of all. @throws ExplorationFault `not-found` */
  treeOf(dex: string | undefined): ClassTree {
    if (dex === undefined) return this.tree;
    if (this.#dexTree?.dex !== dex)
      this.#dexTree = { dex, tree: new ClassTree(this.dexesNamed(dex), this.packageName) };
    return this.#dexTree.tree;
  }

  /** The dex files of this name, or all. @throws ExplorationFault `not-found` */
  dexesNamed(name: string | undefined): readonly Dex[] {
    const dexes = name === undefined ? this.dexes : this.dexes.filter(({ where }) => where === name);
    if (name !== undefined && dexes.length === 0) throw new ExplorationFault('not-found', 'there is no such dex file');
    return dexes;
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
export function openedApp(file: FileReference, left: LeftFiles, names: CodeNames = noNames): OpenedApp {
  const key = carrierKey(file, left);
  const known = opened.get(key);
  opened.delete(key);
  const app = known ?? openNew(file, left);
  app.names = names;
  opened.set(key, app);
  for (const [path, oldest] of opened) {
    if (opened.size <= maxOpen) break;
    opened.delete(path);
    oldest.source.close();
  }
  return app;
}

function openNew(file: FileReference, left: LeftFiles): OpenedApp {
  const source = openFile(file);
  try {
    return new OpenedApp(source, left);
  } catch (error) {
    source.close();
    throw error;
  }
}
