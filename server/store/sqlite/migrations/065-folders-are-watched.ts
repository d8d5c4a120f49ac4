// Files that come into a folder of this machine are taken in, and are known by how they looked then.
import type { Migration } from '../migrator.ts';

export const migration: Migration = {
  name: '065-folders-are-watched',
  apply(database) {
    database.exec(`
      create table watched_folders (
        id integer primary key autoincrement,
        account_id integer not null references accounts (id) on delete cascade,
        path text not null unique,
        tags text not null,
        has_folder_tags integer not null,
        match_tags text not null,
        priority text not null,
        outcome text not null,
        settle_seconds integer not null,
        uses_polling integer not null,
        is_on integer not null,
        created_at integer not null
      ) strict;
      create index watched_folders_by_account on watched_folders (account_id);
      create table watched_folder_rulesets (
        folder_id integer not null references watched_folders (id) on delete cascade,
        ruleset_id integer not null references rulesets (id) on delete cascade,
        primary key (folder_id, ruleset_id)
      ) strict, without rowid;
      create index watched_folder_rulesets_by_ruleset on watched_folder_rulesets (ruleset_id);
      create table watched_apks (
        folder_id integer not null references watched_folders (id) on delete cascade,
        apk_id integer not null references apks (id) on delete cascade,
        primary key (folder_id, apk_id)
      ) strict, without rowid;
      create index watched_apks_by_apk on watched_apks (apk_id);
      create table watched_files (
        id integer primary key autoincrement,
        folder_id integer not null references watched_folders (id) on delete cascade,
        path text not null,
        size integer not null,
        modified_at integer not null,
        sha256 text not null,
        apks text not null,
        refusals text not null,
        is_refused integer not null,
        is_told integer not null,
        is_gone integer not null default 0,
        taken_at integer not null
      ) strict;
      create unique index watched_files_by_path on watched_files (folder_id, path) where is_gone = 0;
      create index watched_files_by_outcome on watched_files (folder_id, is_refused, id);
    `);
  },
};
