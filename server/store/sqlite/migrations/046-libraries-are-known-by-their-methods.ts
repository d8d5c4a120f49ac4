// Libraries that people import, by hashes of their methods; sketches of code, whose hashes are made in another way now, go.
import type { Migration } from '../migrator.ts';

export const migration: Migration = {
  name: '046-libraries-are-known-by-their-methods',
  apply(database) {
    database.exec(`
      create table known_libraries (
        id integer primary key,
        name text not null,
        version text not null,
        source text not null,
        methods integer not null,
        imported_at integer not null,
        unique (name, version)
      ) strict;
      create table library_methods (
        hash integer not null,
        library_id integer not null references known_libraries (id) on delete cascade,
        primary key (hash, library_id)
      ) strict, without rowid;
      create index library_methods_by_library on library_methods (library_id);
      delete from code_sketches;
      delete from code_bands;
    `);
  },
};
