CREATE TABLE fingerprints (
  apk_id integer primary key references apks (id) on delete cascade,
  icon blob,
  digests text not null,
  files integer not null,
  file_hashes blob not null,
  symbols integer not null,
  symbol_hashes blob not null
) strict;
CREATE TABLE likeness_keys (
  key integer not null,
  apk_id integer not null references apks (id) on delete cascade,
  primary key (key, apk_id)
) strict, without rowid;
CREATE INDEX likeness_keys_by_apk on likeness_keys (apk_id);
