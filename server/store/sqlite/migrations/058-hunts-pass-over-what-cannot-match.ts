// Hunts count the APKs that they need not read.
import type { Migration } from '../migrator.ts';

export const migration: Migration = {
  name: '058-hunts-pass-over-what-cannot-match',
  apply(database) {
    database.exec('alter table retrohunts add column passed_count integer not null default 0');
  },
};
