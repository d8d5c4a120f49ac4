// Libraries as compilers left them, against the dex code that d8 made of the same sources for an app.
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { openPromise } from 'yauzl';
import { Findings } from '../../../server/engine/findings.ts';
import { scanCode } from '../../../server/engine/formats/dex/code-scan.ts';
import { openDex } from '../../../server/engine/formats/dex/dex.ts';
import { libraryMethods } from '../../../server/engine/library-methods.ts';
import { DexMethodHashes } from '../../../server/engine/similarity/dex-method-hashes.ts';
import { apkDexes } from '../../fixtures/apk-dexes.ts';
import { realApks } from '../../fixtures/real-apks.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { buildZip } from '../../fixtures/zip-builder.ts';

/** Debian's, of another version than the one in appium's app. */
const library = '/usr/share/java/commons-lang3.jar';
const part = 'org/apache/commons/lang3/';

async function classesOf(jar: string, folder: string): Promise<{ name: string; content: Buffer }[]> {
  const archive = await openPromise(jar);
  const classes: { name: string; content: Buffer }[] = [];
  for await (const entry of archive.eachEntry())
    if (entry.fileName.startsWith(folder) && entry.fileName.endsWith('.class'))
      classes.push({ name: entry.fileName, content: await buffer(await archive.openReadStreamPromise(entry)) });
  return classes;
}

async function dexHashes(apk: string, folder: string): Promise<Set<number>> {
  const found = new Set<number>();
  for (const bytes of (await apkDexes(apk)).values()) {
    const dex = openDex(bytes, new Findings(), 'classes.dex');
    const hashes = new DexMethodHashes(dex);
    const code = (classIndex: number, units: Uint16Array, start: number, end: number) => {
      const hash = dex.className(classIndex).startsWith(`L${folder}`) ? hashes.hashOf(units, start, end) : null;
      if (hash !== null) found.add(hash);
    };
    scanCode(dex, { code }, () => undefined);
  }
  return found;
}

const valuesOf = (methods: Uint8Array): Set<number> => {
  const bytes = Buffer.from(methods);
  return new Set(Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readUInt32BE(index * 4)));
};

test("an AAR's class files have the hashes of the dex code of another version, which d8 made", {
  skip: existsSync(library) ? false : `${library} is not there: apt-get install apktool`,
}, async () => {
  const classes = await classesOf(library, part);
  const jar = buildZip({ entries: classes });
  const path = join(temporaryFolder('library'), 'library.aar');
  writeFileSync(
    path,
    buildZip({
      entries: [
        { name: 'AndroidManifest.xml', content: Buffer.from('<manifest/>') },
        { name: 'classes.jar', content: jar },
      ],
    }),
  );
  const read = libraryMethods({ kind: 'plain', path });
  assert.ok(read.packages.includes('org/apache/commons/lang3/text'));
  assert.equal(read.unread, 0);
  const ofJar = valuesOf(read.methods);
  const ofDex = [...(await dexHashes(realApks.settings, part))];
  assert.ok(ofDex.length > 100, String(ofDex.length));
  const share = ofDex.filter((hash) => ofJar.has(hash)).length / ofDex.length;
  assert.ok(share > 0.4, String(share));

  const damaged = classes
    .slice(0, 20)
    .map(({ name, content }, index) => ({ name, content: content.subarray(0, 8 + index * 40) }));
  writeFileSync(path, buildZip({ entries: damaged }));
  const { methods, unread } = libraryMethods({ kind: 'plain', path });
  assert.ok(unread > 0 && methods.length < 4 * 100, String(unread));
});

test("of an app what stands in packages of libraries is taken, and none of the app's own code", () => {
  const { packages } = libraryMethods({ kind: 'plain', path: realApks.settings });
  assert.ok(packages.includes('androidx/core/view'));
  assert.deepEqual(
    packages.filter((name) => name.startsWith('io/appium')),
    [],
  );
});
