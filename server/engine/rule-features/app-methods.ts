// The methods of an app, its own told from libraries' as sketches of code tell them. Knows no rule.
import { isKnownLibrary } from '../app/known-libraries.ts';
import { scanCode } from '../formats/dex/code-scan.ts';
import type { Dex } from '../formats/dex/dex.ts';
import { DexMethodHashes } from '../similarity/dex-method-hashes.ts';
import type { KnownMethods } from '../similarity/known-methods.ts';

export interface AppMethod {
  dex: Dex;
  classIndex: number;
  methodIndex: number;
  /** Its instructions are `units[start, end)`. */
  units: Uint16Array;
  start: number;
  end: number;
  /** null where it is too short to be told from others. */
  hash: number | null;
}

interface Package {
  isNamed: boolean;
  known: number;
  methods: AppMethod[];
}

/** More methods tell nothing new of an app. */
const maxMethods = 400_000;
/** So many methods that no version of a library has are not that library's, whatever their package is called. */
const tellingMethods = 8;

/** All methods with code, by whose they are. @param packageName of the app, which is no library to itself */
export function appMethods(
  dexes: readonly Dex[],
  packageName: string,
  known: KnownMethods,
): { own: AppMethod[]; libraries: AppMethod[] } {
  const packages = new Map<string, Package>();
  const libraries: AppMethod[] = [];
  let count = 0;
  for (const dex of dexes) {
    const hashes = new DexMethodHashes(dex);
    const code = (classIndex: number, units: Uint16Array, start: number, end: number, methodIndex: number) => {
      if (++count > maxMethods) return;
      const name = dex.className(classIndex);
      const method = { dex, classIndex, methodIndex, units, start, end, hash: hashes.hashOf(units, start, end) };
      const isKnown = method.hash !== null && known.has(method.hash);
      const path = name.slice(1, Math.max(1, name.lastIndexOf('/')));
      let home = packages.get(path);
      if (home === undefined) {
        home = { isNamed: known.hasPackage(path), known: 0, methods: [] };
        packages.set(path, home);
      }
      if (isKnown) home.known++;
      if (isKnown || isKnownLibrary(name, packageName)) libraries.push(method);
      else home.methods.push(method);
    };
    scanCode(dex, { code }, () => undefined);
  }
  const own: AppMethod[] = [];
  for (const { isNamed, known: knownCount, methods } of packages.values()) {
    const isLibrary = isNamed && (knownCount > 0 || methods.length < tellingMethods);
    for (const method of methods) (isLibrary ? libraries : own).push(method);
  }
  return { own, libraries };
}
