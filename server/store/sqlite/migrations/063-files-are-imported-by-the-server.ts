// Imports of files of this machine are known with how far they are, so that they go on after a restart.
import type { Migration } from '../migrator.ts';

export const migration: Migration = {
  name: '063-files-are-imported-by-the-server',
  apply(database) {
    database.exec(`
      create table imports (
        id integer primary key autoincrement,
        account_id integer not null references accounts (id) on delete cascade,
        path text not null,
        tags text not null,
        has_folder_tags integer not null,
        state text not null,
        problem text not null default '',
        file_count integer,
        byte_count integer,
        place text,
        done_files integer not null default 0,
        done_bytes integer not null default 0,
        added integer not null default 0,
        held integer not null default 0,
        created_at integer not null,
        ended_at integer
      ) strict;
      create index imports_by_account on imports (account_id);
      create table import_refusals (
        id integer primary key autoincrement,
        import_id integer not null references imports (id) on delete cascade,
        path text not null,
        name text not null,
        reason text not null,
        is_retried integer not null default 0
      ) strict;
      create index import_refusals_by_import on import_refusals (import_id, id);
      create index import_refusals_by_path on import_refusals (import_id, path);
      create index import_refusals_to_retry on import_refusals (import_id, id) where is_retried = 1;
    `);
  },
};
