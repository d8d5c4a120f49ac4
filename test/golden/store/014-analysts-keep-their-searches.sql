CREATE TABLE saved_searches (
  id integer primary key autoincrement,
  account_id integer not null references accounts (id) on delete cascade,
  name text not null,
  search text not null,
  ordering text not null default '',
  created_at integer not null,
  updated_at integer not null,
  unique (account_id, name)
) strict;
