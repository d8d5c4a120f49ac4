// Paths as they are named on the command line, patterns among them. Reads no file.
import { glob, lstat } from 'node:fs/promises';
import { resolve } from 'node:path';
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
