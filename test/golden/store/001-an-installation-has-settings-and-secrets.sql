CREATE TABLE migrations (name text primary key, applied_at integer not null) strict;
CREATE TABLE installation (
  id integer primary key check (id = 1),
  id_salt text not null,
  signing_secret blob not null,
  created_at integer not null
) strict;
CREATE TABLE settings (
  key text primary key,
  value text not null
) strict, without rowid;
