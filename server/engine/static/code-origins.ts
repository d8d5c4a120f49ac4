// Whose code an app carries: trackers, known libraries and packers by package prefix. Knows no dex structure.
import type { AndroguardReport } from '../../contract/engine/reports.ts';
import { isKnownLibrary, isOwnPrefix, type OriginRow, originRows, PrefixIndex } from '../app/known-libraries.ts';
import { resourceFile, resourceWords } from '../app/resource-file.ts';
import { AppClasses } from '../code/app-classes.ts';
import type { Dex } from '../formats/dex/dex.ts';
import { KnownMethods } from '../similarity/known-methods.ts';

type CodeOrigin = AndroguardReport['trackers'][number];

/** The classes of an app, its own told from known libraries'. */
export const appClasses = (dexes: readonly Dex[], packageName: string): AppClasses =>
  new AppClasses(dexes, (descriptor) => !isKnownLibrary(descriptor, packageName));

let methods: KnownMethods | null = null;

/** Methods of known libraries, kept once read. */
export function knownMethods(): KnownMethods {
  methods ??= KnownMethods.unpack(resourceWords('known-methods.bin'));
  return methods;
}

interface Tally {
  classes: number;
  evidence: string;
}

class OriginCounter {
  readonly #index: PrefixIndex<OriginRow>;
  readonly #packageName: string;
  readonly #tallies = new Map<string, Tally & { row: OriginRow }>();

  constructor(rows: readonly OriginRow[], packageName: string) {
    this.#packageName = packageName;
    this.#index = new PrefixIndex(rows, (row) => row[3]);
  }

  count(descriptor: string): void {
    const found = this.#index.find(descriptor);
    if (found === null || isOwnPrefix(found.prefix, this.#packageName)) return;
    const tally = this.#tallies.get(found.prefix);
    if (tally === undefined) this.#tallies.set(found.prefix, { row: found.row, classes: 1, evidence: descriptor });
    else tally.classes++;
  }

  /** One record per name, by name; of several prefixes the one with most classes is shown. */
  list(): CodeOrigin[] {
    const records = new Map<string, CodeOrigin & { most: number }>();
    for (const [prefix, { row, classes, evidence }] of this.#tallies) {
      const [name, categories, website] = row;
      const known = records.get(name);
      if (known === undefined) {
        const record = { name, categories: categories.split(','), website, prefix, classes, evidence, most: classes };
        records.set(name, record);
      } else {
        known.classes += classes;
        if (classes > known.most) Object.assign(known, { prefix, evidence, most: classes });
      }
    }
    return [...records.values()]
      .map(({ most: _, ...record }) => record)
      .sort((left, right) => (left.name < right.name ? -1 : 1));
  }
}

export interface CodeOrigins {
  trackers: CodeOrigin[];
  libraries: CodeOrigin[];
  packers: PackerSign[];
}

/** A sign of a packer, protector or obfuscator. */
export interface PackerSign {
  name: string;
  kind: 'packer' | 'protector' | 'obfuscator' | 'tampering' | 'payload';
  where: string;
  evidence: string;
}

type PackerRow = readonly [name: string, kind: PackerSign['kind'], libraries: string, files: string, prefixes: string];

/**
 * @param packageName of the app
 * @param descriptors of the classes that the app defines
 * @param application class names of the application and its component factory, in dots
 * @param entries names of the archive's entries
 */
export function codeOrigins(
  packageName: string,
  descriptors: Iterable<string>,
  application: readonly string[],
  entries: Iterable<string>,
): CodeOrigins {
  const { trackers, libraries } = originRows();
  const { rows } = resourceFile<{ rows: PackerRow[] }>('packers.json');
  const trackerCounter = new OriginCounter(trackers, packageName);
  const libraryCounter = new OriginCounter(libraries, packageName);
  const packerIndex = new PrefixIndex(rows, (row) => row[4]);
  const packers = new Map<string, PackerSign>();
  const sign = (row: PackerRow, where: string, evidence: string) => {
    const key = `${row[0]} ${where}`;
    if (!packers.has(key)) packers.set(key, { name: row[0], kind: row[1], where, evidence });
  };
  for (const descriptor of descriptors) {
    trackerCounter.count(descriptor);
    libraryCounter.count(descriptor);
    const packer = packerIndex.find(descriptor);
    if (packer !== null) sign(packer.row, packer.prefix, `class ${descriptor}`);
  }
  for (const name of application) {
    const packer = packerIndex.find(`L${name.replaceAll('.', '/')};`);
    if (packer !== null) sign(packer.row, 'AndroidManifest.xml:application', `class ${name}`);
  }
  const files = new Map<string, PackerRow>();
  for (const row of rows) {
    for (const file of row[2].split(' ').filter(Boolean)) files.set(file, row);
    for (const file of row[3].split(' ').filter(Boolean)) files.set(file, row);
  }
  for (const entry of entries) {
    const row = files.get(entry.slice(entry.lastIndexOf('/') + 1)) ?? files.get(entry.replace(/^assets\//, ''));
    if (row !== undefined) sign(row, entry, `file ${entry}`);
  }
  return { trackers: trackerCounter.list(), libraries: libraryCounter.list(), packers: [...packers.values()] };
}
