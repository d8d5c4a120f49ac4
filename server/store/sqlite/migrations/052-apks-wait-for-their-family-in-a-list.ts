// APKs whose family is to be looked for stand in a list of their own: beside the sketches each look would read all of these.
import type { Migration } from '../migrator.ts';

export const migration: Migration = {
  name: '052-apks-wait-for-their-family-in-a-list',
  apply(database) {
    database.exec(`
      create table family_waiting (
        apk_id integer primary key references apks (id) on delete cascade
      ) strict;
      insert into family_waiting (apk_id) select apk_id from code_sketches where is_placed = 0;
      drop index code_sketches_waiting;
      alter table code_sketches drop column is_placed;
    `);
  },
};
