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
  , min_sdk integer, target_sdk integer, verdict text not null default 'unknown' check (verdict in ('clean', 'unknown', 'suspicious', 'malicious')), family text not null default '', risk integer check (risk between 0 and 100), severity integer check (severity between 0 and 4), findings_count integer, techniques_count integer, trackers_count integer, damage text check (damage in ('unsigned', 'signature', 'damaged')), file_names text not null default '[]', children text, libraries_count integer, apis_count integer, hosts_count integer, note text not null default '', known text, code_family_id integer references families (id) on delete set null) strict;
CREATE TABLE code_sketches (
  apk_id integer primary key references apks (id) on delete cascade,
  methods integer not null,
  hashes blob not null
  , is_placed integer not null default 0) strict;
CREATE TABLE families (
  id integer primary key autoincrement,
  name text not null default '',
  proposed_name text not null default '',
  title text not null default '',
  note text not null default '',
  is_confirmed integer not null default 0,
  is_stale integer not null default 1,
  merged_into integer references families (id) on delete set null,
  created_at integer not null,
  updated_at integer not null
) strict;
CREATE INDEX families_by_title on families (title collate nocase);
CREATE INDEX families_by_merged on families (merged_into) where merged_into is not null;
CREATE INDEX families_stale on families (id) where is_stale = 1;
CREATE INDEX apks_by_code_family on apks (code_family_id, created_at) where code_family_id is not null;
CREATE TABLE family_sums (
  family_id integer primary key references families (id) on delete cascade,
  members integer not null default 0,
  rated integer not null default 0,
  risk integer not null default 0,
  newest_id integer
) strict;
CREATE INDEX family_sums_by_newest on family_sums (newest_id);
CREATE INDEX family_sums_by_members on family_sums (members);
CREATE TRIGGER families_count_new after insert on apks when new.code_family_id is not null begin
  insert or ignore into family_sums (family_id) select new.code_family_id where new.code_family_id is not null;
  update family_sums set members = members + 1, rated = rated + (new.risk is not null),
  risk = risk + coalesce(new.risk, 0),
  newest_id = (select id from apks where code_family_id = new.code_family_id order by created_at desc limit 1)
  where family_id = new.code_family_id;
  update families set is_stale = 1 where id = new.code_family_id and is_stale = 0;
  end;
CREATE TRIGGER families_count_changed after update of code_family_id, risk on apks
  when old.code_family_id is not new.code_family_id
  or (new.code_family_id is not null and old.risk is not new.risk)
  begin
  insert or ignore into family_sums (family_id) select new.code_family_id where new.code_family_id is not null;
  update family_sums set members = members - 1, rated = rated - (old.risk is not null),
  risk = risk - coalesce(old.risk, 0),
  newest_id = (select id from apks where code_family_id = old.code_family_id order by created_at desc limit 1)
  where family_id = old.code_family_id;
  update families set is_stale = 1 where id = old.code_family_id and is_stale = 0;
  update family_sums set members = members + 1, rated = rated + (new.risk is not null),
  risk = risk + coalesce(new.risk, 0),
  newest_id = (select id from apks where code_family_id = new.code_family_id order by created_at desc limit 1)
  where family_id = new.code_family_id;
  update families set is_stale = 1 where id = new.code_family_id and is_stale = 0;
  end;
CREATE TRIGGER families_count_deleted after delete on apks when old.code_family_id is not null begin
  update family_sums set members = members - 1, rated = rated - (old.risk is not null),
  risk = risk - coalesce(old.risk, 0),
  newest_id = (select id from apks where code_family_id = old.code_family_id order by created_at desc limit 1)
  where family_id = old.code_family_id;
  update families set is_stale = 1 where id = old.code_family_id and is_stale = 0;
  end;
CREATE TRIGGER families_stale_by_verdict after update of family on apks
  when new.code_family_id is not null and old.family is not new.family begin
  update families set is_stale = 1 where id = new.code_family_id and is_stale = 0;
  end;
CREATE TABLE family_ties (
  apk_id integer not null references apks (id) on delete cascade,
  family_id integer not null references families (id) on delete cascade,
  is_member integer not null,
  primary key (apk_id, family_id)
) strict, without rowid;
CREATE INDEX family_ties_by_family on family_ties (family_id);
CREATE TABLE family_actions (
  id integer primary key autoincrement,
  family_id integer not null references families (id) on delete cascade,
  other_id integer references families (id) on delete set null,
  kind text not null,
  detail text not null,
  account_id integer references accounts (id) on delete set null,
  username text not null,
  created_at integer not null,
  undone_by text,
  undone_at integer,
  is_restoring integer not null default 0
) strict;
CREATE INDEX family_actions_restoring on family_actions (id) where is_restoring = 1;
CREATE INDEX family_actions_by_family on family_actions (family_id, id);
CREATE INDEX family_actions_by_other on family_actions (other_id, id) where other_id is not null;
CREATE INDEX family_actions_by_account on family_actions (account_id) where account_id is not null;
CREATE TABLE family_moves (
  action_id integer not null references family_actions (id) on delete cascade,
  apk_id integer not null references apks (id) on delete cascade,
  from_id integer,
  ties text not null,
  primary key (action_id, apk_id)
) strict, without rowid;
CREATE INDEX family_moves_by_apk on family_moves (apk_id);
CREATE INDEX code_sketches_waiting on code_sketches (apk_id) where is_placed = 0;
