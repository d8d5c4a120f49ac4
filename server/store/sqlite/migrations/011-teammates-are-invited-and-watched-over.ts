// Invitations of teammates, and the log of who did what, when and from where.
import type { Migration } from '../migrator.ts';

export const migration: Migration = {
  name: '011-teammates-are-invited-and-watched-over',
  apply(database) {
    database.exec(`
      create table invitations (
        id integer primary key autoincrement,
        account_id integer not null references accounts (id) on delete cascade,
        code_sha256 blob not null unique,
        created_at integer not null,
        expires_at integer not null,
        used_at integer
      ) strict;
      create index invitations_by_account on invitations (account_id);
      create table audit (
        id integer primary key autoincrement,
        at integer not null,
        -- As it was then: the record outlives the account.
        username text not null,
        address text not null,
        action text not null,
        subject text not null,
        status integer not null
      ) strict;
      create index audit_by_username on audit (username, id);
      create index audit_by_time on audit (at);
    `);
  },
};
