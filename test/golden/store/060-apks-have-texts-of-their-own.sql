CREATE TABLE own_strings (
  apk_id integer primary key references apks (id) on delete cascade,
  is_cut integer not null,
  keys blob not null,
  size integer not null,
  texts blob not null
) strict;
