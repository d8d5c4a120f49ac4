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
  , min_sdk integer, target_sdk integer, verdict text not null default 'unknown' check (verdict in ('clean', 'unknown', 'suspicious', 'malicious')), family text not null default '', risk integer check (risk between 0 and 100), severity integer check (severity between 0 and 4), findings_count integer, techniques_count integer, trackers_count integer, damage text check (damage in ('unsigned', 'signature', 'damaged')), file_names text not null default '[]', children text) strict;
CREATE TABLE children (
  id integer primary key,
  apk_id integer not null references apks (id) on delete cascade,
  sha256 text not null,
  -- JSON, as it was found.
  described text not null,
  status text not null check (status in ('waiting', 'running', 'done', 'failed')),
  error text,
  -- Of its analysis: which engine made it, and what it says.
  engine_version integer not null,
  findings integer not null default 0,
  severity integer check (severity between 0 and 4),
  risk integer check (risk between 0 and 100),
  -- Reports compressed by zstd, with their lengths before; null: not there.
  report blob,
  report_size integer,
  files blob,
  files_size integer,
  unique (apk_id, sha256)
) strict;
