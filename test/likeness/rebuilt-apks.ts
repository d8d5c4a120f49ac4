// What repackagers make of an APK with apktool: the same app under another name and signer, its code rewritten, its classes
// renamed. Knows no server and no figures.
import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { apkDexes } from '../fixtures/apk-dexes.ts';
import type { SmaliClass } from '../fixtures/dynamic/compiled/class-to-smali.ts';
import { renamedDexes } from '../fixtures/renamed-dex.ts';
import { signingKey } from '../fixtures/signing-keys.ts';
import { withEncryptedStrings } from './smali-rewriting.ts';

export interface RebuildingTools {
  readonly apktool: string;
  readonly apksigner: string;
  readonly folder: string;
}

const repackagersKey = 'rsa-3072';
const mostMinutes = 10;

/** Of what is made of one APK, by the kind of change. */
export class RebuiltApk {
  readonly #tools: RebuildingTools;
  readonly #apk: string;
  readonly #place: string;

  constructor(tools: RebuildingTools, apk: string) {
    this.#tools = tools;
    this.#apk = apk;
    this.#place = join(tools.folder, basename(apk, '.apk'));
  }

  async *all(): AsyncGenerator<[name: string, apk: Buffer]> {
    const isWhole = this.#unpack(false) && this.#isBuilt();
    // Apktool cannot build every app's resources anew; its code it can.
    if (!isWhole && !(this.#unpack(true) && this.#isBuilt())) return;
    if (isWhole) this.#rename();
    yield [isWhole ? 'repackaged' : 'repackaged, resources as they were', this.#signed()];
    yield ['classes renamed', await this.#withRenamedClasses()];
    // Methods are not added: a large app's dex files name as many as they can.
    this.#rewrite(withEncryptedStrings);
    yield ['strings encrypted', this.#signed()];
    rmSync(this.#place, { recursive: true });
  }

  #run(program: string, ...words: string[]): boolean {
    return spawnSync(program, words, { stdio: 'ignore', timeout: mostMinutes * 60_000 }).status === 0;
  }

  #unpack(isCodeOnly: boolean): boolean {
    const frameworks = join(this.#tools.folder, 'frameworks');
    const words = ['d', '-f', '-p', frameworks, ...(isCodeOnly ? ['-r'] : []), '-o', this.#place, this.#apk];
    return this.#run(this.#tools.apktool, ...words);
  }

  get #unsigned(): string {
    return `${this.#place}-unsigned.apk`;
  }

  #isBuilt(): boolean {
    rmSync(this.#unsigned, { force: true });
    const frameworks = join(this.#tools.folder, 'frameworks');
    return this.#run(this.#tools.apktool, 'b', '-p', frameworks, '-o', this.#unsigned, this.#place);
  }

  /** The package has another name; the classes of the app's components are called as before. */
  #rename(): void {
    const path = join(this.#place, 'AndroidManifest.xml');
    const text = readFileSync(path, 'utf8');
    const old = /\bpackage="([^"]+)"/.exec(text)![1]!;
    const whole = text
      .replace(/(android:(?:name|targetActivity|backupAgent)=")\./g, `$1${old}.`)
      .replace(`package="${old}"`, `package="copy.of.${old}"`);
    writeFileSync(path, whole);
  }

  #rewrite(change: (classes: readonly SmaliClass[]) => readonly SmaliClass[]): void {
    for (const folder of globSync(join(this.#place, 'smali*'))) {
      const classes = globSync(join(folder, '**/*.smali')).map((path) => ({
        name: relative(folder, path).replace(/\.smali$/, ''),
        text: readFileSync(path, 'utf8').replace(/^ +/gm, ''),
      }));
      for (const { name, text } of change(classes)) {
        const path = join(folder, `${name}.smali`);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, text);
      }
    }
  }

  /** @throws Error where what is there cannot be built and signed */
  #signed(): Buffer {
    if (!this.#isBuilt()) throw new Error(`${this.#apk}: apktool does not build it`);
    return this.#signedAs(this.#unsigned);
  }

  #signedAs(unsigned: string): Buffer {
    const { privateKey, certificate } = signingKey(repackagersKey);
    const [key, cert, signed] = ['key.pk8', 'cert.der', 'signed.apk'].map((name) => join(this.#tools.folder, name)) as [
      ...[string, string, string],
    ];
    writeFileSync(key, privateKey.export({ type: 'pkcs8', format: 'der' }));
    writeFileSync(cert, certificate);
    const words = ['sign', '--min-sdk-version', '21', '--key', key, '--cert', cert, '--out', signed, unsigned];
    if (!this.#run(this.#tools.apksigner, ...words)) throw new Error(`${this.#apk}: apksigner does not sign it`);
    return readFileSync(signed);
  }

  /** Classes and members have short names, in another order; the manifest names what is no longer there. */
  async #withRenamedClasses(): Promise<Buffer> {
    const dexes = await apkDexes(this.#unsigned);
    const { dexes: renamed } = renamedDexes([...dexes.values()], { seed: 3, isReversed: true, folder: 'a/' });
    const copy = `${this.#place}-renamed.apk`;
    writeFileSync(copy, readFileSync(this.#unsigned));
    for (const [at, name] of [...dexes.keys()].entries()) {
      writeFileSync(join(this.#tools.folder, name), renamed[at]!);
      const isIn = spawnSync('zip', ['-q', '-j', copy, join(this.#tools.folder, name)]).status === 0;
      if (!isIn) throw new Error(`${this.#apk}: zip does not take ${name}`);
    }
    return this.#signedAs(copy);
  }
}
