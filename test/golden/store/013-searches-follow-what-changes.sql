-- apks_by_size is gone
-- apks_by_rating is gone
-- apks_by_trusted is gone
-- apks_by_installed is gone
-- apks_by_detected is gone
-- apks_by_corrupted is gone
-- apks_by_static_analyzed is gone
-- apks_by_dynamic_analyzed is gone
CREATE TABLE apks (
  id integer primary key autoincrement,
  sha256 blob not null unique,
  sha1 blob not null,
  md5 blob not null,
  size integer not null,
  app text not null default '',
  package_name text not null default '',
  company text not null default '',
  version text not null default '',
  version_code text not null default '',
  signer_id integer references signers (id),
  has_icon integer not null default 0,
  is_trusted integer not null default 0,
  is_installed integer not null default 0,
  is_detected integer not null default 0,
  is_corrupted integer not null default 0,
  is_static_analyzed integer not null default 0,
  is_dynamic_analyzed integer not null default 0,
  rating integer not null default 0,
  votes_count integer not null default 0,
  comments_count integer not null default 0,
  matches_count integer not null default 0,
  file_state text not null default 'ok' check (file_state in ('ok', 'missing', 'altered')),
  uploader_id integer references accounts (id) on delete set null,
  last_yara_analysis_at integer,
  created_at integer not null unique,
  updated_at integer not null
  , min_sdk integer, target_sdk integer) strict;
CREATE INDEX apks_by_app on apks (app collate nocase);
CREATE INDEX apks_by_company on apks (company collate nocase);
CREATE VIRTUAL TABLE apk_words using fts5 (
  app, package_name, company, version, content = 'apks', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 0',
  detail = column, prefix = '1 2 3 4'
);
CREATE TABLE apk_changes (
  seq integer primary key autoincrement,
  apk_id integer not null,
  part text not null check (part in ('row', 'tags', 'terms'))
) strict;
CREATE TRIGGER apk_changes_forgotten after insert on apk_changes when new.seq % 4096 = 0 begin
  delete from apk_changes where seq <= new.seq - 65536;
  end;
CREATE TRIGGER apks_noted_new after insert on apks begin
  insert into apk_changes (apk_id, part) values (new.id, 'row');
  end;
CREATE TRIGGER apks_noted_changed after update on apks begin
  insert into apk_changes (apk_id, part) values (new.id, 'row');
  end;
CREATE TRIGGER apks_noted_deleted after delete on apks begin
  insert into apk_changes (apk_id, part) values (old.id, 'row');
  end;
CREATE TRIGGER apk_tags_noted_new after insert on apk_tags begin
  insert into apk_changes (apk_id, part) values (new.apk_id, 'tags');
  end;
CREATE TRIGGER apk_tags_noted_deleted after delete on apk_tags begin
  insert into apk_changes (apk_id, part) values (old.apk_id, 'tags');
  end;
CREATE TRIGGER indexed_reports_noted_new after insert on indexed_reports begin
  insert into apk_changes (apk_id, part) values (new.apk_id, 'terms');
  end;
CREATE TRIGGER indexed_reports_noted_changed after update on indexed_reports begin
  insert into apk_changes (apk_id, part) values (new.apk_id, 'terms');
  end;
