// The programs of a folder: one file or one sub-folder is a program. Knows nothing of what they are tried with.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomProgram } from './random/random-program.ts';
import type { Program } from './round-trip.ts';

/** Java, or what smali it is made into. */
const isSource = (name: string): boolean => /\.(?:java|smali)$/.test(name);

function sourcesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => isSource(name) && !/(?:^|\/)(?:module|package)-info\.java$/.test(name))
    .sort()
    .map((name) => join(folder, name));
}

/** One file or one sub-folder is a program. */
export function programsOf(folder: string): Program[] {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((entry) => {
      const path = join(folder, entry.name);
      return { name: entry.name, sources: entry.isDirectory() ? sourcesBelow(path) : [path] };
    })
    .filter(({ sources }) => sources.length > 0 && sources.every(isSource));
}

/** Writes the random programs of some seeds, each to a sub-folder with the seed's name. @returns the folder */
export function writeRandomPrograms(folder: string, seed: number, count: number): string {
  for (let each = seed; each < seed + count; each++) {
    const place = join(folder, String(each));
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, 'Main.java'), randomProgram(each));
  }
  return folder;
}
