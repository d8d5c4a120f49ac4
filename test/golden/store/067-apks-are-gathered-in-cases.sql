CREATE TABLE cases (
  id integer primary key autoincrement,
  name text not null collate nocase unique,
  note text not null default '',
  is_closed integer not null default 0,
  account_id integer references accounts (id) on delete set null,
  username text not null,
  created_at integer not null,
  updated_at integer not null
) strict;
CREATE TABLE case_people (
  case_id integer not null references cases (id) on delete cascade,
  username text not null collate nocase,
  primary key (case_id, username)
) strict, without rowid;
CREATE TABLE case_entries (
  id integer primary key autoincrement,
  case_id integer not null references cases (id) on delete cascade,
  kind text not null check (kind in ('note', 'question', 'task', 'event')),
  text text not null,
  answer text not null default '',
  assignee text not null default '',
  is_done integer not null default 0,
  happened_at integer not null,
  username text not null,
  created_at integer not null,
  updated_at integer not null
) strict;
CREATE INDEX case_entries_by_time on case_entries (case_id, happened_at);
CREATE TABLE case_apks (
  case_id integer not null references cases (id) on delete cascade,
  sha256 blob not null,
  apk_id integer,
  name text not null default '',
  note text not null default '',
  username text not null,
  added_at integer not null,
  primary key (case_id, sha256)
) strict, without rowid;
CREATE INDEX case_apks_by_sha256 on case_apks (sha256);
CREATE INDEX case_apks_by_apk on case_apks (apk_id) where apk_id is not null;
CREATE TRIGGER case_apks_came after insert on apks begin
  update case_apks set apk_id = new.id where sha256 = new.sha256;
  end;
CREATE TRIGGER case_apks_went after delete on apks begin
  update case_apks set apk_id = null where apk_id = old.id;
  end;
CREATE TRIGGER case_apks_noted_new after insert on case_apks when new.apk_id is not null begin
  insert into apk_changes (apk_id, part) values (new.apk_id, 'tags');
  end;
CREATE TRIGGER case_apks_noted_tied after update of apk_id on case_apks when new.apk_id is not null begin
  insert into apk_changes (apk_id, part) values (new.apk_id, 'tags');
  end;
CREATE TRIGGER case_apks_noted_deleted after delete on case_apks when old.apk_id is not null begin
  insert into apk_changes (apk_id, part) values (old.apk_id, 'tags');
  end;
CREATE TRIGGER cases_noted_named after update of name on cases begin
  insert into apk_changes (apk_id, part)
  select apk_id, 'tags' from case_apks where case_id = new.id and apk_id is not null;
  end;
