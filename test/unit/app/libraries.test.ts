// Libraries that are imported on the command line: named by what they say, damaged ones refused in words, shown and removed.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  importLibraries,
  type LibraryLine,
  removeLibrary,
  shownLibraries,
} from '../../../server/app/commands/libraries.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { buildZip } from '../../fixtures/zip-builder.ts';
import { classesOfJar } from '../../likeness/built-apps.ts';

async function allOf(lines: AsyncIterable<LibraryLine>): Promise<LibraryLine[]> {
  const all: LibraryLine[] = [];
  for await (const line of lines) all.push(line);
  return all;
}

const jar = '/usr/share/java/jcommander.jar';

test('libraries of a folder are called as Maven, their manifest or the file says; a damaged one says why, and the others go on', {
  skip: existsSync(jar) ? false : `${jar} is not there: apt-get install smali`,
}, async () => {
  const folder = join(temporaryFolder('libraries'), 'given');
  const dataDir = join(temporaryFolder('libraries-data'), 'data');
  mkdirSync(join(folder, 'inner'), { recursive: true });
  const classes = [...classesOfJar(jar)].map(([name, content]) => ({ name, content }));
  const written = (path: string, ...more: { name: string; content: Buffer }[]) =>
    writeFileSync(join(folder, path), buildZip({ entries: [...classes, ...more] }));
  written('inner/a.jar', {
    name: 'META-INF/maven/com.beust/jcommander/pom.properties',
    content: Buffer.from('#x\nversion=1.71\ngroupId=com.beust\nartifactId=jcommander\n'),
  });
  written('b.jar', {
    name: 'META-INF/MANIFEST.MF',
    content: Buffer.from('Manifest-Version: 1.0\r\nImplementation-Title: Commands\r\nImplementation-Version: 2\r\n'),
  });
  written('other-1.2.3.aar');
  writeFileSync(join(folder, 'damaged.jar'), 'PK');
  writeFileSync(join(folder, 'read-me.txt'), 'no library');

  const lines = await allOf(importLibraries([folder], { dataDir }));
  const errors = lines.flatMap((line) => ('error' in line ? [line.error] : []));
  assert.equal(errors.length, 1);
  assert.match(errors[0]!, /^It cannot be read as a JAR, an AAR or an APK: a ZIP archive has 22 bytes at least/);
  const shown = await shownLibraries({ dataDir });
  assert.deepEqual(
    shown.map(({ name, version }) => `${name} ${version}`),
    ['Commands 2', 'jcommander 1.71', 'other 1.2.3'],
  );
  assert.ok(shown.every(({ methods }) => methods > 50 && methods === shown[0]!.methods));

  const renamed = importLibraries([join(folder, 'b.jar')], { dataDir, name: 'own', version: '9' });
  assert.equal((await allOf(renamed)).length, 1);
  await assert.rejects(allOf(importLibraries([folder], { dataDir, name: 'all' })), /for one file/);
  // JARs in a ZIP are one library.
  const packed = buildZip({
    entries: [{ name: 'lib/a.jar', content: readFileSync(join(folder, 'inner/a.jar')) }],
  });
  writeFileSync(join(folder, 'many-3.zip'), packed);
  const [many] = await allOf(importLibraries([join(folder, 'many-3.zip')], { dataDir }));
  assert.ok(many !== undefined && !('error' in many));
  assert.deepEqual([many.name, many.version, many.methods], ['many', '3', shown[0]!.methods]);
  await removeLibrary('many', { dataDir });
  await removeLibrary('Commands', { dataDir });
  assert.deepEqual(
    (await shownLibraries({ dataDir })).map(({ name }) => name),
    ['jcommander', 'other', 'own'],
  );
  await assert.rejects(removeLibrary('Commands', { dataDir }), /no library "Commands"/);
});
