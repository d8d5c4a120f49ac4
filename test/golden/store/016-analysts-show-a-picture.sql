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
  , avatar_sha256 text) strict;
CREATE TABLE avatars (
  account_id integer primary key references accounts (id) on delete cascade,
  media_type text not null,
  content blob not null,
  created_at integer not null
) strict;
