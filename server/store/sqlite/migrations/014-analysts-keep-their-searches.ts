// Searches that analysts keep under a name.
import type { Migration } from '../migrator.ts';

export const migration: Migration = {
  name: '014-analysts-keep-their-searches',
  apply(database) {
    database.exec(`
      create table saved_searches (
        id integer primary key autoincrement,
        account_id integer not null references accounts (id) on delete cascade,
        name text not null,
        search text not null,
        ordering text not null default '',
        created_at integer not null,
        updated_at integer not null,
        unique (account_id, name)
      ) strict;
    `);
  },
};
