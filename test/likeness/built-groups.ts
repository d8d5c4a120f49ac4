// Groups of apps, each one app and what is derived from it, all with the same library that no table knows. Knows no figures.
import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { SmaliClass } from '../fixtures/dynamic/compiled/class-to-smali.ts';
import type { JavaTools } from '../fixtures/java-tools.ts';
import { renamedDexes } from '../fixtures/renamed-dex.ts';
import { mangle } from '../roundtrip/mangler.ts';
import type { GroupedApk } from './asked-workstation.ts';
import {
  type AppIdentity,
  apkOf,
  type ClassBytes,
  classesOfJar,
  dexOfSmali,
  obfuscated,
  platformJar,
  smaliOfClasses,
} from './built-apps.ts';
import { withEncryptedStrings, withJunk } from './smali-rewriting.ts';

/** The code of an app: a part of a JAR, and what in it the launcher starts. */
export interface BaseApp {
  readonly jar: string;
  readonly prefix: string;
  readonly main: string;
}

export interface BuildingTools {
  readonly java: JavaTools;
  readonly folder: string;
  /** Null where ProGuard is not there. */
  readonly proguard: { readonly path: string; readonly javaHome: string; readonly libraries: readonly string[] } | null;
}

const heavyOptions = [
  ...['-optimizationpasses', '3', '-allowaccessmodification', '-overloadaggressively', '-mergeinterfacesaggressively'],
  ...['-repackageclasses', 'a'],
];

/** What is made of an app in one dex file after the other, by the kind of change. */
class Derivations {
  readonly #tools: BuildingTools;
  readonly #identity: AppIdentity;
  readonly #classes: ClassBytes;
  readonly #jar: string;
  readonly #smali: readonly SmaliClass[];
  readonly #library: Buffer;
  readonly #foreign: Buffer;

  constructor(tools: BuildingTools, base: BaseApp, library: Buffer, foreign: Buffer) {
    this.#tools = tools;
    this.#jar = base.jar;
    this.#classes = classesOfJar(base.jar, base.prefix);
    this.#smali = smaliOfClasses(this.#classes);
    this.#identity = { packageName: base.prefix.replace(/\/$/, '').replaceAll('/', '.'), main: base.main };
    this.#library = library;
    this.#foreign = foreign;
  }

  #dex(classes: readonly SmaliClass[]): Promise<Buffer> {
    return dexOfSmali(this.#tools.java, this.#tools.folder, classes);
  }

  #apk(own: readonly Buffer[], identity = this.#identity): Buffer {
    return apkOf(identity, [...own, this.#library]);
  }

  #renamed(own: Buffer, seed: number, without?: number): Buffer {
    const renaming = { seed, isReversed: true, folder: 'a/', ...(without === undefined ? {} : { without }) };
    const { dexes, classes } = renamedDexes([own, this.#library], renaming);
    const main = classes.get(`L${this.#identity.main?.replaceAll('.', '/')};`) ?? null;
    return apkOf(
      { packageName: `x${seed}.${this.#identity.packageName}`, main: main?.slice(1, -1).replaceAll('/', '.') ?? null },
      dexes,
    );
  }

  async *all(): AsyncGenerator<[name: string, apk: Buffer]> {
    const smali = this.#smali;
    const own = await this.#dex(smali);
    yield ['original', this.#apk([own])];
    yield ['repackaged', this.#apk([own], { ...this.#identity, packageName: `copy.${this.#identity.packageName}` })];
    yield ['renamed', this.#renamed(own, 5)];
    yield ['renamed and shrunk', this.#renamed(own, 9, 3)];
    yield ['mangled', this.#apk([await this.#dex(mangle(smali, 7))])];
    yield [
      'next major version',
      this.#apk([
        await this.#dex(
          withJunk(
            smali.filter((_, at) => at % 3 > 0),
            4,
          ),
        ),
      ]),
    ];
    yield ['strings encrypted', this.#apk([await this.#dex(withEncryptedStrings(smali))])];
    yield ['junk', this.#apk([await this.#dex(withJunk(smali, 1))])];
    const part = Math.ceil(smali.length / 3);
    const parts = [0, 1, 2].map((at) => smali.slice(at * part, (at + 1) * part));
    yield ['several dex files', this.#apk(await Promise.all(parts.map((each) => this.#dex(each))))];
    yield ['packed with an app', apkOf(this.#identity, [own, this.#library, this.#foreign])];
    yield* this.#obfuscated();
  }

  async *#obfuscated(): AsyncGenerator<[string, Buffer]> {
    const { proguard, folder } = this.#tools;
    if (proguard === null) return;
    const platform = join(folder, 'platform.jar');
    platformJar(proguard.javaHome, platform);
    const keep = ['-keep', `class ${this.#identity.main} { public *; }`];
    const libraries = [...new Set([platform, this.#jar, ...proguard.libraries].map((path) => realpathSync(path)))];
    const made = (...options: string[]) =>
      smaliOfClasses(obfuscated(proguard.path, libraries, folder, this.#classes, [...keep, ...options]));
    yield ['obfuscated', this.#apk([await this.#dex(made('-dontoptimize', '-repackageclasses', 'a'))])];
    const heavy = made(...heavyOptions);
    yield ['optimized', this.#apk([await this.#dex(heavy)])];
    yield ['optimized, strings encrypted', this.#apk([await this.#dex(withEncryptedStrings(heavy))])];
  }
}

/** @param library which all apps have, and no table; @param foreign what some are packed with */
export async function builtGroups(
  tools: BuildingTools,
  bases: readonly BaseApp[],
  library: readonly SmaliClass[],
  foreign: readonly SmaliClass[],
): Promise<GroupedApk[]> {
  mkdirSync(tools.folder, { recursive: true });
  const [libraryDex, foreignDex] = await Promise.all(
    [library, foreign].map((classes) => dexOfSmali(tools.java, tools.folder, classes)),
  );
  const apks: GroupedApk[] = [];
  for (const base of bases)
    for await (const [name, file] of new Derivations(tools, base, libraryDex!, foreignDex!).all())
      apks.push({ name: `${base.prefix}${name}`, group: base.prefix, file });
  return apks;
}
