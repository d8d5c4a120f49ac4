CREATE TABLE trash (
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
CREATE UNIQUE INDEX trash_by_sha256 on trash (sha256) where sha256 is not null;
CREATE INDEX trash_by_author on trash (author_id) where author_id is not null;
CREATE INDEX trash_by_age on trash (deleted_at);
CREATE TABLE trash_pieces (
  id integer primary key autoincrement,
  trash_id integer not null references trash (id) on delete cascade,
  is_root integer not null,
  content blob not null
) strict;
CREATE INDEX trash_pieces_by_trash on trash_pieces (trash_id, is_root);
