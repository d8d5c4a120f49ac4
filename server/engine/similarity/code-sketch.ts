// What an app's own code does, as a sketch that renaming, reordering and repackaging leave alone. Knows no other app.
// Of sets of hashes the smallest stand for all: Broder, On the Resemblance and Containment of Documents, 1997.
import {
  type CodeSketch,
  coreBands,
  hashBytes,
  maxCoreHashes,
  maxSketchHashes,
  sketchBands,
  tellingMethods,
} from '../../contract/engine/code-sketch.ts';
import type { CodeRun } from '../formats/dex/code-scan.ts';
import type { Dex } from '../formats/dex/dex.ts';
import { DexMethodHashes } from './dex-method-hashes.ts';
import type { KnownMethods } from './known-methods.ts';

const maxMethods = 1_000_000;

/** Whether a class, `com/example/app/Main`, is surely the app's own, by rules of which the surest comes first. */
export type OwnCode = readonly ((path: string) => boolean)[];

/** Methods that stand in a package of a known library. */
interface NamedPackage {
  readonly unknown: number[];
  known: number;
}

const isLibrary = (named: NamedPackage | null): boolean => named !== null && named.known > 0;

/** Methods that stand where the manifest says that the app's own code is. */
interface Core {
  readonly methods: Set<number>;
  hasClasses: boolean;
}

/** Classes that every app has, made by tools. */
const isGenerated = /\/(?:R(?:\$[a-z]+)?|BuildConfig)$/;

const ascending = (hashes: Iterable<number>): Uint32Array => Uint32Array.from(hashes).sort();

function bytesOf(hashes: Uint32Array, most: number): Buffer {
  const kept = Buffer.alloc(Math.min(hashes.length, most) * hashBytes);
  for (let at = 0; at < kept.length; at += hashBytes) kept.writeUInt32BE(hashes[at / hashBytes]!, at);
  return kept;
}

/** The sketch of an app with these methods. @param core those that are surely its own; null where nothing tells */
export function sketchOf(own: Iterable<number>, core: Iterable<number> | null): CodeSketch {
  const hashes = ascending(own);
  const coreHashes = core === null ? null : ascending(core);
  const bands = [...hashes.subarray(0, sketchBands), ...(coreHashes ?? []).slice(0, coreBands)];
  return {
    methods: hashes.length,
    hashes: bytesOf(hashes, maxSketchHashes),
    core: coreHashes === null ? null : { methods: coreHashes.length, hashes: bytesOf(coreHashes, maxCoreHashes) },
    bands: [...new Set(bands)],
  };
}

/**
 * Makes the sketch of an app's code, which it is told of method by method: hashes of what is no known library's. A method is a
 * library's where the table has its hash. One that the table lacks, as those of other versions, is a library's where its
 * package is one of a library and has methods of the table, too. Where an obfuscator renamed libraries that the table lacks,
 * all is own code, and the core tells what of it is the app's.
 */
export class CodeSketcher {
  readonly #known: KnownMethods;
  readonly #ownCode: OwnCode;
  readonly #own = new Set<number>();
  /** By how sure it is, as `OwnCode` says. */
  readonly #cores: readonly Core[];
  /** By path; null where no library has it. */
  readonly #packages = new Map<string, NamedPackage | null>();

  constructor(known: KnownMethods, ownCode: OwnCode) {
    this.#known = known;
    this.#ownCode = ownCode;
    this.#cores = ownCode.map(() => ({ methods: new Set(), hasClasses: false }));
  }

  /** What is to be told of a dex file's code. */
  reader(dex: Dex): CodeRun {
    const hashes = new DexMethodHashes(dex);
    let lastClass = -1;
    let named: NamedPackage | null = null;
    let core: Core | null = null;
    return (classIndex, units, start, end) => {
      if (classIndex !== lastClass) {
        lastClass = classIndex;
        const path = dex.className(classIndex).slice(1, -1);
        named = this.#packageOf(path);
        core = isGenerated.test(path) ? null : (this.#cores[this.#ownCode.findIndex((isOwn) => isOwn(path))] ?? null);
      }
      if (core !== null) core.hasClasses = true;
      if (isLibrary(named) || this.#own.size >= maxMethods) return;
      const hash = hashes.hashOf(units, start, end);
      if (hash === null) return;
      if (this.#known.has(hash)) {
        if (named !== null) named.known++;
        return;
      }
      if (named === null) this.#own.add(hash);
      else named.unknown.push(hash);
      core?.methods.add(hash);
    };
  }

  #packageOf(classPath: string): NamedPackage | null {
    const path = classPath.slice(0, Math.max(0, classPath.lastIndexOf('/')));
    let named = this.#packages.get(path);
    if (named === undefined) {
      named = this.#known.hasPackage(path) ? { unknown: [], known: 0 } : null;
      this.#packages.set(path, named);
    }
    return named;
  }

  sketch(): CodeSketch {
    // So many methods that no version of a library has are not that library's, whatever their package is called.
    for (const named of this.#packages.values())
      if (named?.known === 0 && named.unknown.length >= tellingMethods)
        for (const hash of named.unknown) this.#own.add(hash);
    return sketchOf(this.#own, this.#core());
  }

  /** The surest places first, further ones only where those have too little code. */
  #core(): Set<number> | null {
    const methods = new Set<number>();
    for (const core of this.#cores) {
      if (methods.size >= tellingMethods) break;
      for (const hash of core.methods) if (this.#own.has(hash)) methods.add(hash);
    }
    return this.#cores.some(({ hasClasses }) => hasClasses) ? methods : null;
  }
}
