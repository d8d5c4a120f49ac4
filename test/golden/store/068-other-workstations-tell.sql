CREATE TABLE told_sayings (
  id integer primary key autoincrement,
  apk_id integer not null references apks (id) on delete cascade,
  -- SHA-256 of the content.
  mark blob not null,
  content text not null,
  brought_by text not null,
  created_at integer not null,
  unique (apk_id, mark)
) strict;
CREATE TABLE told_cases (
  -- SHA-256 of the case's file.
  mark blob primary key,
  case_id integer not null references cases (id) on delete cascade
) strict, without rowid;
CREATE INDEX told_cases_by_case on told_cases (case_id);
