CREATE TABLE deobfuscated_apks (
  apk_id integer primary key references apks (id) on delete cascade
) strict;
