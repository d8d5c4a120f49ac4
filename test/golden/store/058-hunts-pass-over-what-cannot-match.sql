CREATE TABLE retrohunts (
  id integer primary key autoincrement,
  job_id integer references jobs (id) on delete cascade,
  account_id integer not null references accounts (id) on delete cascade,
  search text not null,
  place integer not null,
  ahead text not null,
  apks_count integer not null,
  scanned_count integer not null default 0,
  failed_count integer not null default 0,
  unfinished_count integer not null default 0,
  created_at integer not null
  , passed_count integer not null default 0) strict;
