// APKs whose code is shown with readable names in the place of those that are no words, for everybody who opens them.
import type { Migration } from '../migrator.ts';

export const migration: Migration = {
  name: '044-apks-are-shown-with-readable-names',
  apply(database) {
    database.exec(`
      create table deobfuscated_apks (
        apk_id integer primary key references apks (id) on delete cascade
      ) strict;
    `);
  },
};
