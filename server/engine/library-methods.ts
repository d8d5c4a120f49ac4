// What a library consists of: hashes of the methods in a JAR, an AAR or an APK, and its packages. Knows no table of libraries.
import type { FileReference } from '../contract/engine/analysis-results.ts';
import { hashBytes } from '../contract/engine/code-sketch.ts';
import {
  type LibraryMethods,
  maxLibraryMethods,
  maxLibraryPackages,
  maxPackagePath,
} from '../contract/engine/library-methods.ts';
import { type ByteSource, memorySource } from '../vault/byte-source.ts';
import { dexEntries, openPackage } from './app/app-package.ts';
import { isKnownLibrary } from './app/known-libraries.ts';
import { Findings } from './findings.ts';
import { FormatError } from './formats/byte-reader.ts';
import { ClassFile } from './formats/class-file/class-file.ts';
import { scanCode } from './formats/dex/code-scan.ts';
import { openDexContainer } from './formats/dex/dex.ts';
import { openZip, type ZipArchive } from './formats/zip/archive.ts';
import { appName, archiveName } from './library-name.ts';
import { openFile } from './open-file.ts';
import { classMethodHashes } from './similarity/class-method-hashes.ts';
import { DexMethodHashes } from './similarity/dex-method-hashes.ts';

/** Code for other releases of Java, and what names a module, is none that Android runs. */
const isClassFile = (name: string): boolean =>
  name.endsWith('.class') && !name.startsWith('META-INF/') && !/(^|\/)(module|package)-info\.class$/.test(name);
/** An AAR's code, or one of the JARs of a ZIP. */
const isInnerJar = (name: string): boolean => /\.jar$/i.test(name);

const packageOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

class LibraryReader {
  readonly #methods = new Set<number>();
  readonly #packages = new Set<string>();
  #unread = 0;

  #add(path: string, hash: number): void {
    if (this.#methods.size < maxLibraryMethods) this.#methods.add(hash);
    const name = packageOf(path);
    if (name !== '' && name.length <= maxPackagePath && this.#packages.size < maxLibraryPackages)
      this.#packages.add(name);
  }

  #attempt(read: () => void): void {
    try {
      read();
    } catch (error) {
      if (!(error instanceof FormatError || error instanceof RangeError)) throw error;
      this.#unread++;
    }
  }

  addJar(archive: ZipArchive, isInner: boolean): void {
    for (const entry of archive.entries) {
      if (!isInner && isInnerJar(entry.name))
        this.#attempt(() => this.addJar(openZip(memorySource(archive.read(entry)), new Findings()), true));
      else if (isClassFile(entry.name))
        this.#attempt(() => {
          const file = new ClassFile(archive.read(entry));
          for (const hash of classMethodHashes(file)) this.#add(file.name, hash);
        });
    }
  }

  /** Of an app, what has the name of a known library, which its own code has not. */
  addApp(source: ByteSource): void {
    const { archive, manifest } = openPackage(source, new Findings());
    for (const entry of dexEntries(archive))
      this.#attempt(() => {
        for (const dex of openDexContainer(archive.read(entry), new Findings(), entry.name)) {
          const hashes = new DexMethodHashes(dex);
          const code = (classIndex: number, units: Uint16Array, start: number, end: number) => {
            const name = dex.className(classIndex);
            if (!isKnownLibrary(name, manifest?.packageName ?? '')) return;
            const hash = hashes.hashOf(units, start, end);
            if (hash !== null) this.#add(name.slice(1), hash);
          };
          scanCode(dex, { code }, () => undefined);
        }
      });
  }

  result(): Omit<LibraryMethods, 'name' | 'version'> {
    const hashes = Uint32Array.from(this.#methods).sort();
    const methods = Buffer.alloc(hashes.length * hashBytes);
    for (const [index, hash] of hashes.entries()) methods.writeUInt32BE(hash, index * hashBytes);
    return { methods, packages: [...this.#packages], unread: this.#unread };
  }
}

/**
 * Reads a library, or the libraries that an app carries.
 * @throws FormatError `not-a-zip` or `zip-limit` where the file is no archive, `no-manifest` where it has dex files alone
 */
export function libraryMethods(file: FileReference): LibraryMethods {
  const source = openFile(file);
  try {
    const reader = new LibraryReader();
    const archive = openZip(source, new Findings());
    const isApp = dexEntries(archive).length > 0;
    if (isApp) reader.addApp(source);
    else reader.addJar(archive, false);
    return { ...(isApp ? appName(source) : archiveName(archive)), ...reader.result() };
  } finally {
    source.close();
  }
}
