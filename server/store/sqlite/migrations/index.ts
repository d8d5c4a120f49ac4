// The history of the schema, oldest first: what stands in this folder. None is ever changed once released.
import { readdirSync } from 'node:fs';
import type { Migration } from '../migrator.ts';

interface MigrationModule {
  readonly migration: Migration;
}

/** Every migration of a folder. Where the program is built, their modules stand in the place of the call. */
const modulesIn = (folder: string): Promise<readonly MigrationModule[]> => {
  const files = readdirSync(folder).filter((file) => /^\d{3}-[a-z0-9-]+\.ts$/.test(file));
  return Promise.all(files.toSorted().map((file) => import(`./${file}`) as Promise<MigrationModule>));
};

export const migrations: readonly Migration[] = (await modulesIn(import.meta.dirname)).map(
  ({ migration }) => migration,
);
