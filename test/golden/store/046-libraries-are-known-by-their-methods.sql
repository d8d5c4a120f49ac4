CREATE TABLE known_libraries (
  id integer primary key,
  name text not null,
  version text not null,
  source text not null,
  methods integer not null,
  imported_at integer not null,
  unique (name, version)
) strict;
CREATE TABLE library_methods (
  hash integer not null,
  library_id integer not null references known_libraries (id) on delete cascade,
  primary key (hash, library_id)
) strict, without rowid;
CREATE INDEX library_methods_by_library on library_methods (library_id);
