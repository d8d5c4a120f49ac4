// Deleted APKs and rulesets lie in a trash: their rows stand in no other table until they come back.
import type { Migration } from '../migrator.ts';

export const migration: Migration = {
  name: '029-what-is-deleted-lies-in-a-trash',
  apply(database) {
    database.exec(`
      create table trash (
        id integer primary key autoincrement,
        kind text not null check (kind in ('apk', 'ruleset')),
        row_id integer not null,
        sha256 blob,
        author_id integer references accounts (id) on delete cascade,
        name text not null,
        size integer not null,
        state text not null default '{}',
        username text not null,
        deleted_at integer not null,
        unique (kind, row_id),
        check ((kind = 'apk') = (sha256 is not null)),
        check ((kind = 'ruleset') = (author_id is not null))
      ) strict;
      create unique index trash_by_sha256 on trash (sha256) where sha256 is not null;
      create index trash_by_author on trash (author_id) where author_id is not null;
      create index trash_by_age on trash (deleted_at);
      create table trash_pieces (
        id integer primary key autoincrement,
        trash_id integer not null references trash (id) on delete cascade,
        is_root integer not null,
        content blob not null
      ) strict;
      create index trash_pieces_by_trash on trash_pieces (trash_id, is_root);
    `);
  },
};
