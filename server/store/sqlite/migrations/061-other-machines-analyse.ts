// Other machines that analyse for this workstation.
import type { Migration } from '../migrator.ts';

export const migration: Migration = {
  name: '061-other-machines-analyse',
  apply(database) {
    database.exec(`
      create table lab_machines (
        id integer primary key autoincrement,
        name text not null,
        token_sha256 blob not null unique,
        state text not null default 'on',
        created_at integer not null
      ) strict;
    `);
  },
};
