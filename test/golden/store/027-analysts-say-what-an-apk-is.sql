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
  , min_sdk integer, target_sdk integer, verdict text not null default 'unknown' check (verdict in ('clean', 'unknown', 'suspicious', 'malicious')), family text not null default '') strict;
CREATE INDEX apks_by_family on apks (family collate nocase) where family <> '';
CREATE TABLE verdicts (
  id integer primary key autoincrement,
  apk_id integer not null references apks (id) on delete cascade,
  account_id integer references accounts (id) on delete set null,
  username text not null,
  verdict text not null check (verdict in ('clean', 'unknown', 'suspicious', 'malicious')),
  family text not null default '',
  note text not null default '',
  created_at integer not null
) strict;
CREATE INDEX verdicts_by_apk on verdicts (apk_id, id);
CREATE INDEX verdicts_by_account on verdicts (account_id) where account_id is not null;
