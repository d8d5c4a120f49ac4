CREATE TABLE audit (
  id integer primary key autoincrement,
  at integer not null,
  -- As it was then: the record outlives the account.
  username text not null,
  address text not null,
  action text not null,
  subject text not null,
  status integer not null
  , count integer not null default 1, last_at integer) strict;
