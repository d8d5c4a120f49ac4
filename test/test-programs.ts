// Which test files share a process, and in which order the processes start. Knows nothing of what a file tests.
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = join(import.meta.dirname, '..');
const folder = 'node_modules/.cache/test-programs';

/** Files that take long, the longest first: each has a process of its own from the start, and the others fill the gaps. */
const longest = ['test/unit/app/command-line.test.ts', 'test/unit/main/package.test.ts'];

/** Bytes of source in one process: its files share what they import, and what has been compiled of it. */
const programSize = 60_000;

/**
 * Writes a program for each process, which loads its files each in a suite of its own: what stands before and after the tests
 * of a file belongs to that suite.
 * @returns paths below the root, in the order in which they are to start
 */
export function testPrograms(files: readonly string[]): string[] {
  rmSync(join(root, folder), { recursive: true, force: true });
  mkdirSync(join(root, folder), { recursive: true });
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
  return [...longest.filter((file) => files.includes(file)), ...groups.map(writeProgram)];
}

function writeProgram(files: readonly string[], index: number): string {
  const [only] = files;
  if (files.length === 1) return only!;
  const path = `${folder}/${String(index).padStart(2, '0')}.mjs`;
  const suites = files.map((file) => {
    const address = pathToFileURL(join(root, file)).href;
    return `describe(${JSON.stringify(file)}, async () => void (await import(${JSON.stringify(address)})));`;
  });
  writeFileSync(join(root, path), ["import { describe } from 'node:test';", ...suites, ''].join('\n'));
  return path;
}
