// Paths as they are named on the command line, patterns and folders among them. Reads no file.
import { glob, lstat, readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { standardInput } from './standard-input.ts';

const wildcard = /[*?[{]/;

/**
 * Puts what a pattern finds, in the order of the names, in its place: not every shell does, as on Windows. What is there by
 * that very name is none, and what finds nothing stays, to be told of like every path that cannot be read.
 * @param folder where relative paths begin
 */
export async function namedPaths(paths: readonly string[], folder: string): Promise<string[]> {
  return (await Promise.all(paths.map((path) => matchesOf(path, folder)))).flat();
}

async function matchesOf(path: string, folder: string): Promise<string[]> {
  if (path === standardInput || !wildcard.test(path)) return [path];
  const isThere = await lstat(resolve(folder, path)).then(
    () => true,
    () => false,
  );
  const found: string[] = [];
  if (!isThere) for await (const name of glob(path, { cwd: folder })) found.push(name);
  return found.length > 0 ? found.sort() : [path];
}

/**
 * The files of a folder in the order of their names, links left out; a file itself, and what cannot be read.
 * @param folder where a relative path begins
 */
export async function filesBelow(path: string, folder: string): Promise<string[]> {
  const absolute = resolve(folder, path);
  try {
    if (!(await stat(absolute)).isDirectory()) return [path];
    const entries = (await readdir(absolute, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1));
    const files: string[] = [];
    for (const entry of entries) {
      if (entry.isFile()) files.push(join(path, entry.name));
      else if (entry.isDirectory()) files.push(...(await filesBelow(join(path, entry.name), folder)));
    }
    return files;
  } catch {
    // What is wrong with it is reported in its place, like every file that cannot be read.
    return [path];
  }
}
