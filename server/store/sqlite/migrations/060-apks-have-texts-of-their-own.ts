// Texts that the own code of each APK loads are kept, so that a family tells which all of it share.
import type { Migration } from '../migrator.ts';

export const migration: Migration = {
  name: '060-apks-have-texts-of-their-own',
  apply(database) {
    database.exec(`
      create table own_strings (
        apk_id integer primary key references apks (id) on delete cascade,
        is_cut integer not null,
        keys blob not null,
        size integer not null,
        texts blob not null
      ) strict;
    `);
  },
};
