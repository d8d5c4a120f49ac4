// Which test files share a process, and in which order the processes start. Knows nothing of what a file tests.
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from './fixtures/temporary-folder.ts';

const root = join(import.meta.dirname, '..');

/**
 * Files that take long or wait long for clocks and disks, the longest first: each has a process of its own from the start, and the
 * others fill the gaps.
 */
const longest = [
  'test/unit/engine/yara/scan.test.ts',
  'test/unit/main/package.test.ts',
  'test/unit/app/command-line.test.ts',
  'test/unit/main/desktop-shell.test.ts',
  'test/unit/jobs/taken-over-worker.test.ts',
  'test/unit/query/searches.test.ts',
  'test/unit/engine/yara/account-shares.test.ts',
  'test/unit/store/two-machines.test.ts',
];

/** Bytes of source in one process: its files share what they import, and what has been compiled of it. */
const programSize = 60_000;

/**
 * Writes a program for each process, which loads its files each in a suite of its own: what stands before and after the tests
 * of a file belongs to that suite.
 * @returns their paths, in the order in which they are to start
 */
export function testPrograms(files: readonly string[]): string[] {
  const groups: string[][] = [];
  let size = programSize;
  for (const file of files.filter((file) => !longest.includes(file))) {
    if (size >= programSize) {
      groups.push([]);
      size = 0;
    }
    groups.at(-1)!.push(file);
    size += statSync(join(root, file)).size;
  }
  const folder = temporaryFolder('test-programs');
  const alone = longest.filter((file) => files.includes(file)).map((file) => [file]);
  return [...alone, ...groups].map((group, index) => writeProgram(join(folder, `${index}.mjs`), group));
}

const addressOf = (path: string) => JSON.stringify(pathToFileURL(join(root, path)).href);

/**
 * Loads one file after the other: a module that several files import and that awaits something goes on in the suite of whoever
 * loaded it first, and with it the files that wait for it, whose tests would come into that suite.
 */
const loader = `import { describe } from 'node:test';
import { unhookPromises } from ${addressOf('test/unhooked-promises.ts')};
let loaded = Promise.resolve();
function load(address) {
  const file = loaded.then(() => import(address));
  loaded = file.catch(() => undefined);
  return file;
}`;

function writeProgram(path: string, files: readonly string[]): string {
  const suites = files.map(
    (file) => `describe(${JSON.stringify(file)}, async () => void (await load(${addressOf(file)})));`,
  );
  writeFileSync(path, [loader, ...suites, 'loaded.then(() => setImmediate(unhookPromises));', ''].join('\n'));
  return path;
}
