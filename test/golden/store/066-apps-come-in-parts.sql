CREATE TABLE apk_parts (
  id integer primary key autoincrement,
  whole_sha256 blob not null,
  sha256 blob not null,
  sha1 blob not null,
  md5 blob not null,
  size integer not null,
  name text not null,
  adds text not null,
  created_at integer not null,
  unique (whole_sha256, sha256)
) strict;
CREATE INDEX apk_parts_by_sha256 on apk_parts (sha256);
CREATE INDEX apk_parts_by_sha1 on apk_parts (sha1);
CREATE INDEX apk_parts_by_md5 on apk_parts (md5);
CREATE TABLE apk_containers (
  whole_sha256 blob not null,
  sha256 blob not null,
  name text not null,
  created_at integer not null,
  primary key (whole_sha256, sha256)
) strict, without rowid;
CREATE INDEX apk_containers_by_sha256 on apk_containers (sha256);
