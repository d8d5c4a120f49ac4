CREATE TABLE lab_machines (
  id integer primary key autoincrement,
  name text not null,
  token_sha256 blob not null unique,
  state text not null default 'on',
  created_at integer not null
) strict;
