// Pictures of analysts. The account knows the hash of its own, which is part of the picture's address.
import type { Migration } from '../migrator.ts';

export const migration: Migration = {
  name: '016-analysts-show-a-picture',
  apply(database) {
    database.exec(`
      create table avatars (
        account_id integer primary key references accounts (id) on delete cascade,
        media_type text not null,
        content blob not null,
        created_at integer not null
      ) strict;
      alter table accounts add column avatar_sha256 text;
    `);
  },
};
