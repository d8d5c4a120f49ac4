// Finds the models in a folder of source files. Knows no class.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Models } from './model.ts';

/** The table that puts the others together stands in the folder itself. */
const ownFile = 'models.ts';

/**
 * Every module in a folder and the folders in it: a model is there as soon as its file is. Where the program is built, the
 * modules stand in the place of the call.
 */
export function modulesIn(folder: string): Promise<readonly object[]> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && name !== ownFile)
    .sort();
  return Promise.all(names.map((name) => import(pathToFileURL(join(folder, name)).href) as Promise<object>));
}

/** Every exported table of modules whose name ends in `Models`. */
export const modelTables = (modules: readonly object[]): Models[] =>
  modules.flatMap((module) =>
    Object.entries(module).flatMap(([name, table]) => (name.endsWith('Models') ? [table as Models] : [])),
  );
