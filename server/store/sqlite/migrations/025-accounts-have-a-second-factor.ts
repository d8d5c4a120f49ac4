// An authenticator app as a second factor, and codes on paper for whoever loses it.
import type { Migration } from '../migrator.ts';

export const migration: Migration = {
  name: '025-accounts-have-a-second-factor',
  apply(database) {
    database.exec(`
      create table second_factors (
        account_id integer primary key references accounts (id) on delete cascade,
        -- Sealed with the master key.
        secret blob not null,
        created_at integer not null,
        -- null: its owner has shown no code of it yet, and nobody is asked for one.
        confirmed_at integer,
        -- Of the last code that was taken: no code is taken twice.
        last_step integer not null default 0
      ) strict;
      create table recovery_codes (
        account_id integer not null references accounts (id) on delete cascade,
        code_sha256 blob not null,
        used_at integer,
        primary key (account_id, code_sha256)
      ) strict, without rowid;
    `);
  },
};
