// Which code is that of known libraries, by package prefix. Knows no dex structure.
import { resourceFile } from './resource-file.ts';

export type OriginRow = readonly [name: string, categories: string, website: string, prefixes: string];

/** Rows by package prefix in slashes, and by class for prefixes that end in one. */
export class PrefixIndex<Row> {
  readonly #packages = new Map<string, { row: Row; prefix: string }>();
  readonly #classes = new Map<string, { row: Row; prefix: string }>();
  /** The result for each package: classes of one package follow each other. */
  readonly #known = new Map<string, { row: Row; prefix: string } | null>();

  constructor(rows: readonly Row[], prefixesOf: (row: Row) => string) {
    for (const row of rows) {
      for (const prefix of prefixesOf(row).split(' ').filter(Boolean)) {
        const path = prefix.replaceAll('.', '/');
        const isClass = /[A-Z]/.test(prefix[prefix.lastIndexOf('.') + 1]!);
        (isClass ? this.#classes : this.#packages).set(path, { row, prefix });
      }
    }
  }

  /** The longest prefix that holds a class; `name` is its descriptor. */
  find(descriptor: string): { row: Row; prefix: string } | null {
    const end = descriptor.lastIndexOf('/');
    if (this.#classes.size > 0) {
      const dollar = descriptor.indexOf('$');
      const found = this.#classes.get(descriptor.slice(1, dollar > 0 ? dollar : -1));
      if (found !== undefined) return found;
    }
    if (end < 0) return null;
    const path = descriptor.slice(1, end);
    let found = this.#known.get(path);
    if (found === undefined) {
      found = this.#findPackage(path);
      this.#known.set(path, found);
    }
    return found;
  }

  #findPackage(path: string): { row: Row; prefix: string } | null {
    for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
      const found = this.#packages.get(path.slice(0, end));
      if (found !== undefined) return found;
    }
    return null;
  }
}

let libraryIndex: PrefixIndex<OriginRow> | null = null;

/** Whether a prefix covers the app itself, whose own package is not a library. */
export const isOwnPrefix = (prefix: string, packageName: string): boolean =>
  packageName === prefix || packageName.startsWith(`${prefix}.`);

/**
 * Whether a class is in the package of a known library. The name proves nothing: anybody may use it.
 * @param packageName of the app, which is no library to itself
 */
export function isKnownLibrary(descriptor: string, packageName: string): boolean {
  libraryIndex ??= new PrefixIndex(originRows().libraries, (row) => row[3]);
  const found = libraryIndex.find(descriptor);
  return found !== null && !isOwnPrefix(found.prefix, packageName);
}

export const originRows = () => resourceFile<Record<'trackers' | 'libraries', OriginRow[]>>('code-origins.json');
