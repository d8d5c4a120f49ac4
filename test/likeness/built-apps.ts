// Apps made of Java libraries, each the code of one app and of libraries in it, and what developers, repackagers and obfuscators
// make of them. Knows no server and no figures.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Findings } from '../../server/engine/findings.ts';
import { openZip } from '../../server/engine/formats/zip/archive.ts';
import { fileSource, memorySource } from '../../server/vault/byte-source.ts';
import { buildAxml, element } from '../fixtures/axml-builder.ts';
import { readClassFile } from '../fixtures/dynamic/compiled/class-file.ts';
import { type SmaliClass, toSmali } from '../fixtures/dynamic/compiled/class-to-smali.ts';
import type { JavaTools } from '../fixtures/java-tools.ts';
import { buildZip } from '../fixtures/zip-builder.ts';

export type ClassBytes = ReadonlyMap<string, Buffer>;

/** Class files of a JAR by their paths. @param prefix those alone that begin so */
export function classesOfJar(jar: string | Buffer, prefix = ''): ClassBytes {
  const source = typeof jar === 'string' ? fileSource(jar) : memorySource(jar);
  try {
    const archive = openZip(source, new Findings());
    const chosen = archive.entries.filter(
      ({ name }) => name.endsWith('.class') && name.startsWith(prefix) && !/^META-INF|(module|package)-info/.test(name),
    );
    return new Map(chosen.map((entry) => [entry.name, Buffer.from(archive.read(entry))]));
  } finally {
    source.close();
  }
}

/** Classes that the converter has no words for are left out. */
export function smaliOfClasses(classes: ClassBytes): SmaliClass[] {
  const read = [...classes.values()].map((bytes) => readClassFile(bytes));
  try {
    return toSmali(read);
  } catch {
    return read.flatMap((file) => {
      try {
        return toSmali([file]);
      } catch {
        return [];
      }
    });
  }
}

let assembledCount = 0;

export async function dexOfSmali(tools: JavaTools, folder: string, classes: readonly SmaliClass[]): Promise<Buffer> {
  const place = join(folder, String(++assembledCount));
  mkdirSync(place, { recursive: true });
  for (const [index, { text }] of classes.entries()) writeFileSync(join(place, `${index}.smali`), text);
  const dex = join(folder, `${assembledCount}.dex`);
  await tools.assemble(place, dex);
  rmSync(place, { recursive: true });
  return readFileSync(dex);
}

export interface AppIdentity {
  readonly packageName: string;
  /** Class that the launcher starts, `com.example.Main`; null where the manifest names none. */
  readonly main: string | null;
}

/** An APK of dex files, which no one signed. */
export function apkOf({ packageName, main }: AppIdentity, dexes: readonly Uint8Array[]): Buffer {
  const filter = element(
    'intent-filter',
    {},
    element('action', { 'android:name': 'android.intent.action.MAIN' }),
    element('category', { 'android:name': 'android.intent.category.LAUNCHER' }),
  );
  const activities = main === null ? [] : [element('activity', { 'android:name': main }, filter)];
  const manifest = element('manifest', { package: packageName }, element('application', {}, ...activities));
  return buildZip({
    entries: [
      { name: 'AndroidManifest.xml', content: Buffer.from(buildAxml(manifest)) },
      ...dexes.map((content, index) => ({ name: `classes${index === 0 ? '' : index + 1}.dex`, content })),
    ],
  });
}

/** Platform classes that ProGuard needs to know, of the running Java, in a version of class files that it reads. */
export function platformJar(javaHome: string, path: string): void {
  // A jmod is a ZIP file behind four bytes.
  const archive = openZip(memorySource(readFileSync(`${javaHome}/jmods/java.base.jmod`).subarray(4)), new Findings());
  const parts = /^classes\/javax?\/.*\.class$/;
  const entries = archive.entries
    .filter(({ name }) => parts.test(name))
    .map((entry) => {
      const content = Buffer.from(archive.read(entry));
      content.writeUInt32BE(52, 4);
      return { name: entry.name.slice('classes/'.length), content };
    });
  writeFileSync(path, buildZip({ entries }));
}

/** What ProGuard makes of class files. @param libraries JARs that they call @param options in its own words @throws Error with what it says */
export function obfuscated(
  proguard: string,
  libraries: readonly string[],
  folder: string,
  classes: ClassBytes,
  options: readonly string[],
): ClassBytes {
  const [given, made] = [join(folder, 'given.jar'), join(folder, 'made.jar')];
  rmSync(made, { force: true });
  writeFileSync(given, buildZip({ entries: [...classes].map(([name, content]) => ({ name, content })) }));
  const words = ['-dontwarn', '-dontnote', '-ignorewarnings', '-dontpreverify', '-forceprocessing', ...options];
  const { status, stdout, stderr } = spawnSync(
    proguard,
    ['-injars', given, '-outjars', made, '-libraryjars', libraries.join(':'), ...words],
    { encoding: 'utf8', timeout: 600_000 },
  );
  if (status !== 0) throw new Error(`proguard: ${stdout}${stderr}`);
  return classesOfJar(made);
}
