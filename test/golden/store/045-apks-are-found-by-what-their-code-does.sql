CREATE TABLE code_sketches (
  apk_id integer primary key references apks (id) on delete cascade,
  methods integer not null,
  hashes blob not null
) strict;
CREATE TABLE code_bands (
  band integer not null,
  apk_id integer not null references apks (id) on delete cascade,
  primary key (band, apk_id)
) strict, without rowid;
CREATE INDEX code_bands_by_apk on code_bands (apk_id);
