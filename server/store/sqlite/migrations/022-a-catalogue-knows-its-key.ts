// The catalogue notes which master key seals its files, so that the two are never taken for each other's by mistake.
import type { Migration } from '../migrator.ts';

export const migration: Migration = {
  name: '022-a-catalogue-knows-its-key',
  apply(database) {
    database.exec('alter table installation add column key_sha256 text');
  },
};
