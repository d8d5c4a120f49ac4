// The history of the schema, oldest first: what stands in this folder. None is ever changed once released.
import { readdirSync } from 'node:fs';
import type { Migration } from '../migrator.ts';

const files = readdirSync(import.meta.dirname).filter((file) => /^\d{3}-[a-z0-9-]+\.[jt]s$/.test(file));

export const migrations: readonly Migration[] = await Promise.all(
  files.toSorted().map(async (file) => ((await import(`./${file}`)) as { migration: Migration }).migration),
);
