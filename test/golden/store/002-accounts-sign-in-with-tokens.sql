CREATE TABLE accounts (
  id integer primary key autoincrement,
  username text not null collate nocase unique,
  first_name text not null default '',
  last_name text not null default '',
  email text not null default '',
  password_hash text,
  role text not null check (role in ('owner', 'analyst')),
  api_group text not null,
  is_disabled integer not null default 0,
  is_expert integer not null default 0,
  avatar text not null default '',
  occupation text not null default '',
  biography text not null default '',
  twitter text not null default '',
  settings text not null,
  last_login_at integer,
  created_at integer not null
) strict;
CREATE TABLE tokens (
  id integer primary key autoincrement,
  account_id integer not null references accounts (id) on delete cascade,
  kind text not null check (kind in ('api', 'session')),
  name text not null,
  secret_sha256 blob not null unique,
  created_at integer not null,
  expires_at integer,
  last_used_at integer
) strict;
CREATE INDEX tokens_by_account on tokens (account_id);
CREATE INDEX tokens_by_expiry on tokens (expires_at) where expires_at is not null;
CREATE TABLE group_limits (
  api_group text not null,
  name text not null,
  amount integer not null,
  unit text not null check (unit in ('day', 'min')),
  primary key (api_group, name)
) strict, without rowid;
CREATE TABLE limit_usage (
  account_id integer not null references accounts (id) on delete cascade,
  name text not null,
  window_start integer not null,
  used integer not null,
  primary key (account_id, name, window_start)
) strict, without rowid;
