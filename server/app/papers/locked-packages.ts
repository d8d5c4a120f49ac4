// The packages of the lock file: what each is, under which licence, what it needs. Asks no registry; runs when the program
// is built or checked, never inside it.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** https://docs.npmjs.com/cli/v11/configuring-npm/package-lock-json */
interface LockEntry {
  version: string;
  license?: string;
  integrity?: string;
  dev?: boolean;
  devOptional?: boolean;
  optional?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

export interface LockedPackage {
  /** `node_modules/express`, from the top of the tree with `/`. */
  readonly path: string;
  readonly name: string;
  readonly version: string;
  /** As its author writes it, an SPDX expression in most packages; null where he says nothing. */
  readonly licence: string | null;
  /** Of the packed package, as in `sha512-…`; null for what comes from no registry. */
  readonly integrity: string | null;
  /** The server needs it at run time. */
  readonly isNeededByServer: boolean;
  /** It is for some platforms alone. */
  readonly isOptional: boolean;
  /** Paths of the packages that it needs. */
  readonly needs: readonly string[];
}

/** Where a package of this name is found by whoever stands at `from`: the nearest `node_modules` above. */
function found(lock: Record<string, LockEntry>, from: string, name: string): string | null {
  for (let place = from; ; place = place.slice(0, Math.max(0, place.lastIndexOf('/node_modules/')))) {
    const path = place === '' ? `node_modules/${name}` : `${place}/node_modules/${name}`;
    if (lock[path] !== undefined) return path;
    if (place === '') return null;
  }
}

/** What an installed package says of its licence itself; older ones list several. */
function statedLicence(folder: string): string | null {
  if (!existsSync(join(folder, 'package.json'))) return null;
  const stated = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    license?: string | { type: string };
    licenses?: readonly { type: string }[];
  };
  if (typeof stated.license === 'string') return stated.license;
  const several = stated.licenses ?? (stated.license === undefined ? [] : [stated.license]);
  return several.length === 0 ? null : several.map(({ type }) => type).join(' OR ');
}

/** Every package that the lock file names, by its path. @param root of the tree */
export function lockedPackages(root: string): ReadonlyMap<string, LockedPackage> {
  const { packages: lock } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockEntry>;
  };
  const packages = Object.entries(lock)
    .filter(([path]) => path !== '')
    .map(([path, entry]): [string, LockedPackage] => {
      const needed = { ...entry.dependencies, ...entry.optionalDependencies };
      const needs = Object.keys(needed).map((name) => found(lock, path, name));
      return [
        path,
        {
          path,
          name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
          version: entry.version,
          licence: entry.license ?? statedLicence(join(root, path)),
          integrity: entry.integrity ?? null,
          isNeededByServer: entry.dev !== true,
          isOptional: entry.optional === true || entry.devOptional === true,
          needs: needs.filter((need) => need !== null),
        },
      ];
    });
  return new Map(packages);
}

/**
 * The packages of which anything is in the program that people get: what the server needs, what stands in the files of the
 * interface, Electron.
 * @param bundled paths of the packages that the interface is made of
 */
export function shippedPackages(root: string, bundled: Iterable<string>): LockedPackage[] {
  const packages = lockedPackages(root);
  const paths = new Set([...bundled, 'node_modules/electron']);
  for (const path of paths) {
    if (!packages.has(path)) throw new Error(`${path} is in the interface and not in package-lock.json`);
  }
  return [...packages.values()].filter(({ path, isNeededByServer }) => isNeededByServer || paths.has(path));
}
