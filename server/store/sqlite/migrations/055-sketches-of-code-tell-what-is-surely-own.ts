// Sketches tell which methods stand where the manifest says that own code is; those made before lack that, and go.
import type { Migration } from '../migrator.ts';

export const migration: Migration = {
  name: '055-sketches-of-code-tell-what-is-surely-own',
  apply(database) {
    database.exec(`
      delete from code_bands;
      drop table code_sketches;
      create table code_sketches (
        apk_id integer primary key references apks (id) on delete cascade,
        methods integer not null,
        hashes blob not null,
        core_methods integer,
        core_hashes blob not null default x''
      ) strict;
    `);
  },
};
