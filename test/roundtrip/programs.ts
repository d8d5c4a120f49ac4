// The programs of a folder: one file or one sub-folder is a program. Knows nothing of what they are tried with.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
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
