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
  , min_sdk integer, target_sdk integer, verdict text not null default 'unknown' check (verdict in ('clean', 'unknown', 'suspicious', 'malicious')), family text not null default '', risk integer check (risk between 0 and 100), severity integer check (severity between 0 and 4), findings_count integer, techniques_count integer, trackers_count integer) strict;
CREATE TABLE apk_marks (
  apk_id integer primary key references apks (id) on delete cascade,
  -- Ids of terms, each in four bytes, the lowest first.
  terms blob not null
) strict;
CREATE VIRTUAL TABLE apk_names using fts5 (
  names, content = '', contentless_delete = 1, detail = none, tokenize = "ascii tokenchars '.$-_<>:*'"
);
CREATE TABLE 'apk_names_data'(id INTEGER PRIMARY KEY, block BLOB);
CREATE TABLE 'apk_names_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;
CREATE TABLE 'apk_names_docsize'(id INTEGER PRIMARY KEY, sz BLOB, origin INTEGER);
CREATE TABLE 'apk_names_config'(k PRIMARY KEY, v) WITHOUT ROWID;
CREATE TRIGGER apk_names_deleted after delete on apks begin
  delete from apk_names where rowid = old.id;
  end;
