CREATE TABLE jobs (
  id integer primary key autoincrement,
  kind text not null,
  apk_id integer references apks (id) on delete cascade,
  payload text not null,
  priority integer not null,
  is_automatic integer not null,
  status text not null check (status in ('queued', 'running', 'done', 'partial', 'failed', 'cancelled')),
  progress real not null default 0,
  stage text not null default '',
  error_code text,
  error text,
  attempts integer not null default 0,
  created_at integer not null,
  started_at integer,
  finished_at integer
  , account_id integer not null default 0, machine text) strict;
