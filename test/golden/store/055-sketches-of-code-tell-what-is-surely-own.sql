CREATE TABLE code_sketches (
  apk_id integer primary key references apks (id) on delete cascade,
  methods integer not null,
  hashes blob not null,
  core_methods integer,
  core_hashes blob not null default x''
) strict;
