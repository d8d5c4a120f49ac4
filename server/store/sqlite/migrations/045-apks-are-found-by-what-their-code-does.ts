// APKs are found by what their own code does: a sketch of each, and the groups that sketches of much the same code share.
import type { Migration } from '../migrator.ts';

export const migration: Migration = {
  name: '045-apks-are-found-by-what-their-code-does',
  apply(database) {
    database.exec(`
      create table code_sketches (
        apk_id integer primary key references apks (id) on delete cascade,
        methods integer not null,
        hashes blob not null
      ) strict;
      create table code_bands (
        band integer not null,
        apk_id integer not null references apks (id) on delete cascade,
        primary key (band, apk_id)
      ) strict, without rowid;
      create index code_bands_by_apk on code_bands (apk_id);
    `);
  },
};
