-- code_sketches_waiting is gone
CREATE TABLE code_sketches (
  apk_id integer primary key references apks (id) on delete cascade,
  methods integer not null,
  hashes blob not null
) strict;
CREATE TABLE family_waiting (
  apk_id integer primary key references apks (id) on delete cascade
) strict;
