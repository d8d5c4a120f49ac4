// Finds the models in a folder of source files. Knows no class.
import { readdirSync } from 'node:fs';
import type { Models } from './model.ts';

/** The table that puts the others together stands in the folder itself. */
const ownFile = /^models\.[jt]s$/;

/**
 * Every exported table whose name ends in `Models`, of all files in a folder and the folders in it: a model is there as
 * soon as its file is.
 */
export async function modelTables(folder: URL): Promise<Models[]> {
  const ending = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending) && !ownFile.test(name))
    .map((name) => name.replaceAll('\\', '/'))
    .sort();
  const files = await Promise.all(names.map((name) => import(new URL(name, folder).href) as Promise<object>));
  return files.flatMap((file) =>
    Object.entries(file).flatMap(([name, table]) => (name.endsWith('Models') ? [table as Models] : [])),
  );
}
