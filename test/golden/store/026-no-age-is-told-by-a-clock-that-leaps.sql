CREATE TABLE installation (
  id integer primary key check (id = 1),
  id_salt text not null,
  signing_secret blob not null,
  created_at integer not null
  , key_sha256 text, lived_until integer, ahead_for integer not null default 0) strict;
