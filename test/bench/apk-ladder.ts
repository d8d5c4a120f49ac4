// APKs from 0.04 to 60 MB: the real ones, and larger ones put together from the dex files and libraries of the real ones.
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Findings } from '../../server/engine/findings.ts';
import { openZip } from '../../server/engine/formats/zip/archive.ts';
import { memorySource } from '../../server/vault/byte-source.ts';
import { realApks } from '../fixtures/real-apks.ts';
import { buildZip, type ZipEntryPlan } from '../fixtures/zip-builder.ts';

export interface Rung {
  path: string;
  /** Megabytes (10^6 bytes). */
  size: number;
}

const folder = join(tmpdir(), 'apk-workstation-bench');

/** Every dex file of the real APKs, each in its packed form, so that building stays cheap. */
function dexFiles(): { content: Uint8Array }[] {
  return [realApks.uiautomator2Server, realApks.minicap, realApks.apiDemos, realApks.settings].flatMap((path) => {
    const archive = openZip(memorySource(readFileSync(path)), new Findings());
    return archive.entries
      .filter(({ name }) => /^classes\d*\.dex$/.test(name))
      .map((entry) => ({ content: archive.read(entry) }));
  });
}

/** The 18 MB APK with further dex files until it has the wanted size; those past the first set are repeated. */
function largeApk(megabytes: number): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${megabytes}mb.apk`);
  if (existsSync(path)) return path;
  const archive = openZip(memorySource(readFileSync(realApks.uiautomator2Server)), new Findings());
  const entries: ZipEntryPlan[] = archive.entries
    .filter(({ name }) => !name.startsWith('META-INF/'))
    .map((entry) => ({ name: entry.name, method: entry.method, content: archive.read(entry) }));
  let dexNumber = entries.filter(({ name }) => /^classes\d*\.dex$/.test(String(name))).length;
  const more = dexFiles();
  let size = statSync(realApks.uiautomator2Server).size;
  for (let index = 0; size < megabytes * 1e6; index++) {
    const plan = { name: `classes${++dexNumber}.dex`, method: 8, ...more[index % more.length]! };
    entries.push(plan);
    size += buildZip({ entries: [plan] }).length;
  }
  writeFileSync(path, buildZip({ entries }));
  return path;
}

/** Manifest, resource table and the smaller dex files of the 18 MB APK, so that there is one of some 1.5 MB. */
function smallApk(): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'small.apk');
  if (existsSync(path)) return path;
  const archive = openZip(memorySource(readFileSync(realApks.uiautomator2Server)), new Findings());
  const entries = archive.entries
    .filter(({ name }) => /^(AndroidManifest\.xml|resources\.arsc|classes\d+\.dex)$/.test(name))
    .map(
      (entry): ZipEntryPlan => ({
        name: entry.name.replace('classes16.', 'classes.'),
        method: entry.method,
        content: archive.read(entry),
      }),
    );
  writeFileSync(path, buildZip({ entries }));
  return path;
}

/** APKs in rising order of size. */
export const apkLadder = (): Rung[] =>
  [
    realApks.unicodeIme,
    realApks.uiautomator2Test,
    smallApk(),
    realApks.settings,
    realApks.minicap,
    realApks.apiDemos,
    realApks.uiautomator2Server,
    largeApk(43),
    largeApk(60),
  ].map((path) => ({ path, size: statSync(path).size / 1e6 }));
